// Does something again and again, each time a moment after the last try was over.

const PAUSE_MS = 50;

export class Retry {
  readonly #tryOnce: (isOver: () => void) => void;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  /** Makes the first try at once. A try calls `isOver` once, when it has come to nothing. */
  constructor(tryOnce: (isOver: () => void) => void) {
    this.#tryOnce = tryOnce;
    this.#next();
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  #next(): void {
    this.#tryOnce(() => {
      if (!this.#isStopped) this.#timer = setTimeout(() => this.#next(), PAUSE_MS);
    });
  }
}
