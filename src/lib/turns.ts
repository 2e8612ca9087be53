// The turns of what may run at the same time: so many at once, the others in the order in which they came, the owners in turns, and no endless queue.
import { ExpectedError } from '../errors.ts';
import { Semaphore } from './semaphore.ts';

/** More than an agent ever means to have waiting. */
const MAX_QUEUE = 256;

export interface Load {
  readonly active: number;
  readonly queued: number;
}

/** Runs and probes of all owners share one of these: together they are never more than `max_concurrent`. */
export class Turns {
  readonly max: number;
  readonly #slots: Semaphore;

  constructor(max: number) {
    this.max = max;
    this.#slots = new Semaphore(max);
  }

  /** How many run and how many wait, of all owners. */
  get load(): Load {
    return { active: this.#slots.active, queued: this.#slots.waiting };
  }

  /** Those that one owner takes. */
  of(owner: string): OwnTurns {
    return new OwnTurns(owner, this.max, this.#slots);
  }
}

export class OwnTurns {
  readonly max: number;
  readonly #owner: string;
  readonly #slots: Semaphore;

  constructor(owner: string, max: number, slots: Semaphore) {
    this.#owner = owner;
    this.max = max;
    this.#slots = slots;
  }

  /** How many of the owner's run and how many wait. */
  get load(): Load {
    return { active: this.#slots.activeOf(this.#owner), queued: this.#slots.waitingOf(this.#owner) };
  }

  /** Waits for a turn; `end` gives it back. Resolves to whether there was none at once. Rejects with QUEUE_FULL, or with the signal's reason when that fires first. */
  async take(signal?: AbortSignal): Promise<boolean> {
    const { queued } = this.load;
    if (queued >= MAX_QUEUE) {
      const hint = 'wait for running commands to end, use task_spawn for what takes long, or raise the setting max_concurrent';
      throw new ExpectedError('QUEUE_FULL', `${this.#slots.active} commands run (max_concurrent) and ${queued} wait for their turn`, { hint });
    }
    return this.#slots.acquire(signal, this.#owner);
  }

  /** Once for each turn that was taken. */
  end(): void {
    this.#slots.release(this.#owner);
  }
}
