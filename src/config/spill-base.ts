// Where spilled output goes: on a disk, since it may be larger than memory, which is where the runtime directory often is.
import { accessSync, constants, existsSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { homeDirectory, stateDirectory } from './paths.ts';

/** A directory in this user's state directory, made if there is a home to make it in; else the temporary directory. */
export function spillBase(env: Readonly<Record<string, string | undefined>>): string {
  const [home, state] = [homeDirectory(env), stateDirectory(env)];
  if (home === undefined || state === undefined || !existsSync(home)) return tmpdir();
  const base = join(state, 'output');
  try {
    makeFolder(base);
    accessSync(base, constants.W_OK);
    return base;
  } catch {
    return tmpdir(); // a home that is read-only
  }
}

/** One by one: node's recursive mkdir never returns where the system denies a folder with ENOENT, as /proc does. */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (!existsSync(path)) throw error; // else another server made it meanwhile
  }
}
