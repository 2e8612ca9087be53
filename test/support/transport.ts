// The SDK client's way to a server process of ours. The SDK's own starts the process itself, with an environment of its choice.
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { JSONRPCMessageSchema, type JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { ServerProcess } from './server-process.ts';

export class ProcessTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #process: ServerProcess;

  constructor(process: ServerProcess) {
    this.#process = process;
  }

  async start(): Promise<void> {
    this.#process.onLine = (line) => this.#take(line);
    void this.#process.ended.then(() => this.onclose?.());
  }

  send(message: JSONRPCMessage): Promise<void> {
    return this.#process.write(`${JSON.stringify(message)}\n`);
  }

  async close(): Promise<void> {
    await this.#process.close();
  }

  #take(line: string): void {
    try {
      this.onmessage?.(JSONRPCMessageSchema.parse(JSON.parse(line)));
    } catch (error) {
      this.onerror?.(new Error(`stdout is for the protocol only, but has: ${line.slice(0, 200)}`, { cause: error }));
    }
  }
}
