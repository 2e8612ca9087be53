// Keys, sizes and long input, as a program in a real terminal receives them.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { KEY_NAMES } from '../../src/terminal/keys.ts';
import { python, testWith } from '../support/programs.ts';
import { TestTable, type TestSession } from '../support/session-table.ts';
import { forEachShell } from '../support/shells.ts';

const table = new TestTable();
afterAll(() => table.close());

/** What xterm sends (ctlseqs). The cursor keys have a second form, for programs that have switched DECCKM on. */
const KEYS: Readonly<Record<string, string>> = {
  enter: '\r', tab: '\t', escape: '\x1b', backspace: '\x7f', delete: '\x1b[3~', page_up: '\x1b[5~', page_down: '\x1b[6~', 'ctrl-\\': '\x1c',
  f1: '\x1bOP', f2: '\x1bOQ', f3: '\x1bOR', f4: '\x1bOS', f5: '\x1b[15~', f6: '\x1b[17~', f7: '\x1b[18~', f8: '\x1b[19~', f9: '\x1b[20~', f10: '\x1b[21~', f11: '\x1b[23~', f12: '\x1b[24~',
  ...Object.fromEntries(Array.from('abcdefghijklmnopqrstuvwxyz', (letter, index) => [`ctrl-${letter}`, String.fromCharCode(index + 1)])),
};
const CURSOR_KEYS: Readonly<Record<string, string>> = { up: 'A', down: 'B', right: 'C', left: 'D', home: 'H', end: 'F' };

/** Shows each piece of its input as hexadecimal digits, until there is a q in one; sends `start` to the terminal first. */
function showsInput(start: string): string {
  return `import os, sys, tty, termios
before = termios.tcgetattr(0)
tty.setraw(0)
os.write(1, ${JSON.stringify(start)}.encode() + b'ready\\r\\n')
got = b''
while b'q' not in got:
    got = os.read(0, 65536)
    os.write(1, got.hex().encode() + b'\\r\\n')
termios.tcsetattr(0, termios.TCSADRAIN, before)`;
}

async function pressed(session: TestSession, key: string): Promise<string> {
  const { output } = await session.send({ keys: [key] });
  return Buffer.from(output.text.replaceAll('\n', ''), 'hex').toString('latin1');
}

describe.each([['as they come', '', '\x1b['], ['in the application mode of cursor keys', '\x1b[?1h', '\x1bO']])('the keys %s', (_, start, introducer) => {
  let session: TestSession;
  beforeAll(async () => {
    session = await table.open('bash');
    const report = await session.run(python('bash', showsInput(start)));
    expect(report).toMatchObject({ state: 'awaiting_input', awaiting: { kind: 'keys', prompt: '' }, output: { text: 'ready\n' } });
  });

  testWith(['python3'], 'reach the program as a terminal sends them, each by its name', async () => {
    const expected = { ...KEYS, ...Object.fromEntries(Object.entries(CURSOR_KEYS).map(([name, final]) => [name, introducer + final])) };
    const found: Record<string, string> = {};
    for (const key of KEY_NAMES) found[key] = await pressed(session, key);
    expect(found).toEqual(expected);
  });

  testWith(['python3'], 'come in the order in which they are given, behind the text', async () => {
    const report = await session.send({ text: 'ab', enter: true, keys: ['tab', 'up', 'ctrl-c'], until: { kind: 'output', pattern: '03$' } });
    expect(Buffer.from(report.output.text.replaceAll('\n', ''), 'hex').toString('latin1')).toBe(`ab\r\t${introducer}A\x03`);
    expect(await session.send({ text: 'q', enter: false })).toMatchObject({ state: 'done', exitCode: 0 });
    await session.destroy();
  });
});

test.each([['pageup', 'page_up'], ['entre', 'enter'], ['Escape', 'escape'], ['ctrl_c', 'ctrl-c'], ['F5', 'f5']])('for the key %j the nearest one is named, and nothing is sent', async (wrong, nearest) => {
  const session = await table.open('bash');
  await session.run('cat');
  await expect(session.send({ text: 'lost', keys: ['tab', wrong] })).rejects.toMatchObject({ code: 'UNKNOWN_KEY', hint: expect.stringContaining(`nearest: ${nearest};`) });
  const report = await session.send({ text: 'kept', keys: ['ctrl-d'] });
  expect([report.state, report.output.text]).toEqual(['done', 'kept\nkept\n']);
  await session.destroy();
});

forEachShell((shell) => {
  testWith(['vim'], 'a program sees the new size of its terminal, and draws for it', async () => {
    const session = await table.open(shell, { cols: 100, rows: 30 });
    await session.run('vim -u NONE -n');
    const { screen } = await session.send({ cols: 60, rows: 12 });
    expect([screen?.cols, screen?.rows, screen?.text.trimEnd().split('\n')]).toEqual([60, 12, ['', ...Array.from({ length: 10 }, () => '~')]]); // and its own last line
    const inside = await session.send({ text: ':!stty size' });
    expect(inside.screen?.text ?? inside.output.text).toContain('12 60');
    await session.send({ keys: ['enter'] });
    expect(await session.send({ text: ':q!' })).toMatchObject({ state: 'done', exitCode: 0 });
    expect(await session.text('stty size')).toBe('12 60\n');
    await session.destroy();
  });

  test('a line that no terminal can keep is refused whole, and the program still waits', async () => {
    const session = await table.open(shell);
    await session.run('wc -c');
    for (const text of ['x'.repeat(4_096), `short\n${'y'.repeat(10_000)}\nshort`]) {
      await expect(session.send({ text })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', message: expect.stringContaining('too long'), hint: expect.stringContaining('nothing was sent') });
    }
    expect(await session.send({ text: 'z'.repeat(4_094) })).toMatchObject({ state: 'awaiting_input', awaiting: { kind: 'line' } });
    const report = await session.send({ keys: ['ctrl-d'] });
    expect([report.state, report.output.text]).toEqual(['done', '4095\n']);
    await session.destroy();
  });

  test('hundreds of long lines arrive whole', async () => {
    const session = await table.open(shell);
    await session.run('stty -echo; cksum; stty echo');
    const lines = Array.from({ length: 250 }, (_, index) => `${index} `.repeat(700).slice(0, 3_000));
    const sent = await session.send({ text: lines.join('\n'), keys: ['ctrl-d'] });
    const { output } = sent.state === 'done' ? sent : await session.read({ timeoutMs: 12_000, until: { kind: 'exit' } });
    expect(output.text.trim().split(' ')[1]).toBe(String(lines.join('\n').length + 1));
    await session.destroy();
  });

  testWith(['python3'], 'a long text without line ends arrives whole where keys are read', async () => {
    const session = await table.open(shell);
    await session.run(python(shell, showsInput('')), { maxOutputBytes: 1_000_000 });
    const text = Array.from({ length: 30_000 }, (_, index) => index % 10).join('');
    const report = await session.send({ text: `${text}q`, enter: false, maxOutputBytes: 1_000_000 });
    expect(report).toMatchObject({ state: 'done', exitCode: 0 });
    expect(Buffer.from(report.output.text.replaceAll('\n', ''), 'hex').toString('latin1')).toBe(`${text}q`);
    await session.destroy();
  });
});
