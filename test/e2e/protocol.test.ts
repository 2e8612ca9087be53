// The protocol as a client lives it: cancelling, progress, many calls at once, both forms of results, a clean standard output.
import type { Progress } from '@modelcontextprotocol/sdk/types.js';
import { expect, test } from 'vitest';
import { withServer, type Facts, type Harness, type ToolResult } from '../support/harness.ts';
import { RawClient, type RawMessage } from '../support/raw-client.ts';
import type { ServerOptions } from '../support/server-process.ts';
import { shells } from '../support/shells.ts';
import { running, uniqueSeconds, untilRunning } from './support.ts';

test('B100: a cancelled session_run gets no reply and goes on; the session is busy until it is interrupted', async () => {
  await withServer({}, async (server) => {
    const session = await server.openSession('bash');
    const [seconds, cancel] = [uniqueSeconds(), new AbortController()];
    const cancelled = session.run(`sleep ${seconds}`, {}, { signal: cancel.signal });
    await untilRunning(`sleep ${seconds}`, 1);
    cancel.abort('changed its mind');
    await expect(cancelled).rejects.toThrow('changed its mind');
    const busy = await server.callTool('session_run', { session_id: session.id, command: 'echo early' });
    expect(busy.facts.error).toMatchObject({ code: 'SESSION_BUSY', message: expect.stringContaining(`sleep ${seconds}`) as string });
    expect(running(`sleep ${seconds}`)).toHaveLength(1);
    expect(await session.interrupt()).toMatchObject({ state: 'done', exit_code: 130, ladder: { worked: 'ctrl-c' } });
    expect(await session.run('echo ok')).toMatchObject({ output: 'ok\n', exit_code: 0 });
    expect(server.stray).toEqual([]); // an answer to the cancelled call would be one
  });
});

test('B100: a cancelled run and a cancelled wait stop waiting only; what is queued and cancelled never starts', async () => {
  await withServer({ args: ['--max-concurrent', '1'] }, async (server) => {
    const [first, second, third] = [uniqueSeconds(), uniqueSeconds(), uniqueSeconds()];
    const cancels = [new AbortController(), new AbortController(), new AbortController()] as const;
    const ends = [server.facts('run', { command: `sleep ${first}` }, { signal: cancels[0].signal })];
    await untilRunning(`sleep ${first}`, 1);
    ends.push(server.facts('run', { command: `sleep ${second}` }, { signal: cancels[1].signal }));
    const { task_id } = await server.facts('task_spawn', { command: `sleep ${third}` });
    ends.push(server.facts('task_wait', { task_ids: [task_id] }, { signal: cancels[2].signal }));
    for (const cancel of cancels) cancel.abort('enough');
    for (const end of ends) await expect(end).rejects.toThrow('enough');
    expect(await server.facts('task_poll', { task_id })).toMatchObject({ state: 'running' });
    const [sleeper] = await untilRunning(`sleep ${first}`, 1);
    process.kill(sleeper?.pid ?? 0, 'SIGTERM'); // the slot comes free
    expect(await server.facts('run', { command: 'echo after' })).toMatchObject({ stdout: 'after\n' });
    expect(running(`sleep ${second}`)).toEqual([]);
    expect(server.stray).toEqual([]);
  });
});

test('progress comes about once a second from whatever waits, with the last line of the output', async () => {
  await withServer({}, async (server) => {
    const session = await server.openSession('bash');
    const count = 'for i in 1 2 3; do echo "line $i"; sleep 0.75; done';
    const { task_id } = await server.facts('task_spawn', { command: count, shell: 'bash' });
    const heard = async (name: string, args: object): Promise<Progress[]> => {
      const all: Progress[] = [];
      await server.facts(name, { ...args }, { onprogress: (progress) => all.push(progress) });
      return all;
    };
    const waits = [heard('session_run', { session_id: session.id, command: count }), heard('run', { command: count }), heard('task_poll', { task_id, wait_ms: 10_000 }), heard('task_wait', { task_ids: [task_id] })];
    for (const all of await Promise.all(waits)) {
      expect(all.map(({ message }) => message)).toEqual(['line 2', 'line 3']);
      const [first = 0, second = 0] = all.map(({ progress }) => progress);
      expect(first).toBeGreaterThanOrEqual(900);
      expect(second - first).toBeGreaterThanOrEqual(900);
      expect(all.every(({ total }) => (total ?? 0) >= 10_000)).toBe(true);
    }
  });
});

