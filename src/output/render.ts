// Text for the model out of a log, made when it is asked for: the whole with its middle cut out, or the next piece from a cursor on.
import { binaryType, SAMPLE_BYTES } from './binary.ts';
import { safeEnd } from './boundary.ts';
import { cleanText } from './clean.ts';
import type { CleanText } from './clean.ts';
import { Excerpt } from './excerpt.ts';
import { withoutHidden } from './hidden.ts';
import { OutputLog } from './log.ts';
import type { LogRead } from './log.ts';
import { characterBefore, readNext, readPiece, readTail } from './range.ts';
import type { Range, RawOutput } from './range.ts';

export interface RenderOptions {
  /** The most text in one answer: in bytes of UTF-8 for a whole (its marker not counted), in raw bytes for a piece. */
  readonly maxBytes: number;
  /** The output of a terminal: CR LF is what became of LF. */
  readonly terminal: boolean;
  /** No byte will follow the range, so that an unfinished character or control sequence at its end is not waited for. */
  readonly finished: boolean;
  /** The call and field that read on from an offset, for the marker: `session_read cursor`. */
  readonly readOn?: string | undefined;
  /** Raw offsets of the range to show; the whole log when absent. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** Ranges of raw offsets whose text is left out, in order. They count as shown. */
  readonly hidden?: readonly Range[] | undefined;
}

export interface Rendered extends CleanText {
  /** There is more in the range than the text shows. */
  readonly truncated: boolean;
  /** Raw size of the range. */
  readonly bytes: number;
  /** Raw offset from which to read on: what comes from there on was not rendered. */
  readonly cursor: number;
  /** File with the whole output, when it was cut or is binary, and the range is the whole log. */
  readonly path?: string | undefined;
  readonly binary: boolean;
  /** Bytes that are lost: of the range, or of a piece between the cursor asked for and its text. */
  readonly lostBytes: number;
}

/** A range up to this size is cleaned before it is cut, so that what folds to little is not cut at all. */
const CLEAN_FIRST_BYTES = 1024 * 1024;

/**
 * The text of the whole range. If it is larger than `maxBytes`, about half of that from its head and half from its tail, with a line
 * between them that counts the raw bytes left out. Memory and time are bounded by `maxBytes`, not by the size of the range.
 */
export function renderWhole(log: OutputLog, options: RenderOptions): Rendered {
  const range = rangeOf(log, options);
  const windowBytes = Math.max(CLEAN_FIRST_BYTES, 4 * options.maxBytes);
  const isSmall = range.to - range.from <= windowBytes;
  const read = readNext(log, range, isSmall ? windowBytes : SAMPLE_BYTES);
  const type = read.lostBytes === 0 ? binaryType(read.bytes.subarray(0, SAMPLE_BYTES)) : undefined;
  if (type !== undefined) return renderBinary(log, range, type);
  const start = withoutHidden(read, options.hidden);
  const isWhole = start.from === range.from && start.bytes.length === range.to - range.from;
  if (!isSmall || !isWhole) return renderEnds(log, range, windowBytes / 2, options);
  const excerpt = excerptOf(log, range, start, options);
  if (excerpt.textBytes > options.maxBytes) return joinEnds(log, range, [excerpt, excerpt], options);
  const { from, to, ...clean } = excerpt.whole;
  return { ...clean, truncated: false, bytes: range.to - range.from, cursor: to, binary: false, lostBytes: 0 };
}

/**
 * The text of the next `maxBytes` raw bytes from a cursor on. Answers with the cursor of the one before join to the whole text: they
 * end before a character, a control sequence or a CR LF that is not complete yet, and are empty if there is nothing else (but are
 * longer than `maxBytes` if only that makes it complete). CR, backspace and the like work within one answer only. A control string of
 * more than 64 KiB is let go: what is longer shows. Only a log is recognised as binary, not a mixture of several.
 */
export function renderForward(output: RawOutput, cursor: number, options: RenderOptions): Rendered {
  const range = rangeOf(output, options);
  const log = output instanceof OutputLog ? output : undefined;
  const type = log && typeOf(log, range);
  if (log !== undefined && type !== undefined) return renderBinary(log, range, type);
  const rest = { from: Math.min(Math.max(cursor, range.from), range.to), to: range.to };
  const piece = readPiece(output, rest, options);
  const { bytes, from, lostBytes, isLast } = { ...piece, ...withoutHidden(piece, options.hidden) };
  const clean = cleanText(bytes, { terminal: options.terminal, before: characterBefore(output, range, from) });
  return {
    ...clean,
    text: lostBytes === 0 ? clean.text : `[… ${countBytes(lostBytes)} lost …]\n${clean.text}`,
    truncated: !isLast,
    bytes: range.to - range.from,
    cursor: from + bytes.length,
    path: isLast || log === undefined ? undefined : pathOf(log, range),
    binary: false,
    lostBytes,
  };
}

