// A stretch of raw output with its text, and how its head or its tail is cut out of it. A cut is always made in the raw bytes, so that
// what is left out can be counted and read on from exactly; the text is only used to find where.
import { safeEnd } from './boundary.ts';
import { cleanText } from './clean.ts';
import type { CleanText } from './clean.ts';
import { isContinuation, lastCharacter, wholeCharacters } from './utf8.ts';

const LF = 0x0a;

export interface ExcerptOptions {
  readonly raw: Buffer;
  /** Offset of the first raw byte in the log. */
  readonly at: number;
  /** The character before it; empty at the very start of an output. */
  readonly before: string;
  readonly terminal: boolean;
}

/** Text together with the range of raw offsets that it was made of. */
export interface Part extends CleanText {
  readonly from: number;
  readonly to: number;
}

export class Excerpt {
  readonly whole: Part;
  readonly #options: ExcerptOptions;
  readonly #raw: Buffer;
  #textBuffer: Buffer | undefined;

  constructor(options: ExcerptOptions) {
    this.#options = options;
    this.#raw = options.raw;
    this.whole = this.#part(0, options.raw.length);
  }

  /** Size of the whole text in UTF-8. */
  get textBytes(): number {
    return Buffer.byteLength(this.whole.text);
  }

  /** The first part whose text has at most so many bytes; it ends with a line if that costs no more than half of it. */
  head(maxBytes: number): Part {
    if (this.#text.length <= maxBytes) return this.whole;
    let end = this.#rawPlace(endOfHead(this.#text, maxBytes)) ?? safeEnd(this.#raw.subarray(0, this.#share(maxBytes)));
    let part = this.#part(0, end);
    while (Buffer.byteLength(part.text) > maxBytes) {
      end = safeEnd(this.#raw.subarray(0, end >> 1));
      part = this.#part(0, end);
    }
    return part;
  }

  /**
   * The last part whose text has at most so many bytes, not before a raw offset; it begins with a line if that costs no more than half
   * of it.
   */
  tail(maxBytes: number, notBefore: number): Part {
    const size = this.#raw.length;
    const first = Math.max(0, notBefore - this.#options.at);
    let start = Math.max(first, this.#tailStart(maxBytes));
    let part = start === 0 ? this.whole : this.#part(start, size);
    while (Buffer.byteLength(part.text) > maxBytes) {
      const half = size - ((size - start) >> 1);
      const safe = safeEnd(this.#raw.subarray(0, half));
      start = safe > start ? safe : half; // all of it may be one sequence
      part = this.#part(start, size);
    }
    return part;
  }

  get #text(): Buffer {
    this.#textBuffer ??= Buffer.from(this.whole.text);
    return this.#textBuffer;
  }

  #tailStart(maxBytes: number): number {
    if (this.#text.length <= maxBytes) return 0;
    const start = this.#rawPlace(startOfTail(this.#text, maxBytes));
    return start ?? safeEnd(this.#raw.subarray(0, this.#raw.length - this.#share(maxBytes)));
  }

  #part(start: number, end: number): Part {
    const { at, before, terminal } = this.#options;
    const previous = start === 0 ? before : lastCharacter(this.#raw.subarray(0, start));
    const text = cleanText(this.#raw.subarray(start, end), { terminal, before: previous });
    return { ...text, from: at + start, to: at + end };
  }

  /** The place in the raw bytes of a place in the text: known if cleaning changed nothing, and where a line begins. */
  #rawPlace(place: number): number | undefined {
    if (this.#text.equals(this.#raw)) return place;
    const isLineStart = this.#text[place - 1] === LF;
    // Cleaning leaves every line where it was, unless a control sequence with line feeds in it was removed.
    if (!isLineStart || countLines(this.#text) !== countLines(this.#raw)) return undefined;
    return endOfLines(this.#raw, countLines(this.#text.subarray(0, place)));
  }

  /** How many raw bytes will about give a text of that size. */
  #share(textBytes: number): number {
    return Math.floor((this.#raw.length * textBytes) / this.#text.length);
  }
}

function endOfHead(text: Buffer, maxBytes: number): number {
  const end = wholeCharacters(text.subarray(0, maxBytes));
  const line = end === 0 ? 0 : text.lastIndexOf(LF, end - 1) + 1;
  return line >= end / 2 ? line : end;
}

function startOfTail(text: Buffer, maxBytes: number): number {
  let start = text.length - maxBytes;
  while (isContinuation(text[start] ?? 0)) start += 1;
  const line = text.indexOf(LF, start - 1) + 1;
  return line > 0 && line < text.length && line - start <= maxBytes / 2 ? line : start;
}

function countLines(bytes: Buffer): number {
  let lines = 0;
  for (let at = 0; at < bytes.length; at++) if (bytes[at] === LF) lines += 1;
  return lines;
}

function endOfLines(bytes: Buffer, lines: number): number {
  let end = 0;
  for (let line = 0; line < lines; line++) end = bytes.indexOf(LF, end) + 1;
  return end;
}
