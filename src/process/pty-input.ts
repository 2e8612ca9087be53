// What is written to a terminal: straight to the descriptor, and what the kernel does not take waits here, bounded.
import { writeSync } from 'node:fs';

/** Most that may wait for a program that does not read. */
const LIMIT_BYTES = 1024 * 1024;
const FIRST_RETRY_MS = 2;
/** The kernel has no event for "the program has read some" that node could see; a program that never reads costs next to nothing. */
const LAST_RETRY_MS = 64;

export class PtyInput {
  readonly #fd: number;
  readonly #isOpen: () => boolean;
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #retryMs = FIRST_RETRY_MS;
  #timer: NodeJS.Timeout | undefined;

  /**
   * `fd` is non-blocking. It is never touched unless it `isOpen`: once it is closed, its number may belong to another
   * session's terminal, and what waits here would be run there.
   */
  constructor(fd: number, isOpen: () => boolean) {
    this.#fd = fd;
    this.#isOpen = isOpen;
  }

  /** Bytes that the kernel has not taken yet. */
  get pendingBytes(): number {
    return this.#waitingBytes;
  }

  /** Writes all of it, now or later; false when it is refused as a whole: closed, or more than 1 MiB would wait. */
  write(bytes: Buffer): boolean {
    if (!this.#isOpen() || this.#waitingBytes + bytes.length > LIMIT_BYTES) return false;
    this.#waiting.push(bytes);
    this.#waitingBytes += bytes.length;
    if (this.#timer === undefined) this.flush();
    return true;
  }

  /** Gives the kernel what it takes now. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (!this.#isOpen()) return;
    for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
      const taken = this.#writeSome(next);
      this.#waitingBytes -= taken;
      if (taken > 0) this.#retryMs = FIRST_RETRY_MS;
      if (taken < next.length) {
        this.#waiting[0] = next.subarray(taken);
        return this.#retryLater();
      }
      this.#waiting.shift();
    }
  }

  /** Drops what waits. */
  close(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#waiting = [];
    this.#waitingBytes = 0;
  }

  #writeSome(bytes: Buffer): number {
    try {
      return writeSync(this.#fd, bytes);
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'EAGAIN') return 0;
      return bytes.length; // EIO: hung up, nobody will read it
    }
  }

  #retryLater(): void {
    this.#timer = setTimeout(() => this.flush(), this.#retryMs);
    this.#retryMs = Math.min(this.#retryMs * 2, LAST_RETRY_MS);
  }
}
