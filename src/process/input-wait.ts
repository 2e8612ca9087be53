// Whether the foreground of a terminal is blocked on input from it, as the kernel says: no guess from what was printed.
import { readdirSync } from 'node:fs';
import { blockedIn } from './blocked.ts';
import { groupMembers, isDead, readProcess, readSmallFile } from './proc.ts';
import type { ProcessInfo } from './proc.ts';
import { isSelfWake, targetOf } from './self-wake.ts';

export interface InputWait {
  readonly pid: number;
  /** The kernel's name of the program. */
  readonly program: string;
  /** The same for two looks only if the thread has not run in between. */
  readonly stamp: string;
}

/** `hidden`: a program whose calls are not ours to see (sudo, su) has the terminal. */
export type WaitFacts = ({ readonly kind: 'waiting' } & InputWait) | ({ readonly kind: 'hidden' } & InputWait) | { readonly kind: 'none' };

/** More threads or processes than this have other things to do than wait for a person. */
const MAX_THREADS = 64;
const MAX_PROCESSES = 256;
const NONE: WaitFacts = { kind: 'none' };

type Verdict = { readonly kind: 'waiting'; readonly thread: string } | { readonly kind: 'hidden' | 'none' };

/**
 * Looks at the members of the terminal's foreground group, the leader first, for one that waits for the terminal and for nothing
 * else that could go on without it. `shell` is as of now. Takes 30–60 µs for a shell and its program.
 */
export function findInputWait(shell: ProcessInfo, terminalPath: string): WaitFacts {
  if (shell.tpgid <= 0) return NONE;
  let hidden: WaitFacts = NONE;
  for (const member of groupOf(shell)) {
    if (isDead(member) || member.state === 'T' || member.state === 't') continue;
    const verdict = verdictOn(member, terminalPath);
    if (verdict.kind === 'waiting') return { kind: 'waiting', pid: member.pid, program: member.comm, stamp: stampOf(member.pid, verdict.thread) };
    if (verdict.kind === 'hidden' && hidden.kind === 'none') hidden = { kind: 'hidden', pid: member.pid, program: member.comm, stamp: `${member.pid}` };
  }
  return hidden;
}

/** The foreground group among the shell and its descendants; its leader, which usually is the one, comes first. */
function* groupOf(shell: ProcessInfo): Generator<ProcessInfo> {
  const group = shell.tpgid;
  const leader = group === shell.pid ? shell : readProcess(group);
  if (leader?.pgrp === group) yield leader;
  const queue = [shell];
  const seen = new Set([group]);
  let found = leader === undefined ? 0 : 1;
  for (let parent = queue.shift(); parent !== undefined && seen.size < MAX_PROCESSES; parent = queue.shift()) {
    for (const pid of childrenOf(parent)) {
      const info = pid === group ? leader : readProcess(pid);
      if (info === undefined) continue;
      queue.push(info);
      if (seen.has(pid)) continue;
      seen.add(pid);
      if (info.pgrp !== group) continue;
      found++;
      yield info;
    }
  }
  if (found === 0) yield* groupMembers(group); // all of them are orphans
}

function childrenOf(parent: ProcessInfo): number[] {
  return threadsOf(parent).flatMap((thread) => (readSmallFile(`/proc/${parent.pid}/task/${thread}/children`) ?? '').split(' ').filter((word) => word.trim() !== '').map(Number));
}

/**
 * A first thread that waits for the terminal alone is enough, unless another one computes. Where another thread does it, the rest must
 * not serve anybody: a server that also listens to keys is at work.
 */
function verdictOn(member: ProcessInfo, terminalPath: string): Verdict {
  const { pid } = member;
  let waiting: string | undefined;
  let isAtWork = false;
  for (const thread of threadsOf(member)) {
    const blocked = blockedIn(pid, thread);
    if (blocked.kind === 'hidden' || blocked.kind === 'running') return { kind: blocked.kind === 'hidden' ? 'hidden' : 'none' };
    if (blocked.kind === 'other') continue;
    const waitsForTerminal = blocked.fds.some((fd) => isTerminal(targetOf(pid, fd), terminalPath));
    const sources = [...blocked.fds, ...blocked.outputs].map((fd) => ({ fd, target: targetOf(pid, fd) }));
    if (waitsForTerminal && sources.every((source) => isTerminal(source.target, terminalPath) || isSelfWake(pid, source))) waiting ??= thread;
    else if (sources.some(({ target }) => target.startsWith('socket:'))) isAtWork = true;
  }
  if (waiting === undefined || (isAtWork && waiting !== String(pid))) return { kind: 'none' };
  return { kind: 'waiting', thread: waiting };
}

/** /dev/tty is another name of the controlling terminal, which in a session is this one. */
function isTerminal(target: string, terminalPath: string): boolean {
  return target === terminalPath || target === '/dev/tty';
}

/** A thread that has run has given the processor away once more. */
function stampOf(pid: number, thread: string): string {
  const status = readSmallFile(`/proc/${pid}/task/${thread}/status`) ?? '';
  return `${pid} ${thread} ${/^voluntary_ctxt_switches:\s*(\d+)/m.exec(status)?.[1] ?? ''}`;
}

function threadsOf({ pid, threads }: ProcessInfo): string[] {
  if (threads === 1) return [String(pid)]; // the most common, and told without a look into the folder
  try {
    return readdirSync(`/proc/${pid}/task`).slice(0, MAX_THREADS);
  } catch {
    return []; // gone
  }
}
