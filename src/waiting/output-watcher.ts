// Waits for a pattern in output. How often it looks is bounded, however fast the output comes, and the last chunk is looked at soon.
import { setImmediate } from 'node:timers/promises';
import { ExpectedError } from '../errors.ts';
import type { Pattern } from '../lib/pattern.ts';
import { OutputMatcher } from '../output/matcher.ts';
import type { UntilTarget, Watcher } from './until.ts';

/** Between two looks. Also the longest time that words wait to be seen. */
const INTERVAL_MS = 30;
/** Between two looks at output that comes faster than it is looked at; at least as long as the last look took. */
const BEHIND_MS = 5;
/** How long what a process left behind is looked through. */
const FINISH_MS = 1_000;

export class OutputWatcher implements Watcher {
  readonly #matchers: readonly OutputMatcher[];
  readonly #target: Pick<UntilTarget, 'isFinished'>;
  readonly #satisfied: () => void;
  #timer: NodeJS.Timeout | undefined;
  #checkedAt = 0;
  #isStopped = false;

  constructor({ outputs, isFinished, pattern }: UntilTarget & { readonly pattern: Pattern }, satisfied: () => void) {
    this.#matchers = outputs.map((output) => new OutputMatcher(output, pattern));
    this.#target = { isFinished };
    this.#satisfied = satisfied;
    this.#check();
  }

  outputArrived(): void {
    if (this.#isStopped || this.#timer !== undefined) return;
    const waitMs = this.#checkedAt + INTERVAL_MS - performance.now();
    if (waitMs <= 0) this.#check();
    else this.#checkIn(waitMs);
  }

  async finish(): Promise<void> {
    const deadline = performance.now() + FINISH_MS;
    do {
      this.#check();
      if (this.#isBehind) await setImmediate();
    } while (this.#isBehind && performance.now() < deadline);
    this.stop();
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  get #isBehind(): boolean {
    return !this.#isStopped && this.#matchers.some((matcher) => matcher.isBehind);
  }

  #check(): void {
    if (this.#isStopped) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const startedAt = performance.now();
    const hasMatched = this.#look();
    this.#checkedAt = performance.now();
    if (hasMatched) {
      this.stop();
      this.#satisfied();
    } else if (this.#isBehind) this.#checkIn(Math.max(BEHIND_MS, this.#checkedAt - startedAt));
  }

  /** A log on disk may be unreadable for a moment, for want of a descriptor: the next look reads it. */
  #look(): boolean {
    const isFinished = this.#target.isFinished();
    try {
      return this.#matchers.some((matcher) => matcher.check(isFinished));
    } catch (error) {
      if (error instanceof ExpectedError && error.code === 'RESOURCE_EXHAUSTED') return false;
      throw error;
    }
  }

  #checkIn(waitMs: number): void {
    this.#timer = setTimeout(() => this.#check(), waitMs);
  }
}
