// `shellkeep connect`: clients that speak stdio to a server that stays, which is started once and outlives them.
import { chownSync, mkdirSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { ElicitRequestSchema, ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { servingProcess, type ServeRecord } from '../../src/process/serve-claim.ts';
import { startServer, type Harness } from '../support/harness.ts';
import type { Home } from '../support/home.ts';
import { isAlive, readLive } from '../support/processes.ts';
import { RawClient } from '../support/raw-client.ts';
import { newHome, runProgram } from './program.ts';

let home: Home;
beforeEach(() => {
  home = newHome();
});
afterEach(async () => {
  await runProgram(['stop'], { home });
});

const stateOf = (): string => path.join(home.dir, '.local/state/shellkeep');
const serving = (): Promise<ServeRecord | undefined> => servingProcess(stateOf());
const connect = (...flags: string[]): RawClient => new RawClient({ home, argv: ['connect', '--no-tcp', ...flags] });
const connectReal = (options: { readonly elicitation?: boolean } = {}, ...flags: string[]): Promise<Harness> => startServer({ home, argv: ['connect', '--no-tcp', ...flags], ...options });
const callOf = (id: number, name: string, args: object): string => JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } });

async function kill(): Promise<void> {
  const record = await serving();
  const live = record && readLive(record.pid);
  if (live === undefined) throw new Error('nobody serves');
  process.kill(live.pid, 'SIGKILL');
  await expect.poll(() => isAlive(live), { interval: 10 }).toBe(false);
}

test('a client that is started again finds its session as it left it; the server is the same process', async () => {
  const first = await connectReal();
  const session = await first.openSession('bash', { name: 'kept' });
  await session.run('cd / && export KEPT=here');
  expect(await first.close()).toEqual({ code: 0, signal: null });
  const record = await serving();
  const second = await connectReal();
  expect(await second.facts('session_list')).toMatchObject({ sessions: [{ name: 'kept', cwd: '/' }] });
  expect(await second.facts('session_run', { session_id: session.id, command: 'echo $KEPT' })).toMatchObject({ output: 'here\n' });
  expect((await serving())?.pid).toBe(record?.pid);
  await second.close();
});

test('ten clients that start at the same moment start one server', async () => {
  const clients = await Promise.all(Array.from({ length: 10 }, () => connectReal()));
  const pids = await Promise.all(clients.map(async (client) => (await client.facts('status')).pid));
  expect(new Set(pids)).toEqual(new Set([(await serving())?.pid]));
  await Promise.all(clients.map((client) => client.close()));
}, 60_000);

describe('everything passes, both ways', () => {
  test('tools, resources, prompts, completion, progress, questions and roots', async () => {
    const client = await connectReal({ elicitation: true }, '--confirm', 'ask');
    const asked: string[] = [];
    client.client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      asked.push(params.message);
      return { action: 'accept' as const, content: {} };
    });
    expect(await client.facts('run', { command: 'sudo -n true', dangerous: true })).toMatchObject({ classification: { class: 'dangerous' } });
    expect(asked).toHaveLength(1);
    const lines: string[] = [];
    await client.facts('run', { command: 'echo step; sleep 2.2' }, { onprogress: ({ message }) => lines.push(message ?? '') });
    expect(lines).toContain('step');
    expect((await client.client.listPrompts()).prompts).toHaveLength(2);
    const session = await client.openSession('bash');
    const uri = `shellkeep://sessions/${session.id}/transcript`;
    expect((await client.client.complete({ ref: { type: 'ref/resource', uri: 'shellkeep://sessions/{id}/transcript' }, argument: { name: 'id', value: 's' } })).completion.values).toContain(session.id);
    const updated = new Promise((resolve) => client.client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => resolve(params.uri)));
    await client.client.subscribeResource({ uri });
    await session.run('echo seen');
    expect(await updated).toBe(uri);
    expect(client.stray).toEqual([]);
    await client.close();
  });

  test('a command of 7 MB and its answer, and bytes that come one by one', async () => {
    const client = connect();
    await client.initialize();
    const long = `# ${'ü'.repeat(3_500_000)}\nseq 1 400000`;
    const { result } = await client.request('tools/call', { name: 'run', arguments: { command: long, shell: 'bash', dangerous: true, max_output_bytes: 5_000_000 } });
    expect(result).toMatchObject({ structuredContent: { exit_code: 0, stdout_bytes: 2_688_895 } });
    for (const byte of Buffer.from(`${callOf(77, 'run', { command: 'echo "ü€😀"' })}\n`)) await client.process.write(Buffer.from([byte]));
    expect((await client.next(({ id }) => id === 77)).result).toMatchObject({ structuredContent: { stdout: 'ü€😀\n' } });
    expect(client.strayLines).toEqual([]);
    await client.close();
  });

  test('commands start where the client was started, whose directory counts as allowed', async () => {
    const place = path.join(home.root, 'elsewhere');
    mkdirSync(place);
    const client = new RawClient({ home, argv: ['connect', '--no-tcp'], cwd: place });
    await client.initialize();
    expect((await client.request('tools/call', { name: 'run', arguments: { command: 'pwd' } })).result).toMatchObject({ structuredContent: { stdout: `${place}\n` } });
    await client.close();
  });
});

