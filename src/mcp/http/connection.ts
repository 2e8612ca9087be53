// One client over HTTP, from its initialize to its end: the SDK's transport and server, its streams and what is in flight.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import type { TokenEntry } from '../../config/token-list.ts';
import { EventLog, type EventBudget } from './event-store.ts';
import { send, webRequest } from './exchange.ts';
import type { Refusal } from './refusal.ts';

/** How long a client waits before it opens a broken stream again, ms. */
const RETRY_MS = 1_000;
/** More than an agent ever means to ask at once. */
const MOST_IN_FLIGHT = 128;

/** Both, as the protocol wants it of every client. */
const ACCEPT_BOTH = 'application/json, text/event-stream';

export interface ConnectionOptions {
  /** Of the protocol's session; 192 random bits. */
  readonly id: string;
  readonly caller: TokenEntry;
  /** It takes no streams: each answer is one JSON text. */
  readonly isJson: boolean;
  readonly events: EventBudget;
  createServer(facts: { readonly connection: string; readonly caller: TokenEntry; readonly isJson: boolean; onClose(): void }): Server;
  onClose(): void;
}

export class Connection {
  readonly id: string;
  readonly caller: TokenEntry;
  usedAtMs = performance.now();
  readonly #options: ConnectionOptions;
  readonly #transport: WebStandardStreamableHTTPServerTransport;
  readonly #events: EventLog;
  /** Requests that are being answered, by the ids that the client gave them. */
  readonly #asked = new Set<string | number>();
  #answers = 0;
  #hasBegun = false;

  private constructor(options: ConnectionOptions) {
    this.#options = options;
    this.id = options.id;
    this.caller = options.caller;
    this.#events = new EventLog(options.events);
    this.#transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => options.id,
      enableJsonResponse: options.isJson,
      retryInterval: RETRY_MS,
      ...(options.isJson ? {} : { eventStore: this.#events }),
    });
  }

  /** A new one, which waits for the request that begins it. */
  static async open(options: ConnectionOptions): Promise<Connection> {
    const connection = new Connection(options);
    const { id, caller, isJson } = options;
    const onClose = (): void => {
      connection.#events.close();
      options.onClose();
    };
    await options.createServer({ connection: id, caller, isJson, onClose }).connect(connection.#transport);
    return connection;
  }

  /** Whether a stream is open or a request is being answered. */
  get isActive(): boolean {
    return this.#answers > 0;
  }

  /** Answers a request of this client. Its body, if it has one, was read. */
  async answer(request: IncomingMessage, response: ServerResponse, body?: unknown): Promise<Refusal | undefined> {
    const ids = idsOf(body);
    const refusal = this.#refusalFor(ids);
    if (refusal !== undefined) return refusal;
    for (const id of ids) this.#asked.add(id);
    this.#answers++;
    try {
      const changed: Record<string, string> = this.#options.isJson && body !== undefined ? { accept: ACCEPT_BOTH } : {};
      const answer = await this.#transport.handleRequest(webRequest(request, changed), { parsedBody: body });
      if (!answer.ok && !this.#hasBegun) void this.close();
      this.#hasBegun = true;
      await send(answer, response, { pieces: this.#rest(request, answer) });
      return undefined;
    } finally {
      this.usedAtMs = performance.now();
      this.#answers--;
      for (const id of ids) this.#asked.delete(id);
    }
  }

  /** Ends the connection; what was started goes on. */
  async close(): Promise<void> {
    await this.#transport.close();
  }

  #refusalFor(ids: readonly (string | number)[]): Refusal | undefined {
    if (this.#asked.size + ids.length > MOST_IN_FLIGHT) return { status: 429, message: `${this.#asked.size} requests of this client are being answered: wait for one of them`, headers: { 'retry-after': '1' } };
    const taken = ids.find((id) => this.#asked.has(id));
    return taken === undefined ? undefined : { status: 400, message: `a request with the id ${JSON.stringify(taken)} is being answered: each needs an id of its own` };
  }

  /** The SDK leaves a stream open that was begun anew, also when its answer has been sent with what was missed. */
  #rest({ method, headers }: IncomingMessage, { status }: Response): number | undefined {
    const lastId = headers['last-event-id'];
    return method === 'GET' && status === 200 && typeof lastId === 'string' ? this.#events.restOf(lastId) : undefined;
  }
}

function idsOf(body: unknown): (string | number)[] {
  const messages: readonly unknown[] = Array.isArray(body) ? body : [body];
  return messages.flatMap((message) => {
    if (typeof message !== 'object' || message === null || !('id' in message) || !('method' in message)) return [];
    return typeof message.id === 'string' || typeof message.id === 'number' ? [message.id] : [];
  });
}