/** One conversation that has every kind of result. */
async function conversation(server: Harness): Promise<ToolResult[]> {
  const results: ToolResult[] = [];
  const call = async (name: string, args: object): Promise<Facts> => {
    const result = await server.callTool(name, { ...args });
    results.push(result);
    return result.facts;
  };
  const idIn = (prefix: string): string => new RegExp(`${prefix}_[a-z0-9]{12}`).exec(results.at(-1)?.text ?? '')?.[0] ?? '';
  await call('session_create', { shell: 'bash', name: 'build' });
  const session_id = idIn('s');
  await call('session_run', { session_id, command: 'cd /tmp; export A=1; f() { :; }; alias g=h; sleep 600 & seq 1 12000; (exit 3)' });
  await call('session_run', { session_id, command: 'sleep 600', timeout_ms: 1 });
  await call('session_list', {});
  await call('session_interrupt', { session_id });
  await call('session_read', { session_id, view: 'transcript' });
  await call('session_run', { session_id, command: 'echo out; echo err >&2', stderr: 'separate' });
  await call('run', { command: 'echo out; echo err >&2; sleep 600 & kill -9 $$' });
  await call('run', { command: 'seq 1 12000; sleep 600', timeout_ms: 200, cwd: '/tmp' });
  await call('task_spawn', { command: 'echo out; sleep 600', name: 'server' });
  const task_id = idIn('t');
  await call('task_list', {});
  await call('task_poll', { task_id, terminate: true });
  await call('task_wait', { task_ids: [task_id] });
  await call('run', { command: 'true', timeout: 5 });
  await call('session_run', { session_id: 's_missing', command: 'true' });
  await call('session_destroy', { session_id });
  return results;
}

/** Facts that need no words, because the text shows them by what it does or does not have. */
const IMPLIED = new Set(['documentation', 'count', 'session_id', 'state', 'ok', 'finished', 'done', 'timed_out', 'truncated', 'stdout_bytes', 'stderr_bytes', 'output_bytes']);

/** All values in a result, with their names. */
function leaves(value: unknown, name = ''): [string, string | number | boolean][] {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return [[name, value]];
  if (Array.isArray(value)) return value.flatMap((item) => leaves(item, name));
  return Object.entries(value ?? {}).flatMap(([key, item]) => leaves(item, key));
}

/** What changes from one conversation to the next. */
function withoutChance(text: string, server: Harness): string {
  return text
    .replaceAll(server.process.home.root, 'HOME')
    .replaceAll(/\b([stca])_[a-z0-9]{12}\b/g, '$1_id').replaceAll(/bash-\w{4}/g, 'bash-id')
    .replaceAll(/\d+ ms/g, 'n ms').replaceAll(/\d+ ms cpu/g, 'cpu').replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time')
    .replaceAll(/\b\d{2,7}(?= sleep| bash| sh\b)|pid \d+|\(\d+\)|server-\w{6}/g, 'pid')
    .replaceAll(/\b(running|background|jobs?|killed|alive)[^\n]*\d{3,7}[^\n]*/g, '$1 pids')
    .replaceAll(/\[\d\] \d+/g, '[n] pid');
}

test('with results "text" a client has every fact that the structured form has', async () => {
  const structured = await withServer({}, async (server) => {
    const results = await conversation(server);
    for (const { facts, text } of results) {
      const missing = leaves(facts).filter(([name, value]) => !IMPLIED.has(name) && typeof value !== 'boolean' && !text.includes(String(value).trimEnd()));
      expect(missing, text.slice(0, 300)).toEqual([]);
    }
    return results.map(({ text }) => withoutChance(text, server));
  });
  await withServer({ args: ['--results', 'text'] }, async (server) => {
    const results = await conversation(server);
    expect(results.map(({ facts }) => facts)).toEqual(results.map(() => ({})));
    expect(results.map(({ text }) => withoutChance(text, server))).toEqual(structured);
    const { tools } = await server.client.listTools();
    expect(tools.every((tool) => tool.outputSchema === undefined)).toBe(true);
  });
});

/** Makes noise on standard output with every message that the server reads, by all the ways that code has. */
const NOISY = `data:text/javascript,${encodeURIComponent(`
  const parse = JSON.parse;
  JSON.parse = (text, ...rest) => {
    if (String(text).includes('"jsonrpc"')) { console.log('noise'); console.info('noise'); console.error('noise'); console.table([1]); process.stdout.write('noise\\n'); }
    return parse(text, ...rest);
  };`)}`;

type Call = (name: string, args: object) => Promise<RawMessage>;

/** A client of lines, whose server must end in order. */
async function withRaw(options: ServerOptions, use: (client: RawClient, call: Call) => Promise<void>): Promise<void> {
  const client = new RawClient(options);
  try {
    await client.initialize();
    await use(client, (name, args) => client.request('tools/call', { name, arguments: args }));
    expect(client.strayLines).toEqual([]);
  } finally {
    expect(await client.close()).toEqual({ code: 0, signal: null });
  }
}

