// Where spilled output goes: on a disk, since it may be larger than memory, which is where the runtime directory often is.
import { accessSync, constants, existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeFolder } from '../process/make-folder.ts';
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
