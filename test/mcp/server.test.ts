import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { ListRootsRequestSchema, type Progress } from '@modelcontextprotocol/sdk/types.js';
import { expect, test } from 'vitest';
import { INSTRUCTIONS } from '../../src/mcp/instructions.ts';
import { createServer, type ServerOptions } from '../../src/mcp/server.ts';
import type { CallContext, Services } from '../../src/tools/services.ts';
import type { Tool } from '../../src/tools/tool.ts';
import { AUDIT_ID, memoryTrail } from '../support/memory-trail.ts';

const empty = { list: () => [], onListChange: () => () => {}, forget: () => {} };
/** Services of a server in which nothing runs. */
const NOTHING = { sessions: empty, tasks: empty } as unknown as Services;

/** A tool that does what a test says. */
function tool(handle: (context: CallContext) => Promise<string> | string): Tool {
  return {
    name: 'probe',
    title: 'Probe',
    description: 'for tests',
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    inputSchema: { type: 'object', properties: {}, additionalProperties: false },
    outputSchema: { type: 'object', properties: { said: { type: 'string' }, error: { type: 'object' } } },
    prepare: () => async (_, context) => {
      const said = await handle(context);
      return { structured: { said }, text: said };
    },
  };
}

async function connected(handle: (context: CallContext) => Promise<string> | string, more: Partial<ServerOptions> = {}, roots?: string[]) {
  const logged: string[] = [];
  const server = createServer({
    tools: [tool(handle)],
    results: 'structured',
    version: '1.2.3',
    owner: 'local',
    connection: 'c1',
    services: () => Promise.resolve(NOTHING),
    audit: () => Promise.resolve(memoryTrail().trail),
    log: (message) => logged.push(message),
    ...more,
  });
  const client = new Client({ name: 'test', version: '0' }, { capabilities: roots === undefined ? {} : { roots: { listChanged: true } } });
  let asked = 0;
  if (roots !== undefined) {
    client.setRequestHandler(ListRootsRequestSchema, () => {
      asked++;
      return { roots: roots.map((uri) => ({ uri })) };
    });
  }
  const [near, far] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(far), client.connect(near)]);
  return { client, server, logged, asked: () => asked };
}

function resolvable<Value>() {
  let resolve: (value: Value) => void = () => {};
  const promise = new Promise<Value>((settle) => (resolve = settle));
  return { promise, resolve };
}

const probe = { name: 'probe', arguments: {} };

test('the server says who it is and when to use what, briefly', async () => {
  const { client } = await connected(() => 'ok');
  expect(client.getServerVersion()).toEqual({ name: 'shellkeep', title: 'shellkeep', version: '1.2.3' });
  expect(client.getInstructions()).toBe(INSTRUCTIONS);
  expect(Buffer.byteLength(INSTRUCTIONS)).toBeLessThan(1_500);
});

test('a tool is listed with title, annotations and both schemas, and called with both forms of its result', async () => {
  const { client } = await connected(() => 'ok');
  const { tools } = await client.listTools();
  const { prepare: _, ...seen } = tool(() => '');
  expect(tools).toEqual([seen]);
  expect(await client.callTool(probe)).toEqual({ content: [{ type: 'text', text: `ok\n[${AUDIT_ID}]` }], structuredContent: { said: 'ok', audit_id: AUDIT_ID } });
});

test('with results "text" there is neither structured content nor an output schema', async () => {
  const { client } = await connected(() => 'ok', { results: 'text' });
  const { tools } = await client.listTools();
  expect(tools[0]).not.toHaveProperty('outputSchema');
  expect(await client.callTool(probe)).toEqual({ content: [{ type: 'text', text: `ok\n[${AUDIT_ID}]` }] });
});

test('a failing call is a result that the client shows, not an error of the protocol', async () => {
  const { client, logged } = await connected(() => Promise.reject(new Error('boom')));
  await client.listTools();
  const result = await client.callTool(probe);
  expect(result).toMatchObject({ isError: true, structuredContent: { error: { code: 'INTERNAL' } } });
  expect(logged).toHaveLength(1);
  expect(await client.callTool({ name: 'prob' })).toMatchObject({ isError: true, structuredContent: { error: { hint: 'did you mean "probe"? tools: probe' } } });
});

