// Everything a session's terminal has shown, in order: pieces of the logs of its commands and of what came between them.
import type { OutputLog } from '../output/log.ts';

interface Piece {
  /** Offset in the transcript. */
  readonly start: number;
  readonly log: OutputLog;
  /** Offset in the log. */
  readonly from: number;
  length: number;
}

/** Pieces kept at most; what is older is lost to the transcript (not to the commands' own results). */
const MAX_PIECES = 20_000;

export class Transcript {
  #pieces: Piece[] = [];
  #length = 0;

  /** Bytes ever shown. */
  get length(): number {
    return this.#length;
  }

  /** Appends bytes to a log and notes them as shown next. */
  append(log: OutputLog, bytes: Buffer): void {
    const last = this.#pieces.at(-1);
    const isNext = last?.log === log && last.from + last.length === log.length && last.start + last.length === this.#length;
    if (isNext) last.length += bytes.length;
    else this.#pieces.push({ start: this.#length, log, from: log.length, length: bytes.length });
    this.#length += bytes.length;
    log.append(bytes);
    if (this.#pieces.length > MAX_PIECES) this.#pieces = this.#pieces.slice(MAX_PIECES / 10);
  }

  /** Bytes from an offset; `from` is later than asked where bytes were lost, and `lostBytes` counts them. */
  read(from: number, maxBytes: number): { bytes: Buffer; from: number; lostBytes: number } {
    const parts: Buffer[] = [];
    let at = from;
    let lostBytes = 0;
    let wanted = maxBytes;
    const pieces = this.#pieces.slice(this.#indexAt(from));
    if (pieces.length === 0) lostBytes = Math.max(0, this.#length - from); // the last ones were forgotten
    for (const piece of pieces) {
      if (wanted <= 0) break;
      const offset = Math.max(0, at - piece.start);
      const gap = Math.max(0, piece.start - at);
      const asked = Math.min(wanted, piece.length - offset);
      const part = piece.log.read(piece.from + offset, asked);
      const missing = gap + part.lostBytes;
      if (missing > 0 && parts.length > 0) break; // the next read begins behind the gap
      lostBytes += missing;
      at += missing + part.bytes.length;
      wanted -= part.bytes.length;
      parts.push(part.bytes);
      if (part.bytes.length < asked) break; // the log has a gap of its own behind it
    }
    if (at === from && maxBytes > 0) lostBytes = Math.max(0, this.#length - from); // the newest pieces are forgotten
    return { bytes: Buffer.concat(parts), from: from + lostBytes, lostBytes };
  }

  /** The pieces of a log are lost from now on. */
  forget(log: OutputLog): void {
    this.#pieces = this.#pieces.filter((piece) => piece.log !== log);
  }

  #indexAt(offset: number): number {
    const index = this.#pieces.findIndex((piece) => piece.start + piece.length > offset);
    return index === -1 ? this.#pieces.length : index;
  }
}
