// However the server ends, in order: everything that it started is gone in two seconds, whatever it ignores and wherever it went.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { startServer, type Harness } from '../support/harness.ts';
import { Home } from '../support/home.ts';
import { removeAtEnd } from '../support/leftovers.ts';
import { SERVER } from '../support/paths.ts';
import { shells } from '../support/shells.ts';
import { descendants, familyOf, KINDS, running, serverFiles, tagOf, uniqueSeconds, untilRunning } from './support.ts';

const END_MS = 2_000;
const STUBBORN_TASKS = 20;

/** 20 tasks and a run that ignore every polite signal, and a session in each shell with all that can leave it. */
async function fill(server: Harness, seconds: string): Promise<number> {
  const stubborn = `trap "" TERM HUP INT; sleep ${seconds}; :`;
  const tasks = Array.from({ length: STUBBORN_TASKS }, () => server.facts('task_spawn', { command: stubborn, shell: 'bash' }));
  const sessions = shells().map(async (shell) => {
    const session = await server.openSession(shell);
    expect(await session.run(descendants(shell, seconds))).toMatchObject({ state: 'done', exit_code: 0 });
  });
  const hanging = server.callTool('run', { command: stubborn }).catch(() => 'the connection is closed');
  void hanging;
  await server.facts('run', { command: 'seq 1 100000' }); // has a file
  await Promise.all([...tasks, ...sessions]);
  return STUBBORN_TASKS + shells().length * KINDS + 1;
}

test.each([
  ['the end of its input', (server: Harness) => server.process.endInput(), 0],
  ['SIGTERM', (server: Harness) => server.process.kill('SIGTERM'), 143],
  ['SIGINT', (server: Harness) => server.process.kill('SIGINT'), 130],
  ['SIGHUP', (server: Harness) => server.process.kill('SIGHUP'), 129],
] as const)('B101, T86: at %s 20 tasks and a run that ignore signals, and three sessions with daemons, are gone in 2 s', async (_, end, code) => {
  const server = await startServer();
  const seconds = uniqueSeconds();
  const tag = await tagOf(server);
  await untilRunning(`sleep ${seconds}`, await fill(server, seconds));
  const from = performance.now();
  end(server);
  expect(await server.process.ended).toEqual({ code, signal: null });
  const tookMs = performance.now() - from;
  expect(running(`sleep ${seconds}`)).toEqual([]);
  expect(familyOf(tag)).toEqual([]);
  expect(tookMs).toBeLessThan(END_MS);
  expect(serverFiles(server.process.home)).toEqual([]);
  expect(server.process.stderr).toBe('');
});

test('at the limits, 64 sessions with jobs that ignore signals and 64 such tasks are gone in 2 s', { timeout: 60_000 }, async () => {
  const server = await startServer();
  const [seconds, tag, count] = [uniqueSeconds(), await tagOf(server), 64];
  const stubborn = `trap "" TERM HUP INT; sleep ${seconds}; :`;
  const jobs = `(${stubborn}) & sleep ${seconds} & sleep ${seconds} &`;
  await Promise.all(Array.from({ length: count }, async () => (await server.openSession('bash')).run(jobs)));
  await Promise.all(Array.from({ length: count }, () => server.facts('task_spawn', { command: stubborn, shell: 'bash' })));
  await untilRunning(`sleep ${seconds}`, 4 * count);
  const from = performance.now();
  expect(await server.close()).toEqual({ code: 0, signal: null });
  expect(performance.now() - from).toBeLessThan(END_MS);
  expect(familyOf(tag)).toEqual([]);
});

test('T86: a second signal ends the server at once, and what it left is gone all the same', async () => {
  const server = await startServer();
  const [polite, stubborn] = [uniqueSeconds(), uniqueSeconds()];
  const tag = await tagOf(server);
  await server.facts('task_spawn', { command: `trap "" TERM HUP INT; sleep ${stubborn}; :`, shell: 'bash' });
  await server.facts('task_spawn', { command: `sleep ${polite}` });
  await Promise.all([untilRunning(`sleep ${polite}`, 1), untilRunning(`sleep ${stubborn}`, 1)]);
  server.process.kill('SIGTERM');
  await untilRunning(`sleep ${polite}`, 0); // the first one is being acted upon
  const from = performance.now();
  server.process.kill('SIGINT');
  expect(await server.process.ended).toEqual({ code: 130, signal: null });
  expect(performance.now() - from).toBeLessThan(300);
  await expect.poll(() => familyOf(tag), { timeout: 3_000 }).toEqual([]);
  await expect.poll(() => serverFiles(server.process.home)).toEqual([]);
});

test('calls that wait when the server ends do not keep it, and what comes at that moment does not outlive it', async () => {
  const server = await startServer();
  const [seconds, late] = [uniqueSeconds(), uniqueSeconds()];
  const session = await server.openSession('bash');
  const waiting = [session.run(`sleep ${seconds}`), server.facts('run', { command: `sleep ${seconds}`, timeout_ms: 600_000 })].map((call) => call.catch((error: unknown) => String(error)));
  await untilRunning(`sleep ${seconds}`, 2);
  const from = performance.now();
  server.process.kill('SIGTERM');
  const after = server.callTool('task_spawn', { command: `sleep ${late}` }).catch((error: unknown) => String(error)); // refused, or started a moment before
  expect(await server.process.ended).toMatchObject({ code: 143 });
  expect(performance.now() - from).toBeLessThan(END_MS);
  await Promise.all([...waiting, after]);
  expect(running(`sleep ${late}`)).toEqual([]);
});

/** A client that starts the server, lets it start a task, says its pid, and then only lives. */
const CLIENT = `
const server = require('node:child_process').spawn(process.execPath, [process.argv[1], 'stdio'], { stdio: ['pipe', 'pipe', 'inherit'] });
const send = (message) => server.stdin.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
send({ id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'client', version: '0' } } });
send({ method: 'notifications/initialized' });
send({ id: 2, method: 'tools/call', params: { name: 'task_spawn', arguments: { command: process.argv[2], shell: 'bash' } } });
server.stdout.once('data', () => console.log(server.pid));
setInterval(() => {}, 1_000);
`;

test('a client that dies by kill -9 is a client that has gone: the server ends in 2 s with everything', async () => {
  const home = new Home();
  removeAtEnd(home.root);
  const seconds = uniqueSeconds();
  const command = `trap "" TERM HUP INT; sleep ${seconds}; :`;
  const client = spawn(process.execPath, ['-e', CLIENT, SERVER, command], { env: home.environment(), cwd: home.dir, stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(client, 'exit');
  const [line] = (await once(createInterface(client.stdout), 'line')) as [string];
  const tag = await tagOf({ pid: Number(line) });
  await untilRunning(`sleep ${seconds}`, 1);
  const from = performance.now();
  client.kill('SIGKILL');
  await exited;
  await expect.poll(() => familyOf(tag), { interval: 20, timeout: END_MS }).toEqual([]);
  expect(performance.now() - from).toBeLessThan(END_MS);
  expect(running(`sleep ${seconds}`)).toEqual([]);
  expect(serverFiles(home)).toEqual([]);
});
