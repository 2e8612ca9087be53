// The configuration file of another program: read within bounds, written through a link where there is one, with its own mode.
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { StartError } from '../config/start-error.ts';
import { writeWhole } from '../config/write-file.ts';

const MAX_BYTES = 10 * 1024 * 1024;
const PRIVATE = 0o600;

export interface ConfigFile {
  /** Where it is, links followed. */
  readonly path: string;
  /** Empty for one that is not there. */
  readonly text: string;
  readonly mode: number;
}

/** Throws StartError for what is no file of this user. */
export function readConfig(path: string): ConfigFile {
  if (!existsSync(path)) return { path, text: '', mode: PRIVATE };
  const real = realpathSync(path);
  const stats = statSync(real);
  const fault = !stats.isFile() ? 'is no regular file' : stats.uid !== process.getuid?.() ? `belongs to another user (uid ${stats.uid})` : stats.size > MAX_BYTES ? `is larger than ${MAX_BYTES} bytes` : undefined;
  if (fault !== undefined) throw new StartError(`${path} ${fault}; nothing was changed`);
  return { path: real, text: readFileSync(real, 'utf8'), mode: stats.mode & 0o777 };
}

/** Throws StartError. */
export function writeConfig({ path, mode }: ConfigFile, text: string): void {
  writeWhole(path, text, mode);
}
