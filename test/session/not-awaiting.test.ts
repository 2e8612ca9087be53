// Programs that are at work, though some of them have the terminal in their hands: none of them is taken for one that waits for input.
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Until } from '../../src/waiting/until.ts';
import { javascript, PATH_WITH_NODE, python, testWith } from '../support/programs.ts';
import { TestTable } from '../support/session-table.ts';
import { forEachShell, shells, type TestedShell } from '../support/shells.ts';
import { freePort } from '../waiting/support.ts';

interface Working {
  readonly title: string;
  readonly needs?: readonly string[];
  readonly command: (shell: TestedShell, port: number) => string;
  /** When it is at work; else it is from its start on. */
  readonly ready?: (port: number) => Until;
}

/** How long is looked. */
const LOOK_MS = 700;
const SAYS_READY: Until = { kind: 'output', pattern: '^ready$' };
const listens = (port: number): Until => ({ kind: 'port', port });
const STOPPED_READER = "import os, signal, subprocess\nreader = subprocess.Popen(['cat'])\nos.kill(reader.pid, signal.SIGSTOP)\nprint('ready', flush=True)\nreader.wait()";
const TWO_THREADS = "import sys, threading, time\nthreading.Thread(target=sys.stdin.readline, daemon=True).start()\nprint('ready', flush=True)\nwhile True: sum(range(1000))";
const SERVER_WITH_INPUT = (port: number): string => `process.stdin.resume(); require('http').createServer().listen(${port}, '127.0.0.1')`;

const WORKING: readonly Working[] = [
  { title: 'sleep', command: () => 'sleep 3101' },
  { title: 'tail -f', command: () => 'tail -f Makefile' },
  { title: 'yes', command: () => 'yes >/dev/null' },
  { title: 'a program that prints for ever', command: () => 'while true; do echo tick; sleep 0.05; done' },
  { title: 'make -j', needs: ['make'], command: () => 'make -j 2' },
  { title: 'a server of Python', needs: ['python3'], command: (_, port) => `python3 -m http.server --bind 127.0.0.1 ${port}`, ready: listens },
  { title: 'a server of node', needs: ['node'], command: (shell, port) => javascript(shell, `require('http').createServer().listen(${port}, '127.0.0.1')`), ready: listens },
  { title: 'a server of node that takes lines', needs: ['node'], command: (shell, port) => javascript(shell, SERVER_WITH_INPUT(port)), ready: listens },
  { title: 'a server of node that takes keys', needs: ['node'], command: (shell, port) => javascript(shell, `process.stdin.setRawMode(true); ${SERVER_WITH_INPUT(port)}`), ready: listens },
  { title: 'a reader that was stopped', needs: ['python3'], command: (shell) => python(shell, STOPPED_READER), ready: () => SAYS_READY },
  { title: 'a program that computes while a thread of it reads', needs: ['python3'], command: (shell) => python(shell, TWO_THREADS), ready: () => SAYS_READY },
  // a bare `wait` of zsh cannot be interrupted, in any terminal
  { title: 'the shell that waits for its background job', command: (shell) => `sleep 3103 & wait${shell === 'zsh' ? ' $!' : ''}` },
  { title: 'a lock that somebody holds', needs: ['flock'], command: (shell) => `sh -c 'exec 9>lock-${shell}; flock 9; flock lock-${shell} true'` },
  { title: 'a named pipe that nobody writes to', command: (shell) => `mkfifo pipe-${shell}; cat pipe-${shell}` },
  { title: 'a pipe that nobody writes to', command: () => 'sleep 3104 | cat' },
  { title: 'a busy loop of the shell', command: () => 'while true; do true; done' },
];

const table = new TestTable({ env: { PATH: PATH_WITH_NODE } });
afterAll(() => table.close());
writeFileSync(path.join(table.work, 'Makefile'), 'all: one two\none two:\n\tsleep 3102\n');

/** fish closes its loops in its own way. */
function inShell(shell: TestedShell, command: string): string {
  return shell === 'fish' ? command.replace('true; do ', 'true; ').replace(/; done$/, '; end') : command;
}

async function looksBusy(shell: TestedShell, { command, ready }: Working): Promise<void> {
  const session = await table.open(shell);
  const port = await freePort(createServer());
  const text = inShell(shell, command(shell, port));
  const first = await session.run(text, ready === undefined ? { timeoutMs: LOOK_MS } : { until: ready(port) });
  if (ready !== undefined) expect(first, `in ${shell}`).toMatchObject({ state: 'matched' });
  const report = ready === undefined ? first : await session.read({ timeoutMs: LOOK_MS });
  expect([report.state, report.awaiting, report.screen], `in ${shell}`).toEqual(['running', undefined, undefined]);
  const interrupted = await session.interrupt({ graceMs: 500 });
  expect([interrupted.state, interrupted.ladder?.alive], `in ${shell}`).toEqual(['done', []]);
  expect(await session.text('echo ok')).toBe('ok\n');
  await session.destroy(0);
}

for (const working of WORKING) {
  testWith(working.needs ?? [], `${working.title} does not wait for input`, async () => {
    await Promise.all(shells().map((shell) => looksBusy(shell, working))); // each look takes its time, whatever is found
  });
}

forEachShell((shell) => {
  test('B94 a program that stops itself is over for the call, and a job of the shell', async () => {
    const session = await table.open(shell);
    const report = await session.run("sh -c 'kill -STOP $$; read answer'");
    expect([report.state, report.awaiting]).toEqual(['done', undefined]);
    expect(report.background).toEqual([expect.objectContaining({ state: 'stopped' })]);
    expect(await session.text('echo ok')).toContain('ok\n');
    await session.destroy(0);
  });
});
