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
  const gather = gathered(response);
  for (let sent = 0; sent < pieces; sent++) {
    const { done, value } = await reader.read();
    if (done) break;
    if (!(await take(response, value, stallMs, gather.end))) return void response.destroy();
  }
  response.end();
  gather.end();
}

/**
 * What comes in the first moment is sent together: each write is a wake-up of the client, and a short answer would be three of them, the beginning of
 * the stream, the answer and the end. A client that waits longer knows that there is a stream.
 */
function gathered(response: ServerResponse): { end(): void } {
  response.cork();
  let isOver = false;
  const end = (): void => {
    if (isOver) return;
    isOver = true;
    clearTimeout(timer);
    if (response.destroyed) return;
    if (!response.writableEnded) response.flushHeaders();
    response.uncork();
  };
  const timer = setTimeout(end, GATHER_MS);
  return { end };
}

/** Whether the client has taken it. */
async function take(response: ServerResponse, bytes: Uint8Array, stallMs: number, flush: () => void): Promise<boolean> {
  for (let from = 0; from < bytes.length; from += PIECE_BYTES) {
    if (response.destroyed) return false;
    if (response.write(bytes.subarray(from, from + PIECE_BYTES))) continue;
    flush();
    if (!(await drained(response, stallMs))) return false;
  }
  return true;
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
