// The end of a dead child's output. A random mark is written to the terminal behind everything the child wrote; what is
// read before it comes back is the child's, exactly, however long that takes and whoever else still writes.
import { randomBytes } from 'node:crypto';
import { writeSync } from 'node:fs';

/** When the mark cannot be written (the terminal is stopped): so long without a byte is the end. */
const QUIET_MS = 50;
/** When the mark was written and never comes back (a program discarded the terminal's output). */
const LIMIT_MS = 1_000;
const RETRY_MS = 5;

export interface TailEvents {
  onData(chunk: Buffer): void;
  /** Exactly once; nothing is delivered afterwards. */
  onEnd(): void;
}

export class PtyTail {
  readonly #slaveFd: number;
  readonly #events: TailEvents;
  /** Digits only: `stty olcuc` would change letters. */
  readonly #mark = Buffer.from(`\x1b]${randomBytes(8).readBigUInt64BE()}\x07`, 'latin1');
  #unwritten: Buffer;
  /** The end of what was read, when it may be the beginning of the mark. */
  #held: Buffer = Buffer.alloc(0);
  #lastByteMs = performance.now();
  readonly #startMs = this.#lastByteMs;
  #timer: NodeJS.Timeout | undefined;
  #isDone = false;

  /** `slaveFd` is non-blocking. Output must flow from now on, and goes to push(). */
  constructor(slaveFd: number, events: TailEvents) {
    this.#slaveFd = slaveFd;
    this.#events = events;
    this.#unwritten = this.#mark;
    this.#writeMark();
    this.#wait();
  }

  /** The next bytes from the terminal. */
  push(chunk: Buffer): void {
    if (this.#isDone) return;
    this.#lastByteMs = performance.now();
    const bytes = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    const found = bytes.indexOf(this.#mark);
    const end = found === -1 ? bytes.length - this.#overlap(bytes) : found;
    this.#held = found === -1 ? bytes.subarray(end) : Buffer.alloc(0);
    if (end > 0) this.#events.onData(bytes.subarray(0, end));
    if (found !== -1) return this.finish();
    this.#writeMark(); // reading has made room
  }

  /** Ends the wait with what there is. */
  finish(): void {
    if (this.#isDone) return;
    this.#isDone = true;
    clearTimeout(this.#timer);
    if (this.#held.length > 0) this.#events.onData(this.#held);
    this.#events.onEnd();
  }

  /** How many bytes at the end could be the beginning of the mark. */
  #overlap(bytes: Buffer): number {
    for (let length = Math.min(bytes.length, this.#mark.length - 1); length > 0; length--) {
      if (bytes.subarray(-length).equals(this.#mark.subarray(0, length))) return length;
    }
    return 0;
  }

  #writeMark(): void {
    if (this.#unwritten.length === 0) return;
    try {
      this.#unwritten = this.#unwritten.subarray(writeSync(this.#slaveFd, this.#unwritten));
    } catch {
      // EAGAIN: full or stopped, tried again; EIO: hung up, the quiet ends it
    }
  }

  #wait(): void {
    // A process that was held up finds its timers before its input: only what is still quiet after a look at it counts.
    this.#timer = setTimeout(() => setImmediate(() => this.#look()), this.#unwritten.length === 0 ? LIMIT_MS : RETRY_MS);
  }

  #look(): void {
    if (this.#isDone) return;
    const now = performance.now();
    const isQuiet = this.#unwritten.length > 0 && now - this.#lastByteMs >= QUIET_MS;
    if (isQuiet || now - this.#startMs >= LIMIT_MS) return this.finish();
    this.#writeMark();
    this.#wait();
  }
}
