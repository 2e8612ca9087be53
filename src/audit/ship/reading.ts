// A segment as it is read on its way out: whole lines in their order, a block at a time, off the main thread, whatever its form and size. At the end
// of a plain one it can be asked again later. It goes on reading what it has opened, also when that is compressed or removed meanwhile.
import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';
import type { Segment } from '../directory.ts';
import { systemCode } from '../file-system.ts';
import { MAX_LINE_BYTES } from '../record.ts';

export interface OutgoingLine {
  /** Without its newline; undefined for one that is too long to be a record. */
  readonly bytes: Buffer | undefined;
  /** Offset behind its newline. */
  readonly end: number;
}

const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;
const BLOCK_BYTES = 64 * 1024;
/** More than a segment can have: what is compressed may stand for anything. */
const MAX_UNCOMPRESSED_BYTES = 2 ** 30 + BLOCK_BYTES;
const NEWLINE = 0x0a;

export class SegmentReading {
  readonly #file: FileHandle;
  readonly #pieces: AsyncIterator<Buffer> | undefined;
  #position: number;
  #begun: Buffer[] = [];
  #begunBytes = 0;

  /** From an offset on; a compressed one from its beginning. Undefined when it is gone or cannot be read. */
  static async open({ path, format }: Pick<Segment, 'path' | 'format'>, from: number): Promise<SegmentReading | undefined> {
    let file: FileHandle | undefined;
    try {
      file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
      const stats = await file.stat();
      if (stats.isFile()) return new SegmentReading(file, format, from <= stats.size ? from : 0);
    } catch (error) {
      if (systemCode(error) === undefined) throw error;
    }
    await file?.close();
    return undefined;
  }

  private constructor(file: FileHandle, format: Segment['format'], from: number) {
    this.#file = file;
    this.#position = format === 'gzip' ? 0 : from;
    this.#pieces = format === 'gzip' ? uncompressed(file)[Symbol.asyncIterator]() : undefined;
  }

  /** The lines of the next block, perhaps none; undefined at the end. */
  async next(): Promise<readonly OutgoingLine[] | undefined> {
    const block = await this.#nextBlock();
    return block === undefined ? undefined : this.#linesOf(block);
  }

  async close(): Promise<void> {
    await this.#pieces?.return?.();
    await this.#file.close().catch(() => undefined); // the stream that read it has closed it
  }

  async #nextBlock(): Promise<Buffer | undefined> {
    if (this.#pieces !== undefined) {
      const { value, done } = await this.#pieces.next();
      return done === true ? undefined : (value as Buffer);
    }
    try {
      const { bytesRead, buffer } = await this.#file.read(Buffer.allocUnsafe(BLOCK_BYTES), 0, BLOCK_BYTES, this.#position);
      return bytesRead === 0 ? undefined : buffer.subarray(0, bytesRead);
    } catch (error) {
      if (systemCode(error) === undefined) throw error;
      return undefined;
    }
  }

  #linesOf(block: Buffer): OutgoingLine[] {
    const lines: OutgoingLine[] = [];
    let start = 0;
    for (let at = block.indexOf(NEWLINE); at !== -1; at = block.indexOf(NEWLINE, start)) {
      this.#keep(block.subarray(start, at));
      start = at + 1;
      lines.push({ bytes: this.#begunBytes > MAX_LINE_BYTES ? undefined : Buffer.concat(this.#begun), end: this.#position + start });
      [this.#begun, this.#begunBytes] = [[], 0];
    }
    this.#keep(block.subarray(start));
    this.#position += block.length;
    return lines;
  }

  #keep(piece: Buffer): void {
    this.#begunBytes += piece.length;
    if (this.#begunBytes > MAX_LINE_BYTES) this.#begun = [];
    else if (piece.length > 0) this.#begun.push(piece);
  }
}

/** Everything up to the first fault, or the limit. */
async function* uncompressed(file: FileHandle): AsyncGenerator<Buffer> {
  const input = file.createReadStream({ highWaterMark: BLOCK_BYTES, autoClose: false });
  const gunzip = createGunzip({ chunkSize: BLOCK_BYTES });
  input.on('error', (error) => gunzip.destroy(error));
  let size = 0;
  try {
    for await (const piece of input.pipe(gunzip)) {
      yield piece as Buffer;
      size += (piece as Buffer).length;
      if (size > MAX_UNCOMPRESSED_BYTES) return;
    }
  } catch (error) {
    if (systemCode(error) === undefined) throw error; // zlib's errors have a number and a code as those of the system
  } finally {
    input.destroy();
  }
}
