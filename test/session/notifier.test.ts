import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Notifier } from '../../src/lib/notifier.ts';
import { waitUntil } from '../../src/session/notifier.ts';

describe('a notifier', () => {
  test('calls every listener at each change, until it is told to stop', () => {
    const changes = new Notifier();
    const calls: string[] = [];
    const stop = changes.listen(() => calls.push('a'));
    changes.listen(() => calls.push('b'));
    changes.notify();
    stop();
    stop();
    changes.notify();
    expect(calls).toEqual(['a', 'b', 'b']);
  });

  test('a listener may go, or another come, while it tells', () => {
    const changes = new Notifier();
    const calls: string[] = [];
    const stop = changes.listen(() => {
      calls.push('once');
      stop();
      changes.listen(() => calls.push('later'));
    });
    changes.notify();
    changes.notify();
    expect(calls).toEqual(['once', 'later']);
  });
});

describe('waiting', () => {
  const changes = new Notifier();
  let isTrue = false;
  let looks = 0;
  const condition = (): boolean => {
    looks++;
    return isTrue;
  };

  beforeEach(() => {
    vi.useFakeTimers();
    isTrue = false;
    looks = 0;
  });
  afterEach(() => {
    expect(vi.getTimerCount(), 'no timer is left').toBe(0);
    vi.useRealTimers();
  });

  test('for what already holds is over at once', async () => {
    isTrue = true;
    expect(await waitUntil(changes, condition, { timeoutMs: 0 })).toBe(true);
    expect(looks).toBe(1);
  });

  test.each([0, -1, Number.NEGATIVE_INFINITY])('for %d ms looks once', async (timeoutMs) => {
    expect(await waitUntil(changes, condition, { timeoutMs })).toBe(false);
    expect(looks).toBe(1);
  });

  test('ends with the change that makes the condition hold, not with one before', async () => {
    const waited = waitUntil(changes, condition, { timeoutMs: 1_000 });
    changes.notify();
    isTrue = true;
    changes.notify();
    expect(await waited).toBe(true);
  });

  test('ends when the time is over, and looks once more', async () => {
    const missed = waitUntil(changes, condition, { timeoutMs: 1_000 });
    const unnoticed = waitUntil(changes, condition, { timeoutMs: 2_000 });
    vi.advanceTimersByTime(1_000);
    expect(await missed).toBe(false);
    isTrue = true; // without a word
    vi.advanceTimersByTime(1_000);
    expect(await unnoticed).toBe(true);
  });

  test('ends with the signal, and listens to it no longer', async () => {
    const { signal } = new AbortController();
    const abort = new AbortController();
    expect(await waitUntil(changes, condition, { timeoutMs: 1_000, signal: AbortSignal.abort() })).toBe(false);
    const waited = waitUntil(changes, condition, { timeoutMs: 1_000, signal: abort.signal });
    const other = waitUntil(changes, condition, { timeoutMs: 1_000, signal });
    abort.abort();
    expect(await waited).toBe(false);
    isTrue = true;
    changes.notify();
    expect(await other).toBe(true);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  test('tells once a second how long it has waited', async () => {
    const ticks: number[] = [];
    const waited = waitUntil(changes, condition, { timeoutMs: 3_500, onTick: (elapsedMs) => ticks.push(elapsedMs) });
    vi.advanceTimersByTime(3_500);
    expect(await waited).toBe(false);
    expect(ticks.map((ms) => Math.round(ms / 1_000))).toEqual([1, 2, 3]);
  });
});
