// The foreground process group of a session's terminal: who gets what is typed, and whom an interruption is for.
import type { ProcessIdentity, ProcessInfo } from './proc.ts';
import { groupMembers, isLiving, readProcess } from './proc.ts';

/**
 * The terminal's foreground process group (field tpgid of /proc/PID/stat, POSIX tcgetpgrp) as seen from the shell that leads
 * the terminal's POSIX session; undefined when the shell is gone.
 */
export function foregroundGroup(shell: ProcessIdentity): number | undefined {
  const info = readProcess(shell.pid);
  if (info === undefined || info.startTime !== shell.startTime) return undefined;
  return info.tpgid;
}

/** Whether the shell itself has the terminal: it is at its prompt, or runs a builtin. */
export function isShellInForeground(shell: ProcessIdentity): boolean {
  return foregroundGroup(shell) === shell.pid;
}

/** The living members of the foreground group. */
export function foregroundMembers(shell: ProcessIdentity): ProcessInfo[] {
  const group = foregroundGroup(shell);
  return group === undefined || group <= 0 ? [] : groupMembers(group);
}

/**
 * Sends a signal to the foreground group; false when there is none to be had. The shell's own group gets nothing but SIGINT:
 * the shell is never killed. SIGCONT follows SIGTERM, which a stopped process would not see otherwise.
 */
export function signalForeground(shell: ProcessIdentity, signal: NodeJS.Signals): boolean {
  if (!isLiving(shell)) return false;
  const group = foregroundGroup(shell);
  if (group === undefined || group <= 1) return false;
  if (group === shell.pid && signal !== 'SIGINT') return false;
  if (!isSent(-group, signal)) return false;
  if (signal === 'SIGTERM') isSent(-group, 'SIGCONT'); // it may be gone already
  return true;
}

/** Lets a stopped shell go on (`kill -STOP $$`): until then it sees nothing of an interruption. */
export function continueShell(shell: ProcessIdentity): void {
  if (isLiving(shell) && readProcess(shell.pid)?.state === 'T') isSent(shell.pid, 'SIGCONT');
}

function isSent(target: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(target, signal);
  } catch {
    return false; // ESRCH: it ended meanwhile; EPERM: a setuid program
  }
}
