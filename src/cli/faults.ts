// What a server does about its own bugs.
import type { Log } from '../lib/logger.ts';

const FAULT_STATUS = 1;

/** A call that goes wrong harms no other; after anything else nobody knows what still holds, and the server ends. */
export function handleFaults(log: Log, end: (status: number) => void): void {
  process.stderr.on('error', () => {}); // nobody reads it any more, which is no reason to end
  process.on('unhandledRejection', (reason) => log(`fault: ${stackOf(reason)}`)); // one call went wrong; the sessions are fine
  process.on('uncaughtException', (error) => {
    log(`fault, the server ends: ${stackOf(error)}`);
    end(FAULT_STATUS);
  });
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
