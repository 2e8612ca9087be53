// When the foreground of a session is looked at: soon after something has happened, then ten times a second, and never while nobody waits.

/** A program that asks has mostly just printed its question, or was just started or answered. */
const AFTER_EVENT_MS = [8, 25, 60];
const STEADY_MS = 100;
/** A look at many processes takes long; it may take this share of the time, but no rest is longer than that. */
const MOST_SHARE = 0.02;
const LONGEST_REST_MS = 400;

/** One timer for the steady looks of all sessions: fifty timers would take more than the looks. */
class Ticker {
  readonly #listeners = new Set<() => void>();
  #timer: NodeJS.Timeout | undefined;

  add(listener: () => void): void {
    this.#listeners.add(listener);
    this.#timer ??= setInterval(() => this.#tick(), STEADY_MS);
  }

  remove(listener: () => void): void {
    this.#listeners.delete(listener);
    if (this.#listeners.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #tick(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}

const ticker = new Ticker();

export class Looks {
  readonly #look: (isSteady: boolean) => void;
  readonly #onTick = (): void => this.#take(true);
  #waiting = 0;
  #burst = AFTER_EVENT_MS.length;
  #burstAt = -Infinity;
  #restUntil = -Infinity;
  #tookMs = 0;
  #timer: NodeJS.Timeout | undefined;

  /** `look` is told whether nothing has happened since the last looks. */
  constructor(look: (isSteady: boolean) => void) {
    this.#look = look;
  }

  /** A call begins to wait; it has to call the returned function once, when it does not any more. */
  join(): () => void {
    if (this.#waiting++ === 0) ticker.add(this.#onTick);
    this.#startBurst();
    return () => {
      if (--this.#waiting > 0) return;
      ticker.remove(this.#onTick);
      clearTimeout(this.#timer);
    };
  }

  get isWatched(): boolean {
    return this.#waiting > 0;
  }

  /** Output has come, a command has begun, input was sent. Under a stream of them the bursts are as far apart as the steady looks. */
  noteEvent(): void {
    if (this.#waiting > 0 && performance.now() - this.#burstAt >= STEADY_MS) this.#startBurst();
  }

  /** Looks again after so long, e.g. whether what was seen is still so. */
  again(delayMs: number): void {
    clearTimeout(this.#timer);
    if (this.#waiting > 0) this.#timer = setTimeout(() => this.#take(false), delayMs);
  }

  #startBurst(): void {
    this.#burst = 0;
    this.#burstAt = performance.now();
    this.#scheduleBurst();
  }

  #scheduleBurst(): void {
    const dueMs = AFTER_EVENT_MS[this.#burst];
    if (dueMs === undefined) return;
    this.#burst++;
    this.again(Math.max(0, this.#burstAt + dueMs - performance.now()));
  }

  #take(isSteady: boolean): void {
    const startedAt = performance.now();
    if (startedAt < this.#restUntil) return isSteady ? undefined : this.again(this.#restUntil - startedAt);
    this.#scheduleBurst();
    this.#look(isSteady);
    const endedAt = performance.now();
    const tookMs = endedAt - startedAt;
    const restMs = Math.min(tookMs, this.#tookMs) / MOST_SHARE; // the first look, or one that was held up, is not the rule
    this.#tookMs = tookMs;
    if (restMs > STEADY_MS) this.#restUntil = endedAt + Math.min(restMs, LONGEST_REST_MS);
  }
}
