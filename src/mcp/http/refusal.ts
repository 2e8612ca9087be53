// An answer over HTTP that is none of the protocol's: why not, and what to do.
import type { ServerResponse } from 'node:http';

export interface Refusal {
  readonly status: number;
  /** What is wrong and what to do next, in one line. */
  readonly message: string;
  /** Of JSON-RPC. */
  readonly code?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** What came behind on this connection cannot be read, or is not wanted. */
  readonly closes?: true;
}

/** JSON-RPC leaves -32000 to -32099 to implementations; the SDK's transport uses the first for all of HTTP's refusals. */
export const REFUSED = -32_000;

/** Of every answer: they are for their caller alone, and what they are called. */
export const COMMON_HEADERS = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } as const;

/** Sends it, unless the answer has begun. */
export function refuse(response: ServerResponse, refusal: Refusal): void {
  if (response.headersSent) return void response.destroy();
  const body = refusalBody(refusal);
  response.writeHead(refusal.status, { ...COMMON_HEADERS, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), ...refusal.headers, ...(refusal.closes ? { connection: 'close' } : {}) });
  response.end(body);
}

export function refusalBody({ code = REFUSED, message }: Refusal): string {
  return JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id: null });
}
