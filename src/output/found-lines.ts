// Lines of output that match, collected with the lines around them as far as there is room.
import type { Pattern } from '../lib/pattern.ts';

export interface FoundLine {
  /** From 1 on. */
  readonly line: number;
  readonly text: string;
  /** The lines before and after it. */
  readonly before?: readonly string[];
  readonly after?: readonly string[];
}

export interface FoundLinesOptions {
  /** The number of the first line. */
  readonly firstLine: number;
  readonly contextLines: number;
  readonly maxBytes: number;
}

/** A match is shown with this much of its line, most of it from the match on. */
const SHOWN_CHARACTERS = 1_000;
const SHOWN_BEFORE = 200;

interface Collected {
  readonly line: number;
  readonly text: string;
  readonly before: readonly string[];
  readonly after: string[];
}

/** A line of which parts have come, and no newline yet. */
interface OpenLine {
  /** What is shown of it: the part with the first match, or its beginning. */
  readonly shown: string;
  readonly isMatch: boolean;
}

export class FoundLines {
  readonly #pattern: Pattern;
  readonly #contextLines: number;
  readonly #matches: Collected[] = [];
  /** The last lines, for what is before a match. */
  readonly #recent: string[] = [];
  /** Matches whose lines after them are still to come. */
  #waiting: Collected[] = [];
  #line: number;
  #room: number;
  #total = 0;
  #isTruncated = false;
  #open: OpenLine | undefined;

  constructor(pattern: Pattern, { firstLine, contextLines, maxBytes }: FoundLinesOptions) {
    this.#pattern = pattern;
    this.#line = firstLine;
    this.#contextLines = contextLines;
    this.#room = maxBytes;
  }

  /** Takes a line, or a part of one when it does not end with a newline. */
  add(part: string): void {
    const isEnd = part.endsWith('\n');
    const text = isEnd ? part.slice(0, -1) : part;
    if (this.#open?.isMatch !== true) {
      const isMatch = this.#pattern.test(text);
      if (isMatch || this.#open === undefined) this.#open = { shown: isMatch ? this.#cutAround(text) : cut(text, 0), isMatch };
    }
    if (isEnd) this.endLine();
  }

  /** What follows is on another line. */
  endLine(): void {
    if (this.#open === undefined) return;
    const { shown, isMatch } = this.#open;
    this.#open = undefined;
    for (const match of this.#waiting) if (this.#take(shown)) match.after.push(shown);
    this.#waiting = this.#waiting.filter((match) => this.#line - match.line < this.#contextLines);
    if (isMatch) this.#collect(shown);
    this.#recent.push(shown);
    if (this.#recent.length > this.#contextLines) this.#recent.shift();
    this.#line += 1;
  }

  result(): { matches: FoundLine[]; total: number; truncated: boolean } {
    this.endLine();
    const matches = this.#matches.map(({ line, text, before, after }) => ({
      line,
      text,
      ...(before.length === 0 ? {} : { before }),
      ...(after.length === 0 ? {} : { after }),
    }));
    return { matches, total: this.#total, truncated: this.#isTruncated };
  }

  #collect(text: string): void {
    this.#total += 1;
    if (!this.#take(text)) return;
    const before = this.#recent.filter((line) => this.#take(line));
    const match = { line: this.#line, text, before, after: [] };
    this.#matches.push(match);
    if (this.#contextLines > 0) this.#waiting.push(match);
  }

  /** Whether there is room for a text; once there is none, nothing more is taken, so that what is shown has no gaps. */
  #take(text: string): boolean {
    const bytes = Buffer.byteLength(text) + 1;
    if (bytes > this.#room) {
      this.#isTruncated = true;
      this.#room = 0;
      return false;
    }
    this.#room -= bytes;
    return true;
  }

  #cutAround(text: string): string {
    if (text.length <= SHOWN_CHARACTERS) return text;
    return cut(text, (this.#pattern.find(text)?.start ?? 0) - SHOWN_BEFORE);
  }
}

/** A long line from a place on, with marks that count what is left out of this part of it. */
function cut(text: string, from: number): string {
  if (text.length <= SHOWN_CHARACTERS) return text;
  const start = Math.max(0, Math.min(from, text.length - SHOWN_CHARACTERS));
  const left = text.length - start - SHOWN_CHARACTERS;
  const shown = text.slice(start, start + SHOWN_CHARACTERS).replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, ''); // no half characters
  return `${mark(start)}${shown}${mark(left)}`;
}

function mark(characters: number): string {
  return characters === 0 ? '' : `[… ${characters.toLocaleString('en-US')} characters …]`;
}
