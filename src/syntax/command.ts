// The plain values that reading a script gives: simple commands, and facts that belong to no single command.

export interface Redirection {
  /** `>`, `>>`, `<`, `<<<`, `<<` … as written. */
  readonly operator: string;
  /** The decoded targets that are possible; for a here-document its text. */
  readonly targets: readonly string[];
}

/** What a command reads from its standard input, as far as the script says. */
export interface Input {
  readonly from: 'pipe' | 'text' | 'file';
  /** The texts that are possible, when they are known. */
  readonly texts?: readonly string[] | undefined;
}

/** One simple command that would run, however deep it stands. */
export interface SimpleCommand {
  /** The name without its directory, `rm`; may hold marks. */
  readonly program: string;
  /** The first word, decoded: `/usr/bin/rm`. */
  readonly path: string;
  readonly args: readonly string[];
  /** In front of the command, as `NAME=value`. */
  readonly assignments: readonly string[];
  readonly redirections: readonly Redirection[];
  readonly input: Input | undefined;
  /** The commands before it in its pipeline. */
  readonly upstream: readonly SimpleCommand[];
  /** Programs that were looked through, outermost first: `sudo`, `env`. */
  readonly wrappers: readonly string[];
  /** The texts it was read from, outermost first: `bash -c`, `trap`. Empty for the script itself. */
  readonly origin: readonly string[];
  /** Runs in a container or namespace with files of its own. */
  readonly contained: boolean;
  /** The directories it may run in. */
  readonly directories: readonly string[];
  /** Its part of the text. */
  readonly text: string;
}

export type FactKind =
  | 'syntax-error' | 'limit' | 'control-bytes' | 'cr-lf' | 'reserved-characters' | 'foreign-syntax' | 'fork-bomb' | 'late-evaluation'
  | 'unknown-code' | 'network-code' | 'decoded-code' | 'inline-code' | 'history-expansion' | 'unaccounted';

export interface Fact {
  readonly kind: FactKind;
  /** The part of the text, or what about it. */
  readonly detail: string;
}

export interface Reading {
  readonly commands: readonly SimpleCommand[];
  readonly facts: readonly Fact[];
  /** Names of functions and aliases that the script defines. */
  readonly defined: ReadonlySet<string>;
  /** Where its shell may be afterwards; absent when nothing was read. */
  readonly directories?: readonly string[];
}
