// Hands on what a client and the server say to one another, line by line and unchanged. When the server goes away, what was asked is answered, and with
// the client's next message another server is reached; to that one the client is introduced again.
import { once } from 'node:events';
import type { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import type { Log } from '../../lib/logger.ts';
import { LineSplitter } from '../../mcp/lines.ts';
import { headOf, type Id } from './message.ts';

/** As the server takes them; what its answers are is bounded there. */
const MAX_LINE_BYTES = 32 * 1024 * 1024;
const MAX_ANSWER_BYTES = 256 * 1024 * 1024;
/** JSON-RPC's codes: what implementations may use, and "invalid request". */
const GONE = -32_000;
const INVALID_REQUEST = -32_600;
const GONE_MESSAGE = 'the shellkeep server has gone, and with it its sessions and tasks; whether this was done is not known. The next call starts a new server: open a session with session_create';
/** What a client looks at again when it talks to another server. */
const CHANGED = ['notifications/tools/list_changed', 'notifications/resources/list_changed'];

export interface BridgeOptions {
  readonly input: Readable;
  readonly output: Writable;
  /** A connection on which the protocol can begin. Rejects with the reason why there is none. */
  reach(): Promise<Socket>;
  readonly log: Log;
}

export class Bridge {
  readonly #options: BridgeOptions;
  /** What the client has asked, and what it is asked by the server that it talks to now. */
  readonly #asked = new Set<Id>();
  readonly #askedBack = new Set<Id>();
  /** What the client said first, to say it again: its initialize with the id, and that it is ready. */
  #initialize: { readonly id: Id; readonly line: string } | undefined;
  #initialized: string | undefined;
  /** The client has the answer to its initialize. */
  #isKnown = false;
  #link: Promise<Socket> | undefined;
  #introductions = 0;

  constructor(options: BridgeOptions) {
    this.#options = options;
  }

  /** Works until the client goes away. Rejects with the reason when no server can be reached for its first message; that was answered then. */
  async run(): Promise<void> {
    const lines = new LineSplitter(MAX_LINE_BYTES);
    for await (const chunk of this.#options.input as AsyncIterable<Buffer>) {
      for (const line of lines.feed(chunk)) {
        if (line.kind === 'line') await this.#fromClient(line.text);
        else await this.#say({ id: null, error: { code: INVALID_REQUEST, message: `a line of ${line.bytes} bytes is over the limit of ${MAX_LINE_BYTES} and was skipped` } });
      }
    }
    const link = await this.#link?.catch(() => undefined);
    if (link?.writable === true) await new Promise<void>((resolve) => link.end(resolve));
  }

  async #fromClient(line: string): Promise<void> {
    const { id, method, cancelled } = headOf(line);
    if (cancelled !== undefined) this.#asked.delete(cancelled);
    if (id !== undefined && method === undefined && !this.#askedBack.delete(id)) return; // it answers a server that has gone
    if (method === 'initialize' && id !== undefined) this.#initialize = { id, line };
    if (method === 'notifications/initialized') this.#initialized = line;
    try {
      const link = await this.#reached();
      if (id !== undefined && method !== undefined) this.#asked.add(id);
      if (!link.write(`${line}\n`)) await Promise.race([once(link, 'drain'), once(link, 'close')]);
    } catch (error) {
      if (id !== undefined && method !== undefined) await this.#say({ id, error: { code: GONE, message: reasonOf(error) } });
      if (!this.#isKnown) throw error;
      this.#options.log(reasonOf(error));
    }
  }

  /** One at a time: who asks meanwhile waits for the same. */
  #reached(): Promise<Socket> {
    this.#link ??= this.#open().catch((error: unknown) => {
      this.#link = undefined;
      throw error;
    });
    return this.#link;
  }

  async #open(): Promise<Socket> {
    const socket = await this.#options.reach();
    const own = this.#isKnown ? `shellkeep-connect-${++this.#introductions}` : undefined;
    const introduced = this.#follow(socket, own);
    if (own !== undefined) await this.#introduce(socket, own, introduced);
    return socket;
  }

  /** Passes on what the server says. Resolves when it has answered the request with the id `own`, which the client knows nothing of. */
  #follow(socket: Socket, own: string | undefined): Promise<void> {
    const lines = new LineSplitter(MAX_ANSWER_BYTES);
    return new Promise((resolve, reject) => {
      socket.on('data', (chunk: Buffer) => {
        for (const line of lines.feed(chunk)) {
          if (line.kind === 'oversized') continue;
          if (own !== undefined && headOf(line.text).id === own) resolve();
          else this.#toClient(line.text, socket);
        }
      });
      socket.once('close', () => {
        reject(new Error(GONE_MESSAGE));
        this.#lost();
      });
      if (own === undefined) resolve();
    });
  }

  #toClient(line: string, socket: Socket): void {
    const { id, method } = headOf(line);
    if (id !== undefined && method === undefined) {
      if (id === this.#initialize?.id) this.#isKnown = true;
      this.#asked.delete(id);
    }
    if (id !== undefined && method !== undefined) this.#askedBack.add(id);
    const { output } = this.#options;
    if (output.write(`${line}\n`) || socket.isPaused()) return;
    socket.pause();
    output.once('drain', () => socket.resume());
  }

  async #introduce(socket: Socket, own: string, introduced: Promise<void>): Promise<void> {
    const initialize = JSON.parse(this.#initialize?.line ?? '{}') as Record<string, unknown>;
    socket.write(`${JSON.stringify({ ...initialize, id: own })}\n`);
    await introduced;
    if (this.#initialized !== undefined) socket.write(`${this.#initialized}\n`);
    for (const method of CHANGED) await this.#say({ method });
  }

  #lost(): void {
    this.#link = undefined;
    this.#options.log('the server has gone; the next message of the client starts another one');
    this.#askedBack.clear();
    for (const id of this.#asked) void this.#say({ id, error: { code: GONE, message: GONE_MESSAGE } });
    this.#asked.clear();
  }

  #say(message: Readonly<Record<string, unknown>>): Promise<void> {
    return new Promise((resolve) => this.#options.output.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`, () => resolve()));
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
