// Lines out of a stream of bytes, with bounded memory however long a line is.

export type Line =
  /** As it came, without its newline. */
  | { readonly kind: 'line'; readonly raw: Buffer }
  /** A line over the limit; it was dropped. */
  | { readonly kind: 'oversized'; readonly bytes: number };

const NEWLINE = 0x0a;

/** Splits at newlines; a line may arrive in any number of chunks. The last one needs its newline too. */
export class LineSplitter {
  readonly #limitBytes: number;
  #parts: Buffer[] = [];
  /** Bytes of the unfinished line, also of one that is being dropped. */
  #bytes = 0;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  /** The lines that this chunk completes, without their newlines. */
  feed(chunk: Buffer): Line[] {
    const lines: Line[] = [];
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, from)) {
      this.#keep(chunk.subarray(from, end));
      lines.push(this.#take());
      from = end + 1;
    }
    this.#keep(chunk.subarray(from));
    return lines;
  }

  #keep(part: Buffer): void {
    this.#bytes += part.length;
    if (this.#bytes > this.#limitBytes) this.#parts = [];
    else if (part.length > 0) this.#parts.push(part);
  }

  #take(): Line {
    const bytes = this.#bytes;
    const [first = Buffer.alloc(0), ...others] = this.#parts;
    const raw = others.length === 0 ? first : Buffer.concat(this.#parts);
    this.#parts = [];
    this.#bytes = 0;
    return bytes > this.#limitBytes ? { kind: 'oversized', bytes } : { kind: 'line', raw };
  }
}
