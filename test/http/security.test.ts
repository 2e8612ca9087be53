// Who gets in over HTTP, and what a stranger can do there: the built program, asked as no well-behaved client would.
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newHome, runProgram } from '../cli/program.ts';
import { findProgram } from '../support/shells.ts';
import { INITIALIZE, messagesIn, Served, type HttpClient } from '../support/served.ts';

const MIB = 1024 * 1024;

let served: Served;
let client: HttpClient;
beforeAll(async () => {
  served = await Served.start();
  client = await served.client().initialize();
});
afterAll(async () => {
  expect(await served.close()).toEqual({ code: 130, signal: null });
});

/** What is sent as it is, and all that comes back until the server closes. */
function sent(bytes: string): Promise<string> {
  const socket = connect(Number(served.url.port), '127.0.0.1');
  socket.end(bytes);
  return text(socket);
}

/** Regular files. */
function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) => (entry.isFile() ? [path.join(entry.parentPath, entry.name)] : []));
}

const initialize = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: INITIALIZE });
const own = (): Record<string, string | undefined> => ({ ...client.headers, 'mcp-session-id': undefined, 'mcp-protocol-version': undefined });

describe('the matrix of Host, Origin, token and content type (T50, T52, T53, T55)', () => {
  const ours = (): string => served.url.host;
  const hosts: readonly (readonly [() => string, boolean])[] = [
    [ours, true],
    [() => `localhost:${served.url.port}`, true],
    [() => `LOCALHOST:${served.url.port}`, true],
    [() => 'evil.example', false],
    [() => `evil.example:${served.url.port}`, false],
    [() => `127.0.0.1.nip.io:${served.url.port}`, false],
    [() => `0.0.0.0:${served.url.port}`, false],
    [() => `localhost.:${served.url.port}`, false],
    [() => '127.0.0.1:1', false],
    [() => '127.0.0.1', false],
    [() => `user@127.0.0.1:${served.url.port}`, false],
  ];
  const origins: readonly (readonly [(() => string) | undefined, boolean])[] = [
    [undefined, true],
    [() => 'https://evil.example', false],
    [() => 'null', false],
    [() => '', false],
    [() => 'http://localhost:3000', false],
    [() => `http://127.0.0.1:${served.url.port}.evil.example`, false],
    [() => `http://${ours()}`, false],
  ];
  const tokens: readonly (readonly [(() => string) | undefined, boolean])[] = [
    [() => `Bearer ${served.token}`, true],
    [() => `bearer   ${served.token}`, true],
    [undefined, false],
    [() => 'Bearer ', false],
    [() => 'Bearer shellkeep_wrong', false],
    [() => `Basic ${served.token}`, false],
    [() => `Bearer ${served.token.slice(0, -1)}`, false],
    [() => `Bearer ${served.token}x`, false],
  ];
  const types: readonly (readonly [string | undefined, boolean])[] = [['application/json', true], ['application/json; charset=utf-8', true], ['text/plain', false], ['application/jsonx', false], ['application/x-www-form-urlencoded', false], [undefined, false]];

  test('lets in what is right in all four, and answers each wrong one with its own status', async () => {
    const wrong: string[] = [];
    for (const [host, isOurs] of hosts) {
      for (const [origin, isAllowed] of origins) {
        for (const [authorization, isKnown] of tokens) {
          for (const [type, isJson] of types) {
            const headers = { ...own(), host: host(), origin: origin?.(), authorization: authorization?.(), 'content-type': type };
            const { status } = await served.ask({ method: 'POST', headers, body: initialize });
            const expected = !isOurs || !isAllowed ? [403] : !isKnown ? [401, 429] : isJson ? [200] : [415];
            if (!expected.includes(status)) wrong.push(`${status} for ${JSON.stringify(headers)}`);
          }
        }
      }
    }
    expect(wrong).toEqual([]);
  }, 60_000);

  test('is the same for the page of counts, and but for the token for the page of health', async () => {
    const statusOf = async (path: string, headers: Record<string, string>): Promise<number> => (await served.ask({ path, headers })).status;
    for (const path of ['/metrics', '/healthz']) {
      expect(await statusOf(path, { host: 'evil.example', authorization: `Bearer ${served.token}` })).toBe(403);
      expect(await statusOf(path, { origin: 'https://evil.example', authorization: `Bearer ${served.token}` })).toBe(403);
      expect(await statusOf(path, { authorization: `Bearer ${served.token}` })).toBe(200);
    }
    expect([await statusOf('/healthz', {}), [401, 429].includes(await statusOf('/metrics', {}))]).toEqual([200, true]);
    expect((await served.ask({ path: '/healthz' })).text).toBe('{"status":"ok"}\n');
  });

  test('no answer lets a page of another origin read it', async () => {
    for (const method of ['OPTIONS', 'GET', 'POST']) {
      const { status, headers } = await served.ask({ method, headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' } });
      expect([status, Object.keys(headers).filter((name) => name.startsWith('access-control'))]).toEqual([403, []]);
    }
  });
});

test('T50: no Host, two of them, and a whole address as target are refused', async () => {
  const statusOf = async (head: string): Promise<string> => (await sent(`${head}\r\nConnection: close\r\n\r\n`)).split(' ')[1] ?? '';
  const { host } = served.url;
  expect(await statusOf('GET /healthz HTTP/1.1')).toBe('400');
  expect(await statusOf('GET /healthz HTTP/1.0')).toBe('400');
  expect(await statusOf(`GET /healthz HTTP/1.1\r\nHost: ${host}\r\nHost: ${host}`)).toBe('400');
  expect(await statusOf(`GET http://${host}/healthz HTTP/1.1\r\nHost: ${host}`)).toBe('400');
  expect(await statusOf(`GET /healthz HTTP/1.1\r\nHost: ${host}`)).toBe('200');
});

test('T53: a token in the address counts for nothing, and no token is in any log', async () => {
  const { token } = served;
  const answer = await served.ask({ method: 'POST', path: `/mcp?token=${token}&access_token=${token}`, headers: { ...own(), authorization: undefined }, body: initialize });
  expect([401, 429]).toContain(answer.status);
  expect(answer.headers['www-authenticate'] ?? 'Bearer').toMatch(/^Bearer/);
  const written = filesBelow(served.process.home.root).filter((file) => readFileSync(file).includes(token));
  expect([written, served.process.stderr.includes(token)]).toEqual([[], false]);
});

test('many wrong tokens are slowed down, and the right one is not', async () => {
  const wrong = await Promise.all(Array.from({ length: 40 }, () => served.ask({ headers: { authorization: 'Bearer shellkeep_guess' } })));
  expect(wrong.at(-1)).toMatchObject({ status: 429, headers: { 'retry-after': expect.stringMatching(/^\d+$/) as string } });
  expect((await served.ask({ path: '/metrics', headers: { authorization: `Bearer ${served.token}` } })).status).toBe(200);
});

test('T56: by default nothing but loopback listens, and other addresses need leave and names', async () => {
  if (findProgram('ss') !== undefined) {
    const listening = execFileSync('ss', ['-ltnpH'], { encoding: 'utf8' }).split('\n').filter((line) => line.includes(`pid=${served.process.pid},`));
    expect(listening.map((line) => line.trim().split(/\s+/)[3])).toEqual([served.url.host]);
  }
  for (const host of ['0.0.0.0', '::', '192.0.2.1', 'example.org']) {
    const { end, stderr } = await runProgram(['serve', '--host', host]);
    expect([end, stderr]).toEqual([2, expect.stringMatching(/^shellkeep: host = .*--allow-remote with --allowed-hosts/)]);
  }
  expect(await runProgram(['serve', '--host', '0.0.0.0', '--allow-remote'])).toMatchObject({ end: 2, stderr: expect.stringContaining('needs allowed_hosts') as string });
  const remote = await Served.start({ args: ['--host', '127.0.0.2', '--allow-remote', '--allowed-hosts', 'shell.example.org'] });
  const statusOf = async (headers: Record<string, string>): Promise<number> => (await remote.ask({ path: '/healthz', headers })).status;
  expect(await statusOf({ host: 'shell.example.org' })).toBe(200);
  expect(await statusOf({ host: 'SHELL.example.org:8443', origin: 'https://shell.example.org' })).toBe(200);
  expect([await statusOf({ host: 'other.example.org' }), await statusOf({ host: 'shell.example.org', origin: 'https://other.example.org' })]).toEqual([403, 403]);
  await remote.close();
});

describe('T59: the id of a protocol session', () => {
  test.each([
    ['guessed', () => 'x'.repeat(32)],
    ['empty', () => ' '],
    ['one of many', () => `${String(client.id)}, ${String(client.id)}`],
    ['__proto__', () => '__proto__'],
  ])('%s is not found, and nothing is made for it', async (_, id) => {
    for (const method of ['POST', 'GET', 'DELETE']) {
      const answer = await served.ask({ method, headers: { ...client.headers, 'mcp-session-id': id() }, ...(method === 'POST' ? { body: '{"jsonrpc":"2.0","id":7,"method":"ping"}' } : {}) });
      expect([method, answer.status, messagesIn(answer)[0]?.error?.code]).toEqual([method, 404, -32_001]);
    }
  });

  test('is needed for everything but the beginning, and not taken from an initialize', async () => {
    expect((await served.ask({ method: 'POST', headers: own(), body: '{"jsonrpc":"2.0","id":7,"method":"ping"}' })).status).toBe(400);
    expect((await served.ask({ method: 'GET', headers: own() })).status).toBe(400);
    expect((await served.ask({ method: 'POST', headers: { ...own(), 'mcp-session-id': 'mine' }, body: initialize })).status).toBe(404);
  });

  test('ends with DELETE, once', async () => {
    const ended = await served.client().initialize();
    expect([(await ended.end()).status, (await ended.end()).status]).toEqual([200, 404]);
  });
});

describe('T5a: what is too much', () => {
  const post = (body: string | Buffer, headers = {}): ReturnType<Served['ask']> => served.ask({ method: 'POST', headers: { ...client.headers, ...headers }, body });

  test.each([
    ['no JSON', 'hello', 400],
    ['5 MB of no JSON', 'x'.repeat(5 * MIB), 400],
    ['half a JSON text', '{"jsonrpc":"2.0","id":1', 400],
    ['an empty body', '', 400],
    ['an unfinished nest of 50,000', '['.repeat(50_000), 400],
    ['a nest of 50,000', `${'['.repeat(50_000)}${']'.repeat(50_000)}`, 400],
    ['arguments nested 50,000 deep', `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"run","arguments":${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}}}`, 400],
    ['no message', '{"hello":1}', 400],
    ['a batch of 101', JSON.stringify(Array.from({ length: 101 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'ping' }))), 400],
    ['33 MiB', Buffer.alloc(33 * MIB, 0x20), 413],
  ])('%s is answered in JSON, without a stack', async (_, body, status) => {
    const answer = await post(body);
    expect(answer.status).toBe(status);
    expect(messagesIn(answer)[0]).toMatchObject({ jsonrpc: '2.0', error: { code: expect.any(Number) as number } });
    expect(answer.text).not.toMatch(/\bat .*\.js|node_modules/);
  });

  test('a compressed body is refused unread', async () => {
    expect((await post(Buffer.alloc(100), { 'content-encoding': 'gzip' })).status).toBe(415);
  });

  test('headers of 100 KB are refused', async () => {
    expect(await sent(`GET /healthz HTTP/1.1\r\nHost: ${served.url.host}\r\nX-Large: ${'x'.repeat(100_000)}\r\n\r\n`)).toMatch(/^HTTP\/1.1 431 .*"jsonrpc":"2.0"/s);
  });

  test('what is no HTTP is answered once, and closed', async () => {
    expect(await sent('\x16\x03\x01\x02\x00\x01\x00\r\n\r\n')).toMatch(/^HTTP\/1.1 400 /);
  });

  test('other methods and other addresses are named', async () => {
    expect(await served.ask({ method: 'PUT', headers: client.headers })).toMatchObject({ status: 405, headers: { allow: 'GET, POST, DELETE' } });
    expect((await served.ask({ path: '/.well-known/oauth-protected-resource' })).status).toBe(404);
  });
});

test('T58: two clients with the same ids at the same time each get their own answers', async () => {
  const [one, two] = [await served.client().initialize(), await served.client().initialize()];
  const ask = async (who: HttpClient, name: string): Promise<void> => {
    for (let round = 0; round < 100; round++) {
      const { result } = await who.request('tools/call', { name: 'classify', arguments: { command: `echo ${name}-${round}; sudo ${name}-${round}` } });
      expect(JSON.stringify(result)).toContain(`sudo ${name}-${round}`);
    }
  };
  await Promise.all([ask(one, 'one'), ask(two, 'two'), ask(one, 'three'), ask(two, 'four')]);
});

test('a second request with an id that is being answered is refused, and the first is answered', async () => {
  const message = { jsonrpc: '2.0', id: 'same', method: 'tools/call', params: { name: 'run', arguments: { command: 'sleep 0.5; echo first' } } };
  const first = client.post(message);
  await expect.poll(async () => (await client.call('status'))['concurrency'], { interval: 10 }).toMatchObject({ active: 1 });
  expect((await client.post(message)).status).toBe(400);
  expect((await first).text).toContain('first');
});

test('T5b: a port that is taken is named, with exit status 2', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const { end, stderr } = await runProgram(['serve', '--port', String(port)], { home: newHome() });
  other.close();
  expect([end, stderr]).toEqual([2, `shellkeep: port ${port} of 127.0.0.1 is in use: end what listens there, or set another port (--port; 0 is any free one)\n`]);
});
