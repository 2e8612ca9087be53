// Folders of this user alone, with those above them.
import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/** Makes what is missing, one by one: node's recursive mkdir never returns where the system denies a folder with ENOENT, as /proc does. Throws what mkdir says. */
export function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (!existsSync(path)) throw error; // else another process made it meanwhile
  }
}
