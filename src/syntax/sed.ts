// sed's own language: where its commands are, so that `e`, which runs a program, and `w`, which writes a file, are found wherever they stand.
import type { Inner } from './inner.ts';
import { STANDARD_INPUT } from './inner-shell.ts';
import { UNKNOWN } from './marks.ts';
import { parseArguments } from './options.ts';

/** In front of a command: numbers, `$`, `/…/` with its flags, `\x…x`, ranges, steps, `!`. */
const ADDRESS = /(?:\d+|\$|[,~+!\s]|\/(?:[^/\\\n]|\\[^])*\/[IM]*|\\([^\n\\])(?:(?!\1)[^\\\n]|\\[^])*\1[IM]*)*/y;
const SUBSTITUTION = /s([^\n\\])((?:(?!\1)[^\\]|\\[^])*)\1((?:(?!\1)[^\\]|\\[^])*)\1([gpiImMe\d]*)(?:w[ \t]*([^\n]*))?/y;
const TRANSLITERATION = /y([^\n\\])(?:(?!\1)[^\\]|\\[^])*\1(?:(?!\1)[^\\]|\\[^])*\1/y;
/** Text to the end of the line, goes on where a backslash stands at it. */
const TEXT = /[aic](?:\\[^]|[^\\\n])*/y;
const TO_LINE_END = /[erRwW#][ \t]*([^\n]*)/y;
const LABEL = /[:btT][^;\n}]*/y;
/** A script with more commands is not read to its end. */
const MAX_COMMANDS = 500;

/** What a call of sed runs and writes. */
export function sed(args: readonly string[]): Inner[] {
  const parsed = parseArguments(args, { values: 'efl', attached: 'i', longValues: ['expression', 'file', 'line-length'] });
  const given = (letter: string, long: string): string[] => parsed.options.flatMap(({ name, value }) => ((name === letter || name === long) && value !== undefined ? [value] : []));
  const files = given('f', 'file');
  const expressions = given('e', 'expression');
  const script = expressions.length > 0 || files.length > 0 ? expressions.join('\n') : parsed.operands[0] ?? '';
  return [...sedScript(script), ...files.map((path): Inner => (STANDARD_INPUT.test(path) ? { kind: 'input', language: 'sed' } : { kind: 'file', path }))];
}

/** What a script of sed runs and writes. */
export function sedScript(script: string): Inner[] {
  const inner: Inner[] = [];
  let at = 0;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const match = pattern.exec(script);
    if (match !== null) at = pattern.lastIndex;
    return match;
  };
  for (let count = 0; at < script.length && count < MAX_COMMANDS; count++) {
    if (/[\s;{}]/.test(script[at] ?? '')) {
      at++;
      continue;
    }
    take(ADDRESS);
    const command = script[at] ?? '';
    const whole = command === 's' ? take(SUBSTITUTION) : command === 'y' ? take(TRANSLITERATION) : 'aic'.includes(command) ? take(TEXT) : ':btT'.includes(command) ? take(LABEL) : take(TO_LINE_END);
    if (whole === null) at++; // a command of one letter
    else inner.push(...effectOf(command, whole));
  }
  return inner;
}

function effectOf(command: string, match: RegExpExecArray): Inner[] {
  const [, first = '', , replacement = '', flags = '', file] = match;
  if (command === 'e') return [code(first.trim() === '' ? UNKNOWN : first, 'sed e')];
  if (command === 'w' || command === 'W') return [writes(first)];
  if (command !== 's') return [];
  const isRun = flags.includes('e');
  return [...(isRun ? [code(`${replacement.replaceAll(`\\${first}`, () => first)} ${UNKNOWN}`, 'sed s///e')] : []), ...(file === undefined ? [] : [writes(file)])];
}

function writes(path: string): Inner {
  return { kind: 'argv', argv: ['tee', path.trim()] };
}

function code(text: string, name: string): Inner {
  return { kind: 'code', code: text, name, isProcess: true };
}
