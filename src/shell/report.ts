// The state report that a shell writes at the end of each command, as its integration script lays it out: fields ended by NUL. The
// first and the last one are the command's id. A shell may write over an earlier report, so more may follow.
import { parseBashExports } from './exports.ts';
import type { SessionShellName } from './shell.ts';

/** Lists in a report, in the shell's own words. */
export type NameList = 'options' | 'aliases' | 'functions';

/** What a shell is like between two commands. Lists are as the shell writes them; `namesIn` reads them. */
export interface ShellReport {
  /** The command that the report is about. */
  readonly id: string;
  readonly exitCode: number;
  /** `$-`; empty in fish, which has none. */
  readonly flags: string;
  readonly cwd: string;
  /** Octal, e.g. `0022`; empty where the shell does not say. */
  readonly umask: string;
  readonly options: string;
  readonly aliases: string;
  /** undefined when the shell did not list them this time (fish, where that is slow). */
  readonly functions: string | undefined;
  /** The list of jobs in the shell's own words. */
  readonly jobs: string;
  /** Exported variables as the shell wrote them, which `exportsOf` reads; undefined when they have not changed (fish). */
  readonly exports: string | undefined;
}

/** Reads the report of a command; undefined when it is not there or not whole, as after a full disk. */
export function parseReport(shell: SessionShellName, id: string, text: string): ShellReport | undefined {
  const end = text.lastIndexOf(`\0${id}\0`); // what is left of earlier reports has other ids
  if (end === -1 || !text.startsWith(`${id}\0`)) return undefined;
  const parsed = PARSERS[shell](text.slice(0, end).split('\0'));
  if (parsed === undefined || Number.isNaN(parsed.exitCode)) return undefined;
  return parsed;
}

/** The exported variables of a report. */
export function exportsOf(shell: SessionShellName, exports: string): Map<string, string> {
  if (shell === 'bash') return parseBashExports(exports);
  return new Map(exports.split('\0').filter(Boolean).map((pair) => splitAt(pair, '=')));
}

/** The names in a list of a report. Most commands change no list, so they are read only when one has changed. */
export function namesIn(shell: SessionShellName, kind: NameList, list: string): string[] {
  if (shell === 'bash' && kind === 'aliases') return captured(list, /^alias (?:-- )?([^=]+)=/gm);
  if (shell === 'bash' && kind === 'functions') return captured(list, /^declare -\S+ (.+)$/gm);
  const separator = kind === 'options' ? { bash: ':', zsh: ' ', fish: '' }[shell] : '\n';
  return list.split(separator).filter(Boolean);
}

const PARSERS: Readonly<Record<SessionShellName, (fields: string[]) => ShellReport | undefined>> = {
  bash: (fields) => {
    const [id, code, flags, setOptions, shopt, place, aliases, functions, exports, jobs] = fields;
    const [umask, cwd] = splitAt(place ?? '', '\n');
    if (id === undefined || cwd === undefined || jobs === undefined) return undefined;
    return {
      id,
      exitCode: exitCodeOf(code),
      flags: flags ?? '',
      cwd: withoutNewline(cwd),
      umask: umask ?? '',
      options: `${setOptions ?? ''}:${shopt ?? ''}`,
      aliases: aliases ?? '',
      functions: functions ?? '',
      exports: exports ?? '',
      jobs,
    };
  },
  zsh: (fields) => {
    const [id, code, flags, options, cwd, umask, aliases, functions, jobs, ...exports] = fields;
    if (id === undefined || cwd === undefined || umask === undefined || jobs === undefined) return undefined;
    return {
      id,
      exitCode: exitCodeOf(code),
      flags: flags ?? '',
      cwd: withoutNewline(cwd),
      umask: umask.trim(),
      options: options ?? '',
      aliases: aliases ?? '',
      functions: functions ?? '',
      exports: exports.join('\0'),
      jobs,
    };
  },
  fish: (fields) => {
    const [id, code, cwd, functions, jobs, ...exports] = fields;
    if (id === undefined || cwd === undefined || jobs === undefined) return undefined;
    const shown = exports.length === 0 ? undefined : exports.join('\0');
    return { id, exitCode: exitCodeOf(code), flags: '', cwd, umask: '', options: '', aliases: '', functions: functions === '' ? undefined : functions, exports: shown, jobs };
  },
};

/** NaN for what is no exit code. */
function exitCodeOf(code: string | undefined): number {
  return /^\d{1,3}$/.test(code ?? '') ? Number(code) : Number.NaN;
}

function withoutNewline(text: string): string {
  return text.endsWith('\n') ? text.slice(0, -1) : text;
}

function captured(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].flatMap(([, name]) => name ?? []);
}

function splitAt(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + separator.length)];
}
