// Writes to the standard input of a child.
import { Socket } from 'node:net';

/** Most that may wait for a program that does not read. */
const LIMIT_BYTES = 1024 * 1024;

export class PipeWriter {
  readonly #socket: Socket;

  /** Owns `fd`, a non-blocking write end. */
  constructor(fd: number) {
    this.#socket = new Socket({ fd, readable: false, writable: true });
    this.#socket.on('error', () => undefined); // EPIPE: the program reads no more
  }

  /** Writes all of it, now or later; false when it is refused as a whole. */
  write(bytes: Buffer): boolean {
    if (!this.#socket.writable || this.#socket.writableLength + bytes.length > LIMIT_BYTES) return false;
    this.#socket.write(bytes);
    return true;
  }

  /** Closes when all has been taken. */
  end(): void {
    this.#socket.end();
  }

  /** Closes and drops what waits. */
  close(): void {
    this.#socket.destroy();
  }
}
