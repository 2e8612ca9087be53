// `until` in a session, and the search in its output.
import { createServer } from 'node:http';
import { createServer as createPlainServer } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import type { Until } from '../../src/waiting/until.ts';
import { javascript, PATH_WITH_NODE, python, testWith } from '../support/programs.ts';
import { TestTable } from '../support/session-table.ts';
import { forEachShell } from '../support/shells.ts';
import { freePort, listening } from '../waiting/support.ts';

const table = new TestTable({ env: { PATH: PATH_WITH_NODE } });
afterAll(() => table.close());

const says = (pattern: string): Until => ({ kind: 'output', pattern });
/** Prints the word letter by letter, each in a chunk of its own, colours it in the middle, and goes on. */
const IN_PIECES = "import sys, time\nfor piece in ['compi', '\\x1b[1m', 'led ', 'succ', 'e', '\\x1b[0m', 'ssfully in \\xc3', '\\xa9t\\xc3\\xa9', '\\n']:\n    sys.stdout.buffer.write(piece.encode('latin1')); sys.stdout.flush(); time.sleep(0.03)\ntime.sleep(60)";

forEachShell((shell) => {
  testWith(['python3'], 'words are found wherever the chunks are cut', async () => {
    const session = await table.open(shell);
    const report = await session.run(python(shell, IN_PIECES), { until: says('^compiled successfully in été$') });
    expect([report.state, report.awaiting, report.exitCode]).toEqual(['matched', undefined, undefined]);
    expect(report.output.text).toContain('compiled successfully in été');
    await session.destroy(0);
  });

  test('what is unread counts, what was told does not', async () => {
    const session = await table.open(shell);
    await session.run('echo first; sleep 0.2; echo second; sleep 3501', { until: says('first') });
    expect(await session.read({ timeoutMs: 8_000, until: says('second') })).toMatchObject({ state: 'matched', output: { text: expect.stringContaining('second\n') } });
    expect(await session.read({ timeoutMs: 300, until: says('first|second') })).toMatchObject({ state: 'running' });
    expect(await session.read({ cursor: 0, timeoutMs: 300, until: says('first') })).toMatchObject({ state: 'matched', output: { text: 'first\nsecond\n' } });
    await session.destroy(0);
  });

  test('an answer to a program is waited for by its words, though the program waits again', async () => {
    const session = await table.open(shell);
    await session.run('cat');
    expect(await session.send({ text: 'hello there', until: says('^hello there$') })).toMatchObject({ state: 'matched' });
    await session.destroy(0);
  });

  testWith(['python3'], 'quiet is waited for also while a program on the whole screen rests', async () => {
    const session = await table.open(shell);
    const drawn = "import sys, time\nsys.stdout.write('\\x1b[?1049h\\x1b[2J\\x1b[Hdrawn'); sys.stdout.flush(); time.sleep(60)";
    expect(await session.run(python(shell, drawn), { until: { kind: 'quiet', quietMs: 600 } })).toMatchObject({ state: 'matched', screen: { text: 'drawn' } });
    await session.destroy(0);
  });

  testWith(['python3'], 'with separate streams, words and a question on standard error are seen', async () => {
    const session = await table.open(shell);
    const warns = "import sys, time\nprint('out'); sys.stdout.flush(); print('warned', file=sys.stderr); time.sleep(60)";
    expect(await session.run(python(shell, warns), { stderr: 'separate', until: says('^warned$') })).toMatchObject({ state: 'matched', stderr: { text: 'warned\n' } });
    await session.interrupt({ graceMs: 0 });
    const asks = "import sys\nprint('out'); sys.stdout.flush(); sys.stderr.write('Name? '); sys.stderr.flush(); sys.stdin.readline()";
    for (const until of [undefined, says('never')]) {
      const asked = await session.run(python(shell, asks), { stderr: 'separate', ...(until && { until }) });
      expect(asked).toMatchObject({ state: 'awaiting_input', awaiting: { kind: 'line', prompt: 'Name? ' } });
      expect((await session.send({ text: 'x' })).state).toBe('done');
    }
    await session.destroy(0);
  });

  test('quiet is waited for', async () => {
    const session = await table.open(shell);
    const loop = shell === 'fish' ? 'for i in 1 2 3 4 5; echo $i; sleep 0.05; end' : 'for i in 1 2 3 4 5; do echo $i; sleep 0.05; done';
    const report = await session.run(`${loop}; sleep 3502`, { until: { kind: 'quiet', quietMs: 600 } });
    expect([report.state, report.output.text]).toEqual(['matched', '1\n2\n3\n4\n5\n']);
    await session.destroy(0);
  });

  testWith(['node'], 'a server is waited for by its port and by its answer', async () => {
    const session = await table.open(shell);
    const port = await freePort(createPlainServer());
    const server = `setTimeout(() => require('http').createServer((_, response) => response.end()).listen(${port}, '127.0.0.1'), 200)`;
    expect(await session.run(javascript(shell, server), { until: { kind: 'port', port } })).toMatchObject({ state: 'matched' });
    expect(await session.read({ timeoutMs: 8_000, until: { kind: 'http', url: `http://127.0.0.1:${port}/` } })).toMatchObject({ state: 'matched' });
    expect(await session.read({ until: { kind: 'port', port } }), 'a call that does not wait looks, too').toMatchObject({ state: 'matched' });
    await session.destroy(0);
  });

  test('the end of the command is the end of every wait', async () => {
    const session = await table.open(shell);
    const port = await freePort(createPlainServer());
    for (const until of [says('never'), { kind: 'quiet', quietMs: 60_000 }, { kind: 'port', port }, { kind: 'exit' }] satisfies Until[]) {
      const ended = await session.run('echo words; sh -c "exit 3"', { until });
      expect([ended.state, ended.exitCode, ended.output.text]).toEqual(['done', 3, 'words\n']);
      const again = await session.read({ timeoutMs: 10_000, until });
      expect([again.state, again.exitCode]).toEqual(['done', 3]);
    }
    await session.destroy();
  });

  test('a question comes before what is waited for', async () => {
    const session = await table.open(shell);
    const report = await session.run(`sh -c 'printf "Continue? [y/N] "; read answer; echo installed'`, { until: says('^installed$') });
    expect(report).toMatchObject({ state: 'awaiting_input', awaiting: { prompt: 'Continue? [y/N] ' } });
    expect(await session.send({ text: 'y', until: says('^installed$') })).toMatchObject({ output: { text: expect.stringContaining('installed\n') } });
    await session.destroy();
  });

  test('a pattern that cannot be is refused before anything is run or sent', async () => {
    const session = await table.open(shell);
    for (const pattern of ['(', '(?<=a)b', '((a{100}){100}){100}']) {
      await expect(session.run('touch ran', { until: says(pattern) })).rejects.toMatchObject({ code: 'BAD_PATTERN' });
    }
    expect(await session.text('ls')).toBe('');
    await session.run('cat');
    await expect(session.send({ text: 'lost', until: says('[') })).rejects.toMatchObject({ code: 'BAD_PATTERN' });
    await expect(session.read({ search: { pattern: '*', contextLines: 0 } })).rejects.toMatchObject({ code: 'BAD_PATTERN' });
    expect((await session.send({ keys: ['ctrl-d'] })).output.text).toBe('');
    await session.destroy();
  });
});

