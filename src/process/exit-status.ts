// How a process ended, and the number a shell would show for it.
import { constants } from 'node:os';

export type ExitStatus =
  | { readonly kind: 'exited'; readonly code: number }
  | { readonly kind: 'signaled'; readonly signal: NodeJS.Signals };

/** The status as a shell reports it: 128 + N for signal N (POSIX XCU 2.8.2 asks for more than 128; all three shells use 128 + N). */
export function exitCodeOf(status: ExitStatus): number {
  if (status.kind === 'exited') return status.code;
  return 128 + (constants.signals[status.signal] ?? 0);
}

/**
 * The status of wait(2) as code and signal number, 0 for none. A signal without a name (real-time ones) becomes the code
 * that a shell would show for it.
 */
export function statusOf(code: number, signal: number): ExitStatus {
  if (signal === 0) return { kind: 'exited', code };
  const name = signalName(signal);
  return name === undefined ? { kind: 'exited', code: 128 + signal } : { kind: 'signaled', signal: name };
}

/** The name of a signal number, e.g. SIGKILL of 9; undefined for one this system does not name. */
export function signalName(number: number): NodeJS.Signals | undefined {
  for (const [name, value] of Object.entries(constants.signals)) {
    if (value === number && isSignal(name)) return name;
  }
  return undefined;
}

function isSignal(name: string): name is NodeJS.Signals {
  return name in constants.signals;
}
