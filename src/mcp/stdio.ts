// MCP over standard input and output: one JSON-RPC message a line. Unlike the SDK's transport it answers what is no
// message instead of dropping it, notices the end of its input, and takes lines of up to 32 MiB.
import type { Readable, Writable } from 'node:stream';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ErrorCode, JSONRPCMessageSchema, RequestIdSchema, type JSONRPCMessage, type JSONRPCRequest, type RequestId } from '@modelcontextprotocol/sdk/types.js';
import { LineSplitter, type Line } from './lines.ts';

/** Well above the largest command (8 MiB, which JSON may escape to twice its size). */
const MAX_LINE_BYTES = 32 * 1024 * 1024;

export interface StdioStreams {
  readonly input: Readable;
  readonly output: Writable;
}

/** The transport of the one client that started this process. It is closed once its input ends or its output breaks. */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #streams: StdioStreams;
  readonly #lines = new LineSplitter(MAX_LINE_BYTES);
  #isClosed = false;

  constructor(streams: StdioStreams) {
    this.#streams = streams;
  }

  async start(): Promise<void> {
    const { input, output } = this.#streams;
    const close = (): void => void this.close();
    input.on('data', (chunk: Buffer) => this.#lines.feed(chunk).forEach((line) => this.#take(line)));
    input.on('end', close);
    input.on('close', close);
    input.on('error', close);
    output.on('error', close); // EPIPE: the client is gone, and no write may bring the server down
  }

  async send(message: JSONRPCMessage): Promise<void> {
    await this.#write(message);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#streams.input.pause();
    this.onclose?.();
  }

  #take(line: Line): void {
    if (this.#isClosed) return;
    if (line.kind === 'oversized') {
      return this.#refuse(ErrorCode.InvalidRequest, `a line of ${line.bytes} bytes is over the limit of ${MAX_LINE_BYTES} and was skipped`);
    }
    const text = line.raw.toString('utf8');
    if (text.trim() === '') return;
    const value = parsed(text);
    if (value === undefined) return this.#refuse(ErrorCode.ParseError, 'a line is no JSON');
    if (isPlainRequest(value)) return this.onmessage?.(value);
    const message = JSONRPCMessageSchema.safeParse(value);
    if (message.success) this.onmessage?.(message.data);
    else this.#refuse(ErrorCode.InvalidRequest, Array.isArray(value) ? 'batches are not part of MCP' : 'a line is no JSON-RPC 2.0 message', idOf(value));
  }

  #refuse(code: ErrorCode, message: string, id: RequestId | null = null): void {
    void this.#write({ jsonrpc: '2.0', id, error: { code, message } });
  }

  /** Resolved when the message was handed on; also when nobody is there to read it. */
  #write(message: object): Promise<void> {
    const { output } = this.#streams;
    if (!output.writable) return Promise.resolve();
    return new Promise((resolve) => {
      output.write(`${JSON.stringify(message)}\n`, () => resolve());
    });
  }
}

const REQUEST_FIELDS: ReadonlySet<string> = new Set(['jsonrpc', 'id', 'method', 'params']);

/** Whether it is a request as the SDK's schema, which takes its time, would have it. Most messages are. */
function isPlainRequest(value: unknown): value is JSONRPCRequest {
  if (typeof value !== 'object' || value === null || !('id' in value) || !('method' in value) || !('jsonrpc' in value)) return false;
  const hasId = typeof value.id === 'string' || Number.isSafeInteger(value.id);
  const hasParams = !('params' in value) || (typeof value.params === 'object' && value.params !== null && !Array.isArray(value.params) && !('_meta' in value.params));
  return hasId && hasParams && value.jsonrpc === '2.0' && typeof value.method === 'string' && Object.keys(value).every((field) => REQUEST_FIELDS.has(field));
}

/** The value of a JSON text; undefined, which JSON cannot express, for anything else. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The id to answer with, where the refused message has one. */
function idOf(value: unknown): RequestId | null {
  if (typeof value !== 'object' || value === null || !('id' in value)) return null;
  const id = RequestIdSchema.safeParse(value.id);
  return id.success ? id.data : null;
}
