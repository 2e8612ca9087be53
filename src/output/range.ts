// A range of raw output, and the ways in which rendering reads it.
import { safeEnd } from './boundary.ts';
import type { LogRead } from './log.ts';
import { lastCharacter } from './utf8.ts';

/** What is read like a log. */
export interface RawOutput {
  /** Bytes ever appended. */
  readonly length: number;
  read(from: number, maxBytes: number): LogRead;
}

/** Raw offsets. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** How far back the beginning of a control sequence is looked for where a range is entered in its middle. */
const LOOK_BACK_BYTES = 4_096;

/** The next bytes of a range, at most so many, as far as they lie together. */
export function readNext(output: RawOutput, range: Range, maxBytes: number): LogRead {
  const read = output.read(range.from, Math.min(maxBytes, range.to - range.from));
  const from = Math.min(read.from, range.to);
  return { bytes: read.bytes.subarray(0, range.to - from), from, lostBytes: from - range.from };
}

/** The next bytes of a range that end where output may be cut. `isLast`: all that the range holds so far was read. */
export function readPiece(output: RawOutput, range: Range, options: { maxBytes: number; finished: boolean }): LogRead & { isLast: boolean } {
  for (let windowBytes = Math.max(1, options.maxBytes); ; windowBytes *= 2) { // more if it takes more to make something complete
    const read = readNext(output, range, windowBytes);
    const isLast = read.from + read.bytes.length === range.to;
    const isFinal = isLast ? options.finished : read.bytes.length < windowBytes; // what follows is missing
    const size = isFinal ? read.bytes.length : safeEnd(read.bytes);
    if (size > 0 || isFinal || isLast) return { ...read, bytes: read.bytes.subarray(0, size), isLast };
  }
}

/** The last bytes of a range that lie together, about `maxBytes`, from a place on where output may be cut. */
export function readTail(output: RawOutput, range: Range, maxBytes: number): LogRead {
  const from = Math.max(range.from, range.to - maxBytes);
  const lookBack = readNext(output, { from: Math.max(range.from, from - LOOK_BACK_BYTES), to: from }, LOOK_BACK_BYTES);
  const begun = endOf(lookBack) === from ? lookBack.bytes.length - safeEnd(lookBack.bytes) : 0;
  let read = readNext(output, { from: from - begun, to: range.to }, maxBytes + begun);
  for (let end = endOf(read); end < range.to; end = endOf(read)) read = readNext(output, { from: end, to: range.to }, maxBytes);
  return read;
}

/** The character before an offset; empty at the start of the range. */
export function characterBefore(output: RawOutput, range: Range, offset: number): string {
  if (offset <= range.from) return '';
  const read = output.read(Math.max(range.from, offset - 4), Math.min(4, offset - range.from));
  return read.lostBytes === 0 ? lastCharacter(read.bytes) : ' ';
}

function endOf(read: LogRead): number {
  return read.from + read.bytes.length;
}
