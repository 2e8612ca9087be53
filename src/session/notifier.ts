// Waiting for a change: whoever owns a state tells, whoever waits looks again.
import type { Notifier } from '../lib/notifier.ts';

export interface WaitOptions {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  /** Called about once a second with the time waited so far. */
  readonly onTick?: (elapsedMs: number) => void;
}

const TICK_MS = 1_000;

/** Waits until the condition holds, the time is over or the signal fires; whether the condition held. 0 ms looks once. */
export function waitUntil(changes: Notifier, condition: () => boolean, options: WaitOptions): Promise<boolean> {
  if (condition()) return Promise.resolve(true);
  if (options.timeoutMs <= 0 || options.signal?.aborted === true) return Promise.resolve(false);
  const { onTick, signal, timeoutMs } = options;
  return new Promise((resolve) => {
    const startedAt = performance.now();
    const stop = changes.listen(() => condition() && finish(true));
    const timer = setTimeout(() => finish(condition()), timeoutMs);
    const ticker = onTick === undefined ? undefined : setInterval(() => onTick(performance.now() - startedAt), TICK_MS);
    const onAbort = (): void => finish(false);
    signal?.addEventListener('abort', onAbort);
    function finish(held: boolean): void {
      stop();
      clearTimeout(timer);
      clearInterval(ticker);
      signal?.removeEventListener('abort', onAbort);
      resolve(held);
    }
  });
}
