// Waiting for a port and for an answer over HTTP, against real servers on loopback.
import { createServer as createHttp } from 'node:http';
import type { RequestListener, Server as HttpServer } from 'node:http';
import { createServer } from 'node:net';
import type { Server, Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { urlFault } from '../../src/waiting/loopback.ts';
import { freePort, listening, watchFor } from './support.ts';

const HOSTS = ['127.0.0.1', '::1'];

/** A server that keeps its connections in sight. */
function observed(onConnection: (socket: Socket) => void = () => undefined): { server: Server; open: Set<Socket> } {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => open.delete(socket));
    onConnection(socket.resume());
  });
  return { server, open };
}

test.each(HOSTS)('a port that is open on %s is found, and the connection closed', async (host) => {
  const { server, open } = observed();
  const port = await listening(server, host);
  const { satisfied, watch } = await watchFor({ kind: 'port', port });
  await satisfied;
  expect(watch.isSatisfied).toBe(true);
  await vi.waitFor(() => expect(open.size).toBe(0));
});

test.each(HOSTS)('a port that opens later on %s is found soon', async (host) => {
  const { server } = observed();
  const port = await freePort(createServer());
  const { satisfied, watch } = await watchFor({ kind: 'port', port });
  await delay(120);
  expect(watch.isSatisfied).toBe(false);
  await listening(server, host, port);
  const startedAt = performance.now();
  await satisfied;
  expect(performance.now() - startedAt).toBeLessThan(1_000); // about 50 on a machine that is free
});

test('a port is not knocked at any more when nobody waits', async () => {
  const port = await freePort(createServer());
  const { watch } = await watchFor({ kind: 'port', port });
  watch.stop();
  let connections = 0;
  await listening(observed(() => { connections += 1; }).server, '127.0.0.1', port);
  await delay(200);
  expect([connections, watch.isSatisfied]).toEqual([0, false]);
});

async function answering(listener: RequestListener, host = '127.0.0.1'): Promise<{ server: HttpServer; port: number }> {
  const server = createHttp(listener);
  onTestFinished(() => server.closeAllConnections());
  return { server, port: await listening(server, host) };
}

test.each([
  [200, true], [204, true], [302, true], [401, true], [404, true], [499, true], [500, false], [503, false],
])('an answer of %i is good: %s', async (status, isGood) => {
  let asked = 0;
  const { port } = await answering((_, response) => {
    asked += 1;
    response.writeHead(status, { location: 'http://192.0.2.1/' }).end('x');
  });
  const { watch } = await watchFor({ kind: 'http', url: `http://127.0.0.1:${port}/` });
  await vi.waitFor(() => expect(isGood ? watch.isSatisfied : asked >= 3).toBe(true), 5_000);
  expect(watch.isSatisfied).toBe(isGood);
});

test.each([['127.0.0.1', 'localhost'], ['::1', 'localhost'], ['::1', '[::1]']])('a server on %s is asked as %s, with path and host, and without keeping the connection', async (host, name) => {
  const heard: unknown[] = [];
  const { server, port } = await answering(({ method, url, headers }, response) => {
    heard.push([method, url, headers.host, headers.connection]);
    response.end('x'.repeat(1_000_000));
  }, host);
  const { satisfied } = await watchFor({ kind: 'http', url: `http://${name}:${port}/health?x=1` });
  await satisfied;
  expect(heard[0]).toEqual(['GET', '/health?x=1', `${name}:${port}`, 'close']);
  await vi.waitFor(async () => expect(await new Promise((resolve) => server.getConnections((_, count) => resolve(count)))).toBe(0), 5_000);
});

test('a server that fails at first, or speaks no HTTP, is asked until it is right', async () => {
  let asked = 0;
  const { server } = observed((socket) => {
    asked += 1;
    socket.end(asked < 3 ? 'SSH-2.0-OpenSSH_9.6\r\n' : 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
  });
  const port = await listening(server);
  const { satisfied } = await watchFor({ kind: 'http', url: `http://127.0.0.1:${port}/` });
  await satisfied;
  expect(asked).toBe(3);
});

test('a server that accepts and says nothing holds no connection when nobody waits any more', async () => {
  const { server, open } = observed();
  const port = await listening(server);
  const { watch } = await watchFor({ kind: 'http', url: `http://127.0.0.1:${port}/` });
  await vi.waitFor(() => expect(open.size).toBe(1));
  watch.stop();
  await vi.waitFor(() => expect(open.size).toBe(0));
  expect(watch.isSatisfied).toBe(false);
});

test('no proxy is asked, whatever the environment says', async () => {
  vi.stubEnv('http_proxy', 'http://127.0.0.1:9/');
  vi.stubEnv('HTTP_PROXY', 'http://127.0.0.1:9/');
  onTestFinished(() => void vi.unstubAllEnvs());
  const { port } = await answering((_, response) => void response.end());
  const { satisfied } = await watchFor({ kind: 'http', url: `http://127.0.0.1:${port}/` });
  await satisfied;
});

test.each([
  'http://127.0.0.1:3000/', 'http://[::1]:3000/a?b=c', 'http://localhost', 'http://LOCALHOST:80/', 'http://127.1:3000/', 'http://2130706433/',
])('%s is on this machine', (url) => {
  expect(urlFault(url)).toBeUndefined();
});

test.each([
  ['http://example.com/', 'another machine'],
  ['http://127.0.0.1.example.com/', 'another machine'],
  ['http://localhost.example.com/', 'another machine'],
  ['http://0.0.0.0:3000/', 'another machine'],
  ['http://127.0.0.1@example.com/', 'another machine'],
  ['http://[::ffff:127.0.0.1]/', 'another machine'],
  ['http://user:secret@127.0.0.1/', 'user name'],
  ['https://127.0.0.1:3000/', 'https'],
  ['file:///etc/passwd', '"file:"'],
  ['ftp://127.0.0.1/', '"ftp:"'],
  ['127.0.0.1:3000', 'no url'],
  ['localhost:3000', '"localhost:"'],
  ['http://127.0.0.1:0/', 'port 0'],
  ['', 'no url'],
])('%s is refused: %s', (url, why) => {
  expect(urlFault(url)?.message).toContain(why);
});
