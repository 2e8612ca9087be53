// A small file of this user, written as a whole or not at all.
import { chmodSync, closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from '../process/make-folder.ts';
import { StartError } from './start-error.ts';

/** For its owner alone. */
const PRIVATE = 0o600;

/**
 * Writes it, with the folders above it where they are missing: a second file takes the place of the first.
 * @throws StartError with the path and the reason; what was there is then still there
 */
export function writeWhole(path: string, text: string, mode = PRIVATE): void {
  const next = `${path}.${process.pid}`;
  try {
    makeFolder(dirname(path));
    rmSync(next, { force: true });
    writeDurably(next, text, mode);
    renameSync(next, path);
  } catch (error) {
    rmSync(next, { force: true });
    throw new StartError(`${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function writeDurably(path: string, text: string, mode: number): void {
  const fd = openSync(path, 'wx', mode);
  try {
    chmodSync(path, mode); // whatever the umask is
    const bytes = Buffer.from(text);
    for (let written = 0; written < bytes.length; ) written += writeSync(fd, bytes, written);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