test('T5c: standard output has nothing but the protocol, whatever children and code of the server print', async () => {
  await withRaw({ env: { NODE_OPTIONS: `--import ${NOISY}` } }, async (client, call) => {
    const noise = 'echo noise; echo noise >&2; echo noise >/dev/stdout; (sleep 0.2; echo late) & echo noise >/proc/self/fd/1';
    await Promise.all([call('run', { command: noise }), call('task_spawn', { command: noise }), ...shells().map((shell) => call('session_create', { shell }))]);
    expect(await call('session_list', {})).toMatchObject({ result: { structuredContent: { count: shells().length } } });
    expect(client.received.every(({ jsonrpc }) => jsonrpc === '2.0')).toBe(true);
    expect(client.process.stderr).toContain('noise\n');
  });
});

test('two hundred calls at once are answered each with its own result', async () => {
  await withServer({}, async (server) => {
    const sessions = await Promise.all(shells().map((shell) => server.openSession(shell)));
    const calls = Array.from({ length: 200 }, async (_, index) => {
      const session = sessions[index % sessions.length];
      if (index % 4 === 0) return (await session?.run(`echo ${index}`, { queue_ms: 60_000 }))?.output;
      if (index % 4 === 1) return (await server.facts('run', { command: `echo ${index}` })).stdout;
      if (index % 4 === 2) return (await server.callTool('session_run', { session_id: `s_${index}`, command: 'true' })).text.match(/"s_(\d+)"/)?.[1];
      const { task_id } = await server.facts('task_spawn', { command: `echo ${index}` });
      return (await server.facts('task_poll', { task_id, wait_ms: 30_000 })).stdout;
    });
    expect((await Promise.all(calls)).map((output) => Number(output))).toEqual(calls.map((_, index) => index));
    expect(server.stray).toEqual([]);
  });
});

const NO_MESSAGES = ['no json', '{"jsonrpc":"2.0","id":1', '[]', '[1,2]', 'null', '1', '"text"', '{}', '{"jsonrpc":"1.0","id":"x","method":"ping"}', '\0\0', '[[['.repeat(20_000), '{"a":'.repeat(20_000)];

/** Keeps the server from doing anything for a while behind a message that says so. */
const BUSY = `data:text/javascript,${encodeURIComponent(`
  const parse = JSON.parse;
  JSON.parse = (text, ...rest) => {
    if (String(text).includes('KEEP_BUSY')) setImmediate(() => { for (const from = performance.now(); performance.now() - from < 1500;); });
    return parse(text, ...rest);
  };`)}`;

test('a server that was too busy to listen does not take a command that has run meanwhile for lost', async () => {
  await withServer({ env: { NODE_OPTIONS: `--import ${BUSY}` } }, async (server) => {
    const sessions = await Promise.all(shells().map((shell) => server.openSession(shell)));
    const reports = await Promise.all([...sessions.map((session) => session.run('echo KEEP')), server.callTool('session_list', { KEEP_BUSY: true })]);
    for (const report of reports.slice(0, -1)) expect(report).toMatchObject({ state: 'done', exit_code: 0, output: 'KEEP\n', cwd: server.process.home.dir });
    expect(JSON.stringify(reports)).not.toContain('functions are gone');
  });
});

test('what is wrong in a request is answered, and the server and its sessions live on', async () => {
  await withRaw({}, async (client, call) => {
    const created = await call('session_create', { shell: 'bash' });
    const { session_id } = created.result?.['structuredContent'] as { session_id: string };
    await call('session_run', { session_id, command: 'kept=1' });
    for (const line of NO_MESSAGES) {
      const before = client.received.length;
      await client.sendLine(line);
      await client.next((message) => client.received.indexOf(message) >= before && message.error !== undefined);
    }
    await client.sendLine(Buffer.alloc(10_000_000, 'x'));
    await client.sendLine(Buffer.from([0xff, 0xfe, 0x80]));
    const hint = (text: string): object => ({ result: { isError: true, structuredContent: { error: { code: 'INVALID_ARGUMENT', hint: expect.stringContaining(text) as string } } } });
    expect(await call('no_such_tool', {})).toMatchObject(hint('tools: run, '));
    expect(await call('session_runs', {})).toMatchObject(hint('did you mean "session_run"'));
    expect(await call('run', { comand: 'true' })).toMatchObject(hint('did you mean "command"'));
    for (const params of [{ arguments: {} }, { name: 'run', arguments: 'text' }, { name: 1 }]) expect((await client.request('tools/call', params)).error?.message).toContain('params');
    expect((await client.request('logging/setLevel', { level: 'debug' })).error?.code).toBe(-32_601);
    for (const params of [{}, { uri: 1 }, { uri: ['x'] }]) expect((await client.request('resources/read', params)).error?.code).toBe(-32_602);
    await client.notify('notifications/cancelled', { requestId: 'never' });
    await client.notify('no/such/notification');
    expect(await call('session_run', { session_id, command: 'echo $kept' })).toMatchObject({ result: { structuredContent: { output: '1\n' } } });
  });
});
