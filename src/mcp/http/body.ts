// The body of a request, read within bounds.
import type { IncomingMessage } from 'node:http';
import { ErrorCode } from '@modelcontextprotocol/sdk/types.js';
import type { Refusal } from './refusal.ts';

/** As a line of stdio may have: the largest command is 8 MiB, which JSON may escape to twice its size. */
const MAX_BODY_BYTES = 32 * 1024 * 1024;
/** All bodies together that are being read. */
const MAX_BODIES_BYTES = 128 * 1024 * 1024;
/** No message of the protocol is nested like that, and what reads values may do it by recursion. */
const MAX_DEPTH = 64;

export type Body = { readonly value: unknown; readonly refusal?: never } | { readonly value?: never; readonly refusal: Refusal };

export class Bodies {
  #bytes = 0;

  /**
   * Reads it as JSON. How long that may take the HTTP server watches. Rejects when the client goes away. Of a body that is
   * refused the rest is left unread.
   */
  async read(request: IncomingMessage): Promise<Body> {
    const encoding = request.headers['content-encoding'] ?? 'identity';
    if (encoding !== 'identity') return refused(415, `a body is sent as it is, not as ${JSON.stringify(encoding.slice(0, 40))}`);
    if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES) return TOO_LARGE;
    const text = await this.#text(request);
    if (typeof text !== 'string') return text;
    return valueOf(text);
  }

  async #text(request: IncomingMessage): Promise<string | Body> {
    const chunks: Buffer[] = [];
    let bytes = 0;
    try {
      for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
        bytes += chunk.length;
        this.#bytes += chunk.length;
        if (bytes > MAX_BODY_BYTES) return TOO_LARGE;
        if (this.#bytes > MAX_BODIES_BYTES) return refused(503, 'too much is being sent at once: try again in a moment', { headers: { 'retry-after': '1' } });
        chunks.push(chunk);
      }
      return Buffer.concat(chunks).toString('utf8');
    } finally {
      this.#bytes -= bytes;
    }
  }
}

const TOO_LARGE: Body = refused(413, `a body has at most ${MAX_BODY_BYTES} bytes`);

function valueOf(text: string): Body {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return refused(400, 'the body is no JSON', { code: ErrorCode.ParseError });
  }
  return isDeeper(value, MAX_DEPTH) ? refused(400, `the body is nested more than ${MAX_DEPTH} deep`, { code: ErrorCode.InvalidRequest }) : { value };
}

function isDeeper(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth === 0 || Object.values(value).some((part) => isDeeper(part, depth - 1));
}

function refused(status: number, message: string, more: Omit<Refusal, 'status' | 'message'> = {}): Body {
  return { refusal: { status, message, ...more } };
}
