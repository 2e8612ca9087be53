// What a client over HTTP is promised when something breaks: streams that are taken up again, answers by id, an end that is told.
import { once } from 'node:events';
import { request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema, ListRootsRequestSchema, ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { HttpFront } from '../../src/mcp/http/front.ts';
import type { RawMessage } from '../support/raw-client.ts';
import { INITIALIZE, messagesIn, Served, type HttpClient } from '../support/served.ts';

let served: Served;
let client: HttpClient;
beforeAll(async () => {
  served = await Served.start({ args: ['--confirm', 'ask'] });
  client = await served.client().initialize();
});
afterAll(async () => {
  expect(await served.close()).toEqual({ code: 130, signal: null });
});

/** A stream of events that is open, and what has come on it. */
class Stream {
  readonly request: ClientRequest;
  readonly ended: Promise<void>;
  #text = '';
  #change = (): void => {};

  constructor(who: HttpClient, { method = 'GET', headers = {}, body }: { method?: string; headers?: Record<string, string>; body?: unknown } = {}) {
    const given = Object.entries({ ...who.headers, ...headers }).filter(([, value]) => value !== undefined);
    this.request = httpRequest(who.served.url, { method, headers: Object.fromEntries(given) as Record<string, string>, agent: false });
    this.request.on('error', () => {});
    this.request.end(body === undefined ? undefined : JSON.stringify(body));
    this.ended = this.#follow();
  }

  get messages(): RawMessage[] {
    return messagesIn({ text: this.#text, headers: { 'content-type': 'text/event-stream' } });
  }

  get lastId(): string {
    return [...this.#text.matchAll(/^id: (.+)$/gm)].at(-1)?.[1] ?? '';
  }

  /** Resolves when something has come that fits. */
  async until(fits: (stream: this) => boolean): Promise<void> {
    while (!fits(this)) await new Promise<void>((resolve) => (this.#change = resolve));
  }

  async #follow(): Promise<void> {
    const [response] = (await once(this.request, 'response')) as [IncomingMessage];
    response.setEncoding('utf8').on('data', (text: string) => {
      this.#text += text;
      this.#change();
    });
    await once(response, 'close').catch(() => {});
    this.#change();
  }
}

const call = (id: number, name: string, args: object, token?: string): object => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args, ...(token === undefined ? {} : { _meta: { progressToken: token } }) } });

test('a client whose connection broke in mid-call takes the stream up again, and gets the answer, once', async () => {
  const broken = new Stream(client, { method: 'POST', body: call(100, 'run', { command: 'sleep 0.4; echo survived' }) });
  await broken.until(({ lastId }) => lastId !== '');
  broken.request.destroy();
  const resumed = new Stream(client, { headers: { 'last-event-id': broken.lastId } });
  await resumed.ended;
  expect(resumed.messages.map(({ id }) => id)).toEqual([100]);
  expect(JSON.stringify(resumed.messages)).toContain('survived');
  const again = new Stream(client, { headers: { 'last-event-id': broken.lastId } });
  await again.ended;
  expect(again.messages).toEqual(resumed.messages);
});

test('a stream of another client, and one that never was, cannot be taken up', async () => {
  const other = await served.client().initialize();
  const own = new Stream(client, { method: 'POST', body: call(101, 'run', { command: 'echo mine' }) });
  await own.ended;
  for (const id of [own.lastId, '999999', '-1', 'x', '__proto__']) {
    const answer = await served.ask({ headers: { ...other.headers, 'last-event-id': id } });
    expect([id, answer.status, answer.text.includes('mine')]).toEqual([id, 400, false]);
  }
});

test('a client that was killed in mid-call finds what it started by its id', async () => {
  const { session_id } = await client.call('session_create', { shell: 'bash' });
  const broken = new Stream(client, { method: 'POST', body: call(102, 'session_run', { session_id, command: 'sleep 0.3; echo finished' }) });
  await broken.until(({ lastId }) => lastId !== '');
  broken.request.destroy();
  const next = await served.client().initialize();
  expect(await next.call('session_read', { session_id, timeout_ms: 5_000 })).toMatchObject({ state: 'done', exit_code: 0, output: 'finished\n' });
});

test('a cancelled call ends its stream, and what it started goes on', async () => {
  const { session_id } = await client.call('session_create', { shell: 'bash' });
  const waiting = new Stream(client, { method: 'POST', body: call(103, 'session_run', { session_id, command: 'sleep 0.5; echo went on' }) });
  await waiting.until(({ lastId }) => lastId !== '');
  expect((await client.post({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 103 } })).status).toBe(202);
  await waiting.ended;
  expect(await client.call('session_read', { session_id, timeout_ms: 5_000 })).toMatchObject({ state: 'done', output: 'went on\n' });
});

test('a client that takes JSON only gets one JSON text for each request, and is not asked anything', async () => {
  const plain = served.client();
  const headers = { accept: 'application/json' };
  const begun = await plain.post({ jsonrpc: '2.0', id: 0, method: 'initialize', params: { ...INITIALIZE, capabilities: { elicitation: {}, roots: {} } } }, headers);
  plain.id = String(begun.headers['mcp-session-id']);
  expect([begun.status, begun.headers['content-type']]).toEqual([200, 'application/json']);
  const { result } = await plain.request('tools/call', { name: 'run', arguments: { command: 'echo plain' } }, headers);
  expect(result).toMatchObject({ structuredContent: { stdout: 'plain\n' } });
  const refused = await plain.request('tools/call', { name: 'run', arguments: { command: 'sudo id', dangerous: true } }, headers);
  expect(refused.result).toMatchObject({ structuredContent: { error: { code: 'CONFIRMATION_DECLINED' } } });
});

test('a real client is asked, tells its roots, sees progress and hears of changes, all over HTTP', async () => {
  const transport = new StreamableHTTPClientTransport(served.url, { requestInit: { headers: { authorization: `Bearer ${served.token}` } } });
  const real = new Client({ name: 'real', version: '1' }, { capabilities: { elicitation: {}, roots: {} } });
  const asked: string[] = [];
  real.setRequestHandler(ElicitRequestSchema, ({ params }) => {
    asked.push(params.message);
    return { action: 'accept' as const, content: {} };
  });
  real.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [{ uri: `file://${served.process.home.temporary}` }] }));
  await real.connect(transport as Parameters<Client['connect']>[0]);
  const facts = async (name: string, args: object, options = {}): Promise<Record<string, unknown>> => (await real.callTool({ name, arguments: { ...args } }, undefined, options)).structuredContent as Record<string, unknown>;
  expect(await facts('run', { command: 'pwd' })).toMatchObject({ stdout: `${served.process.home.temporary}\n` });
  expect(await facts('run', { command: 'sudo -n true', dangerous: true })).toMatchObject({ classification: { class: 'dangerous' } });
  expect(asked).toHaveLength(1);
  const seen: string[] = [];
  await facts('run', { command: 'echo step; sleep 2.2' }, { onprogress: ({ message }: { message?: string }) => seen.push(message ?? '') });
  expect(seen).toContain('step');
  const updated = new Promise((resolve) => real.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => resolve(params.uri)));
  const { session_id } = await facts('session_create', { shell: 'bash' });
  const uri = `shellkeep://sessions/${String(session_id)}/transcript`;
  await real.subscribeResource({ uri });
  await facts('session_run', { session_id, command: 'echo seen' });
  expect(await updated).toBe(uri);
  await transport.terminateSession();
  await real.close();
});

