// The connection to one server: lines both ways, each side held while the other one is slower.
import type { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import { LineSplitter } from '../../mcp/lines.ts';

/** Above all that a server answers, which bounds that itself. */
const MAX_LINE_BYTES = 256 * 1024 * 1024;
const NEWLINE = Buffer.from('\n');

export interface LinkOptions {
  /** Where what the server says goes: while that is full, nothing more is read. */
  readonly output: Writable;
  onLine(raw: Buffer): void;
  /** Once: the server has gone, or `close` was called. */
  onLost(): void;
}

export class Link {
  readonly #socket: Socket;

  constructor(socket: Socket, { output, onLine, onLost }: LinkOptions) {
    this.#socket = socket;
    const lines = new LineSplitter(MAX_LINE_BYTES);
    socket.on('data', (chunk: Buffer) => {
      for (const line of lines.feed(chunk)) if (line.kind === 'line') onLine(line.raw);
      if (!output.writableNeedDrain) return;
      socket.pause();
      void roomIn(output).then(() => socket.resume());
    });
    socket.on('error', () => {}); // 'close' follows
    socket.once('end', () => socket.destroy());
    socket.once('close', onLost);
  }

  /** Resolves when more can be sent, or nothing ever will. */
  send(raw: Buffer): Promise<void> {
    writeLine(this.#socket, raw);
    return roomIn(this.#socket);
  }

  /** Resolves when all that was sent is on its way. */
  end(): Promise<void> {
    return new Promise((resolve) => this.#socket.end(resolve));
  }

  close(): void {
    this.#socket.destroy();
  }
}

/** In one piece, however long it is, without a copy of it. */
export function writeLine(stream: Writable, raw: Buffer): void {
  stream.cork();
  stream.write(raw);
  stream.write(NEWLINE);
  stream.uncork();
}

function roomIn(stream: Writable): Promise<void> {
  if (stream.destroyed || !stream.writableNeedDrain) return Promise.resolve();
  return new Promise((resolve) => {
    const settle = (): void => {
      stream.off('drain', settle).off('close', settle);
      resolve();
    };
    stream.on('drain', settle).on('close', settle);
  });
}
