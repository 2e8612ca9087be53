// Programs on a search path, as a shell finds them.
import { constants } from 'node:fs';
import { access, realpath, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';

export interface FoundProgram {
  readonly name: string;
  /** Absolute path, as the search path names it. */
  readonly path: string;
  readonly realPath: string;
  /** Changes when the program does. */
  readonly identity: string;
  /** It was found in a folder that does not depend on where the shell is. */
  readonly isFixed: boolean;
}

/** Where a shell looks. */
export interface SearchPath {
  /** Folders in their order. An empty or relative one is taken from `cwd` (POSIX XBD 8.3). */
  readonly entries: readonly string[];
  readonly cwd: string;
}

/** The first executable regular file of that name; undefined when there is none. */
export async function findOnPath(name: string, { entries, cwd }: SearchPath): Promise<FoundProgram | undefined> {
  for (const entry of entries) {
    const path = join(resolve(cwd, entry), name);
    const known = await programAtPath(path);
    if (known !== undefined) return { name, path, ...known, isFixed: isAbsolute(entry) };
  }
  return undefined;
}

/** The program at an absolute path; undefined when no shell would start it. */
export function programAt(path: string): Promise<FoundProgram | undefined> {
  return findOnPath(basename(path), { entries: [dirname(path)], cwd: '/' });
}

/** The folders of $PATH. One that is empty has one folder, the current one. */
export function entriesOf(path: string): string[] {
  return path.split(':');
}

/** undefined for what no shell would start: not there, a folder, not executable for this user, a link to nothing. */
async function programAtPath(path: string): Promise<Pick<FoundProgram, 'realPath' | 'identity'> | undefined> {
  try {
    const stats = await stat(path);
    if (!stats.isFile()) return undefined;
    await access(path, constants.X_OK);
    const realPath = await realpath(path);
    return { realPath, identity: `${path}\0${realPath}\0${stats.mtimeMs}\0${stats.size}` };
  } catch (error) {
    if (error instanceof Error && 'code' in error) return undefined;
    throw error;
  }
}
