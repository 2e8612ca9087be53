// The built program as `shellkeep serve` on a free port, and clients that speak HTTP to it: requests as they are, and the protocol.
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { expect } from 'vitest';
import type { RawMessage } from './raw-client.ts';
import { runProgram } from '../cli/program.ts';
import { ServerProcess, type ServerEnd, type ServerOptions } from './server-process.ts';

export const PROTOCOL = '2025-11-25';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export interface AskOptions {
  readonly method?: string;
  readonly path?: string;
  /** Undefined takes one out that is usual. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: string | Buffer;
  /** The Unix socket in the place of TCP. */
  readonly socketPath?: string;
}

export class Served {
  readonly process: ServerProcess;
  readonly #lines: string[] = [];

  private constructor(process: ServerProcess, onReady: () => void) {
    this.process = process;
    process.onLine = (line) => {
      this.#lines.push(line);
      if (line.includes('ctrl-c')) onReady();
    };
  }

  /** Resolves when it says that it is ready. */
  static async start({ args = [], ...options }: ServerOptions = {}): Promise<Served> {
    let onReady = (): void => {};
    const ready = new Promise<void>((resolve) => (onReady = resolve));
    const served = new Served(new ServerProcess({ ...options, argv: ['serve', '--port', '0', ...args] }), onReady);
    await Promise.race([ready, served.process.ended]);
    if (served.process.hasEnded) throw new Error(`serve has ended: ${served.process.stderr}`);
    return served;
  }

  /** What it has printed. */
  get printed(): string {
    return this.#lines.map((line) => `${line}\n`).join('');
  }

  /** Of MCP. */
  get url(): URL {
    return new URL(/http:\S+\/mcp/.exec(this.printed)?.[0] ?? 'missing:');
  }

  get socket(): string {
    return /\/\S*serve\.sock/.exec(this.printed)?.[0] ?? '';
  }

  /** Of the owner "local". */
  get token(): string {
    return /shellkeep_[\w-]{43}/.exec(this.printed)?.[0] ?? '';
  }

  /** Makes a token for another owner, as a person would. */
  async tokenOf(owner: string, ...flags: string[]): Promise<string> {
    const { stdout, end } = await runProgram(['token', 'add', owner, ...flags], { home: this.process.home });
    expect(end).toBe(0);
    return stdout.trim();
  }

  /** One request, as it is. */
  ask({ method = 'GET', path = '/mcp', headers = {}, body, socketPath }: AskOptions): Promise<Answer> {
    const place = socketPath === undefined ? { host: this.url.hostname, port: this.url.port } : { socketPath };
    const given = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined)) as Record<string, string>;
    return new Promise((resolve, reject) => {
      const request = httpRequest({ ...place, method, path, headers: given, agent: false }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text: Buffer.concat(chunks).toString() }));
        response.on('error', reject);
      });
      request.on('error', reject);
      request.end(body);
    });
  }

  client(token = this.token): HttpClient {
    return new HttpClient(this, token);
  }

  /** Ends it as ctrl-c does. */
  close(): Promise<ServerEnd> {
    this.process.kill('SIGINT');
    return this.process.ended;
  }
}

/** A client that sends what it is told, and reads answers in either form. */
export class HttpClient {
  readonly served: Served;
  readonly token: string;
  /** Of the protocol's session. */
  id: string | undefined;
  #next = 1;

  constructor(served: Served, token: string) {
    this.served = served;
    this.token = token;
  }

  get headers(): Record<string, string | undefined> {
    return {
      authorization: `Bearer ${this.token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-session-id': this.id,
      'mcp-protocol-version': this.id === undefined ? undefined : PROTOCOL,
    };
  }

  post(message: unknown, headers: AskOptions['headers'] = {}): Promise<Answer> {
    return this.served.ask({ method: 'POST', headers: { ...this.headers, ...headers }, body: JSON.stringify(message) });
  }

  /** A request of the protocol and its answer. */
  async request(method: string, params: object = {}, headers: AskOptions['headers'] = {}): Promise<RawMessage> {
    const id = this.#next++;
    const answer = await this.post({ jsonrpc: '2.0', id, method, params }, headers);
    const found = messagesIn(answer).find((message) => message.id === id && message.method === undefined);
    if (found === undefined) throw new Error(`HTTP ${answer.status}: ${answer.text}`);
    return found;
  }

  async initialize(headers: AskOptions['headers'] = {}): Promise<this> {
    const answer = await this.post({ jsonrpc: '2.0', id: 0, method: 'initialize', params: INITIALIZE }, headers);
    if (answer.status !== 200) throw new Error(`HTTP ${answer.status}: ${answer.text}`);
    this.id = String(answer.headers['mcp-session-id']);
    await this.post({ jsonrpc: '2.0', method: 'notifications/initialized' });
    return this;
  }

  /** Calls a tool; its facts, of an error too. */
  async call(name: string, args: object = {}): Promise<Readonly<Record<string, unknown>>> {
    const { result, error } = await this.request('tools/call', { name, arguments: args });
    if (error !== undefined) throw new Error(error.message);
    return result?.['structuredContent'] as Record<string, unknown>;
  }

  /** Ends the connection. */
  end(): Promise<Answer> {
    return this.served.ask({ method: 'DELETE', headers: this.headers });
  }
}

export const INITIALIZE = { protocolVersion: PROTOCOL, capabilities: {}, clientInfo: { name: 'raw', version: '0' } };

/** The messages of an answer, whether it is JSON or a stream of events. */
export function messagesIn({ text, headers }: Pick<Answer, 'text' | 'headers'>): RawMessage[] {
  if (!String(headers['content-type']).startsWith('text/event-stream')) return text === '' ? [] : [JSON.parse(text) as RawMessage].flat();
  return text.split('\n').flatMap((line) => (line.startsWith('data: {') ? [JSON.parse(line.slice('data: '.length)) as RawMessage] : []));
}
