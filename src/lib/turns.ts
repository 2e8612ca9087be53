// The turns of what may run at the same time: so many at once, the others in the order in which they came, each owner in turn, and no endless queue.
import { ExpectedError } from '../errors.ts';
import { Semaphore } from './semaphore.ts';

/** Of one owner: more than an agent ever means to have waiting. */
const MAX_QUEUE = 256;

/** Runs and probes share one of these: together they are never more than `max_concurrent`. */
export class Turns {
  readonly max: number;
  readonly #slots: Semaphore;

  constructor(max: number) {
    this.max = max;
    this.#slots = new Semaphore(max);
  }

  /** How many run and how many wait. */
  get load(): { readonly active: number; readonly queued: number } {
    return { active: this.#slots.active, queued: this.#slots.waiting };
  }

  /** How many of one owner wait. */
  queuedOf(owner: string): number {
    return this.#slots.waitingOf(owner);
  }

  /** Waits for a turn; `end` gives it back. Rejects with QUEUE_FULL, or with the signal's reason when that fires first. */
  async take(signal?: AbortSignal, owner = ''): Promise<void> {
    const queued = this.queuedOf(owner);
    if (queued >= MAX_QUEUE) {
      const { active } = this.load;
      const hint = 'wait for running commands to end, use task_spawn for what takes long, or raise the setting max_concurrent';
      throw new ExpectedError('QUEUE_FULL', `${active} commands run (max_concurrent) and ${queued} wait for their turn`, { hint });
    }
    await this.#slots.acquire(signal, owner);
  }

  /** Once for each turn that was taken. */
  end(): void {
    this.#slots.release();
  }
}