test('a search gives lines with their numbers and surroundings, tells nothing and moves no place', async () => {
  const session = await table.open('bash');
  const first = await session.run('seq 1 1000; echo error: one; seq 1001 2000; echo error: two', { maxOutputBytes: 100 });
  const report = await session.read({ search: { pattern: '^error: (one|two)$', contextLines: 1 } });
  expect(report).toMatchObject({ state: 'done', exitCode: 0, output: { text: '' }, found: { total: 2 } });
  expect(report.found?.matches).toMatchObject([{ line: 1_001, text: 'error: one' }, { line: 2_002, text: 'error: two' }]);
  const none = await session.read({ search: { pattern: 'nowhere', contextLines: 3 } });
  expect(none.found).toMatchObject({ total: 0, matches: [] });
  const from = await session.read({ cursor: -50, search: { pattern: 'error', contextLines: 0 } });
  expect(from.found?.total).toBe(1);
  expect((await session.read({ commandId: first.commandId ?? '', search: { pattern: '^1$', contextLines: 0 } })).found?.total).toBe(1);
  expect((await session.read({ view: 'transcript', cursor: 0, search: { pattern: '^error: t', contextLines: 0 } })).found?.total).toBe(1);
  await session.destroy();
});

test('cursors are places in one output: those beyond its end are refused, negative ones count from there', async () => {
  const session = await table.open('bash');
  const { commandId = '', cursor } = await session.run('echo 0123456789');
  await expect(session.read({ commandId, cursor: cursor + 1 })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', message: expect.stringContaining('beyond the end') });
  expect((await session.read({ commandId, cursor: -3 })).output.text).toBe('89\n');
  expect((await session.read({ commandId, cursor: -1_000_000 })).output.text).toBe('0123456789\n');
  expect((await session.read({ commandId, cursor })).output).toMatchObject({ text: '', lostBytes: 0 });
  const other = await table.open('bash');
  await other.text('echo other');
  await expect(other.read({ commandId })).rejects.toMatchObject({ code: 'COMMAND_NOT_FOUND' });
  await expect(other.read({ cursor: cursor + 100 })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  await Promise.all([session.destroy(), other.destroy()]);
});

test('a server that answers with an error is none, and one that listens from before is there at once', async () => {
  const session = await table.open('bash');
  let status = 503;
  const port = await listening(createServer((_, response) => response.writeHead(status).end()));
  const url = `http://localhost:${port}/`;
  expect(await session.run('sleep 3503', { timeoutMs: 500, until: { kind: 'http', url } })).toMatchObject({ state: 'running' });
  status = 404;
  expect(await session.read({ timeoutMs: 8_000, until: { kind: 'http', url } })).toMatchObject({ state: 'matched' });
  await session.destroy(0);
});