test('a revoked token is out at once, and so are its open streams', async () => {
  const other = await served.client(await served.tokenOf('leaving')).initialize();
  const open = new Stream(other);
  await once(open.request, 'response');
  const { runProgram } = await import('../cli/program.ts');
  expect((await runProgram(['token', 'revoke', 'leaving'], { home: served.process.home })).end).toBe(0);
  expect((await other.post({ jsonrpc: '2.0', id: 1, method: 'ping' })).status).toBe(401);
  await open.ended;
});

test('a list of tokens that is damaged lets nobody in, ends nothing, and is read again when it is right', async () => {
  const own = await Served.start();
  const caller = await own.client().initialize();
  const { session_id } = await caller.call('session_create', { shell: 'bash' });
  const file = path.join(own.process.home.dir, '.config/shellkeep/tokens.json');
  const good = readFileSync(file, 'utf8');
  writeFileSync(file, '{');
  await expect.poll(async () => (await own.ask({ headers: { authorization: `Bearer ${own.token}` } })).status, { interval: 50 }).toBe(401);
  await expect.poll(async () => (await own.ask({ path: '/metrics', socketPath: own.socket })).text, { interval: 50, timeout: 5_000 }).toMatch(/^shellkeep_connections 0$/m); // swept
  writeFileSync(file, good);
  const again = await own.client().initialize();
  expect(await again.call('session_list')).toMatchObject({ sessions: [{ session_id }] });
  await own.close();
});

test('a server that is stopped answers the calls that run, and then ends', async () => {
  const stopped = await Served.start();
  const caller = await stopped.client().initialize();
  const { session_id } = await caller.call('session_create', { shell: 'bash' });
  const { task_id } = await caller.call('task_spawn', { command: 'sleep 3073', shell: 'bash' });
  const running = caller.call('session_run', { session_id, command: 'sleep 3074' });
  const waiting = caller.call('task_wait', { task_ids: [task_id] });
  const listening = new Stream(caller);
  await once(listening.request, 'response');
  await expect.poll(async () => (await caller.call('session_list'))['sessions'], { interval: 10 }).toMatchObject([{ state: 'running' }]);
  const end = stopped.close();
  expect(await running).toMatchObject({ state: 'ended' });
  expect(await waiting).toMatchObject({ tasks: [{ finished: true, ended_by: 'shutdown' }] });
  await listening.ended;
  expect(await end).toEqual({ code: 130, signal: null });
});

test('a request that does not come to its end is answered 408, and its connection closed', async () => {
  const front = new HttpFront({
    requestMs: 300,
    tokens: { ownerOf: () => ({ owner: 'x', sha256: '', createdAt: '' }) },
    allowedHosts: [],
    local: { owner: 'x', sha256: '', createdAt: '' },
    isKnown: () => true,
    metrics: () => '',
    log: () => {},
    createServer: () => expect.fail('nothing came to its end'),
  });
  const url = new URL(await front.listen('127.0.0.1', 0));
  for (const begun of ['POST /mcp HTTP/1.1\r\nHost: ', `POST /mcp HTTP/1.1\r\nHost: ${url.host}\r\nAuthorization: Bearer x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`]) {
    const socket = connect(Number(url.port), '127.0.0.1').setEncoding('utf8');
    socket.write(begun);
    let text = '';
    for await (const chunk of socket) text += String(chunk);
    expect(text).toMatch(/^HTTP\/1.1 408 /);
  }
  const silent = connect(Number(url.port), '127.0.0.1').pause(); // neither asks, nor reads, nor leaves
  await once(silent, 'connect');
  await expect.poll(() => front.load.sockets, { interval: 20, timeout: 10_000 }).toBe(1);
  await expect.poll(() => front.load.sockets, { interval: 20, timeout: 10_000 }).toBe(0);
  silent.destroy();
  front.refuseNew();
  await front.close();
});