describe('when the server goes away', () => {
  test('what was asked is answered, the next message starts another server, and the client is known there', async () => {
    const client = connect();
    await client.initialize();
    await client.sendLine(callOf(50, 'run', { command: 'sleep 3075' }));
    await client.sendLine(callOf(51, 'task_wait', { task_ids: ['t_222222222222'] }));
    await client.next(({ id }) => id === 51);
    const before = (await serving())?.pid;
    await kill();
    expect(await client.next(({ id }) => id === 50)).toMatchObject({ error: { code: -32_000, message: expect.stringContaining('session_create') as string } });
    expect(await serving()).toBeUndefined(); // not before something is asked
    const { result } = await client.request('tools/call', { name: 'status', arguments: {} });
    expect(result).toMatchObject({ structuredContent: { pid: expect.not.toSatisfy((pid: number) => pid === before) as number } });
    expect(client.received.filter(({ method }) => method?.endsWith('list_changed')).length).toBeGreaterThan(0);
    expect(client.received.filter(({ id }) => String(id).startsWith('shellkeep-connect'))).toEqual([]);
    expect(client.process.stderr).toContain('the server has gone');
    await client.close();
  });

  test('an answer to a server that has gone is not taken for one to the next', async () => {
    const client = connect('--confirm', 'ask');
    await client.request('initialize', { protocolVersion: '2025-11-25', capabilities: { elicitation: {} }, clientInfo: { name: 'raw', version: '0' } });
    await client.notify('notifications/initialized');
    await client.sendLine(callOf(60, 'run', { command: 'sudo -n true', dangerous: true }));
    const question = await client.next(({ method }) => method === 'elicitation/create');
    await kill();
    await client.next(({ id, error }) => id === 60 && error !== undefined);
    await client.sendLine(callOf(61, 'run', { command: 'sudo -n true', dangerous: true }));
    const again = await client.next(({ id, method }) => method === 'elicitation/create' && id !== question.id);
    await client.sendLine(JSON.stringify({ jsonrpc: '2.0', id: question.id, result: { action: 'accept', content: {} } }));
    await client.sendLine(JSON.stringify({ jsonrpc: '2.0', id: again.id, result: { action: 'decline' } }));
    expect((await client.next(({ id }) => id === 61)).result).toMatchObject({ isError: true, structuredContent: { error: { code: 'CONFIRMATION_DECLINED' } } });
    await client.close();
  });

  test('stop ends it, with what runs in it, and says so; a second time there is none', async () => {
    const client = await connectReal();
    const { pid: sleeper } = await client.facts('task_spawn', { command: 'exec sleep 3076', shell: 'bash' });
    const { pid } = (await serving()) ?? {};
    expect(await runProgram(['stop'], { home })).toEqual({ stdout: `ended process ${pid}, with all sessions and tasks in it\n`, stderr: '', end: 0 });
    expect(readLive(Number(sleeper))).toBeUndefined();
    expect((await runProgram(['stop'], { home })).stdout).toBe('no server runs\n');
    await client.close();
  });
});

