// Watches one output for a pattern while it grows. Only what is new is read; what a match may have begun in is kept, so that it is found
// however the output was cut on its way.
import type { Pattern } from '../lib/pattern.ts';
import { CleanStream } from './clean-stream.ts';
import type { CleanPiece } from './clean-stream.ts';
import type { RawOutput } from './range.ts';

export interface WatchedOutput {
  readonly log: RawOutput;
  /** Raw offset from which on it counts. */
  readonly from: number;
}

/** What is looked at at once, of which a quarter may come again with the next: lines for matches that span them, the open line. */
const WINDOW_BYTES = 64 * 1024;
const MIN_WINDOW_BYTES = 1_024;
/** A pattern that takes longer for one window gets smaller ones. Usual ones take 1 ms. */
const SLOW_MS = 50;
/** How long one check may hold up everybody else, about. */
const CHECK_MS = 8;
/** Enough to hold a match that ends with the last newline. */
const LAST_CHARACTERS = 4_096;

export class OutputMatcher {
  readonly #stream: CleanStream;
  readonly #pattern: Pattern;
  #windowBytes = WINDOW_BYTES;
  /** The last whole lines that were looked at. */
  #carry = '';
  #hasMatched = false;
  #isBehind = true;

  constructor({ log, from }: WatchedOutput, pattern: Pattern) {
    this.#stream = new CleanStream(log, from);
    this.#pattern = pattern;
  }

  /** The last check ended before the output did, because its time was over: check again soon. */
  get isBehind(): boolean {
    return this.#isBehind && !this.#hasMatched;
  }

  /**
   * Whether the pattern has matched, in what was new or before. A last line without newline counts: prompts have none. Every state of
   * a line that is overwritten counts, as does the line that is left.
   */
  check(finished: boolean): boolean {
    const startedAt = performance.now();
    do {
      if (this.#hasMatched) break;
      const piece = this.#stream.next({ maxBytes: this.#windowBytes, maxOpenBytes: this.#carryBytes, finished });
      this.#isBehind = piece?.isLast === false;
      if (piece !== undefined) this.#look(piece);
    } while (this.isBehind && performance.now() - startedAt < CHECK_MS);
    return this.#hasMatched;
  }

  get #carryBytes(): number {
    return this.#windowBytes / 4;
  }

  #look(piece: CleanPiece): void {
    const startedAt = performance.now();
    if (piece.lostBytes > 0) this.#carry = '';
    const states = piece.states();
    this.#hasMatched = this.#isIn(this.#carry + piece.settled + piece.open) || (states !== undefined && this.#isIn(this.#carry + states));
    this.#carry = lastLines(this.#carry + piece.settled, this.#carryBytes);
    if (performance.now() - startedAt > SLOW_MS) this.#windowBytes = Math.max(MIN_WINDOW_BYTES, this.#windowBytes / 2);
  }

  /** The empty place behind the last newline is no line: `^$` matches an empty line, not every output that ends with a newline. */
  #isIn(text: string): boolean {
    if (!this.#pattern.test(text)) return false;
    if (text !== '' && (!text.endsWith('\n') || this.#pattern.test(text.slice(0, -1)))) return true;
    const end = text.slice(-LAST_CHARACTERS);
    const found = this.#pattern.find(end);
    return found !== undefined && found.start < end.length;
  }
}

/** The end of a text, from the beginning of a line on if there is one. */
function lastLines(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text;
  const start = text.length - maxCharacters;
  const line = text.indexOf('\n', start - 1) + 1;
  return text.slice(line > 0 && line < text.length ? line : start);
}
