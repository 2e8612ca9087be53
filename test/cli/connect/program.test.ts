// How the program `shellkeep connect` begins and ends, and what the server is that it has started.
import { mkdirSync, readFileSync, readlinkSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { greetingLine } from '../../../src/mcp/greeting.ts';
import { readProcess } from '../../../src/process/proc.ts';
import { claimServing, servingProcess, type ServeRecord } from '../../../src/process/serve-claim.ts';
import manifest from '../../../package.json' with { type: 'json' };
import { descriptorsOf, uniqueSeconds, untilRunning } from '../../e2e/support.ts';
import { startServer, type Harness } from '../../support/harness.ts';
import type { Home } from '../../support/home.ts';
import { SERVER } from '../../support/paths.ts';
import { readLive } from '../../support/processes.ts';
import { RawClient } from '../../support/raw-client.ts';
import type { ServerOptions } from '../../support/server-process.ts';
import { newHome, runProgram } from '../program.ts';

let home: Home;
beforeEach(() => {
  home = newHome();
});
afterEach(async () => {
  await runProgram(['stop'], { home });
});

const state = (): string => path.join(home.dir, '.local/state/shellkeep');
const serving = (): Promise<ServeRecord | undefined> => servingProcess(state());
const ARGV = ['connect', '--no-tcp'];
const connect = (options: ServerOptions = {}): RawClient => new RawClient({ home, argv: ARGV, ...options });
const connectReal = (): Promise<Harness> => startServer({ home, argv: ARGV });

describe('the client ends, the server and what runs in it stay', () => {
  test.each([['SIGTERM', 143], ['SIGINT', 130], ['SIGHUP', 129], ['SIGKILL', null]] as const)('by %s', async (signal, code) => {
    const client = await connectReal();
    const { pid: task } = await client.facts('task_spawn', { command: 'exec sleep 3077', shell: 'bash' });
    const [record, sleeper] = [await serving(), readLive(Number(task))];
    client.process.kill(signal);
    expect(await client.process.ended).toEqual({ code, signal: code === null ? signal : null });
    expect([await serving(), readLive(Number(task))?.startTime]).toEqual([record, sleeper?.startTime ?? 'gone before']);
  });

  test('because nobody reads its output', async () => {
    const client = connect({ through: ['bash', '-c', '"$@" | head -n 1; exit $((PIPESTATUS[0] + 7))', 'bash'] });
    await client.request('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '0' } });
    await client.post('ping');
    expect(await client.process.ended).toEqual({ code: 7, signal: null });
    expect([client.process.stderr, await serving()]).toEqual(['', expect.anything()]);
  });
});

test('a call that is cancelled is cancelled there: what waited for its turn never starts', async () => {
  const client = await startServer({ home, argv: [...ARGV, '--max-concurrent', '1'] });
  const [first, second] = [uniqueSeconds(), uniqueSeconds()];
  const ahead = client.facts('run', { command: `exec sleep ${first}` });
  const [sleeper] = await untilRunning(`sleep ${first}`, 1);
  const cancel = new AbortController();
  const call = client.facts('run', { command: `sleep ${second}` }, { signal: cancel.signal });
  cancel.abort('enough');
  await expect(call).rejects.toThrow('enough');
  process.kill(sleeper?.pid ?? 0, 'SIGTERM');
  await ahead;
  expect(await client.facts('run', { command: 'echo after' })).toMatchObject({ stdout: 'after\n' });
  await client.close();
});

describe('the server that it starts', () => {
  test('has nothing of its client: no descriptor, no terminal, no directory', async () => {
    const [held, place] = [home.write('held', ''), path.join(home.root, 'project')];
    mkdirSync(place);
    const client = connect({ cwd: place, through: ['bash', '-c', `exec 3<'${held}' 18<'${held}' 60<'${held}'; exec "$@"`, 'bash'] });
    await client.initialize();
    const { pid } = (await serving()) as ServeRecord;
    expect(readProcess(pid)).toMatchObject({ pgrp: pid, session: pid });
    expect(readlinkSync(`/proc/${pid}/cwd`)).toBe(home.dir);
    expect([descriptorsOf(client.process.pid).includes(held), descriptorsOf(pid).includes(held)]).toEqual([true, false]);
    expect([0, 1, 2].map((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`))).toEqual(['/dev/null', '/dev/null', path.join(state(), 'serve.log')]);
    expect(statSync(path.join(state(), 'serve.log')).mode & 0o777).toBe(0o600);
    await client.close();
  });

  test('says why it does not start, not why an earlier one did not', async () => {
    mkdirSync(state(), { recursive: true, mode: 0o700 });
    writeFileSync(path.join(state(), 'serve.log'), 'shellkeep: an old reason\n');
    const socket = path.join(home.runtime, 'taken');
    mkdirSync(socket);
    const client = connect({ argv: [...ARGV, '--socket', socket] });
    await client.post('initialize'); // it stays: one that goes away is not told
    expect(await client.process.ended).toEqual({ code: 2, signal: null });
    expect(client.process.stderr).toBe(`shellkeep: the server does not start: socket = "${socket}": what is there is no socket; remove it, or set another socket\n`);
    expect(readFileSync(path.join(state(), 'serve.log'), 'utf8')).toMatch(/^shellkeep: an old reason\n/);
  });

  test.each([
    ['the directory in which it was started has gone', () => ({ through: ['bash', '-c', `mkdir gone && cd gone && rmdir ../gone && exec "$@"`, 'bash'] })],
    ['there is no home directory, but a state directory', () => ({ env: { HOME: '/nowhere', XDG_STATE_HOME: path.join(home.dir, '.local/state') } })],
  ])('is there also when %s', async (_, options) => {
    const client = connect(options());
    expect((await client.initialize()).result).toBeDefined();
    await client.close();
  });

  test('is asked for the roots of its client', async () => {
    const client = connect();
    await client.request('initialize', { protocolVersion: '2025-11-25', capabilities: { roots: {} }, clientInfo: { name: 'raw', version: '0' } });
    await client.notify('notifications/initialized');
    const place = path.join(home.dir, 'work');
    mkdirSync(place);
    const call = await client.post('tools/call', { name: 'run', arguments: { command: 'pwd' } });
    const { id } = await client.next(({ method }) => method === 'roots/list');
    await client.sendLine(JSON.stringify({ jsonrpc: '2.0', id, result: { roots: [{ uri: `file://${place}` }] } }));
    expect((await client.next((message) => message.id === call && message.method === undefined)).result).toMatchObject({ structuredContent: { exit_code: 0 } });
    await client.close();
  });
});

test('who comes while a server is ending gets the next one', async () => {
  const first = await connectReal();
  const seconds = uniqueSeconds();
  await first.facts('task_spawn', { command: `trap "" TERM HUP INT; sleep ${seconds}; :`, shell: 'bash' }); // its end takes a while
  await untilRunning(`sleep ${seconds}`, 1);
  const { pid } = (await serving()) as ServeRecord;
  const { socket } = (await serving()) as ServeRecord;
  process.kill(pid, 'SIGTERM');
  await expect.poll(() => statSync(socket, { throwIfNoEntry: false }), { interval: 5 }).toBeUndefined();
  expect((await serving())?.pid).toBe(pid); // not over yet
  const second = await connectReal();
  expect((await second.facts('status')).pid).not.toBe(pid);
  await Promise.all([first.close(), second.close()]);
});

test('the server of another home is not used when it has the socket: the client is told', async () => {
  const other = newHome();
  const argv = [...ARGV, '--socket', path.join(home.runtime, 'shared.sock')];
  const first = await startServer({ home, argv });
  const second = new RawClient({ home: other, argv });
  await second.initialize().catch(() => undefined);
  expect(await second.process.ended).toEqual({ code: 2, signal: null });
  expect(second.process.stderr).toContain('another process listens there, as a server of another home does; set another socket (--socket PATH)');
  await first.close();
});

test('a server of another version is used, and named once', async () => {
  const socket = path.join(home.runtime, 'old.sock');
  const old = createServer((connection) => {
    connection.once('data', () => connection.write(greetingLine({ version: '0.0.1', pid: process.pid })));
    connection.on('data', () => connection.write('{"jsonrpc":"2.0","id":1,"result":{}}\n'));
    connection.on('error', () => {});
  });
  await new Promise<void>((resolve) => old.listen(socket, resolve));
  await claimServing(state(), { socket, version: '0.0.1', startedAt: new Date().toISOString() });
  const client = connect();
  expect((await client.request('initialize')).result).toEqual({});
  await client.close();
  expect(client.process.stderr).toBe(`shellkeep: the server that runs is version 0.0.1, this is ${manifest.version}: after "shellkeep stop" the next client starts this one\n`);
  old.close();
  writeFileSync(path.join(state(), 'serve.999.json'), '{}'); // this process serves no more
});

test.each([['--help', 'shellkeep connect'], ['--version', manifest.version]])('%s is answered, and starts nothing', async (flag, words) => {
  const { stdout, stderr, end } = await runProgram(['connect', '--no-tcp', flag], { home });
  expect({ stdout, stderr, end }).toEqual({ stdout: expect.stringContaining(words) as string, stderr: '', end: 0 });
  expect(await serving()).toBeUndefined();
});

test('connect, which is started with each client, loads no package', () => {
  const loaded = new Set<string>();
  const follow = (file: string): void => {
    if (loaded.has(file)) return;
    loaded.add(file);
    if (!path.isAbsolute(file)) return;
    for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(/^import (?:.* from )?"(.+)";$/gm)) follow(name.startsWith('.') ? path.join(path.dirname(file), name) : name);
  };
  follow(path.join(path.dirname(SERVER), 'cli/connect.js'));
  expect(loaded.size).toBeGreaterThan(10);
  expect([...loaded].filter((name) => !path.isAbsolute(name) && !name.startsWith('node:'))).toEqual([]);
});