describe('what cannot be is said', () => {
  test('settings that are no good: as the answer to initialize, on standard error, and by the exit status', async () => {
    const client = connect('--profile', 'nope');
    await client.post('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '0' } });
    expect(await client.next(({ error }) => error !== undefined)).toMatchObject({ id: 1, error: { message: expect.stringContaining('profile = "nope" (from --profile): must be one of') as string } });
    expect(await client.process.ended).toEqual({ code: 2, signal: null });
    expect(client.process.stderr).toContain('profile = "nope"');
  });

  test('flags before the command', async () => {
    expect(await runProgram(['--profile', 'strict', 'connect'], { home })).toMatchObject({ end: 2, stderr: expect.stringContaining('connect comes first') as string });
  });

  test('a line that is no message is answered by the server, and the next one is right', async () => {
    const client = connect();
    await client.initialize();
    await client.sendLine('{"jsonrpc":"2.0","id":');
    expect(await client.next(({ error }) => error !== undefined)).toMatchObject({ error: { code: -32_700 } });
    expect((await client.request('ping')).result).toEqual({});
    await client.close();
  });
});

describe('what an earlier server left', () => {
  test.each([
    ['a socket that nobody listens on, and a claim of a process that is gone', async () => {
      const first = await connectReal();
      await kill();
      await first.close();
    }],
    ['a claim that is damaged', async () => {
      mkdirSync(stateOf(), { recursive: true });
      writeFileSync(path.join(stateOf(), 'serve.7.json'), '{"pid":');
    }],
  ])('%s is in nobody\'s way', async (_, prepare) => {
    await prepare();
    const client = await connectReal();
    expect((await client.facts('status')).pid).toBe((await serving())?.pid);
    expect(readdirSync(stateOf()).filter((name) => name.startsWith('serve.') && name.endsWith('.json'))).toHaveLength(1);
    await client.close();
  });

  test.each([
    ['a file', (place: string) => writeFileSync(place, ''), 'is no socket'],
    ['a link to somewhere else', (place: string) => symlinkSync('/etc/passwd', place), 'is a symbolic link'],
  ])('%s in the place of the socket is not touched, and named', async (_, put, why) => {
    const place = path.join(home.runtime, 's.sock');
    put(place);
    expect(await runProgram(['serve', '--no-tcp', '--socket', place], { home })).toEqual({ stdout: '', stderr: `shellkeep: socket = "${place}": what is there ${why}; remove it, or set another socket\n`, end: 2 });
    rmSync(place);
  });

  test.runIf(process.getuid?.() === 0)('a socket of another user is not touched', async () => {
    const place = path.join(home.runtime, 's.sock');
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(place, resolve));
    chownSync(place, 65_534, 65_534);
    expect((await runProgram(['serve', '--no-tcp', '--socket', place], { home })).stderr).toContain('belongs to another user (uid 65534)');
    await new Promise((resolve) => other.close(resolve));
  });

  test('a socket that somebody listens on is not taken over', async () => {
    const place = path.join(home.runtime, 's.sock');
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(place, resolve));
    expect((await runProgram(['serve', '--no-tcp', '--socket', place], { home })).stderr).toContain('another process listens there');
    await new Promise((resolve) => other.close(resolve));
  });
});

test('a second serve says who serves already, and how long', async () => {
  const client = await connectReal();
  const { pid, startedAt } = (await serving()) ?? {};
  expect((await runProgram(['status'], { home })).stdout).toContain(`pid ${pid} · `);
  const { stderr, end } = await runProgram(['serve', '--no-tcp'], { home });
  expect([end, stderr]).toEqual([2, expect.stringMatching(new RegExp(`process ${pid} serves already, since ${startedAt}, at .*; shellkeep stop ends it; for one beside it `))]);
  expect(readFileSync(path.join(stateOf(), 'serve.log'), 'utf8')).toBe('');
  await client.close();
});

test('where there can be no state directory, it says so', async () => {
  const { stderr, end } = await runProgram(['connect'], { home, env: { XDG_STATE_HOME: '/proc/nowhere' }, stdin: '{"jsonrpc":"2.0","id":1,"method":"initialize"}\n' });
  expect([end, stderr]).toEqual([2, expect.stringMatching(/^shellkeep: the server cannot be started: ENOENT.*\/proc\/nowhere.*\n$/)]);
});
