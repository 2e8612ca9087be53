// A closed segment as a gzip file: beside it first, on the disk before it takes its name, and only then the segment goes.
import { constants } from 'node:fs';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { systemCode, writeAll, readFully, type AuditFileSystem } from './file-system.ts';

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;
/** Each is a gzip member of its own, which readers take as one file: memory stays small, and no call waits for long. */
const BLOCK_BYTES = 512 * 1024;
const compressed = promisify(gzip);

/** Compresses it, by way of `temporary`. Rejects with what the disk says; then the segment is as it was. */
export async function compressSegment(fs: AuditFileSystem, path: string, temporary: string): Promise<void> {
  const target = fs.openSync(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  try {
    try {
      await copy(fs, path, target);
      fs.fsyncSync(target);
    } finally {
      fs.closeSync(target);
    }
    fs.renameSync(temporary, `${path}.gz`);
  } catch (error) {
    removeQuietly(fs, temporary);
    throw error;
  }
  fs.unlinkSync(path);
}

/** Removes a file, if it is there and can be. */
export function removeQuietly(fs: AuditFileSystem, path: string): void {
  try {
    fs.unlinkSync(path);
  } catch (error) {
    if (systemCode(error) === undefined) throw error; // what stays is found again by the next server
  }
}

async function copy(fs: AuditFileSystem, path: string, target: number): Promise<void> {
  const source = fs.openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const block = Buffer.allocUnsafe(BLOCK_BYTES);
    for (let position = 0; ; ) {
      const count = readFully(fs, source, block, position);
      if (count > 0 || position === 0) writeAll(fs, target, await compressed(block.subarray(0, count)));
      if (count < block.length) return;
      position += count;
    }
  } finally {
    fs.closeSync(source);
  }
}
