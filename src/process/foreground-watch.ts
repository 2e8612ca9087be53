// Looks at the foreground of a terminal again and again, for a program that waits for input; cheap while nothing changes.
import { findInputWait } from './input-wait.ts';
import type { WaitFacts } from './input-wait.ts';
import { readProcess, readSmallFile } from './proc.ts';
import type { WatchedProcess } from './proc.ts';
import { RunCounter } from './run-counter.ts';

/** The files of more processes than this are not kept open. */
const MAX_KEPT = 6;
/** What another thread than the first begins to do is found after so many looks. */
const LOOKS_BETWEEN = 20;
/** Processes of one thread show all that they do; to be safe they are looked at anew after so many looks. */
const LOOKS_BETWEEN_SINGLE = 100;
const NONE: WaitFacts = { kind: 'none' };

interface Kept {
  readonly runs: RunCounter;
  pids: readonly number[];
  isSingle: boolean;
}

export class ForegroundWatch {
  readonly #shell: WatchedProcess;
  readonly #terminalPath: string;
  readonly #kept = new Map<number, Kept>();
  /** Since the last full one. */
  #looks = 0;
  #looksBetween = LOOKS_BETWEEN;
  #canSkip = false;
  /** Another group than the shell's has the terminal, led by a child of the shell. */
  #shellRests = false;
  #isClosed = false;

  constructor(shell: WatchedProcess, terminalPath: string) {
    this.#shell = shell;
    this.#terminalPath = terminalPath;
  }

  /**
   * Who waits for input now. 6–12 µs when it is as it was the last time: nobody. A `full` look relies on nothing that was seen before:
   * for the moment after output or input, when another thread than the first may have begun to read.
   */
  look({ full }: { readonly full: boolean } = { full: false }): WaitFacts {
    if (this.#isClosed) return NONE;
    const isUnchanged = this.#isUnchanged();
    if (!full && isUnchanged && this.#canSkip && ++this.#looks < this.#looksBetween) return NONE;
    this.#looks = 0;
    const shell = this.#shell.look();
    this.#shellRests = shell !== undefined && shell.tpgid !== shell.pid && this.#kept.get(shell.pid)?.pids.includes(shell.tpgid) === true;
    const facts = shell === undefined ? NONE : findInputWait(shell, this.#terminalPath);
    this.#canSkip = facts.kind === 'none';
    return facts;
  }

  /** Lets go of the files until the next look. */
  release(): void {
    for (const pid of [...this.#kept.keys()]) this.#forget(pid);
    this.#canSkip = false;
    this.#shellRests = false;
  }

  /** Lets go of the files; nobody waits from now on. */
  close(): void {
    this.#isClosed = true;
    this.release();
  }

  /** Whether the same processes are where they were, as far as their files are kept. */
  #isUnchanged(): boolean {
    let isUnchanged = true;
    let isSingle = true;
    const present = new Set([this.#shell.pid]);
    for (const pid of present) {
      const kept = this.#keep(pid);
      if (pid === this.#shell.pid && this.#shellRests) { // it waits for the foreground, whose end shows in the files of that
        for (const child of kept.pids) present.add(child);
        continue;
      }
      if (kept.runs.hasRun()) {
        isUnchanged = false;
        kept.pids = (readSmallFile(`/proc/${pid}/task/${pid}/children`) ?? '').split(' ').filter((word) => word.trim() !== '').map(Number);
        kept.isSingle = readProcess(pid)?.threads === 1;
      }
      isSingle &&= kept.isSingle;
      for (const child of kept.pids) present.add(child);
      if (present.size > MAX_KEPT) break;
    }
    for (const pid of this.#kept.keys()) if (!present.has(pid)) this.#forget(pid);
    this.#looksBetween = isSingle ? LOOKS_BETWEEN_SINGLE : LOOKS_BETWEEN;
    return isUnchanged && present.size <= MAX_KEPT;
  }

  #keep(pid: number): Kept {
    const known = this.#kept.get(pid);
    if (known !== undefined) return known;
    const kept: Kept = { runs: new RunCounter(pid), pids: [], isSingle: false };
    this.#kept.set(pid, kept);
    return kept;
  }

  #forget(pid: number): void {
    this.#kept.get(pid)?.runs.close();
    this.#kept.delete(pid);
  }
}
