// Small files in the server's private folder, for its user alone.
import { rmSync, writeFileSync } from 'node:fs';
import { ExpectedError } from '../errors.ts';
import { exhausted } from './start-check.ts';

/** Writes the whole file or, when that cannot be, none of it. Throws DISK_FULL or RESOURCE_EXHAUSTED. */
export function writePrivate(path: string, data: string | Buffer): void {
  try {
    writeFileSync(path, data, { mode: 0o600 });
  } catch (error) {
    rmSync(path, { force: true });
    throw notWritable(path, error);
  }
}

/** An error for what the disk did not take: full, read-only, or cleaned away by somebody. */
export function notWritable(path: string, cause: unknown): ExpectedError {
  if (cause instanceof ExpectedError) return cause;
  if (cause instanceof Error && 'code' in cause && cause.code === 'EMFILE') return exhausted('descriptor', cause);
  const why = cause instanceof Error ? cause.message.replace(/, (open|write|mkdir|mkdtemp)\b.*/, '') : String(cause);
  return new ExpectedError('DISK_FULL', `"${path}" cannot be written: ${why}`, { hint: 'free space in that directory and call again; nothing was run', cause });
}
