// Ends everything that a session, run or task started: polite signals, a grace period, SIGKILL, and the proof.
import { setTimeout as sleep } from 'node:timers/promises';
import { Members } from './members.ts';
import type { Target } from './members.ts';
import { isLiving } from './proc.ts';
import type { ProcessInfo } from './proc.ts';

export interface NamedProcess {
  readonly pid: number;
  readonly name: string;
}

export interface Termination {
  /** The strongest signal that was needed; undefined when nothing was alive. */
  readonly signal: 'SIGTERM' | 'SIGKILL' | undefined;
  /** What was alive and is gone. */
  readonly killed: readonly NamedProcess[];
  /** What SIGKILL did not end within a second: another user's (sudo), or stuck in the kernel. */
  readonly survivors: readonly NamedProcess[];
}

export interface TerminateOptions {
  /** How long processes may take to end by themselves. */
  readonly graceMs: number;
  /** Sent one after the other, then SIGCONT; SIGTERM when absent. An interactive shell ignores SIGTERM and goes by SIGHUP. */
  readonly first?: readonly NodeJS.Signals[];
  /** Tagged like the rest, but not to be touched. */
  readonly spared?: readonly number[];
}

/** For processes that even SIGKILL leaves; the others are gone in a few milliseconds. */
const KILL_LIMIT_MS = 1_000;
const FIRST_POLL_MS = 2;
const LAST_POLL_MS = 20;

/**
 * Ends all members of the targets. Is over when two looks in a row have found nobody, or when SIGKILL does not help.
 * Throws RESOURCE_EXHAUSTED when there is no descriptor to look with.
 */
export async function terminate(target: Target | readonly Target[], options: TerminateOptions): Promise<Termination> {
  const ending = new Ending(new Members('length' in target ? target : [target], options.spared));
  if (ending.isOver()) return ending.result(undefined);
  const isPolite = await ending.end([...(options.first ?? ['SIGTERM']), 'SIGCONT'], options.graceMs); // a stopped process cannot act on SIGTERM
  if (isPolite) return ending.result('SIGTERM');
  await ending.end(['SIGKILL'], KILL_LIMIT_MS);
  return ending.result('SIGKILL');
}

/** Signals a process group if its leader is still the process it was; false when there is no such group any more. */
export function signalGroup(leader: Target['leader'], signal: NodeJS.Signals): boolean {
  if (leader === undefined || !isLiving(leader)) return false;
  return send(-leader.pid, signal);
}

/** One termination: who was seen, and who is still there. */
class Ending {
  readonly #members: Members;
  readonly #seen = new Map<number, ProcessInfo>();
  #living: readonly ProcessInfo[] = [];

  constructor(members: Members) {
    this.#members = members;
  }

  /** Two looks in a row find nobody. */
  isOver(): boolean {
    return this.#look().length === 0 && this.#look().length === 0;
  }

  /** Sends the signals, to late comers too; whether all members were gone in time. */
  async end(signals: readonly NodeJS.Signals[], limitMs: number): Promise<boolean> {
    const deadline = performance.now() + limitMs;
    const isKill = signals.includes('SIGKILL');
    this.#signalAll(signals);
    for (let pollMs = FIRST_POLL_MS; ; pollMs = Math.min(pollMs * 2, LAST_POLL_MS)) {
      const known = new Set(this.#seen.keys());
      await sleep(Math.min(pollMs, Math.max(0, deadline - performance.now()))); // the kernel has no event for "all are gone"
      const isWaiting = performance.now() < deadline;
      if (isWaiting && !isKill && this.#living.some(isLiving)) continue; // a few reads instead of a look at every process
      if (this.isOver()) return true;
      if (!isWaiting) return false;
      // late comers; and who has left the group between the look and the signal is not caught by the first SIGKILL
      for (const { pid } of this.#living) if (isKill || !known.has(pid)) signalOne(pid, signals);
    }
  }

  result(signal: Termination['signal']): Termination {
    const survivors = new Set(this.#living.map(({ pid }) => pid));
    const killed = [...this.#seen.values()].filter(({ pid }) => !survivors.has(pid));
    return { signal, killed: killed.map(named), survivors: this.#living.map(named) };
  }

  #look(): readonly ProcessInfo[] {
    this.#living = this.#members.sweep();
    for (const info of this.#living) this.#seen.set(info.pid, info);
    return this.#living;
  }

  /** A whole group at once, so that nobody forks out of it meanwhile; the others one by one. */
  #signalAll(signals: readonly NodeJS.Signals[]): void {
    const groups = new Set(this.#living.map(({ pgrp }) => pgrp).filter((pgrp) => this.#members.groups.has(pgrp)));
    for (const group of groups) signalOne(-group, signals);
    for (const { pid, pgrp } of this.#living) if (!groups.has(pgrp)) signalOne(pid, signals);
  }
}

function named({ pid, comm }: ProcessInfo): NamedProcess {
  return { pid, name: comm };
}

function signalOne(pid: number, signals: readonly NodeJS.Signals[]): void {
  for (const signal of signals) send(pid, signal);
}

function send(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false; // ESRCH: gone meanwhile; EPERM: another user's, reported as a survivor
  }
}
