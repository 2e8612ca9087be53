// A fault of ours in a call: its stack goes to the log, and the caller gets a number that leads to it.
import { randomBytes } from 'node:crypto';
import { ExpectedError } from '../errors.ts';
import type { Log } from '../lib/logger.ts';

/** The error to answer with. `where`: the tool, or what else was asked for. */
export function incident(error: unknown, where: string, log: Log): ExpectedError {
  const id = randomBytes(4).toString('hex');
  log(`incident ${id} in ${where}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  return new ExpectedError('INTERNAL', `an unexpected fault in ${where}, incident ${id}`, { cause: error });
}
