// What a caller should know about a command beyond its result.
import { outputTargets } from '../process/proc.ts';
import type { Job } from '../shell/jobs.ts';
import type { Command } from './command.ts';
import type { ShellState } from './shell-state.ts';

/** Those of the jobs that live and write to the terminal: asked before a command starts, since they may end while it runs. */
export function jobsWritingTo(terminalPath: string, jobs: readonly Job[]): Job[] {
  return jobs.filter(({ pid, state }) => state === 'running' && outputTargets(pid).includes(terminalPath));
}

/**
 * What background jobs write to the same terminal cannot be told from the command's output. A job that was only just started
 * when the command began may have sent its output elsewhere since.
 */
export function mixedOutput({ log, writingJobs }: Command, terminalPath: string | undefined): string[] {
  const writers = log.length === 0 ? [] : writingJobs.filter(({ pid }) => {
    const targets = outputTargets(pid);
    return targets.length === 0 || terminalPath === undefined || targets.includes(terminalPath);
  });
  if (writers.length === 0) return [];
  const names = writers.map(({ job, pid, command: text }) => `[${job}] ${text} (${pid})`).join(', ');
  return [`a background job may have written into this output: ${names}`];
}

/** Ctrl-Z ends a command for the shell, and fish then says 0: what is stopped is named. */
export function stoppedJobs(before: ShellState | undefined, command: Command): string[] {
  const known = new Set((before?.jobs() ?? []).filter(({ state }) => state === 'stopped').map(({ pid }) => pid));
  const stopped = (command.background ?? []).filter(({ pid, state }) => state === 'stopped' && !known.has(pid));
  return stopped.map(({ job, pid, command: text }) => `stopped, not ended: [${job}] ${text} (${pid}); fg or bg lets it go on`);
}

/** A shell with jobs refuses `exit` once and forgets it at its next prompt, which comes after every command here. */
export function refusedExit(command: Command, exitCode: number): string[] {
  const hasJobs = (command.background ?? []).length > 0;
  if (!hasJobs || exitCode === 0 || !/(?:^|[\s;&|])(?:exit|logout)\b/.test(command.text)) return [];
  return ['the shell refused to exit because it has jobs; session_destroy ends it and everything that it started'];
}
