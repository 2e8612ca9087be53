// Rules that a person writes into the settings, and the list of programs that alone may run.
import type { SimpleCommand } from '../syntax/command.ts';
import { hasGlob, hasUnknown } from '../syntax/marks.ts';
import type { CommandClass } from './verdict.ts';

export interface UserRule {
  readonly id: string;
  readonly class: CommandClass;
  /** The beginning of a command's words; an element may be a list of alternatives, or `*` for any one word. */
  readonly match: readonly (string | readonly string[])[];
  readonly reason: string;
  readonly examples?: readonly string[];
  readonly notExamples?: readonly string[];
}

/** Whether the words of a command begin as a rule says; a word that is not known never equals one that is. */
export function matchesUserRule({ program, path, args }: SimpleCommand, { match }: UserRule): boolean {
  if (match.length === 0) return false;
  const words = [program, ...args];
  return match.every((expected, index) => {
    const word = words[index];
    if (word === undefined) return false;
    const alternatives = typeof expected === 'string' ? [expected] : expected;
    return alternatives.some((alternative) => alternative === '*' || alternative === word || (index === 0 && alternative === path));
  });
}

/** What the shell itself does, or what only carries another command, needs no place on the list. */
const ALWAYS_ALLOWED = new Set(['', ':', 'true', 'false', 'cd', 'export', 'set', 'unset', 'exit', 'return', 'break', 'continue', 'local', 'declare', 'typeset', 'readonly', 'read', 'shift', 'trap', 'wait', 'test', '[', 'command', 'builtin', 'eval', 'alias', 'begin', 'and', 'or', 'not', 'end']);

/** Whether a command is none of the programs that are allowed. */
export function isNotAllowed({ program, path }: SimpleCommand, allowed: readonly string[], defined: ReadonlySet<string>): boolean {
  if (ALWAYS_ALLOWED.has(program) || (defined.has(program) && path === program)) return false;
  if (hasUnknown(path) || hasGlob(path)) return true;
  return path.includes('/') ? !allowed.includes(path) && !(allowed.includes(program) && /^\/(?:usr\/)?(?:local\/)?s?bin\//.test(path)) : !allowed.includes(program);
}
