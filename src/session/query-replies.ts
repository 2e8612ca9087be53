// Answers to what programs ask their terminal (its type, the cursor's place, its colours): only to one that waits for the answer.
// What nobody reads the shell would take for typed text at its next prompt.
import type { LiveShell } from './live-shell.ts';

/** Who asks reads at once, or a moment later; a program that never reads gets no answer. */
const TRY_AFTER_MS = [2, 5, 10, 20, 40, 80, 160, 320];

export interface QueryRepliesOptions {
  live(): LiveShell | undefined;
  /** Answers the questions from that offset of the transcript on. */
  answer(from: number): Promise<void>;
  /** No question is open any more. */
  onDone(): void;
}

export class QueryReplies {
  readonly #options: QueryRepliesOptions;
  /** Where the first open question is. */
  #from: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  #answering = 0;

  constructor(options: QueryRepliesOptions) {
    this.#options = options;
  }

  /** Where in the transcript the first question is that was not answered yet. */
  get openFrom(): number | undefined {
    return this.#from;
  }

  /** Somebody has asked and has no answer yet: it is the terminal that he waits for, and no person. */
  get isOpen(): boolean {
    return this.#from !== undefined || this.#answering > 0;
  }

  /** The output has a question behind this offset. */
  expect(from: number): void {
    this.#from ??= from;
    this.#tryAfter(0);
  }

  /** Whoever asked is gone. */
  forget(): void {
    clearTimeout(this.#timer);
    this.#from = undefined;
  }

  #tryAfter(attempt: number): void {
    clearTimeout(this.#timer);
    const delayMs = TRY_AFTER_MS[attempt];
    if (delayMs === undefined) {
      this.forget();
      return this.#options.onDone();
    }
    this.#timer = setTimeout(() => this.#try(attempt), delayMs);
  }

  #try(attempt: number): void {
    const live = this.#options.live();
    const from = this.#from;
    if (live === undefined || from === undefined) return;
    if (!live.isRunningCommand || !live.hasReader()) return this.#tryAfter(attempt + 1);
    this.forget();
    void this.#answer(from);
  }

  async #answer(from: number): Promise<void> {
    this.#answering++;
    try {
      await this.#options.answer(from);
    } catch {
      // the output cannot be read: nobody gets an answer
    } finally {
      this.#answering--;
      this.#options.onDone();
    }
  }
}
