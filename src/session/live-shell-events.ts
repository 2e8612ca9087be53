// What a live shell is made of, takes and tells.
import type { ExitStatus } from '../process/exit-status.ts';
import type { MarkKey } from '../shell/mark.ts';
import type { ShellReport } from '../shell/report.ts';
import type { SessionShellName } from '../shell/shell.ts';
import type { CompanionName } from './command-files.ts';

export interface LiveShellOptions {
  readonly shell: SessionShellName;
  readonly path: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly cols: number;
  readonly rows: number;
  /** The session's private folder. */
  readonly dir: string;
  /** Makes that folder again: cleaning programs, and the system at a logout, remove what they take for forgotten. */
  makeDir(): void;
  /** Key of the report that ends the start. */
  readonly key: MarkKey;
}

export interface LiveShellEvents {
  /** The text of the submitted command begins to run. */
  onStarted(): void;
  /** Output of the command that runs. */
  onOutput(bytes: Buffer): void;
  /** What comes while no command runs: startup files, prompts, late output of background jobs. */
  onBetween(bytes: Buffer): void;
  /** The start or a command is over and the shell is ready. The report is missing when it could not be written; `cpuMs` is what the
   * shell and its ended children have used meanwhile. */
  onFinished(exitCode: number, report: ShellReport | undefined, cpuMs: number): void;
  /** The shell reads on, but its functions of ours are gone (`unset -f`): the line was read and nothing has run, or its end was not told. */
  onLost(hasRun: boolean): void;
  /** The shell is gone, and all that it wrote has been told. */
  onEnded(status: ExitStatus): void;
}

/** The text of a command on its way in. */
export interface Submission {
  readonly key: MarkKey;
  readonly text: string;
  /** What goes with it, by the name of its file. */
  readonly companions: Readonly<Partial<Record<CompanionName, string>>>;
  /** What is typed, with its newline. */
  readonly line: string;
}
