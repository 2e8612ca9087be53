// Slots that are given out in the order in which they were asked for; where several owners wait, in turns to each of them.

interface Waiting {
  readonly grant: () => void;
}

export class Semaphore {
  readonly #slots: number;
  /** Who waits, by owner; the owner whose turn it is comes first. */
  readonly #queues = new Map<string, Set<Waiting>>();
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
    return [...this.#queues.values()].reduce((sum, { size }) => sum + size, 0);
  }

  /** How many of one owner wait. */
  waitingOf(owner: string): number {
    return this.#queues.get(owner)?.size ?? 0;
  }

  /** Takes a slot if one is free and nobody waits for it; whether it did. */
  tryAcquire(): boolean {
    if (this.#taken >= this.#slots) return false;
    this.#taken++;
    return true;
  }

  /** Waits for a slot, behind all of the same owner who came before. Rejects with the signal's reason when that fires first. */
  acquire(signal?: AbortSignal, owner = ''): Promise<void> {
    if (signal?.aborted === true) return Promise.reject(signal.reason as Error);
    if (this.tryAcquire()) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const waiting = { grant };
      const giveUp = (): void => {
        this.#leave(owner, waiting);
        reject(signal?.reason as Error);
      };
      function grant(): void {
        signal?.removeEventListener('abort', giveUp);
        resolve();
      }
      this.#queues.set(owner, (this.#queues.get(owner) ?? new Set()).add(waiting));
      signal?.addEventListener('abort', giveUp, { once: true });
    });
  }

  /** Gives a slot back: the first who waits gets it, of the owner whose turn it is. Once for each one that was taken; once more is a bug, and throws. */
  release(): void {
    if (this.#taken === 0) throw new Error('a slot was given back that nobody had');
    const [next] = this.#queues;
    const [first] = next?.[1] ?? [];
    if (next === undefined || first === undefined) {
      this.#taken--;
      return;
    }
    const [owner, queue] = next;
    this.#queues.delete(owner);
    queue.delete(first);
    if (queue.size > 0) this.#queues.set(owner, queue); // behind the others now
    first.grant();
  }

  #leave(owner: string, waiting: Waiting): void {
    const queue = this.#queues.get(owner);
    queue?.delete(waiting);
    if (queue?.size === 0) this.#queues.delete(owner);
  }
}
