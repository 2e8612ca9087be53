// Which processes belong to a session, run or task. Identity is pid and start time: numbers are used again.
import { carries, isDead, listProcesses, readProcess } from './proc.ts';
import type { ProcessIdentity, ProcessInfo } from './proc.ts';
import { exhausted } from './start-check.ts';
import type { Tag, TagSpace } from './tag.ts';

/** Everything that one session, run or task started; with the tags of a whole server, everything the server started. */
export interface Target {
  /** Leader of the process group and POSIX session of the same number. */
  readonly leader?: ProcessIdentity;
  /** Also what has left that group: daemons, jobs, nohup, setsid. */
  readonly tag?: Tag | TagSpace;
}

/** The living processes of some targets, over several looks. This process is never one of them. */
export class Members {
  readonly #targets: readonly Target[];
  readonly #spared: ReadonlySet<number>;
  /** Groups seen with their right leader. A number cannot be used again while a member lives, so they stay trusted. */
  readonly #trusted = new Set<number>();

  constructor(targets: readonly Target[], spared: readonly number[] = []) {
    this.#targets = targets;
    this.#spared = new Set([process.pid, ...spared]);
  }

  /**
   * One look at all processes: about 30 µs for each on the machine. What is forked meanwhile may be missed: look twice.
   * Throws RESOURCE_EXHAUSTED when it cannot look: nobody found is no proof then.
   */
  sweep(): ProcessInfo[] {
    const all = listProcesses();
    if (!all.some(({ pid }) => pid === process.pid)) throw exhausted('descriptor', undefined);
    this.#trustGroups();
    return all.filter((info) => !isDead(info) && !this.#spared.has(info.pid) && this.#has(info));
  }

  /** The groups of the targets that are known to be theirs. */
  get groups(): ReadonlySet<number> {
    return this.#trusted;
  }

  #has(info: ProcessInfo): boolean {
    if (this.#trusted.has(info.pgrp) || this.#trusted.has(info.session)) return true;
    return carries(info, (limit) => this.#targets.some(({ tag }) => tag !== undefined && matches(tag, limit)));
  }

  #trustGroups(): void {
    for (const { leader } of this.#targets) {
      if (leader === undefined) continue;
      const now = readProcess(leader.pid);
      if (now === undefined) continue; // reaped: what remains of a group that was never trusted is known by its tag
      if (now.startTime === leader.startTime) this.#trusted.add(leader.pid);
      else this.#trusted.delete(leader.pid); // another process has that number now
    }
  }
}

/** The living processes of one target. Takes two looks' time at most: what is being forked is not missed. */
export function livingMembers(target: Target): ProcessInfo[] {
  const members = new Members([target]);
  const first = members.sweep();
  return first.length > 0 ? first : members.sweep();
}

function matches(tag: Tag | TagSpace, softLimit: bigint): boolean {
  return 'owns' in tag ? tag.owns(softLimit) : tag.value === softLimit;
}
