// What a session is made of.
import type { OutputLog } from '../output/log.ts';
import type { StartOptions } from './start.ts';

export interface SessionOptions extends Omit<StartOptions, 'signal'> {
  readonly id: string;
  readonly name: string;
  readonly owner: string;
  /** Given at creation: set after the startup files, too. */
  readonly givenEnv: Readonly<Record<string, string>>;
  readonly createLog: (name: string) => OutputLog;
}
