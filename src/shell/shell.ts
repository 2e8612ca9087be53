// The shells we know by name.

/** Shells that a session can own. */
export type SessionShellName = 'bash' | 'zsh' | 'fish';
/** Shells that a run or a task can use. */
export type ShellName = SessionShellName | 'sh';

/** A shell found on this machine. */
export interface Shell {
  readonly name: ShellName;
  /** Absolute path of the program. */
  readonly path: string;
}
