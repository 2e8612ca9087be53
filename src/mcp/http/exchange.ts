// Between Node's requests and answers and those of the web's standard, which the SDK's transport speaks.
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { COMMON_HEADERS } from './refusal.ts';

/** The headers that the transport looks at. */
const READ = ['accept', 'content-type', 'mcp-session-id', 'mcp-protocol-version', 'last-event-id'] as const;
/** A client takes a piece of an answer in this time, or it is gone. */
const STALL_MS = 30_000;
const GATHER_MS = 20;
const PIECE_BYTES = 64 * 1024;

/** The request without its body, which is handed over beside it. */
export function webRequest({ method = 'GET', headers }: IncomingMessage, changed: Readonly<Record<string, string>> = {}): Request {
  const read = READ.flatMap((name) => (typeof headers[name] === 'string' ? [[name, headers[name]] as [string, string]] : []));
  return new Request('http://localhost/mcp', { method, headers: { ...Object.fromEntries(read), ...changed } });
}

export interface SendOptions {
  /** How many pieces of the answer are to be sent, where it does not end by itself. */
  readonly pieces?: number | undefined;
  readonly stallMs?: number;
}

/** Sends an answer as it comes. A client that takes nothing of it for too long is disconnected; it can come back for what it missed. */
export async function send(answer: Response, response: ServerResponse, { pieces = Infinity, stallMs = STALL_MS }: SendOptions = {}): Promise<void> {
  response.writeHead(answer.status, { ...Object.fromEntries(answer.headers), ...COMMON_HEADERS });
  if (answer.body === null) return void response.end();
  const reader = answer.body.getReader();
  response.once('close', () => void reader.cancel().catch(() => {})); // the transport forgets this stream
  const outlet = new Outlet(response, stallMs);
  for (let sent = 0; sent < pieces; sent++) {
    const { done, value } = await reader.read();
    if (done) break;
    if (!(await outlet.take(value))) return void response.destroy();
  }
  outlet.end();
}

/**
 * What comes in the first moment is sent together: each write is a wake-up of the client, and a short answer would be three of them, the beginning of
 * the stream, the answer and the end. A client that waits longer knows that there is a stream.
 */
class Outlet {
  readonly #response: ServerResponse;
  readonly #stallMs: number;
  readonly #timer: NodeJS.Timeout;
  #held: Uint8Array[] | undefined = [];

  constructor(response: ServerResponse, stallMs: number) {
    this.#response = response;
    this.#stallMs = stallMs;
    this.#timer = setTimeout(() => this.#release(), GATHER_MS);
  }

  /** Whether the client has taken it, or will. */
  async take(bytes: Uint8Array): Promise<boolean> {
    this.#held?.push(bytes);
    if (this.#held !== undefined && this.#heldBytes < PIECE_BYTES) return !this.#response.destroyed;
    const held = this.#held ?? [bytes];
    this.#open();
    for (const part of held) if (!(await this.#write(part))) return false;
    return true;
  }

  end(): void {
    const held = this.#held;
    this.#open();
    if (!this.#response.destroyed) this.#response.end(held === undefined ? undefined : Buffer.concat(held));
  }

  get #heldBytes(): number {
    return this.#held?.reduce((sum, { length }) => sum + length, 0) ?? 0;
  }

  /** From now on nothing is held. */
  #open(): void {
    clearTimeout(this.#timer);
    this.#held = undefined;
  }

  #release(): void {
    const held = Buffer.concat(this.#held ?? []);
    this.#open();
    if (this.#response.destroyed) return;
    this.#response.flushHeaders();
    if (held.length > 0) this.#response.write(held);
  }

  async #write(bytes: Uint8Array): Promise<boolean> {
    for (let from = 0; from < bytes.length; from += PIECE_BYTES) {
      if (this.#response.destroyed) return false;
      if (this.#response.write(bytes.subarray(from, from + PIECE_BYTES))) continue;
      if (!(await drained(this.#response, this.#stallMs))) return false;
    }
    return true;
  }
}

async function drained(response: ServerResponse, stallMs: number): Promise<boolean> {
  const settled = new AbortController();
  const { signal } = settled;
  try {
    return await Promise.race([once(response, 'drain', { signal }).then(() => true), once(response, 'close', { signal }).then(() => false), sleep(stallMs, false, { signal })]);
  } catch {
    return false; // it broke
  } finally {
    settled.abort();
  }
}
