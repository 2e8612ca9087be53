// `shellkeep install hook` and `uninstall hook`: the hook in the settings of Claude Code, of this system or of Windows.
import { readFileSync, realpathSync, statSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { StartError } from '../config/start-error.ts';
import { writeWhole } from '../config/write-file.ts';
import { expandHome } from '../lib/home-path.ts';
import { insteadOf, placeHere, type WindowsView } from '../lib/windows-path.ts';
import { quote } from '../shell/quote.ts';
import { hookGroup, SettingsFault, withHook, withoutHook } from './hook/settings.ts';

export interface InstallHookOptions {
  readonly action: 'install' | 'uninstall';
  /** The command line after `hook`. */
  readonly words: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly home: string | undefined;
  readonly startDirectory: string;
  readonly windows: WindowsView;
  /** The program that this is. */
  readonly program: Program;
}

export interface Program {
  /** Node itself. */
  readonly node: string;
  /** The file that node runs. */
  readonly file: string;
}

const USAGE = 'shellkeep install hook [--settings FILE] [--dry-run] [--print] | uninstall hook [--settings FILE] [--dry-run]';
/** What bash, PowerShell and cmd alike leave as it is between double quotes. */
const PLAIN = /^[\w@+=:,./ ()-]+$/;

/** Does it, and gives what is printed. Throws StartError; then nothing was changed. */
export function hookInstallText(options: InstallHookOptions): string {
  const { action, program, windows } = options;
  const { settings, print, 'dry-run': isDry = false } = parsed(options.words);
  const path = pathOf(settings, options);
  const group = hookGroup(isOfWindows(path, windows) ? commandOfWindows(program, windows) : commandHere(program));
  if (print === true) return `${JSON.stringify({ hooks: { PreToolUse: [group] } }, undefined, 2)}\n`;
  const before = textOf(path);
  const after = orFault(path, () => (action === 'install' ? withHook(before, group) : withoutHook(before, group)));
  if (after === before) return `${path}: ${action === 'install' ? 'the hook is there already' : 'there is no hook of shellkeep'}; nothing to change\n`;
  const entry = `PreToolUse, matcher ${group.matcher}: ${group.hooks[0]?.command}`;
  if (isDry) return `would change ${path}: ${action === 'install' ? `${entry}\n` : 'without the hook of shellkeep\n'}`;
  writeWhole(path, after, modeOf(path));
  return action === 'install' ? `${path}: ${entry}\nsessions that begin from now on have it; shellkeep uninstall hook takes it out\n` : `${path}: the hook is out\n`;
}

function parsed(words: readonly string[]): { settings?: string; print?: boolean; 'dry-run'?: boolean } {
  try {
    return parseArgs({ args: [...words], options: { settings: { type: 'string' }, print: { type: 'boolean' }, 'dry-run': { type: 'boolean' } } }).values;
  } catch (error) {
    throw new StartError(`${error instanceof Error ? error.message : String(error)}; ${USAGE}`);
  }
}

/** The file itself, not a link to it: who keeps settings elsewhere goes on to. */
function pathOf(given: string | undefined, { env, home, startDirectory, windows }: InstallHookOptions): string {
  const folder = env['CLAUDE_CONFIG_DIR'] || (home === undefined ? undefined : join(home, '.claude'));
  const named = given ?? (folder === undefined ? undefined : join(folder, 'settings.json'));
  if (named === undefined) throw new StartError('there is no home directory: name the settings with --settings FILE');
  const place = placeHere(expandHome(named, home), windows);
  if (place.kind !== 'here') throw new StartError(`--settings ${JSON.stringify(named)} ${place.why}; ${insteadOf(place)}`);
  const path = isAbsolute(place.path) ? place.path : resolve(startDirectory, place.path);
  try {
    return realpathSync.native(path);
  } catch {
    return path; // it need not exist
  }
}

function isOfWindows(path: string, { mountRoot, distribution }: WindowsView): boolean {
  return distribution !== undefined && path.startsWith(mountRoot) && /^[a-z]\//i.test(path.slice(mountRoot.length));
}

function commandHere({ node, file }: Program): string {
  return [node, file, 'hook'].map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : quote('bash', word))).join(' ');
}

/** Windows goes into this system for it. The doubled slash is for the bash of Git, which takes a single one for a path of its own; Linux does not mind. */
function commandOfWindows({ node, file }: Program, { distribution = '' }: WindowsView): string {
  const words = [distribution, `/${node}`, `/${file}`];
  const odd = words.find((word) => !PLAIN.test(word));
  if (odd !== undefined) throw new StartError(`${JSON.stringify(odd)} cannot be written so that every shell of Windows reads it alike; install shellkeep below a plainer path`);
  const [system = '', ...paths] = words.map((word) => (/[ ()]/.test(word) ? `"${word}"` : word));
  return ['wsl.exe', '-d', system, '--exec', ...paths, 'hook'].join(' ');
}

function orFault(path: string, change: () => string): string {
  try {
    return change();
  } catch (error) {
    if (!(error instanceof SettingsFault)) throw error;
    throw new StartError(`${path} ${error.message}: correct it, or change it by hand; shellkeep install hook --print shows the entry. Nothing was changed`);
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
    throw new StartError(`${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Of a file that is there. */
function modeOf(path: string): number | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats === undefined ? undefined : stats.mode & 0o777;
}
