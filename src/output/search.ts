// The lines of an output that match a pattern, with their numbers, as grep shows them. The output may be of any size: it is read in
// pieces, what is kept is bounded, and others get their turn in between.
import { setImmediate } from 'node:timers/promises';
import type { Pattern } from '../lib/pattern.ts';
import { CleanStream } from './clean-stream.ts';
import { FoundLines } from './found-lines.ts';
import type { FoundLine } from './found-lines.ts';
import { readNext } from './range.ts';
import type { RawOutput } from './range.ts';

export interface SearchOptions {
  /** Nothing will be appended any more. */
  readonly finished: boolean;
  /** How many lines before and after each match are given with it. */
  readonly contextLines: number;
  /** The most text of matches and their context, in UTF-8. */
  readonly maxBytes: number;
  /** Raw offset from which on lines are looked at; the lines before it are counted all the same. The whole output when absent. */
  readonly from?: number | undefined;
  /** Ends the search; it then throws the reason. */
  readonly signal?: AbortSignal | undefined;
}

export interface SearchResult {
  /** In the order of the output, as many as there was room for. */
  readonly matches: readonly FoundLine[];
  /** All lines that match. */
  readonly total: number;
  /** Some of them, or of the lines around them, are left out or cut. */
  readonly truncated: boolean;
}

const PIECE_BYTES = 64 * 1024;
/** A longer line is looked at in parts, so that a match across two of them is missed. */
const MAX_LINE_BYTES = 16 * 1024;
/** How long others wait at most, about. */
const TURN_MS = 8;

/** Searches what is there now, line by line: a match lies within one line. The last line needs no newline. */
export async function searchOutput(output: RawOutput, pattern: Pattern, options: SearchOptions): Promise<SearchResult> {
  const { contextLines, finished, maxBytes, signal } = options;
  const turn = new Turn(signal);
  const range = { from: Math.min(Math.max(0, options.from ?? 0), output.length), to: output.length };
  const found = new FoundLines(pattern, { firstLine: 1 + (await countLines(output, range.from, turn)), contextLines, maxBytes });
  const stream = new CleanStream(asOfNow(output), range.from);
  let open = '';
  for (let isLast = false; !isLast; ) {
    const piece = stream.next({ maxBytes: PIECE_BYTES, maxOpenBytes: MAX_LINE_BYTES, finished });
    if (piece === undefined) break;
    if (piece.lostBytes > 0) endBeforeGap(found, open);
    for (const part of lineParts(piece.settled)) {
      found.add(part);
      if (turn.isOver) await turn.pass();
    }
    open = piece.open;
    isLast = piece.isLast;
    if (turn.isOver) await turn.pass();
  }
  if (open !== '') found.add(open);
  return found.result();
}

/** The rest of the line is lost. How many lines went with it is not known: the numbers go on as if there had been none. */
function endBeforeGap(found: FoundLines, open: string): void {
  if (open !== '') found.add(open);
  found.endLine();
}

/** Work that lets others in from time to time. */
class Turn {
  readonly #signal: AbortSignal | undefined;
  #startedAt = performance.now();

  constructor(signal: AbortSignal | undefined) {
    this.#signal = signal;
  }

  get isOver(): boolean {
    return performance.now() - this.#startedAt >= TURN_MS;
  }

  async pass(): Promise<void> {
    await setImmediate();
    this.#signal?.throwIfAborted();
    this.#startedAt = performance.now();
  }
}

/** The output as long as it is now: a search of one that grows faster than it is read would never end. */
function asOfNow(output: RawOutput): RawOutput {
  return { length: output.length, read: (from, maxBytes) => output.read(from, maxBytes) };
}

/** How many lines end before an offset. */
async function countLines(output: RawOutput, to: number, turn: Turn): Promise<number> {
  let lines = 0;
  for (let from = 0; from < to; ) {
    const read = readNext(output, { from, to }, PIECE_BYTES);
    for (let at = read.bytes.indexOf('\n'); at !== -1; at = read.bytes.indexOf('\n', at + 1)) lines += 1;
    from = read.from + read.bytes.length;
    if (turn.isOver) await turn.pass();
  }
  return lines;
}

/** The lines of a text, each with its newline; what is left at its end has none. */
function* lineParts(text: string): Generator<string> {
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf('\n', start) + 1 || text.length;
    yield text.slice(start, end);
    start = end;
  }
}
