// The HTTP side of `serve`: MCP at /mcp, whether it lives at /healthz, its counts at /metrics. Every limit on what a client may send or hold is here.
import { createServer as createHttpServer, type IncomingMessage, type Server as HttpServer, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { finished } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartError } from '../../config/start-error.ts';
import type { TokenEntry } from '../../config/token-list.ts';
import type { Log } from '../../lib/logger.ts';
import { descriptorUse } from '../../process/descriptors.ts';
import { Access, type AccessOptions } from './access.ts';
import { Bodies } from './body.ts';
import { Connections, type ConnectionsOptions } from './connections.ts';
import { COMMON_HEADERS, refusalBody, refuse, type Refusal } from './refusal.ts';

/** Above what a client with many long headers needs; Node answers 431. */
const MAX_HEADER_BYTES = 16 * 1024;
const HEADERS_MS = 10_000;
/** For a request with its body, ms: a client that sends a byte now and then holds nothing for long. */
const REQUEST_MS = 60_000;
const CHECK_MS = 2_000;
const KEEP_ALIVE_MS = 75_000;
const MOST_SOCKETS = 4_096;
const LEAST_SOCKETS = 16;
const MOST_REQUESTS = 1_024;
const SWEEP_MS = 1_000;
const DROP_MS = 2_000;
const LINGER_MS = 1_000;
const FAREWELL_MS = 500;
const POLL_MS = 10;
const METHODS: ReadonlySet<string> = new Set(['GET', 'POST', 'DELETE']);

export interface FrontOptions extends ConnectionsOptions, Pick<AccessOptions, 'tokens' | 'allowedHosts'> {
  /** Whom those belong to who come by the Unix socket, and who therefore need no token. */
  readonly local: TokenEntry;
  /** The page of counts, in the text form of Prometheus. */
  metrics(): string;
  readonly log: Log;
  /** For tests: ms. */
  readonly requestMs?: number | undefined;
}

export class HttpFront {
  readonly #options: FrontOptions;
  readonly #server: HttpServer;
  readonly #access: Access;
  readonly #bodies = new Bodies();
  readonly #connections: Connections;
  readonly #local = new WeakSet<Socket>();
  readonly #sweep: NodeJS.Timeout;
  #isStopping = false;
  #port = 0;
  #active = 0;
  /** Messages that are being answered. */
  #calls = 0;
  #sockets = 0;
  #requests = 0;
  #refused = 0;

  constructor(options: FrontOptions) {
    this.#options = options;
    this.#access = new Access({ ...options, port: () => this.#port });
    this.#connections = new Connections(options);
    const { requestMs = REQUEST_MS } = options;
    const limits = { maxHeaderSize: MAX_HEADER_BYTES, headersTimeout: Math.min(HEADERS_MS, requestMs), requestTimeout: requestMs, connectionsCheckingInterval: Math.min(CHECK_MS, requestMs), keepAliveTimeout: KEEP_ALIVE_MS };
    this.#server = createHttpServer(limits, (request, response) => void this.#handle(request, response));
    this.#server.maxConnections = Math.min(MOST_SOCKETS, shareOf(descriptorUse()?.limit));
    this.#server.on('clientError', refuseUnreadable);
    this.#server.on('connection', (socket) => this.#count(socket));
    this.#sweep = setInterval(() => this.#connections.sweep(), SWEEP_MS).unref();
  }

