// What a rule is: data with a test, and the examples that prove it.
import type { FactKind, SimpleCommand } from '../syntax/command.ts';
import type { Ground } from './paths.ts';
import type { CommandClass } from './verdict.ts';
import type { WritePlace } from './write-places.ts';

export type Profile = 'standard' | 'strict' | 'open';

/** What rules may ask about besides the command. */
export interface View extends Ground {
  readonly profile: Profile;
  readonly shell: 'bash' | 'zsh' | 'fish' | 'sh';
  /** Names of the files that the script fetches. */
  readonly downloads: ReadonlySet<string>;
  /** Functions and aliases of the script itself. */
  readonly defined: ReadonlySet<string>;
  /** The names of variables with code that were exported before, in this session. */
  readonly remembered: readonly string[];
}

export interface Rule {
  readonly id: string;
  readonly class: Exclude<CommandClass, 'safe'>;
  /** One line for the agent: what would happen, or what to do instead. */
  readonly reason: string;
  /** Stays in the open profile: the machine or a person's files are lost, or the text cannot be read. */
  readonly isGrave?: boolean;
  /** Only in these profiles; in all of them when absent. */
  readonly profiles?: readonly Profile[];
  /** The programs it is about; every command is tried when this and `isAbout` are absent. */
  readonly programs?: readonly string[];
  /** The same, where no list can name them. */
  readonly isAbout?: (program: string) => boolean;
  /** A command is meant that writes to such a place. */
  readonly writes?: WritePlace;
  /** Whether a command is meant. */
  readonly match?: (command: SimpleCommand, view: View) => boolean;
  /** Facts that are not about one command. */
  readonly facts?: readonly FactKind[];
  /** Texts for bash that it matches, in the directory /home/u/proj with home /home/u. */
  readonly examples: readonly string[];
  /** Texts that look like it, and are safe. */
  readonly notExamples: readonly string[];
}

/** What several rules ask of the same command is worked out once: they are tried one after the other, and a command belongs to one view. */
export function once<T>(compute: (command: SimpleCommand, view: View) => T): (command: SimpleCommand, view: View) => T {
  let last: { readonly command: SimpleCommand; readonly value: T } | undefined;
  return (command, view) => {
    if (last?.command !== command) last = { command, value: compute(command, view) };
    return last.value;
  };
}

/** Whether one of these programs was looked through on the way to a command. */
export function isPrivileged(command: SimpleCommand): boolean {
  return command.wrappers.some((wrapper) => PRIVILEGING.includes(wrapper));
}

export const PRIVILEGING: readonly string[] = ['sudo', 'doas', 'su', 'pkexec', 'run0', 'runuser', 'gosu', 'su-exec', 'sudoedit', 'sudo-rs', 'please', 'dzdo', 'pfexec', 'kdesu', 'gksudo', 'gksu'];
