// Whether a process is blocked until there is input, as the kernel says.
import { blockedIn } from './blocked.ts';

const STANDARD_INPUT = 0;

/** True only when it is known: blocked in read(2) on descriptor 0. False where the kernel does not tell (no /proc, other users). */
export function isReadingStandardInput(pid: number): boolean {
  const blocked = blockedIn(pid, pid);
  return blocked.kind === 'read' && blocked.fds.includes(STANDARD_INPUT);
}

/** Reading its standard input, or in a call by which line editors wait for it. False where the kernel does not tell. */
export function isWaitingForInput(pid: number): boolean {
  const blocked = blockedIn(pid, pid);
  return (blocked.kind === 'read' || blocked.kind === 'watch') && blocked.fds.includes(STANDARD_INPUT);
}

/** Whether the kernel tells what a process is doing: not without /proc, nor of other users' processes. */
export function tellsCalls(pid: number): boolean {
  return blockedIn(pid, pid).kind !== 'hidden';
}