  /** What it holds and has done. */
  get load() {
    const { count: connections, events } = this.#connections;
    const { refusedTokens } = this.#access;
    return { connections, eventBytes: events.bytes, sockets: this.#sockets, active: this.#active, requests: this.#requests, refused: this.#refused, refusedTokens };
  }

  /** Listens on TCP; resolves to the URL of MCP. Throws StartError. */
  async listen(host: string, port: number): Promise<string> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', (error: NodeJS.ErrnoException) => reject(listenFault(error, host, port)));
      this.#server.listen({ host, port }, resolve);
    });
    const address = this.#server.address() as AddressInfo;
    this.#port = address.port;
    return `http://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}/mcp`;
  }

  /** Takes a connection of the Unix socket. */
  take(socket: Socket): void {
    this.#local.add(socket);
    this.#server.emit('connection', socket);
  }

  /** From now on requests are refused; those that are being answered go on. */
  refuseNew(): void {
    this.#isStopping = true;
    this.#server.close();
  }

  /** Ends all connections, when the answers that are due are sent; not later than in half a second. */
  async close(): Promise<void> {
    clearInterval(this.#sweep);
    const deadline = performance.now() + FAREWELL_MS;
    while (this.#calls > 0 && performance.now() < deadline) await sleep(POLL_MS);
    this.#connections.close();
    this.#server.closeAllConnections();
  }

  #count(socket: Socket): void {
    this.#sockets++;
    socket.once('close', () => this.#sockets--);
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.#requests++;
    this.#active++;
    response.once('close', () => this.#active--);
    try {
      const refusal = await this.#answer(request, response);
      if (refusal === undefined) return;
      this.#refused++;
      await dropped(request);
      refuse(response, refusal);
    } catch (error) {
      if (request.destroyed && !request.complete) return; // the client is gone
      this.#options.log(`fault over HTTP: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
      refuse(response, { status: 500, message: 'something is wrong in the server; its log says more' });
    }
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<Refusal | undefined> {
    const isLocal = this.#local.has(request.socket);
    const fault = isLocal ? undefined : this.#access.placeFault(request);
    if (fault !== undefined) return fault;
    if (this.#isStopping) return { status: 503, message: 'SHUTTING_DOWN: the server is ending', closes: true };
    const [path] = (request.url ?? '').split('?');
    if (path === '/healthz') return this.#show(request, response, 'application/json', '{"status":"ok"}\n');
    if (path !== '/mcp' && path !== '/metrics') return { status: 404, message: 'nothing is here: MCP is at /mcp' };
    const caller = isLocal ? this.#options.local : this.#access.caller(request);
    if ('status' in caller) return caller;
    if (path === '/metrics') return this.#show(request, response, 'text/plain; version=0.0.4; charset=utf-8', this.#options.metrics());
    return this.#speak(request, response, caller);
  }

  #show({ method }: IncomingMessage, response: ServerResponse, type: string, text: string): Refusal | undefined {
    if (method !== 'GET' && method !== 'HEAD') return { status: 405, message: 'only GET', headers: { allow: 'GET, HEAD' } };
    response.writeHead(200, { ...COMMON_HEADERS, 'content-type': type, 'content-length': Buffer.byteLength(text) });
    response.end(method === 'HEAD' ? undefined : text);
    return undefined;
  }

  async #speak(request: IncomingMessage, response: ServerResponse, caller: TokenEntry): Promise<Refusal | undefined> {
    const { method = '' } = request;
    if (!METHODS.has(method)) return { status: 405, message: 'MCP takes POST, GET and DELETE', headers: { allow: 'GET, POST, DELETE' } };
    if (this.#active > MOST_REQUESTS + this.#connections.count) return { status: 503, message: 'too many requests are being answered: try again in a moment', headers: { 'retry-after': '1' } };
    const body = method === 'POST' ? await this.#body(request) : undefined;
    if (body?.refusal !== undefined) return body.refusal;
    const connection = await this.#connections.of(request, caller, body?.value);
    if ('status' in connection) return connection;
    if (method !== 'POST') return connection.answer(request, response);
    this.#calls++;
    return connection.answer(request, response, body?.value).finally(() => this.#calls--);
  }

  /** A page can send other types without being asked for leave first. */
  async #body(request: IncomingMessage): ReturnType<Bodies['read']> {
    const type = request.headers['content-type'] ?? '';
    if (/^application\/json\s*(?:;|$)/i.test(type)) return this.#bodies.read(request);
    return { refusal: { status: 415, message: 'the Content-Type of a message is application/json' } };
  }
}

/** Reads and drops what is still coming, for a moment: a client that writes when its connection is closed does not see the answer. */
async function dropped(request: IncomingMessage): Promise<void> {
  if (request.complete || request.destroyed) return;
  request.resume();
  await Promise.race([finished(request).catch(() => {}), sleep(DROP_MS, undefined, { ref: false })]);
}

/** Sessions and tasks need descriptors, too. */
function shareOf(descriptors = Infinity): number {
  return Math.max(LEAST_SOCKETS, Math.floor(descriptors / 2));
}

function listenFault(error: NodeJS.ErrnoException, host: string, port: number): StartError {
  if (error.code === 'EADDRINUSE') return new StartError(`port ${port} of ${host} is in use: end what listens there, or set another port (--port; 0 is any free one)`);
  if (error.code === 'EACCES') return new StartError(`port ${port} of ${host} is not for this user: set one from 1024 on`);
  return new StartError(`host = "${host}", port = ${port}: ${error.message}`);
}

/** What is no HTTP, has too many headers, or does not come to its end. */
function refuseUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable) return void socket.destroy();
  const [status, message] = UNREADABLE[error.code ?? ''] ?? ['400 Bad Request', 'this is no request of HTTP'];
  const body = refusalBody({ status: 0, message });
  socket.end(`HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`);
  setTimeout(() => socket.destroy(), LINGER_MS).unref(); // a client that neither reads nor leaves would hold it for ever
}

const UNREADABLE: Readonly<Record<string, readonly [status: string, message: string]>> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', `the headers are more than ${MAX_HEADER_BYTES} bytes`],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'the request did not come to its end in time'],
};
