// `shellkeep install hook` and `uninstall hook`: the hook in the settings of Claude Code, of this system or of Windows.
import { isAbsolute, join, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { StartError } from '../config/start-error.ts';
import { changeText } from '../install/change-text.ts';
import { readConfig, writeConfig } from '../install/config-file.ts';
import { hookEntryText, hookGroup, withHook, withoutHook } from '../install/hook-settings.ts';
import { expandHome } from '../lib/home-path.ts';
import { insteadOf, placeHere, type WindowsView } from '../lib/windows-path.ts';
import { quote } from '../shell/quote.ts';
import { flagFault } from './flag-fault.ts';

export interface InstallHookOptions {
  readonly action: 'install' | 'uninstall';
  /** The command line after `hook`. */
  readonly words: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly home: string | undefined;
  readonly startDirectory: string;
  readonly windows: WindowsView;
  /** What runs the hook; this program when absent. */
  readonly program?: Program;
}

export interface Program {
  /** Node itself. */
  readonly node: string;
  /** The file that node runs. */
  readonly file: string;
}

const USAGE = 'shellkeep install hook [--settings FILE] [--dry-run] [--print]; shellkeep uninstall hook [--settings FILE] [--dry-run]';
/** What bash, PowerShell and cmd alike leave as it is between double quotes. */
const PLAIN = /^[\w@+=:,./ ()-]+$/;

/** Does it, and gives what is printed. Throws StartError; then nothing was changed. */
export function hookInstallText(options: InstallHookOptions): string {
  const { action, program = thisProgram(), windows } = options;
  const { settings, print, 'dry-run': isDry } = parsed(options.words);
  const path = pathOf(settings, options);
  const group = hookGroup(isOfWindows(path, windows) ? commandOfWindows(program, windows) : commandHere(program));
  if (print === true) return hookEntryText(group);
  const file = readConfig(path);
  const text = action === 'install' ? withHook(file.text, group, path) : withoutHook(file.text, group, path);
  if (text === file.text) return `hook: ${action === 'install' ? `already there, in ${path}` : 'not there'}\n`;
  if (isDry === true) return `hook: would change ${path}\n${changeText(file.text, text)}`;
  writeConfig(file, text);
  return action === 'install' ? `hook: written to ${path}; what begins from now on has it\n` : `hook: taken out of ${path}\n`;
}

function parsed(words: readonly string[]) {
  try {
    return parseArgs({ args: [...words], options: { settings: { type: 'string' }, print: { type: 'boolean' }, 'dry-run': { type: 'boolean' } } }).values;
  } catch (error) {
    throw new StartError(`${flagFault(error)}; ${USAGE}`);
  }
}

/** It is started before every command, for which npx takes too long, and what npx has fetched does not stay. */
function thisProgram(): Program {
  const file = fileURLToPath(new URL('../cli.js', import.meta.url));
  if (file.includes(`${sep}_npx${sep}`)) throw new StartError('npx has fetched shellkeep for this once: install it first (npm install --global shellkeep), then shellkeep install hook');
  return { node: process.execPath, file };
}

function pathOf(given: string | undefined, { env, home, startDirectory, windows }: InstallHookOptions): string {
  const folder = env['CLAUDE_CONFIG_DIR'] || (home === undefined ? undefined : join(home, '.claude'));
  const named = given ?? (folder === undefined ? undefined : join(folder, 'settings.json'));
  if (named === undefined) throw new StartError('there is no home directory: name the settings with --settings FILE');
  const place = placeHere(expandHome(named, home), windows);
  if (place.kind !== 'here') throw new StartError(`--settings ${JSON.stringify(named)} ${place.why}; ${insteadOf(place)}`);
  return isAbsolute(place.path) ? place.path : resolve(startDirectory, place.path);
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
