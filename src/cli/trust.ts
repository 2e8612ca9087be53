// `shellkeep trust FILE`: a person lets a project file, as it is now, add allowed roots. `shellkeep untrust FILE` takes that back.
import { realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { trustFile } from '../config/paths.ts';
import { StartError } from '../config/start-error.ts';
import { TrustList } from '../config/trust-list.ts';
import type { WindowsView } from '../lib/windows-path.ts';
import { PROJECT_FILE_NAMES, readProjectFile } from '../policy/project-file.ts';
import { rootsOf } from '../policy/project-roots.ts';
import { refuseAgents } from './agents.ts';

export interface TrustOptions {
  /** The command line after the command. */
  readonly words: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly home: string | undefined;
  readonly startDirectory: string;
  readonly windows: WindowsView;
}

/** Trusts the file of the first word, and says what that allows; without a word it lists what is trusted. Throws StartError. */
export async function trustText(options: TrustOptions): Promise<string> {
  const list = new TrustList(trustFile(options.env));
  const path = pathOf(options, 'trust');
  if (path === undefined) return (await Promise.all([...list.entries()].map(listed))).join('') || 'no project file is trusted; shellkeep trust FILE trusts one\n';
  refuseAgents('trust a file');
  if (!PROJECT_FILE_NAMES.includes(basename(path))) throw new StartError(`${path}: a project file is named ${PROJECT_FILE_NAMES.join(' or ')}; no other is read`);
  const file = await readProjectFile(path);
  if (file.fault !== undefined || file.sha256 === undefined) throw new StartError(`${path}${file.fault ?? ' cannot be read'}`);
  list.add(path, file.sha256);
  const roots = rootsOf(file, options).map((root) => `  ${root}\n`).join('');
  const effect = file.mode === 'replace' ? 'only these roots are allowed from its directory' : 'these roots are allowed from its directory, beside those of the settings';
  return `trusted ${path}\nsha256 ${file.sha256}; another content is not trusted\n${effect}:\n${roots === '' ? '  (none)\n' : roots}`;
}

/** One line of the list, which says so when the file is no longer what was trusted. */
async function listed([path, trusted]: readonly [string, string]): Promise<string> {
  const { sha256, fault } = await readProjectFile(path);
  const mark = sha256 === trusted ? '' : sha256 === undefined ? `  (${fault?.trim() ?? 'cannot be read'})` : '  (has changed: no longer trusted)';
  return `${trusted}  ${path}${mark}\n`;
}

/** Forgets the file of the first word. Throws StartError. */
export function untrustText(options: TrustOptions): string {
  const path = pathOf(options, 'untrust');
  if (path === undefined) throw new StartError('untrust takes the file: shellkeep untrust FILE; shellkeep trust lists those that are trusted');
  refuseAgents('trust a file');
  if (!new TrustList(trustFile(options.env)).remove(path)) throw new StartError(`${path} was not trusted; shellkeep trust lists the files that are`);
  return `no longer trusted: ${path}\n`;
}

/** The real path of its directory with its name: the file itself may be gone, and a link in its place is refused when it is read. */
function pathOf({ words, startDirectory }: TrustOptions, command: string): string | undefined {
  const [word, ...more] = words;
  if (more.length > 0 || word === '') throw new StartError(`${command} takes one file: shellkeep ${command} FILE`);
  if (word === undefined) return undefined;
  const path = resolve(startDirectory, word);
  try {
    return join(realpathSync.native(dirname(path)), basename(path));
  } catch {
    return path; // its folder is gone, too
  }
}
