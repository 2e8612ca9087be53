// Tool calls past the SDK: it checks each message against seven schemas, which took a sixth of the time of a short command. What is not
// plainly a tool call, or asks for more than one (a task), it handles as before.
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ErrorCode, type CallToolResult, type JSONRPCMessage, type JSONRPCRequest, type RequestId } from '@modelcontextprotocol/sdk/types.js';

export interface PlainCall {
  readonly id: RequestId;
  readonly name: string;
  readonly arguments: unknown;
  readonly progressToken: string | number | undefined;
  /** Fires when the call is cancelled or the connection is over. */
  readonly signal: AbortSignal;
}

export class PlainCalls {
  readonly #answer: (call: PlainCall) => Promise<CallToolResult>;
  readonly #repliesToCancelled: boolean;
  readonly #running = new Map<RequestId, AbortController>();

  /** A call that is cancelled gets no reply, unless the transport waits for one: over HTTP it would hold the stream of the call for ever. */
  constructor(answer: (call: PlainCall) => Promise<CallToolResult>, { repliesToCancelled = false } = {}) {
    this.#answer = answer;
    this.#repliesToCancelled = repliesToCancelled;
  }

  /** Takes the plain tool calls out of what comes over a transport that was connected to the SDK. */
  attach(transport: Transport): void {
    const rest = transport.onmessage;
    transport.onmessage = (message, extra) => {
      if (isPlainCall(message)) return void this.#run(transport, message);
      const cancelled = cancelledId(message);
      if (cancelled !== undefined) this.#running.get(cancelled)?.abort();
      rest?.(message, extra);
    };
  }

  /** The connection is over. */
  close(): void {
    for (const cancel of this.#running.values()) cancel.abort();
    this.#running.clear();
  }

  async #run(transport: Transport, { id, params }: PlainMessage): Promise<void> {
    const cancel = new AbortController();
    const { signal } = cancel;
    this.#running.set(id, cancel);
    const { name, arguments: given = {}, _meta: meta } = params;
    const reply = await this.#answer({ id, name, arguments: given, progressToken: meta?.progressToken, signal }).then((result) => ({ result }), failed);
    if (this.#running.get(id) === cancel) this.#running.delete(id);
    if (signal.aborted && !this.#repliesToCancelled) return;
    await transport.send({ jsonrpc: '2.0', id, ...reply }).catch(() => {}); // the client is gone; the end of the connection is noticed elsewhere
  }
}

interface PlainMessage extends JSONRPCRequest {
  readonly params: { readonly name: string; readonly arguments?: unknown; readonly _meta?: { readonly progressToken?: string | number } };
}

/** Whether it is a tool call in which the SDK's schemas would find nothing to say. */
function isPlainCall(message: JSONRPCMessage): message is PlainMessage {
  if (!('method' in message) || message.method !== 'tools/call' || !('id' in message)) return false;
  const { params } = message;
  if (params === undefined || typeof params['name'] !== 'string' || 'task' in params) return false;
  const { arguments: given = {}, _meta: meta = {} } = params;
  return isRecord(given) && isRecord(meta) && Object.keys(meta).every((name) => name !== 'io.modelcontextprotocol/related-task' && (name !== 'progressToken' || isToken(meta[name])));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isToken(value: unknown): value is string | number {
  return typeof value === 'string' || Number.isSafeInteger(value);
}

function cancelledId(message: JSONRPCMessage): RequestId | undefined {
  if (!('method' in message) || message.method !== 'notifications/cancelled') return undefined;
  const id = message.params?.['requestId'];
  return isToken(id) ? id : undefined;
}

/** A tool's own errors are results; this is a bug. */
function failed(error: unknown): { readonly error: { readonly code: number; readonly message: string } } {
  return { error: { code: ErrorCode.InternalError, message: error instanceof Error ? error.message : String(error) } };
}
