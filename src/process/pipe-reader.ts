// Reads one pipe of a child: as it comes, and to the last byte when the child has died.
import { readSync } from 'node:fs';
import { Socket } from 'node:net';

/**
 * No pipe holds more (fs.pipe-max-size), so what comes after it is not the dead child's but of something in the
 * background that writes on and on.
 */
const LARGEST_PIPE_BYTES = 1024 * 1024;
const CHUNK_BYTES = 64 * 1024;

export class PipeReader {
  readonly #fd: number;
  readonly #socket: Socket;
  #deliver: ((chunk: Buffer) => void) | undefined;
  #hasEnded = false;

  /** Owns `fd`, a non-blocking read end. `onClosed`: nobody has the other end any more, and all was delivered. */
  constructor(fd: number, deliver: (chunk: Buffer) => void, onClosed: () => void) {
    this.#fd = fd;
    this.#deliver = deliver;
    this.#socket = new Socket({ fd, readable: true, writable: false });
    this.#socket.on('data', (chunk: Buffer) => this.#deliver?.(chunk));
    this.#socket.on('error', () => undefined); // 'close' follows
    this.#socket.on('close', () => {
      this.#hasEnded = true;
      onClosed();
    });
  }

  /** Nobody can write to it any more, and all was delivered. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  /** Delivers all that is in the pipe at this moment. */
  drain(): void {
    if (this.#socket.destroyed) return; // its descriptor's number may be another file's by now
    while (this.#socket.read() !== null); // what a paused stream holds comes as 'data'
    for (let total = 0; total < LARGEST_PIPE_BYTES; ) {
      const chunk = this.#readNow();
      if (chunk === undefined) return;
      total += chunk.length;
      this.#deliver?.(chunk);
    }
  }

  /** Goes on reading without delivering, so that whoever still writes does not die of SIGPIPE or wait for ever. */
  discard(): void {
    this.#deliver = undefined;
    this.#socket.resume();
    this.#socket.unref();
  }

  /** What can be read without waiting; undefined when that is nothing. */
  #readNow(): Buffer | undefined {
    const buffer = Buffer.allocUnsafeSlow(CHUNK_BYTES);
    try {
      const length = readSync(this.#fd, buffer);
      if (length === 0) this.#hasEnded = true;
      return length === 0 ? undefined : buffer.subarray(0, length);
    } catch {
      return undefined; // EAGAIN: empty, and somebody can still write
    }
  }
}
