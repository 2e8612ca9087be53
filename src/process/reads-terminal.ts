// Whether a process is blocked reading its standard input, as the kernel says.
import { readFileSync } from 'node:fs';

/** Number of read(2) by architecture; see /proc/PID/syscall in proc_pid_syscall(5). */
const READ: Readonly<Record<string, number>> = { x64: 0, arm64: 63 };

/** Numbers of select(2), pselect6(2), poll(2) and ppoll(2). */
const POLLS: Readonly<Record<string, readonly number[]>> = { x64: [7, 23, 270, 271], arm64: [72, 73] };

/** Whether the number is that of a call by which programs wait for input. */
export function isInputCall(number: number): boolean {
  return number === READ[process.arch] || (POLLS[process.arch] ?? []).includes(number);
}

/** True only when it is known: blocked in read(2) on descriptor 0. False where the kernel does not tell (no /proc, other users). */
export function isReadingStandardInput(pid: number): boolean {
  const [call, descriptor] = systemCallOf(pid);
  return Number(call) === READ[process.arch] && Number(descriptor) === 0;
}

/** Blocked until there is input: reading it, or in a call by which line editors wait for it. False where the kernel does not tell. */
export function isWaitingForInput(pid: number): boolean {
  const [call] = systemCallOf(pid);
  return isReadingStandardInput(pid) || (POLLS[process.arch] ?? []).includes(Number(call));
}

/** Whether the kernel tells what a process is doing: not without /proc, nor of other users' processes. */
export function tellsCalls(pid: number): boolean {
  return systemCallOf(pid).length > 0;
}

function systemCallOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/syscall`, 'latin1').split(' ');
  } catch {
    return []; // gone, another user's, or no /proc
  }
}
