// Lines that were torn when their server was killed, or when the machine lost power: cut off, so that a file has whole lines only.
import { constants } from 'node:fs';
import { basename } from 'node:path';
import { listSegments } from './directory.ts';
import { readFully, systemCode, type AuditFileSystem } from './file-system.ts';

/** A line that was cut off. */
export interface Healed {
  readonly file: string;
  readonly bytes: number;
}

const { O_NOFOLLOW, O_NONBLOCK, O_RDWR } = constants;
const BLOCK_BYTES = 64 * 1024;
const NEWLINE = 0x0a;

/** Heals the segments of servers that have certainly ended. What cannot be healed now is left for the next start: reading skips it. */
export function healSegments(fs: AuditFileSystem, directory: string): Healed[] {
  return listSegments(fs, directory)
    .filter(({ isOfDead, format }) => isOfDead && format === 'plaintext')
    .flatMap(({ path }) => {
      const bytes = tryHeal(fs, path);
      return bytes === 0 ? [] : [{ file: basename(path), bytes }];
    });
}

function tryHeal(fs: AuditFileSystem, path: string): number {
  let fd: number | undefined;
  try {
    fd = fs.openSync(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK);
    return heal(fs, fd);
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return 0;
  } finally {
    if (fd !== undefined) closeQuietly(fs, fd);
  }
}

/** How many bytes were cut off. */
function heal(fs: AuditFileSystem, fd: number): number {
  const stats = fs.fstatSync(fd);
  if (!stats.isFile()) return 0;
  const end = endOfLastLine(fs, fd, stats.size);
  if (end < stats.size) fs.ftruncateSync(fd, end);
  return stats.size - end;
}

function endOfLastLine(fs: AuditFileSystem, fd: number, size: number): number {
  const block = Buffer.allocUnsafe(BLOCK_BYTES);
  for (let end = size; end > 0; ) {
    const start = Math.max(0, end - BLOCK_BYTES);
    const at = block.subarray(0, readFully(fs, fd, block.subarray(0, end - start), start)).lastIndexOf(NEWLINE);
    if (at !== -1) return start + at + 1;
    end = start;
  }
  return 0;
}

function closeQuietly(fs: AuditFileSystem, fd: number): void {
  try {
    fs.closeSync(fd);
  } catch (error) {
    if (systemCode(error) === undefined) throw error; // the descriptor is gone all the same
  }
}
