// Programs with a command of their own that starts a shell: `\!` of psql, `shell` of gdb, `!` of ed and less.
import type { Inner } from './inner.ts';
import { decodeEscapes } from './producers.ts';

/** What stands behind such a command, in a line of the program's input or in an argument. */
const ESCAPES: ReadonlyMap<string, RegExp> = new Map(Object.entries<RegExp>({
  psql: /\\!\s*([^\n]*)|\\(?:o|g|w|gx)\s*\|([^\n]*)|\bprogram\s+'([^']*)'/gi,
  mysql: /^\s*(?:\\!|system\s)\s*([^\n]*)|;\s*(?:\\!|system\s)\s*([^\n]*)/gm,
  sqlite3: /^\s*\.(?:shell|system)\s+([^\n]*)|^\s*\.(?:output|once)\s+\|([^\n]*)/gm,
  gdb: /^\s*(?:shell\s|!|make\s|pipe\s[^|]*\|)\s*([^\n]*)/gm,
  lldb: /^\s*(?:platform\s+)?shell\s+([^\n]*)/gm,
  ed: /^[\d,$.%;\s]*(?:[rwe]\s*)?!([^\n]*)/gm,
  ex: /^[:\d,$.%;\s]*(?:[rwe]\s*)?!([^\n]*)/gm,
  less: /^\+*!([^\n]*)/gm,
  ftp: /^\s*!\s*([^\n]*)/gm,
  dc: /!\s*([^\n<>=][^\n]*)/g,
  m4: /\b(?:e?syscmd)\(\s*[`'"]*([^'")]*)/g,
  gnuplot: /(?:\bsystem|^\s*!)\s*\(?\s*["']?([^"'\n]*)/gm,
}));
const ALIKE: ReadonlyMap<string, string> = new Map(Object.entries<string>({ mariadb: 'mysql', more: 'less', most: 'less', sftp: 'ftp', lftp: 'ftp', telnet: 'ftp', sqlite: 'sqlite3' }));
/** Options of theirs are looked at as they stand; what these have is a file of such commands. */
const MAX_ESCAPES = 16;

function patternOf(program: string): RegExp | undefined {
  return ESCAPES.get(ALIKE.get(program) ?? program);
}

/** What the commands of such a program start, in its arguments and in its input; only for one that has them. */
export function escapesOf(program: string, args: readonly string[]): Inner[] {
  return [...args.flatMap((arg) => escapedCode(program, decodeEscapes(arg.replace(/\\(?=[!ogw])/g, '\\\\')))).map((text): Inner => ({ kind: 'code', code: text, name: `${program} !`, isProcess: true })), { kind: 'input', language: program }];
}

/** Whether the input of a program is commands of its own, and not code of a language. */
export function hasEscapes(program: string): boolean {
  return patternOf(program) !== undefined;
}

/** The shell code in a text that such a program reads. */
export function escapedCode(program: string, text: string): readonly string[] {
  const pattern = patternOf(program);
  return pattern === undefined ? [] : [...text.matchAll(pattern)].slice(0, MAX_ESCAPES).map((match) => match.slice(1).find((group) => group !== undefined) ?? '');
}
