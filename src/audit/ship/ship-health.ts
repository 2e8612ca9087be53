// How it goes with one place: counted, kept for `status`, and told on the log once when it begins to fail, once when it is over, and when entries are lost.
import type { Log } from '../../lib/logger.ts';

export interface ShipHealthOptions {
  readonly name: string;
  readonly log: Log;
  readonly now: () => number;
}

/** A place that refuses one entry after another is not told line by line. */
const QUIET_MS = 60_000;

export class ShipHealth {
  readonly #options: ShipHealthOptions;
  #problem: string | undefined;
  #dropped = 0;
  #untold = 0;
  #toldAt = -Infinity;
  #positionProblem: string | undefined;

  constructor(options: ShipHealthOptions) {
    this.#options = options;
  }

  /** What is wrong now; undefined when all is well. */
  get problem(): string | undefined {
    return this.#problem ?? this.#positionProblem;
  }

  get dropped(): number {
    return this.#dropped;
  }

  onFailure(problem: string): void {
    if (this.#problem === undefined) this.#tell(`the audit log cannot be sent to ${this.#options.name}: ${problem}; it is tried again`);
    this.#problem = problem;
  }

  onSuccess(): void {
    if (this.#problem !== undefined) this.#tell(`the audit log can be sent to ${this.#options.name} again`);
    this.#problem = undefined;
  }

  /** Entries that will not arrive. */
  onDropped(count: number, why: string): void {
    if (count === 0) return;
    this.#dropped += count;
    this.#untold += count;
    if (this.#options.now() - this.#toldAt >= QUIET_MS) this.#tellDropped(why);
  }

  /** The disk keeps no position, so that a killed server sends much again. */
  onPositionFailure(problem: string): void {
    if (this.#positionProblem === undefined) this.#tell(`how far the audit log was sent to ${this.#options.name} cannot be kept: ${problem}; after a restart it is sent again`);
    this.#positionProblem = problem;
  }

  onPositionKept(): void {
    this.#positionProblem = undefined;
  }

  onNotice(text: string): void {
    this.#tell(text);
  }

  /** Tells what was not told yet. */
  close(): void {
    if (this.#untold > 0) this.#tellDropped('see above');
  }

  #tellDropped(why: string): void {
    this.#tell(`${this.#untold} ${this.#untold === 1 ? 'entry' : 'entries'} of the audit log will not arrive at ${this.#options.name}: ${why} (${this.#dropped} in all)`);
    this.#untold = 0;
    this.#toldAt = this.#options.now();
  }

  #tell(message: string): void {
    this.#options.log(message);
  }
}
