// Paths as the kernel would follow them, and what lies in what.
import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** The path with every link followed; what does not exist is kept as it is named. */
export function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realPath(parent), basename(path)); // the fault itself is told by directoryFault()
  }
}

/** Whether a path is a root or below it, by whole components: /tmpfoo is not in /tmp. */
export function isWithin(path: string, root: string): boolean {
  return path === root || path.startsWith(root.endsWith('/') ? root : `${root}/`);
}

/** Whether a path is in one of the roots. */
export function isWithinAny(path: string, roots: readonly string[]): boolean {
  return roots.some((root) => isWithin(path, root));
}

/** What is in one of both lists and in one of the other, as roots. */
export function intersection(one: readonly string[], other: readonly string[]): string[] {
  return unique([...one.filter((path) => isWithinAny(path, other)), ...other.filter((path) => isWithinAny(path, one))]);
}

export function unique(paths: readonly string[]): string[] {
  return [...new Set(paths)];
}

/** Why a directory cannot be started in, as the end of a sentence; undefined when it can. */
export function directoryFault(path: string): string | undefined {
  try {
    if (!statSync(path).isDirectory()) return 'is a file, not a directory';
    accessSync(path, constants.R_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    return faultOfCode(error instanceof Error && 'code' in error ? String(error.code) : '');
  }
}

function faultOfCode(code: string): string {
  if (code === 'ENOENT') return 'does not exist';
  if (code === 'ENOTDIR') return 'leads through a file';
  if (code === 'EACCES' || code === 'EPERM') return 'is not readable for this user';
  return `cannot be used (${code})`;
}
