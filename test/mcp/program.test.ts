// The built server at its edge: what is no message, what is too long, who goes away.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { startServer, withServer } from '../support/harness.ts';
import { Home } from '../support/home.ts';
import { removeAtEnd } from '../support/leftovers.ts';
import { SERVER } from '../support/paths.ts';
import { RawClient, type RawMessage } from '../support/raw-client.ts';

async function withRaw(use: (client: RawClient) => Promise<void>): Promise<void> {
  const client = new RawClient();
  await client.initialize();
  await use(client);
  expect(client.strayLines).toEqual([]);
  expect(await client.close()).toEqual({ code: 0, signal: null });
  expect(client.process.stderr).toBe('');
}

const call = (client: RawClient, name: string, args: object): Promise<RawMessage> => client.request('tools/call', { name, arguments: args });

test('lines that are no JSON, no request and over the limit are answered, and the server lives', async () => {
  await withRaw(async (client) => {
    await client.sendLine('no json');
    await client.sendLine('{"id":"x1"}');
    await client.sendLine(Buffer.alloc(40 * 1024 * 1024, 'x'));
    const refusals = await Promise.all([
      client.next(({ error }) => error?.code === -32_700),
      client.next(({ id }) => id === 'x1'),
      client.next(({ error }) => error?.message.startsWith('a line of 41943040 bytes') === true),
    ]);
    expect(refusals.map(({ id, error }) => [id, error?.code])).toEqual([[null, -32_700], ['x1', -32_600], [null, -32_600]]);
    expect((await client.request('ping')).result).toEqual({});
    expect((await client.request('no/such')).error?.code).toBe(-32_601);
  });
});

test('a line of 10 MB with a command that is too long is answered like any bad argument', async () => {
  await withRaw(async (client) => {
    const { result } = await call(client, 'run', { command: 'x'.repeat(10_000_000) });
    expect(result).toMatchObject({ isError: true, structuredContent: { error: { code: 'INVALID_ARGUMENT' } } });
    expect(await call(client, 'run', { command: 'echo ok' })).toMatchObject({ result: { structuredContent: { stdout: 'ok\n', exit_code: 0 } } });
  });
});

test('a number that JSON cannot hold is named', async () => {
  await withRaw(async (client) => {
    await client.sendLine('{"jsonrpc":"2.0","id":"big","method":"tools/call","params":{"name":"run","arguments":{"command":"true","timeout_ms":1e400}}}');
    const { result } = await client.next(({ id }) => id === 'big');
    expect(result).toMatchObject({ structuredContent: { error: { message: 'argument "timeout_ms" is Infinity; it must be a whole number from 1 to 600000' } } });
  });
});

test('a client that no longer listens is a client that is gone', async () => {
  const home = new Home();
  removeAtEnd(home.root);
  const server = spawn(process.execPath, [SERVER, 'stdio'], { env: home.environment(), cwd: home.dir, stdio: 'pipe' });
  const [stderr, ended] = [text(server.stderr), once(server, 'close')];
  server.stdout.destroy();
  server.stdin.on('error', () => {}); // it may be gone before it has read all
  server.stdin.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
  expect(await ended).toEqual([0, null]);
  expect(await stderr).toBe('');
});

test('a cancelled call gets no reply, and its command goes on', async () => {
  await withRaw(async (client) => {
    const created = await call(client, 'session_create', { shell: 'bash' });
    const sessionId = (created.result?.['structuredContent'] as { session_id: string }).session_id;
    const id = await client.post('tools/call', { name: 'session_run', arguments: { session_id: sessionId, command: 'sleep 1; echo went on' } });
    await expect.poll(async () => JSON.stringify(await call(client, 'session_list', {}))).toContain('sleep 1; echo');
    await client.notify('notifications/cancelled', { requestId: id, reason: 'changed its mind' });
    expect(await call(client, 'session_run', { session_id: sessionId, command: 'true' })).toMatchObject({ result: { structuredContent: { error: { code: 'SESSION_BUSY' } } } });
    const read = await call(client, 'session_read', { session_id: sessionId, timeout_ms: 10_000 });
    expect(read).toMatchObject({ result: { structuredContent: { state: 'done', exit_code: 0, output: 'went on\n' } } });
    expect(client.received.filter((message) => message.id === id)).toEqual([]);
  });
});

test('with results "text" a client gets the text alone', async () => {
  await withServer({ args: ['--results', 'text'] }, async ({ client }) => {
    const result = await client.callTool({ name: 'run', arguments: { command: 'echo hi; exit 3' } });
    expect(result).toEqual({ content: [{ type: 'text', text: expect.stringMatching(/^\[exit 3 · \d+ ms · \/.+ · bash · safe · a_\w{12}\]\n\nhi\n$/) as string }] });
  });
});

test('a waiting call tells a client that asks what goes on', async () => {
  const server = await startServer();
  const seen: string[] = [];
  await server.facts('run', { command: 'echo first; sleep 1.2; echo second; sleep 1.2' }, { onprogress: ({ message = '' }) => seen.push(message) });
  await server.close();
  expect([...new Set(seen)]).toEqual(['first', 'second']);
});
