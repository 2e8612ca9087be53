// Output as clean text that comes piece by piece, whole lines first: however it was cut on its way, the text is the same. The line that
// has no end yet is kept as raw bytes and cleaned anew with what follows, since a CR at its end still takes effect on its beginning.
import { safeEnd } from './boundary.ts';
import { cleanText } from './clean.ts';
import { characterBefore, readPiece } from './range.ts';
import type { RawOutput } from './range.ts';
import { lastCharacter } from './utf8.ts';

const LF = 0x0a;
const CR = 0x0d;

export interface CleanPiece {
  /** What will not change any more: it ends with a line, unless a line is so long that it comes in parts. */
  readonly settled: string;
  /** The line that has no end yet, as it is now. It comes again. */
  readonly open: string;
  /** Both with every state of lines that were overwritten, each on a line of its own; absent when there are none. */
  states(): string | undefined;
  /** Bytes before the piece that are lost. */
  readonly lostBytes: number;
  /** It holds all that was there to be read. */
  readonly isLast: boolean;
}

export interface NextOptions {
  /** The most raw bytes to read. */
  readonly maxBytes: number;
  /** The most raw bytes of the open line that are kept. */
  readonly maxOpenBytes: number;
  /** Nothing will follow, so that what is incomplete is not waited for. */
  readonly finished: boolean;
}

export class CleanStream {
  readonly #output: RawOutput;
  #place: number;
  /** The raw bytes of the open line, and the character before them. */
  #open: Buffer = Buffer.alloc(0);
  #before: string;

  /** Reads from a raw offset on. */
  constructor(output: RawOutput, from: number) {
    this.#output = output;
    this.#place = from;
    this.#before = characterBefore(output, { from: 0, to: from }, from);
  }

  /** The next piece; undefined when there is nothing new. */
  next({ maxBytes, maxOpenBytes, finished }: NextOptions): CleanPiece | undefined {
    const range = { from: this.#place, to: Math.max(this.#place, this.#output.length) };
    const { bytes, from, lostBytes, isLast } = readPiece(this.#output, range, { maxBytes, finished });
    this.#place = from + bytes.length;
    if (lostBytes > 0) this.#forget();
    if (bytes.length === 0 && lostBytes === 0) return undefined;
    const raw = this.#open.length === 0 ? bytes : Buffer.concat([this.#open, bytes]);
    const before = this.#before;
    const { settledEnd, openStart } = split(raw, maxOpenBytes);
    const settled = textOf(raw.subarray(0, settledEnd), before);
    this.#before = lastCharacter(raw.subarray(0, openStart)) || before;
    this.#open = raw.subarray(openStart);
    const open = textOf(this.#open, this.#before);
    return { settled, open, lostBytes, isLast, states: () => statesOf(raw, before) };
  }

  /** What was before a gap and what is behind it do not touch. */
  #forget(): void {
    this.#open = Buffer.alloc(0);
    this.#before = ' ';
  }
}

/** CR LF is one end of a line, whoever wrote it: a `$` in a pattern is meant to match before it. */
function textOf(raw: Buffer, before: string): string {
  return raw.length === 0 ? '' : cleanText(raw, { terminal: true, before }).text;
}

/** Where what is settled ends and the open line begins. */
function split(raw: Buffer, maxOpenBytes: number): { settledEnd: number; openStart: number } {
  const end = safeEnd(raw.subarray(0, raw.lastIndexOf(LF) + 1));
  if (raw.length - end <= maxOpenBytes) return { settledEnd: end, openStart: end };
  const overwritten = raw.lastIndexOf(CR);
  if (overwritten > end && raw.length - overwritten <= maxOpenBytes) return { settledEnd: end, openStart: overwritten };
  return { settledEnd: raw.length, openStart: raw.length };
}

/** The text with a line for each state: every CR that ends no line becomes an end of one. */
function statesOf(raw: Buffer, before: string): string | undefined {
  let states: Buffer | undefined;
  for (let at = raw.indexOf(CR); at !== -1; at = raw.indexOf(CR, at + 1)) {
    const next = raw[at + 1];
    if (next === LF || next === CR) continue;
    states ??= Buffer.from(raw);
    states[at] = LF;
  }
  return states && textOf(states, before);
}
