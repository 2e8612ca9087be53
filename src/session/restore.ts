// How a new shell takes over from an ended one, and what it cannot take over.
import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ExitStatus } from '../process/exit-status.ts';
import { writePrivate } from '../process/private-file.ts';
import { takeOverScript } from '../shell/environment-script.ts';
import type { ShellState } from './shell-state.ts';
import type { SessionOptions } from './options.ts';

/** The shell that ended. */
export interface Outgoing {
  readonly status: ExitStatus;
  /** As of its last prompt. */
  readonly state: ShellState | undefined;
  readonly exportedAtStart: ReadonlyMap<string, string>;
}

export interface TakeOver {
  readonly cwd: string;
  /** Given when cwd is the directory that was allowed, and not where commands have led. */
  readonly realCwd?: string;
  readonly warnings: readonly string[];
}

/** Writes the script that the new shell's integration sources after the startup files, and says where the shell starts. */
export function prepareTakeOver(options: SessionOptions, outgoing: Outgoing | undefined): TakeOver {
  const given = new Map(Object.entries(options.givenEnv));
  const state = outgoing?.state;
  if (outgoing === undefined || state === undefined) {
    if (given.size > 0) writeScript(options, takeOverScript(options.shell.name, given, []));
    return { cwd: options.cwd, realCwd: options.cwd, warnings: [] };
  }
  const dropped = [...outgoing.exportedAtStart.keys()].filter((name) => !state.exported.has(name));
  const umask = state.umask === undefined ? '' : `umask ${state.umask.toString(8).padStart(4, '0')}\n`;
  writeScript(options, takeOverScript(options.shell.name, state.exported, dropped) + umask);
  const cwd = nearestFolder(state.cwd, options.cwd);
  return { cwd, warnings: [describeLoss(outgoing.status, cwd, state.cwd)] };
}

function writeScript({ dir }: SessionOptions, text: string): void {
  writePrivate(join(dir, 'restore'), text);
}

function describeLoss(status: ExitStatus, cwd: string, lastCwd: string): string {
  const how = status.kind === 'signaled' ? `was ended by ${status.signal}` : `ended with exit code ${status.code}`;
  const where = cwd === lastCwd ? cwd : `${cwd}, since ${lastCwd} is gone`;
  return `the shell ${how}; a new one was started in ${where} with the exported variables and umask of its last prompt; gone are other variables, functions, aliases, options and the job table`;
}

/** The folder, or the nearest above it that is there, but not the root of all. */
function nearestFolder(path: string, fallback: string): string {
  if (path === '/') return path;
  for (let folder = path; folder !== '/' && folder !== '.'; folder = dirname(folder)) {
    if (isFolder(folder)) return folder;
  }
  return fallback;
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
