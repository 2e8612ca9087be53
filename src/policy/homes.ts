// Where `~` and $HOME may lead: beside the home directory that is known, those that the environment or the text itself gives.
import type { Reading, SimpleCommand } from '../syntax/command.ts';
import { hasUnknown, UNKNOWN } from '../syntax/marks.ts';
import { assignmentsOf } from './rules-environment.ts';

/** Nobody has more; what goes beyond may lead anywhere. */
const MAX_HOMES = 4;
const NONE: readonly string[] = [];

/** The other homes of a text; `given` is the value of HOME where it runs. */
export function otherHomes(text: string, { commands }: Reading, { home, given }: { readonly home: string; readonly given?: string | undefined }): readonly string[] {
  const givesHome = text.includes('HOME');
  if (given === undefined && !givesHome) return NONE;
  const homes = new Set(given === undefined ? [] : [given]);
  if (givesHome) for (const command of commands) for (const other of homesGivenBy(command)) homes.add(other);
  homes.delete(home);
  return homes.size > MAX_HOMES ? [UNKNOWN] : [...homes];
}

function homesGivenBy(command: SimpleCommand): readonly string[] {
  if (command.program === 'unset' && command.args.includes('HOME')) return [''];
  if (command.program === 'set' && command.args.includes('HOME') && command.args.some((arg) => /^-\w*e/.test(arg))) return ['']; // fish
  return assignmentsOf(command).flatMap(([name, value]) => (name === 'HOME' ? [hasUnknown(value) ? UNKNOWN : value] : []));
}
