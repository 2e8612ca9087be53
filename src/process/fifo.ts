// A named pipe that the server reads: where a command's descriptor 2 goes when its errors are wanted apart.
import { constants, existsSync, openSync, readSync } from 'node:fs';
import { Socket } from 'node:net';
import { ExpectedError } from '../errors.ts';
import { requireSpareDescriptors } from './start-check.ts';
import { runTool } from './tool.ts';

const READ_BYTES = 64 * 1024;

export class Fifo {
  readonly path: string;
  readonly #fd: number;
  readonly #socket: Socket;
  readonly #onData: (chunk: Buffer) => void;

  private constructor(path: string, onData: (chunk: Buffer) => void) {
    this.path = path;
    this.#onData = onData;
    // read and write: with a writer of our own there is no end of file between two commands
    this.#fd = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
    this.#socket = new Socket({ fd: this.#fd, readable: true, writable: false });
    this.#socket.on('data', onData);
    this.#socket.on('error', () => this.#socket.destroy());
  }

  /** Makes the pipe, mode 0600, by mkfifo(1): node has no call for it. Throws RESOURCE_EXHAUSTED when it cannot. */
  static async open(path: string, onData: (chunk: Buffer) => void): Promise<Fifo> {
    requireSpareDescriptors();
    if (await runTool('mkfifo', ['-m', '600', path])) return new Fifo(path, onData);
    throw new ExpectedError('RESOURCE_EXHAUSTED', `no named pipe for separate errors can be made at "${path}"`, { hint: 'use stderr "merged"' });
  }

  /** Whether it can still be opened by its path. */
  get isThere(): boolean {
    return existsSync(this.path);
  }

  /** Delivers what was written until now: a write is in the pipe when it returns. */
  drain(): void {
    const buffer = Buffer.allocUnsafe(READ_BYTES);
    for (;;) {
      const count = this.#read(buffer);
      if (count === 0) return;
      this.#onData(Buffer.from(buffer.subarray(0, count)));
    }
  }

  close(): void {
    if (this.#socket.destroyed) return;
    this.#socket.destroy(); // closes the descriptor
  }

  #read(buffer: Buffer): number {
    try {
      return readSync(this.#fd, buffer);
    } catch {
      return 0; // EAGAIN: empty
    }
  }
}
