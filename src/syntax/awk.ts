// awk's own language: system(), pipes from and to commands, and the files that print writes.
import type { Inner } from './inner.ts';
import type { InlineReading } from './inline-reading.ts';
import { STANDARD_INPUT } from './inner-shell.ts';
import { parseArguments } from './options.ts';
import { decodeEscapes } from './producers.ts';

const AWK = { values: 'fFvieE', longValues: ['file', 'field-separator', 'assign', 'source', 'include', 'exec'], stopsAtOperand: true };
const SHELL = /^\s*(?:\S*\/)?(?:ba|z|da|k|c|tc|fi)?sh\b/;
const STRING = /"((?:[^"\\\n]|\\[^])*)"/;
/** A string, a comment, or a regular expression where none of them is a division. */
const TOKEN = new RegExp(`${STRING.source}|#[^\\n]*|(?<=(?:^|[(,{;!&|~=\\n])\\s*)/(?:[^/\\\\\\n]|\\\\[^])*/`, 'g');
/** Around the number of a string that was taken out. */
const MARK = '\uFDEF';
const NUMBERED = new RegExp(`${MARK}(\\d+)${MARK}`, 'g');
const TEXT = `(?:${MARK}\\d+${MARK}\\s*)`;
const GETLINE = new RegExp(`\\(?\\s*(${TEXT}+)\\)?\\s*\\|&?\\s*getline`, 'g');
const SYSTEM = new RegExp(`\\bsystem\\s*\\(\\s*(${TEXT}*)([^)]*)`, 'g');
const PIPE = new RegExp(`\\bprintf?\\b((?:[^;}\\n|]|\\|\\|){0,500})\\|&?(?!\\|)\\s*(${TEXT}*)([^;}\\n]*)`, 'g');
const FILE = new RegExp(`\\bprintf?\\b(?:[^;}\\n()>]|\\([^()]*\\)){0,500}>>?\\s*(?:(${TEXT})|([A-Za-z_]\\w*))`, 'g');

/** What a call of awk makes run: its program, and the files of -i inplace. */
export function awk(args: readonly string[]): Inner[] {
  const parsed = parseArguments(args, AWK);
  const given = (letter: string, long: string): string[] => parsed.options.flatMap(({ name, value }) => ((name === letter || name === long) && value !== undefined ? [value] : []));
  const files = given('f', 'file');
  const isInPlace = given('i', 'include').includes('inplace');
  const [program, ...operands] = files.length > 0 || given('e', 'source').length > 0 ? ['', ...parsed.operands] : parsed.operands;
  const sources = [...given('e', 'source'), ...(program === undefined || program === '' ? [] : [program])];
  const assigned = new Map(given('v', 'assign').map((text): [string, string] => [text.slice(0, text.indexOf('=')), text.slice(text.indexOf('=') + 1)]));
  return [
    ...sources.map((code): Inner => ({ kind: 'inline', language: 'awk', code })),
    ...sources.flatMap((source) => [...source.matchAll(FILE)].flatMap(([, , name = '']): Inner[] => (assigned.has(name) ? [{ kind: 'argv', argv: ['tee', assigned.get(name) ?? ''] }] : []))),
    ...files.map((path): Inner => (STANDARD_INPUT.test(path) ? { kind: 'input', language: 'awk' } : { kind: 'file', path })),
    ...(isInPlace ? [{ kind: 'argv' as const, argv: ['tee', ...operands] }] : []),
  ];
}

/** What a program of awk says it does, from its literals. */
export function readAwk(source: string): Omit<InlineReading, 'argv' | 'deletes' | 'isForkLoop'> {
  const strings: string[] = [];
  const text = source.replace(TOKEN, (_, string?: string) => (string === undefined ? ' ' : `${MARK}${strings.push(decodeEscapes(string)) - 1}${MARK}`));
  const joined = (marked: string): string => [...marked.matchAll(NUMBERED)].map(([, index]) => strings[Number(index)] ?? '').join('');
  const shell: string[] = [];
  let isOpaque = false;
  const read = [...text.matchAll(GETLINE)].map(([, command = '']) => joined(command));
  if ((text.match(/\|&?\s*getline/g) ?? []).length > read.length) isOpaque = true;
  for (const [, command = '', more = ''] of text.matchAll(SYSTEM)) {
    if (command !== '') shell.push(joined(command));
    if (command === '' || more.trim() !== '') isOpaque = true;
  }
  for (const [, printed = '', command = '', more = ''] of text.matchAll(PIPE)) {
    if (/^\s*getline/.test(more)) continue;
    const target = joined(command);
    if (command === '' || /[^\s)]/.test(more) || SHELL.test(target)) isOpaque = true;
    shell.push(target, ...(SHELL.test(target) ? [joined(printed)] : []));
  }
  const writes = [...text.matchAll(FILE)].flatMap(([, file]) => (file === undefined ? [] : [joined(file)]));
  return { shell: [...read, ...shell].filter((code) => code !== ''), writes, isOpaque };
}
