// Small files that steer this server and that others may have put there: read in bounded time and size, or not at all.
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from 'node:fs';
import type { Stats } from 'node:fs';

/** The bytes of a file, or what is wrong with it as the end of a sentence. */
export type OwnFile = { readonly bytes: Buffer; readonly fault?: never } | { readonly bytes?: never; readonly fault: string };

const ROOT = 0;
const OTHERS_WRITE = 0o002;
const GROUP_WRITES = 0o020;

/**
 * Reads a regular file of this user's (or root's) that nobody else may change. No link is followed, and no device or pipe is
 * opened: opening alone may wait for ever, or do something.
 */
export function readOwnFile(path: string, maxBytes: number): OwnFile {
  let fd: number | undefined;
  try {
    const seen = lstatSync(path);
    const fault = faultOf(seen, maxBytes);
    if (fault !== undefined) return { fault };
    fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const swapped = faultOf(fstatSync(fd), maxBytes); // it may be another one by now
    return swapped === undefined ? readAll(fd, maxBytes) : { fault: swapped };
  } catch (error) {
    return { fault: faultOfError(error) };
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

function faultOf(stats: Stats, maxBytes: number): string | undefined {
  const kind = kindOf(stats);
  if (kind !== undefined) return `is ${kind}, not a regular file`;
  if (stats.uid !== ROOT && stats.uid !== process.geteuid?.()) return `belongs to another user (uid ${stats.uid})`;
  if (isChangedByOthers(stats)) return `can be changed by other users (mode ${(stats.mode & 0o777).toString(8).padStart(4, '0')})`;
  return stats.size > maxBytes ? largerThan(maxBytes) : undefined;
}

function kindOf(stats: Stats): string | undefined {
  if (stats.isFile()) return undefined;
  if (stats.isSymbolicLink()) return 'a symbolic link';
  if (stats.isDirectory()) return 'a directory';
  if (stats.isFIFO()) return 'a named pipe';
  return stats.isSocket() ? 'a socket' : 'a device';
}

/** With the umask 002 of many systems each user has a group of his own, which may write. */
function isChangedByOthers({ mode, gid }: Stats): boolean {
  return (mode & OTHERS_WRITE) !== 0 || ((mode & GROUP_WRITES) !== 0 && gid !== process.getegid?.());
}

/** A file may grow while it is read, and those of some file systems have no size. */
function readAll(fd: number, maxBytes: number): OwnFile {
  const buffer = Buffer.alloc(maxBytes + 1);
  let length = 0;
  for (let read = -1; read !== 0 && length < buffer.length; length += read) read = readSync(fd, buffer, length, buffer.length - length, null);
  return length > maxBytes ? { fault: largerThan(maxBytes) } : { bytes: buffer.subarray(0, length) };
}

function largerThan(maxBytes: number): string {
  return `is larger than ${maxBytes} bytes`;
}

function faultOfError(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
  if (code === 'ENOENT') return 'does not exist';
  if (code === 'ELOOP') return 'is a symbolic link, not a regular file';
  if (code === 'EACCES' || code === 'EPERM') return 'is not readable for this user';
  return `cannot be read (${code})`;
}
