// An end that comes once, and waiting for it. Whoever stops waiting leaves nothing behind, however long the task goes on.

export class Ending {
  readonly #listeners = new Set<() => void>();
  #hasCome = false;

  get hasCome(): boolean {
    return this.#hasCome;
  }

  /** Tells everybody, the first time. */
  come(): void {
    if (this.#hasCome) return;
    this.#hasCome = true;
    for (const listener of this.#listeners) listener();
    this.#listeners.clear();
  }

  /** Calls the listener when it comes, at once if it has come, until the returned function is called. */
  listen(listener: () => void): () => void {
    if (this.#hasCome) listener();
    else this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

export interface WaitLimits {
  /** How long to wait; absent when what is waited for has a deadline of its own. */
  readonly timeoutMs?: number;
  /** Ends the wait, not what is waited for. */
  readonly signal?: AbortSignal;
  /** Called about once a second with the time waited so far. */
  readonly onTick?: ((elapsedMs: number) => void) | undefined;
}

const TICK_MS = 1_000;
/** 24 days; setTimeout fires at once for a longer time. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Waits until one of the ends (or all of them) has come, the time is over, or the signal fires. */
export function waitFor(ends: readonly Ending[], { timeoutMs, signal, onTick }: WaitLimits, which: 'first' | 'all' = 'all'): Promise<void> {
  const isOver = (): boolean => (which === 'all' ? ends.every((end) => end.hasCome) : ends.some((end) => end.hasCome));
  if (isOver() || signal?.aborted === true || timeoutMs === 0) return Promise.resolve();
  return new Promise((resolve) => {
    const startedAt = performance.now();
    const stops = ends.map((end) => end.listen(() => isOver() && finish()));
    const timer = timeoutMs === undefined ? undefined : setTimeout(finish, toTimerMs(timeoutMs));
    const ticker = onTick === undefined ? undefined : setInterval(() => onTick(performance.now() - startedAt), TICK_MS);
    signal?.addEventListener('abort', finish);
    function finish(): void {
      for (const stop of stops) stop();
      clearTimeout(timer);
      clearInterval(ticker);
      signal?.removeEventListener('abort', finish);
      resolve();
    }
  });
}

/** A time that setTimeout can take. */
export function toTimerMs(ms: number): number {
  return Math.min(ms, MAX_TIMER_MS);
}
