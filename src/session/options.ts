// What a session is made of.
import type { OutputLog } from '../output/log.ts';
import type { ExitStatus } from '../process/exit-status.ts';
import type { StartOptions } from './start.ts';

export interface SessionOptions extends Omit<StartOptions, 'signal'> {
  readonly id: string;
  readonly name: string;
  readonly owner: string;
  /** Given at creation: set after the startup files, too. */
  readonly givenEnv: Readonly<Record<string, string>>;
  /** The shell has ended by itself, there. */
  readonly onShellEnded?: (status: ExitStatus, cwd: string) => void;
  readonly createLog: (name: string) => OutputLog;
}
