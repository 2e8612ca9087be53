// The bytes of a segment, whatever its form, in bounded memory: a plain one is read where it is, a compressed one up to a limit.
import { constants } from 'node:fs';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { Segment } from './directory.ts';
import { readFully, systemCode, type AuditFileSystem } from './file-system.ts';

export interface Source {
  readonly size: number;
  /** Not all of it could be read: the compressed form is damaged, or holds more than the limit. */
  readonly isIncomplete: boolean;
  /** Fills the target from a position on; how many bytes, fewer only at the end. */
  read(target: Uint8Array, position: number): number;
  close(): void;
}

const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;
/** Far more than a segment has, and little enough to be held: a megabyte of gzip can stand for a gigabyte. */
const MAX_UNCOMPRESSED_BYTES = 64 * 1024 * 1024;
const BLOCK_BYTES = 64 * 1024;

/** What a segment of which nothing can be read has. */
export const EMPTY_SOURCE: Source = { size: 0, isIncomplete: true, read: () => 0, close: () => undefined };

/** Opens a segment. One that is no regular file, or cannot be read, or is gone, has nothing in it and is incomplete. */
export async function openSource(fs: AuditFileSystem, { path, format }: Pick<Segment, 'path' | 'format'>): Promise<Source> {
  const fd = openFile(fs, path);
  if (fd === undefined) return EMPTY_SOURCE;
  const plain: Source = {
    size: fs.fstatSync(fd).size,
    isIncomplete: false,
    read: (target, position) => tryRead(fs, fd, target, position),
    close: () => fs.closeSync(fd),
  };
  if (format === 'plaintext') return plain;
  try {
    return await uncompressed(plain);
  } finally {
    plain.close();
  }
}

function openFile(fs: AuditFileSystem, path: string): number | undefined {
  let fd: number | undefined;
  try {
    fd = fs.openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    if (fs.fstatSync(fd).isFile()) return fd;
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
  }
  if (fd !== undefined) fs.closeSync(fd);
  return undefined;
}

function tryRead(fs: AuditFileSystem, fd: number, target: Uint8Array, position: number): number {
  try {
    return readFully(fs, fd, target, position);
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return 0;
  }
}

/** Everything up to the first fault. */
async function uncompressed(compressed: Source): Promise<Source> {
  const input = Readable.from(blocksOf(compressed));
  const gunzip = createGunzip();
  const pieces: Buffer[] = [];
  let size = 0;
  let isIncomplete = false;
  try {
    for await (const piece of input.pipe(gunzip)) {
      pieces.push(piece as Buffer);
      size += (piece as Buffer).length;
      isIncomplete = size > MAX_UNCOMPRESSED_BYTES;
      if (isIncomplete) break;
    }
  } catch (error) {
    if (systemCode(error) === undefined) throw error; // zlib's errors have a number and a code as those of the system
    isIncomplete = true;
  } finally {
    input.destroy();
  }
  const bytes = Buffer.concat(pieces);
  return { size: bytes.length, isIncomplete, read: (target, position) => bytes.copy(target, 0, position), close: () => undefined };
}

function* blocksOf(source: Source): Generator<Buffer> {
  for (let position = 0; ; ) {
    const block = Buffer.allocUnsafe(BLOCK_BYTES);
    const count = source.read(block, position);
    if (count > 0) yield block.subarray(0, count);
    if (count < BLOCK_BYTES) return;
    position += count;
  }
}
