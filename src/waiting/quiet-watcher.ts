// Waits until no output has come for a time.
import type { Watcher } from './until.ts';

export class QuietWatcher implements Watcher {
  readonly #timer: NodeJS.Timeout;
  #isStopped = false;

  constructor(quietMs: number, satisfied: () => void) {
    this.#timer = setTimeout(satisfied, quietMs);
  }

  outputArrived(): void {
    if (!this.#isStopped) this.#timer.refresh(); // it would also start a timer again that was cleared
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }
}
