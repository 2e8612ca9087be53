// The lines of a source, from either end, none of them longer than a record can be held in memory.
import { MAX_LINE_BYTES } from './record.ts';
import type { Source } from './source.ts';

export interface Line {
  /** Without its newline; undefined for one that is too long to be a record. */
  readonly bytes: Buffer | undefined;
  /** Offset behind its newline. */
  readonly end: number;
  /** It is the last one and has no newline: it is being written, or was torn. */
  readonly isTorn: boolean;
}

const BLOCK_BYTES = 256 * 1024;
const NEWLINE = 0x0a;

/** From an offset on to the end. A line is valid until the next one is asked for. */
export function* linesForward(source: Source, from = 0): Generator<Line> {
  const block = Buffer.allocUnsafe(BLOCK_BYTES);
  const begun = new Begun();
  for (let position = from; ; ) {
    const count = source.read(block, position);
    let start = 0;
    for (let at = block.indexOf(NEWLINE); at !== -1 && at < count; at = block.indexOf(NEWLINE, start)) {
      begun.append(block.subarray(start, at));
      start = at + 1;
      yield { bytes: begun.take(), end: position + start, isTorn: false };
    }
    begun.append(block.subarray(start, count));
    position += count;
    if (count === block.length) continue;
    if (begun.length > 0) yield { bytes: begun.take(), end: position, isTorn: true };
    return;
  }
}

/** From the end to the beginning; of what is appended meanwhile nothing is seen. */
export function* linesBackward(source: Source): Generator<Line> {
  const block = Buffer.allocUnsafe(BLOCK_BYTES);
  const begun = new Begun();
  let [end, isTorn] = [source.size, true];
  for (let position = source.size; position > 0; ) {
    const start = Math.max(0, position - BLOCK_BYTES);
    const part = block.subarray(0, source.read(block.subarray(0, position - start), start));
    let stop = part.length;
    for (let at = part.lastIndexOf(NEWLINE); at !== -1; at = stop === 0 ? -1 : part.lastIndexOf(NEWLINE, stop - 1)) {
      begun.prepend(part.subarray(at + 1, stop));
      if (!isTorn || begun.length > 0) yield { bytes: begun.take(), end, isTorn };
      [end, isTorn, stop] = [start + at + 1, false, at];
    }
    begun.prepend(part.subarray(0, stop));
    position = start;
  }
  if (source.size > 0 && (!isTorn || begun.length > 0)) yield { bytes: begun.take(), end, isTorn };
}

/** How many whole lines there are. `pause` is waited for now and then, so that others get their turn. */
export async function countLines(source: Source, pause: () => Promise<void>): Promise<number> {
  const block = Buffer.allocUnsafe(1024 * 1024);
  let lines = 0;
  for (let position = 0; ; ) {
    const count = source.read(block, position);
    for (let at = block.indexOf(NEWLINE); at !== -1 && at < count; at = block.indexOf(NEWLINE, at + 1)) lines += 1;
    position += count;
    if (count < block.length) return lines;
    await pause();
  }
}

/** A line that goes over blocks. Of one that is too long only the length is kept. */
class Begun {
  #pieces: Buffer[] = [];
  length = 0;

  append(piece: Buffer): void {
    this.#add(piece, () => this.#pieces.push(Buffer.from(piece)));
  }

  prepend(piece: Buffer): void {
    this.#add(piece, () => this.#pieces.unshift(Buffer.from(piece)));
  }

  take(): Buffer | undefined {
    const bytes = this.length > MAX_LINE_BYTES ? undefined : this.#pieces.length === 1 ? this.#pieces[0] : Buffer.concat(this.#pieces);
    [this.#pieces, this.length] = [[], 0];
    return bytes;
  }

  #add(piece: Buffer, keep: () => void): void {
    if (piece.length === 0) return;
    this.length += piece.length;
    if (this.length > MAX_LINE_BYTES) this.#pieces = [];
    else keep();
  }
}