test('services that cannot be had are a failing call, and a tool list is given nevertheless', async () => {
  const { client } = await connected(() => 'ok', { services: () => Promise.reject(new Error('no disk')) });
  expect((await client.listTools()).tools).toHaveLength(1);
  expect(await client.callTool(probe)).toMatchObject({ isError: true });
});

test('an unknown method is answered as such', async () => {
  const { client } = await connected(() => 'ok');
  await expect(client.setLoggingLevel('debug')).rejects.toThrow(/-32601|does not support logging/);
});

test('a call knows its owner and its connection', async () => {
  const { client } = await connected(({ owner, connection }) => `${owner} ${connection}`);
  expect(await client.callTool(probe)).toMatchObject({ structuredContent: { said: 'local c1' } });
});

test('a cancelled call gets no reply, and the next one does', async () => {
  const waiting = resolvable<CallContext>();
  let calls = 0;
  const { client, server } = await connected(async (context) => {
    if (calls++ > 0) return 'next';
    waiting.resolve(context);
    return new Promise((resolve) => context.signal.addEventListener('abort', () => resolve('cancelled')));
  });
  const sent: unknown[] = [];
  const transport = server.transport;
  const send = transport?.send.bind(transport);
  if (transport !== undefined) transport.send = async (message, options) => void (sent.push(message), await send?.(message, options));
  const controller = new AbortController();
  const call = client.callTool(probe, undefined, { signal: controller.signal });
  await waiting.promise;
  controller.abort('no longer needed');
  await expect(call).rejects.toThrow('no longer needed');
  expect((await waiting.promise).signal.aborted).toBe(true);
  expect(await client.callTool(probe)).toMatchObject({ structuredContent: { said: 'next' } });
  expect(sent).toHaveLength(1);
});

test('the end of the connection ends the waiting of its calls', async () => {
  const waiting = resolvable<CallContext>();
  const { client } = await connected((context) => {
    waiting.resolve(context);
    return new Promise((resolve) => context.signal.addEventListener('abort', () => resolve('gone')));
  });
  const call = client.callTool(probe).catch(() => 'closed');
  const { signal } = await waiting.promise;
  await client.close();
  expect(await call).toBe('closed');
  expect(signal.aborted).toBe(true);
});

test('progress goes to a client that gave a token, about once a second, and always forward', async () => {
  const { client } = await connected(({ progress }) => {
    for (const elapsedMs of [0, 100, 1_000, 1_050, 2_000.4, 1_990]) progress?.(`line at ${elapsedMs}`, elapsedMs, 5_000);
    progress?.('x'.repeat(1_000), 3_000);
    return 'ok';
  });
  const seen: Progress[] = [];
  await client.callTool(probe, undefined, { onprogress: (progress) => seen.push(progress) });
  expect(seen).toEqual([
    { progress: 0, total: 5_000, message: 'line at 0' },
    { progress: 1_000, total: 5_000, message: 'line at 1000' },
    { progress: 2_000, total: 5_000, message: 'line at 2000.4' },
    { progress: 3_000, message: 'x'.repeat(400) },
  ]);
});

test('without a token there is no progress to report to', async () => {
  const { client } = await connected(({ progress }) => String(progress));
  expect(await client.callTool(probe)).toMatchObject({ structuredContent: { said: 'undefined' } });
});

test('the directories of the client are asked once, again when they change, and those of other machines are left out', async () => {
  const roots = ['file:///home/u/a%20b', 'file://elsewhere/x'];
  const { client, asked } = await connected(async (context) => (await context.roots()).join(), {}, roots);
  expect(await client.callTool(probe)).toMatchObject({ structuredContent: { said: '/home/u/a b' } });
  await client.callTool(probe);
  expect(asked()).toBe(1);
  roots.unshift('file:///other');
  await client.sendRootsListChanged();
  expect(await client.callTool(probe)).toMatchObject({ structuredContent: { said: '/other,/home/u/a b' } });
  expect(asked()).toBe(2);
});

test('a client that has no roots, or fails to tell them, has none', async () => {
  const without = await connected(async (context) => `[${(await context.roots()).join()}]`);
  expect(await without.client.callTool(probe)).toMatchObject({ structuredContent: { said: '[]' } });
  const failing = await connected(async (context) => `[${(await context.roots()).join()}]`, {}, []);
  failing.client.setRequestHandler(ListRootsRequestSchema, () => Promise.reject(new Error('no')));
  expect(await failing.client.callTool(probe)).toMatchObject({ structuredContent: { said: '[]' } });
});
