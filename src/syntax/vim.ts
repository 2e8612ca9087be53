// What vim and its kin are told to run by -c, --cmd and `+`.
import type { Inner } from './inner.ts';
import { parseArguments } from './options.ts';

/** `:!command`, also behind another command, or as what :execute is given. */
const SHELL = /(?:^|\|)\s*:*\s*(?:sil\w*!?\s+|%|\.|r(?:ead)?\s*|w(?:rite)?\s*)*!(.*)$/s;
const TERMINAL = /(?:^|\|)\s*:*\s*te(?:rm\w*)?!?\s+(.*)$/s;
const EXECUTED = /\bexe\w*\s+["']\s*(?:r|w|%|sil\w*)*\s*!([^"']*)/s;

export function vim(args: readonly string[]): Inner[] {
  const parsed = parseArguments(args, { values: 'cSuUtTwWid', longValues: ['cmd'], stopsAtOperand: false });
  const commands = [...parsed.options.flatMap(({ name, value }) => ((name === 'c' || name === 'cmd') && value !== undefined ? [value] : [])), ...args.filter((arg) => arg.startsWith('+')).map((arg) => arg.slice(1))];
  return commands.flatMap((command): Inner[] => {
    const shell = (SHELL.exec(command) ?? TERMINAL.exec(command) ?? EXECUTED.exec(command))?.[1];
    // what an editor is told may go on after the command: it is never quite known
    if (shell !== undefined) return [{ kind: 'code', code: shell, name: 'vim :!', isProcess: true }, { kind: 'inline', language: 'vim', code: 'eval(' }];
    return /system|lua|python|perl|ruby|exec/.test(command) ? [{ kind: 'inline', language: 'vim', code: command }] : [];
  });
}
