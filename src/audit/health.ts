// What the disk refuses, by what was asked of it: counted, kept for `status`, and told once when it begins and once when it is over.
import type { Log } from '../lib/logger.ts';
import { describeProblem, type Problem } from './problem.ts';

/** Writing lines; waiting for the disk; looking after closed segments. */
export type Activity = 'write' | 'sync' | 'upkeep';

const WORDS: Readonly<Record<Activity, string>> = {
  write: 'the audit log cannot be written',
  sync: 'the audit log cannot be brought to the disk',
  upkeep: 'closed files of the audit log cannot be looked after',
};

export class Health {
  readonly #log: Log;
  readonly #problems = new Map<Activity, Problem>();
  #failed = 0;

  constructor(log: Log) {
    this.#log = log;
  }

  /** The one that matters most; undefined when all is well. */
  get problem(): Problem | undefined {
    return this.#problems.get('write') ?? this.#problems.get('sync') ?? this.#problems.get('upkeep');
  }

  /** How often the disk has refused something. */
  get failed(): number {
    return this.#failed;
  }

  onFailure(activity: Activity, error: unknown): Problem {
    const problem = describeProblem(error);
    this.#failed += 1;
    if (this.#problems.get(activity)?.code !== problem.code) this.#log(`${WORDS[activity]}: ${problem.message}`);
    this.#problems.set(activity, problem);
    return problem;
  }

  onSuccess(activity: Activity): void {
    if (this.#problems.delete(activity)) this.#log(`${WORDS[activity].replace(' cannot be ', ' can be ')} again`);
  }
}
