// Regular expressions that clients give, in RE2 syntax: linear in time whatever they are. Loaded with the first pattern, never at the start.
import { RE2JS, RE2JSException, RE2JSSyntaxException } from 're2js';
import { ExpectedError } from '../errors.ts';
import { shorten } from './shorten.ts';

const MAX_CHARACTERS = 1_000;
/** The time of a search is the size of the text times this: what is within it takes a few microseconds a character at worst. */
const MAX_INSTRUCTIONS = 1_000;
/** What is larger than this by a rough count is not compiled at all. */
const MAX_ROUGH_SIZE = 3 * MAX_INSTRUCTIONS;

/** Where a match lies in a text, in UTF-16 units. */
export interface Match {
  readonly start: number;
  readonly end: number;
}

export class Pattern {
  readonly #compiled: RE2JS;

  private constructor(compiled: RE2JS) {
    this.#compiled = compiled;
  }

  /**
   * Compiles a pattern. `^` and `$` match at the ends of every line, as people who look for something in output expect; `.` matches no
   * newline unless `(?s)` says so. Throws BAD_PATTERN.
   */
  static compile(source: string): Pattern {
    if (source === '') throw new ExpectedError('BAD_PATTERN', 'the pattern is empty', { hint: 'give the text or the regular expression to look for' });
    if (source.length > MAX_CHARACTERS) throw tooLarge(source, `has ${source.length} characters; at most ${MAX_CHARACTERS} are allowed`);
    if (roughSize(source) > MAX_ROUGH_SIZE) throw tooLarge(source, 'is too large with its repetitions written out');
    const compiled = compile(source);
    if (compiled.programSize() > MAX_INSTRUCTIONS) throw tooLarge(source, 'is too large with its repetitions written out');
    return new Pattern(compiled);
  }

  /** Whether there is a match; much faster than to say where. */
  test(text: string): boolean {
    return this.#compiled.test(text);
  }

  /** The first match that begins at `from` or later. What stands before `from` still counts for `^` and `\b`. */
  find(text: string, from = 0): Match | undefined {
    if (!this.test(text)) return undefined;
    const matcher = this.#compiled.matcher(text);
    return matcher.find(from) ? { start: matcher.start(), end: matcher.end() } : undefined;
  }
}

function compile(source: string): RE2JS {
  try {
    return RE2JS.compile(source, RE2JS.MULTILINE);
  } catch (error) {
    if (error instanceof RE2JSException) throw badSyntax(source, error);
    throw error;
  }
}

function tooLarge(source: string, what: string): ExpectedError {
  return new ExpectedError('BAD_PATTERN', `the pattern ${shorten(source)} ${what}`, { hint: 'look for a shorter text that is only in the lines you want' });
}

function badSyntax(source: string, error: RE2JSException): ExpectedError {
  const [reason, part] = error instanceof RE2JSSyntaxException ? [error.getDescription(), error.getPattern()] : [error.message, null];
  const culprit = (part ?? '').replace(/^\(\?m\)/, ''); // the engine writes its flags in front of the whole pattern
  const at = culprit === '' || culprit === source ? -1 : source.indexOf(culprit);
  const place = at === -1 ? '' : ` at character ${at + 1}: ${shorten(culprit)}`;
  const hint = hintFor(source.slice(Math.max(0, at)), reason);
  return new ExpectedError('BAD_PATTERN', `the pattern ${shorten(source)} cannot be used: ${reason}${place}`, hint === undefined ? {} : { hint });
}

/** For what other engines have and this one does not, told by the text at the fault. */
function hintFor(rest: string, reason: string): string | undefined {
  if (/^\(\?<?[=!]/.test(rest)) return 'patterns are RE2 syntax, which has no look-around; match the text around it too, or look for less';
  if (/^(?:\\[1-9]|\\k|\(\?P=)/.test(rest)) return 'patterns are RE2 syntax, which has no back references; write the repeated part out';
  if (/^(?:\(\?>|[*+?}]\+)/.test(rest)) return 'patterns are RE2 syntax, which has no atomic groups and possessive repetitions and needs none: it never backtracks';
  if (/^\\u/.test(rest)) return 'write a character by its code as \\x{20AC}';
  if (/^\\Z/.test(rest)) return 'the end of a line is $, the end of the text is \\z';
  return reason.includes('repeat count') ? 'a repetition counts to 1000 at most, nested ones together' : undefined;
}

/** An escape, a class, a counted repetition, or one character. */
const TOKEN = /\\(?:[pPx]\{[^}]*\}|.)|\[\^?\]?(?:\\.|[^\]\\])*\]|\{(\d+)(,?)(\d*)\}|./gsu;

/** About how many instructions the pattern has when its repetitions are written out, found without writing them out. */
function roughSize(source: string): number {
  const groups = [0];
  let last = 0;
  for (const [token, least, comma, most] of source.matchAll(TOKEN)) {
    const inner = token === ')' && groups.length > 1 ? (groups.pop() ?? 0) : 0;
    const count = least === undefined ? 1 : Math.max(1, Number(comma === '' || most === '' ? least : most));
    const added = least === undefined ? inner + 1 : last * (count - 1);
    if (token === '(') groups.push(0);
    else groups.push((groups.pop() ?? 0) + added);
    last = least === undefined ? added : last * count;
  }
  return groups.reduce((sum, size) => sum + size, 0);
}
