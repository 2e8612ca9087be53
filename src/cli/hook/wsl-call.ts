// Finds a call of wsl.exe in the command of a shell tool, and what it was to run.
import { quote } from '../../shell/quote.ts';
import { simpleCommands } from './simple-commands.ts';

/** A command that goes to WSL by its program instead of by our tools. */
export interface WslCall {
  /** What would run inside; undefined when it is about WSL itself, or opens a shell. */
  readonly command: string | undefined;
}

/** Commands in commands; nobody writes more by hand. */
const MAX_DEPTH = 4;
const ASSIGNMENT = /^\w+\+?=/;
/** They run what follows, behind options of their own. */
const WRAPPERS: ReadonlySet<string> = new Set(['exec', 'command', 'builtin', 'time', 'env', 'nohup', 'start', 'start-process', 'call', 'if', 'then', 'else', 'do', 'while', '!', '{', '.', '@']);
const WINDOWS_SHELLS: ReadonlySet<string> = new Set(['powershell', 'pwsh']);
const UNIX_SHELLS: ReadonlySet<string> = new Set(['bash', 'sh', 'zsh', 'dash', 'fish']);
/** Options of wsl.exe that have a value, and do not change that a command follows. */
const WITH_VALUE: ReadonlySet<string> = new Set(['-d', '--distribution', '--distribution-id', '-u', '--user', '--cd', '--shell-type']);
/** Those without one. */
const PLAIN: ReadonlySet<string> = new Set(['-e', '--exec', '--system', '~']);

/** The first call of wsl.exe, where it is cheap to see: in command position, also behind `cmd /c` and the like. */
export function findWslCall(text: string, depth = 0): WslCall | undefined {
  if (depth > MAX_DEPTH) return undefined;
  for (const words of simpleCommands(text)) {
    const [program = '', ...args] = withoutPrefix(words);
    const name = programName(program);
    if (name === 'wsl') return { command: commandFor(args) };
    const inner = scriptOf(name, args);
    const found = inner === undefined ? undefined : findWslCall(inner, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** `C:\Windows\System32\WSL.exe` is wsl. */
function programName(word: string): string {
  return (word.split(/[\\/]/).at(-1) ?? '').toLowerCase().replace(/\.exe$/, '');
}

/** Without assignments, and without the words that run what follows them. */
function withoutPrefix(words: readonly string[]): readonly string[] {
  let isWrapped = false;
  const start = words.findIndex((word) => {
    if (ASSIGNMENT.test(word)) return false;
    if (isWrapped && (word === '' || /^[-/][\w-]*$/.test(word))) return false; // start "" /wait
    if (!WRAPPERS.has(word.toLowerCase())) return true;
    isWrapped = true;
    return false;
  });
  return start < 0 ? [] : words.slice(start);
}

/** The text that a shell is given to run. */
function scriptOf(name: string, args: readonly string[]): string | undefined {
  if (name === 'cmd') return behind(args, (arg) => /^\/{1,2}[ckr]$/i.test(arg))?.join(' '); // Git's bash needs a second slash
  if (WINDOWS_SHELLS.has(name)) return (behind(args, isCommandOption) ?? args.filter((arg) => !/^[-/]/.test(arg))).join(' ');
  return UNIX_SHELLS.has(name) ? behind(args, (arg) => /^-[a-z]*c$/.test(arg))?.[0] : undefined;
}

function behind(args: readonly string[], isOption: (arg: string) => boolean): readonly string[] | undefined {
  const at = args.findIndex(isOption);
  return at < 0 ? undefined : args.slice(at + 1);
}

/** PowerShell takes the beginning of an option for the option. */
function isCommandOption(arg: string): boolean {
  return arg.length > 1 && '-command'.startsWith(arg.toLowerCase().replace('/', '-'));
}

/** What wsl.exe would run in the system, as one text. */
function commandFor(args: readonly string[]): string | undefined {
  let at = 0;
  while (at < args.length && isOption(args[at])) at += WITH_VALUE.has(args[at] ?? '') ? 2 : 1;
  const words = args[at] === '--' ? args.slice(at + 1) : args.slice(at);
  const [first, ...rest] = words;
  if (first === undefined || (args[at] !== '--' && first.startsWith('-'))) return undefined; // --list, --shutdown
  const script = scriptOf(programName(first), rest);
  if (script !== undefined) return script;
  if (rest.length === 0) return UNIX_SHELLS.has(programName(first)) ? undefined : first;
  return words.map((word) => (/[\s'"]|^$/.test(word) ? quote('bash', word) : word)).join(' ');
}

function isOption(word: string | undefined): boolean {
  return word !== undefined && (WITH_VALUE.has(word) || PLAIN.has(word));
}
