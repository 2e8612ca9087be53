// Programs on a terminal that do and do not wait for input from it, and a look at them as a session has it.
import { statSync } from 'node:fs';
import { onTestFinished, test } from 'vitest';
import { blockedIn } from '../../src/process/blocked.ts';
import { findInputWait, type WaitFacts } from '../../src/process/input-wait.ts';
import { isDead, listProcesses, readProcess, type ProcessInfo } from '../../src/process/proc.ts';
import type { PtyOptions } from '../../src/process/pty.ts';
import { findProgram } from '../support/shells.ts';
import { openPty, script, type OpenPty } from './support.ts';

/** One line of bash: the last program of it replaces the bash. */
export interface TerminalProgram {
  readonly command: string;
  /** The kernel's name of the process that matters. */
  readonly program: string;
  /** What must be on this machine, where it is another name. */
  readonly needs?: string;
}

export interface WaitingProgram extends TerminalProgram {
  /** What it reads, to wait again. Without it the program ends, or waits for something else then. */
  readonly again?: string;
}

export interface WorkingProgram extends TerminalProgram {
  /** How it is found when it has come so far that its looks count. */
  readonly doing?: Doing;
  /** What it has printed by then. */
  readonly prints?: string;
}

export type Doing = 'read' | 'watch' | 'other' | 'running' | 'hidden' | 'stopped' | 'dead';

/** A test of a program that may be missing here: a skipped one that names it. */
export function testProgram<P extends TerminalProgram>(programs: readonly P[], title: (row: P) => string, run: (row: P) => Promise<void>): void {
  for (const row of programs) {
    const needs = row.needs ?? row.program;
    if (findProgram(needs) === undefined) test.skip(`${oneLine(title(row))} (${needs} is not on this machine)`, () => {});
    else test(oneLine(title(row)), () => run(row));
  }
}

function oneLine(title: string): string {
  return title.replaceAll('\n', '; ');
}

export interface Watched extends OpenPty {
  look(): WaitFacts;
  type(text: string): void;
  /** What a program on the terminal is doing; undefined when there is none of that name. */
  doing(program: string): Doing | undefined;
}

/** A terminal with a program in it, closed when the test is over. */
export function watch(command: string, options: Partial<PtyOptions> = {}): Watched {
  const terminal = openPty({ ...script(command), ...options });
  const { pty } = terminal;
  onTestFinished(() => pty.close());
  return {
    ...terminal,
    look: () => findInputWait(leaderOf(terminal), pty.terminalPath),
    type: (text) => void pty.write(Buffer.from(text)),
    doing: (program) => {
      const found = listProcesses().filter(({ session, comm }) => session === pty.pid && comm === program);
      const last = found.at(-1);
      return last === undefined ? undefined : doingOf(found.find(isDead) ?? last);
    },
  };
}

/** The leader as of now, or as it was when it is gone: looks may not throw then. */
export function leaderOf({ pty }: OpenPty): ProcessInfo {
  return readProcess(pty.pid) ?? { ...pty.leader, state: 'X', ppid: 0, pgrp: pty.pid, session: pty.pid, tpgid: pty.pid, threads: 1, comm: '', cpuMs: 0 };
}

function doingOf(info: ProcessInfo): Doing {
  if (isDead(info)) return 'dead';
  return info.state === 'T' ? 'stopped' : blockedIn(info.pid, info.pid).kind;
}

/** python3 with a program of a few lines, as one word of bash. */
export function python(...lines: readonly string[]): string {
  return `python3 -c '${lines.join('\n')}'`;
}

/** node with a program of a few lines, as one word of bash. */
export function node(...lines: readonly string[]): string {
  return `node -e '${lines.join('\n')}'`;
}

const NOBODY = 65_534;

/** Looks with the rights of an ordinary user, also when root runs the tests. */
export function asNobody<T>(look: () => T): T {
  if (process.geteuid?.() !== 0) return look();
  process.seteuid?.(NOBODY);
  try {
    return look();
  } finally {
    process.seteuid?.(0);
  }
}

/** A process that is not of the user who looks asNobody(): the first of all, or none where that is a user's own. */
export function otherUsersProcess(): number | undefined {
  return statSync('/proc/1').uid === (process.geteuid?.() || NOBODY) ? undefined : 1;
}
