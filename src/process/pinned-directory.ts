// The directory that was checked is the one a process starts in, whatever happens to its name in between.
import { closeSync, constants, openSync, readlinkSync } from 'node:fs';
import { ExpectedError } from '../errors.ts';
import { exhausted } from './start-check.ts';

export interface PinnedDirectory {
  /** For chdir(2) in a child that is forked before `close`. */
  readonly path: string;
  close(): void;
}

/** Linux's O_PATH, which node does not name: a directory that may be entered, but not listed, can be opened with it. */
const O_PATH = 0o10000000;
const FAULTS: Readonly<Record<string, string>> = { ENOENT: 'does not exist', ENOTDIR: 'is not a directory', EACCES: 'may not be entered by this user', ELOOP: 'is a loop of links', ENAMETOOLONG: 'is too long' };

/**
 * Holds a directory open that must be `real`; without `real` any directory will do. A process that starts there by the returned
 * path cannot be led elsewhere: reading its cwd after the start could, since its command may have changed that already.
 * Elsewhere than on Linux, and without /proc, it is the name itself.
 * Throws INVALID_CWD when the name leads elsewhere by now or to no directory, RESOURCE_EXHAUSTED without a descriptor.
 */
export function pinDirectory(cwd: string, real: string | undefined): PinnedDirectory {
  const byName = { path: cwd, close: () => undefined };
  if (real === undefined || process.platform !== 'linux') return byName;
  const fd = openDirectory(cwd);
  const path = `/proc/self/fd/${fd}`; // the child's own copy of the descriptor
  const target = targetOf(path);
  if (target !== undefined && isSame(target, real)) return { path, close: () => closeSync(fd) };
  closeSync(fd);
  if (target === undefined) return byName;
  throw new ExpectedError('INVALID_CWD', `cwd "${cwd}" leads elsewhere than when it was checked: to "${target}"`, { hint: 'somebody moves or links directories there; call again when that is over; nothing was run' });
}

function openDirectory(path: string): number {
  try {
    return openSync(path, O_PATH | constants.O_DIRECTORY);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const fault = FAULTS[code];
    throw fault === undefined ? exhausted('descriptor', error) : new ExpectedError('INVALID_CWD', `cwd "${path}" ${fault}`, { cause: error });
  }
}

function targetOf(link: string): string | undefined {
  try {
    return readlinkSync(link);
  } catch {
    return undefined; // no /proc
  }
}

/** On a file system that does not tell upper from lower case (Windows drives in WSL) the kernel may know another spelling. */
function isSame(target: string, real: string): boolean {
  return target === real || target.toLowerCase() === real.toLowerCase();
}
