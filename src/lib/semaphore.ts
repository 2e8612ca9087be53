// Slots that are given out in the order in which they were asked for; between several keys, in turns.
import { FairQueue } from './fair-queue.ts';

interface Waiting {
  readonly key: string;
  readonly grant: () => void;
}

export class Semaphore {
  readonly #slots: number;
  readonly #queue = new FairQueue<Waiting>();
  readonly #takenBy = new Map<string, number>();
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

  activeOf(key: string): number {
    return this.#takenBy.get(key) ?? 0;
  }

  waitingOf(key: string): number {
    return this.#queue.sizeOf(key);
  }

  /** Takes a slot if one is free and nobody waits for it; whether it did. */
  tryAcquire(key = ''): boolean {
    if (this.#taken >= this.#slots) return false;
    this.#count(key, 1);
    return true;
  }

  /** Waits for a slot, behind all of its key who came before. Resolves to whether there was none at once; rejects with the signal's reason when that fires first. */
  acquire(signal?: AbortSignal, key = ''): Promise<boolean> {
    if (signal?.aborted === true) return Promise.reject(signal.reason as Error);
    if (this.tryAcquire(key)) return Promise.resolve(false);
    return new Promise((resolve, reject) => {
      const waiting = { key, grant };
      const giveUp = (): void => {
        this.#queue.remove(key, waiting);
        reject(signal?.reason as Error);
      };
      function grant(): void {
        signal?.removeEventListener('abort', giveUp);
        resolve(true);
      }
      this.#queue.add(key, waiting);
      signal?.addEventListener('abort', giveUp, { once: true });
    });
  }

  /** Gives a slot back: the next who waits gets it. Once for each one that was taken; once more is a bug, and throws. */
  release(key = ''): void {
    if (this.activeOf(key) === 0) throw new Error('a slot was given back that nobody had');
    this.#count(key, -1);
    const next = this.#queue.next();
    if (next === undefined) return;
    this.#count(next.key, 1);
    next.grant();
  }

  #count(key: string, change: 1 | -1): void {
    const taken = this.activeOf(key) + change;
    this.#taken += change;
    if (taken === 0) this.#takenBy.delete(key);
    else this.#takenBy.set(key, taken);
  }
}
