// Slots that are given out in the order in which they were asked for.

interface Waiting {
  readonly grant: () => void;
}

export class Semaphore {
  readonly #slots: number;
  readonly #queue = new Set<Waiting>();
  #taken = 0;

  constructor(slots: number) {
    this.#slots = slots;
  }

  /** Slots that are taken. */
  get active(): number {
    return this.#taken;
  }

  /** How many wait for a slot. */
  get waiting(): number {
    return this.#queue.size;
  }

  /** Takes a slot if one is free and nobody waits for it; whether it did. */
  tryAcquire(): boolean {
    if (this.#taken >= this.#slots) return false;
    this.#taken++;
    return true;
  }

  /** Waits for a slot, behind all who came before. Rejects with the signal's reason when that fires first. */
  acquire(signal?: AbortSignal): Promise<void> {
    if (signal?.aborted === true) return Promise.reject(signal.reason as Error);
    if (this.tryAcquire()) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const waiting = { grant };
      const giveUp = (): void => {
        this.#queue.delete(waiting);
        reject(signal?.reason as Error);
      };
      function grant(): void {
        signal?.removeEventListener('abort', giveUp);
        resolve();
      }
      this.#queue.add(waiting);
      signal?.addEventListener('abort', giveUp, { once: true });
    });
  }

  /** Gives a slot back: the first who waits gets it. Once for each one that was taken; once more is a bug, and throws. */
  release(): void {
    if (this.#taken === 0) throw new Error('a slot was given back that nobody had');
    const [first] = this.#queue;
    if (first === undefined) {
      this.#taken--;
      return;
    }
    this.#queue.delete(first);
    first.grant();
  }
}
