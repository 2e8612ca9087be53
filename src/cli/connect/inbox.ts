// What the client has sent and nobody was given yet. It is read ahead within a bound, so that the end of the input is noticed whatever is waited for.
import type { Readable } from 'node:stream';
import { LineSplitter, type Line } from '../../mcp/lines.ts';

/** With more than this the client has to wait, too. */
const MAX_WAITING_BYTES = 32 * 1024 * 1024;
const MAX_WAITING_LINES = 1_000;

export class Inbox {
  /** Resolves at the end of the input, or when it breaks. */
  readonly ended: Promise<void>;
  readonly #input: Readable;
  readonly #splitter: LineSplitter;
  readonly #waiting: Line[] = [];
  #bytes = 0;
  #hasEnded = false;
  #wake = (): void => {};

  constructor(input: Readable, limitBytes: number) {
    this.#input = input;
    this.#splitter = new LineSplitter(limitBytes);
    input.on('data', (chunk: Buffer) => this.#add(chunk));
    this.ended = new Promise((resolve) => {
      const end = (): void => {
        this.#hasEnded = true;
        this.#wake();
        resolve();
      };
      input.on('end', end).on('close', end).on('error', end);
    });
  }

  /** The next line; undefined when there will be none. For one caller at a time. */
  async take(): Promise<Line | undefined> {
    while (this.#waiting.length === 0 && !this.#hasEnded) await new Promise<void>((resolve) => (this.#wake = resolve));
    const line = this.#waiting.shift();
    if (line !== undefined) this.#bytes -= sizeOf(line);
    if (!this.#isFull() && this.#input.isPaused()) this.#input.resume();
    return line;
  }

  #add(chunk: Buffer): void {
    for (const line of this.#splitter.feed(chunk)) {
      this.#waiting.push(line);
      this.#bytes += sizeOf(line);
    }
    if (this.#isFull()) this.#input.pause();
    this.#wake();
  }

  #isFull(): boolean {
    return this.#bytes > MAX_WAITING_BYTES || this.#waiting.length > MAX_WAITING_LINES;
  }
}

function sizeOf(line: Line): number {
  return line.kind === 'line' ? line.raw.length : 0;
}
