// Answering programs that ask: what comes back after an answer is what is new, and when the program waits again.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { CommandReport } from '../../src/session/api.ts';
import { python, testWith } from '../support/programs.ts';
import { liveProcesses } from '../support/processes.ts';
import { TestTable } from '../support/session-table.ts';
import { forEachShell, type TestedShell } from '../support/shells.ts';

const table = new TestTable();
afterAll(() => table.close());

const THREE_QUESTIONS = "for name in 'one', 'two', 'three': print('got ' + input(name + '? '))";
/** Asks for a secret and shows that it was read: by its length alone. */
const ASKS_FOR_SECRET: Readonly<Record<TestedShell, string>> = {
  bash: "read -s -p 'Password: ' secret; echo; echo ${#secret} characters",
  zsh: "read -s 'secret?Password: '; echo; echo ${#secret} characters",
  fish: "read -s -P 'Password: ' secret; echo; echo (string length $secret) characters",
};
const GETPASS = "import getpass; print(len(getpass.getpass()), 'characters')";
/** More than is kept in memory, so that there are files of output, too. */
const LONG_OUTPUT = 'seq 400000';

function endOf({ state, exitCode, awaiting }: CommandReport): unknown[] {
  return [state, exitCode, awaiting?.kind];
}

/** The files below a folder that contain the text. */
function filesWith(text: string, folder: string): string[] {
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.map((entry) => path.join(entry.parentPath, entry.name)).filter((file) => readFileSync(file).includes(text));
}

forEachShell((shell) => {
  testWith(['python3'], 'each answer brings only what is new, and the next question', async () => {
    const session = await table.open(shell);
    const first = await session.run(python(shell, THREE_QUESTIONS));
    expect([first.output.text, first.awaiting?.prompt]).toEqual(['one? ', 'one? ']);
    const second = await session.send({ text: 'a b' });
    expect([second.output.text, second.awaiting?.prompt]).toEqual(['a b\ngot a b\ntwo? ', 'two? ']);
    const third = await session.send({ text: 'é ≤ 你' });
    expect([third.output.text, third.awaiting?.prompt]).toEqual(['é ≤ 你\ngot é ≤ 你\nthree? ', 'three? ']);
    const last = await session.send({ text: '' });
    expect([...endOf(last), last.output.text]).toEqual(['done', 0, undefined, '\ngot \n']);
    expect((await session.read()).output.text).toBe('one? a b\ngot a b\ntwo? é ≤ 你\ngot é ≤ 你\nthree? \ngot \n');
    await session.destroy();
  });

  test('a builtin of the shell is answered, twice', async () => {
    const session = await table.open(shell);
    expect(endOf(await session.run('read one; read two; echo "[$one][$two]"'))).toEqual(['awaiting_input', undefined, 'line']);
    expect(endOf(await session.send({ text: 'first' }))).toEqual(['awaiting_input', undefined, 'line']);
    const report = await session.send({ text: 'second' });
    expect(endOf(report)).toEqual(['done', 0, undefined]);
    expect(report.output.text).toContain('[first][second]\n');
    await session.destroy();
  });

  test('half a line does not hang the call: the program still waits for its end', async () => {
    const session = await table.open(shell);
    await session.run('cat');
    const half = await session.send({ text: 'half ', enter: false });
    expect([...endOf(half), half.output.text]).toEqual(['awaiting_input', undefined, 'line', 'half ']);
    const more = await session.send({ text: 'a ', enter: false });
    expect([...endOf(more), more.output.text]).toEqual(['awaiting_input', undefined, 'line', 'a ']);
    const whole = await session.send({ text: 'line' });
    expect([...endOf(whole), whole.output.text]).toEqual(['awaiting_input', undefined, 'line', 'line\nhalf a line\n']);
    const ended = await session.send({ keys: ['ctrl-d'] });
    expect([...endOf(ended), ended.output.text]).toEqual(['done', 0, undefined, '']);
    await session.destroy();
  });

  test('several lines at once are answered together', async () => {
    const session = await table.open(shell);
    await session.run('cat -n');
    const report = await session.send({ text: 'one\ntwo\nthree' });
    expect(endOf(report)).toEqual(['awaiting_input', undefined, 'line']);
    const lines = report.output.text.split('\n');
    expect(lines.filter((line) => /^\s+\d\t/.test(line))).toEqual(['     1\tone', '     2\ttwo', '     3\tthree']);
    expect(endOf(await session.send({ keys: ['ctrl-d'] }))).toEqual(['done', 0, undefined]);
    await session.destroy();
  });

  test('a call that does not wait says nothing of a wait that its own input has ended', async () => {
    const session = await table.open(shell);
    await session.run('head -n 1 >/dev/null; sleep 3201');
    const sent = await session.send({ text: 'x', timeoutMs: 0 });
    expect(endOf(sent)).toEqual(['running', undefined, undefined]);
    expect(endOf(await session.read({ timeoutMs: 500 }))).toEqual(['running', undefined, undefined]);
    await session.destroy(0);
  });

  test('a program that was killed while it waited, and nobody looked, is not said to wait any more', async () => {
    const session = await table.open(shell);
    const { awaiting } = await session.run('cat; sleep 3202');
    process.kill(awaiting?.pid ?? 0, 'SIGTERM');
    await expect.poll(() => liveProcesses().some(({ command }) => command === 'sleep 3202'), { timeout: 8_000, interval: 10 }).toBe(true);
    expect(endOf(await session.read())).toEqual(['running', undefined, undefined]);
    await session.destroy(0);
  });

  test.each([['the shell', () => ASKS_FOR_SECRET[shell]], ['a program', () => python(shell, GETPASS)]])('a password for %s is answered without the secret being in any output, log or transcript', async (_, command) => {
    const secret = `hunter2-${shell}-S3CRET`;
    const session = await table.open(shell);
    const asked = await session.run(`${command()}; ${LONG_OUTPUT}`);
    expect([...endOf(asked), asked.awaiting?.prompt]).toEqual(['awaiting_input', undefined, 'secret', 'Password: ']);
    const answered = await session.send({ text: secret, until: { kind: 'output', pattern: 'characters' } });
    const ended = await session.read({ timeoutMs: 12_000, until: { kind: 'exit' } });
    expect(ended, ended.output.text.slice(0, 200)).toMatchObject({ state: 'done', exitCode: 0, output: { text: expect.stringContaining(`${secret.length} characters\n`) } });
    const views = [await session.read({ cursor: 0, maxOutputBytes: 10_000_000 }), await session.read({ view: 'transcript', cursor: 0, maxOutputBytes: 10_000_000 }), await session.read({ view: 'screen' })];
    expect(JSON.stringify([asked, answered, ended, views, session.summary()])).not.toContain(secret);
    expect(readdirSync(path.join(table.home.root, 'output'))).not.toEqual([]);
    expect([...filesWith(secret, table.home.root), ...filesWith(secret, table.runtimeDir.path)]).toEqual([]);
    await session.text('echo next');
    await session.destroy();
    expect(filesWith(secret, table.home.root)).toEqual([]);
  });
});