/** The text of the last bytes of an output, about `maxBytes`, behind a line that counts what is left out before them. */
export function renderTail(output: RawOutput, options: Pick<RenderOptions, 'maxBytes' | 'terminal' | 'finished'>): string {
  const range = { from: 0, to: output.length };
  const { bytes, from } = readTail(output, range, options.maxBytes);
  const whole = options.finished ? bytes : bytes.subarray(0, safeEnd(bytes));
  const { text } = cleanText(whole, { terminal: options.terminal, before: characterBefore(output, range, from) });
  return from === 0 ? text : `[… ${countBytes(from)} left out …]\n${text}`;
}

/** Head and tail of a range that is too large to be read, or of which something is lost. */
function renderEnds(log: OutputLog, range: Range, windowBytes: number, options: RenderOptions): Rendered {
  const next = withoutHidden(readNext(log, range, windowBytes), options.hidden);
  const start = next.lostBytes === 0 ? next : { ...next, bytes: next.bytes.subarray(0, 0), from: range.from };
  const head = excerptOf(log, range, start, options);
  const tail = excerptOf(log, range, withoutHidden(readTail(log, { from: head.whole.to, to: range.to }, windowBytes), options.hidden), options);
  return joinEnds(log, range, [head, tail], options);
}

function joinEnds(log: OutputLog, range: Range, [first, last]: readonly [Excerpt, Excerpt], options: RenderOptions): Rendered {
  const head = first.head(Math.floor(options.maxBytes / 2));
  const tail = last.tail(Math.floor(options.maxBytes / 2), head.to);
  const path = pathOf(log, range);
  const gap = { from: head.to, to: tail.from };
  const separator = head.text === '' || head.text.endsWith('\n') ? '' : '\n';
  return {
    text: gap.from === gap.to ? head.text + tail.text : `${head.text}${separator}${marker(log, gap, path, options)}\n${tail.text}`,
    folded: head.folded + tail.folded,
    suspicious: head.suspicious + tail.suspicious,
    truncated: gap.from < gap.to,
    bytes: range.to - range.from,
    cursor: tail.to,
    path,
    binary: false,
    lostBytes: log.lostBytes(range.from, range.to),
  };
}

/** `[… 38,891,234 bytes left out; session_read cursor=25000 reads on …]` */
function marker(log: OutputLog, gap: Range, path: string | undefined, { readOn }: RenderOptions): string {
  const lostBytes = log.lostBytes(gap.from, gap.to);
  const lost = lostBytes === 0 ? '' : `, ${countBytes(lostBytes)} of them lost`;
  const file = path === undefined ? '' : `; all of it is in ${path}`;
  const rest = readOn === undefined ? file : `; ${readOn}=${gap.from} reads on`;
  return `[… ${countBytes(gap.to - gap.from)} left out${lost}${rest} …]`;
}

function renderBinary(log: OutputLog, range: Range, type: string): Rendered {
  const bytes = range.to - range.from;
  const path = pathOf(log, range);
  const saved = path === undefined ? '' : `; saved in ${path}`;
  const text = `[binary output: ${countBytes(bytes)}, ${type}${saved}]`;
  const lostBytes = log.lostBytes(range.from, range.to);
  return { text, folded: 0, suspicious: 0, truncated: false, bytes, cursor: range.to, path, binary: true, lostBytes };
}

/** What was read as far as it may be cut off there; all of it where nothing follows. */
function excerptOf(log: OutputLog, range: Range, read: LogRead, { terminal, finished }: RenderOptions): Excerpt {
  const isEnd = finished && read.from + read.bytes.length === range.to;
  const raw = isEnd ? read.bytes : read.bytes.subarray(0, safeEnd(read.bytes));
  return new Excerpt({ raw, at: read.from, before: characterBefore(log, range, read.from), terminal });
}

function rangeOf({ length }: RawOutput, options: RenderOptions): Range {
  const to = Math.min(options.to ?? length, length);
  return { from: Math.min(Math.max(0, options.from ?? 0), to), to };
}

function typeOf(log: OutputLog, range: Range): string | undefined {
  const sample = readNext(log, range, SAMPLE_BYTES);
  return sample.lostBytes === 0 ? binaryType(sample.bytes) : undefined;
}

function pathOf(log: OutputLog, range: Range): string | undefined {
  return range.from === 0 && range.to === log.length ? log.path() : undefined;
}

function countBytes(bytes: number): string {
  return bytes === 1 ? '1 byte' : `${bytes.toLocaleString('en-US')} bytes`;
}
