// A client that sends what it is told, well formed or not, and reads JSON-RPC lines.
import { ServerProcess, type ServerEnd, type ServerOptions } from './server-process.ts';

/** A message of the server, as it came. */
export interface RawMessage {
  readonly jsonrpc: string;
  readonly id?: number | string | null;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

const PATIENCE_MS = 15_000;

export class RawClient {
  readonly process: ServerProcess;
  /** All messages so far. */
  readonly received: RawMessage[] = [];
  /** Lines on stdout that are no JSON: there must be none. */
  readonly strayLines: string[] = [];
  readonly #waiting = new Set<() => void>();
  #nextId = 1;

  constructor(options: ServerOptions = {}) {
    this.process = new ServerProcess(options);
    this.process.onLine = (line) => this.#take(line);
    void this.process.ended.then(() => this.#wake());
  }

  /** Sends text and a newline. */
  sendLine(text: string | Buffer): Promise<void> {
    return this.process.write(Buffer.concat([Buffer.from(text), Buffer.from('\n')]));
  }

  notify(method: string, params: object = {}): Promise<void> {
    return this.sendLine(JSON.stringify({ jsonrpc: '2.0', method, params }));
  }

  /** Sends a request and gives its id, without waiting for the answer. */
  async post(method: string, params: object = {}): Promise<number> {
    const id = this.#nextId++;
    await this.sendLine(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    return id;
  }

  /** Sends a request and waits for its answer, result or error. */
  async request(method: string, params: object = {}): Promise<RawMessage> {
    const id = await this.post(method, params);
    return this.next((message) => message.id === id && message.method === undefined);
  }

  /** The handshake. */
  async initialize(protocolVersion = '2025-06-18'): Promise<RawMessage> {
    const answer = await this.request('initialize', { protocolVersion, capabilities: {}, clientInfo: { name: 'raw', version: '0' } });
    await this.notify('notifications/initialized');
    return answer;
  }

  /** The first message, received or to come, that fits. */
  async next(fits: (message: RawMessage) => boolean, withinMs = PATIENCE_MS): Promise<RawMessage> {
    const deadline = performance.now() + withinMs;
    for (;;) {
      const found = this.received.find(fits);
      if (found !== undefined) return found;
      const leftMs = deadline - performance.now();
      if (leftMs <= 0) throw new Error(`no such message within ${withinMs} ms; received: ${JSON.stringify(this.received).slice(-500)}`);
      if (this.process.hasEnded) throw new Error(`the server has ended; stderr: ${this.process.stderr}`);
      await this.#change(leftMs);
    }
  }

  close(): Promise<ServerEnd> {
    return this.process.close();
  }

  #take(line: string): void {
    try {
      this.received.push(JSON.parse(line) as RawMessage);
    } catch {
      this.strayLines.push(line);
    }
    this.#wake();
  }

  #wake(): void {
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }

  #change(withinMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, withinMs);
      this.#waiting.add(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }
}
