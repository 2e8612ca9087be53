// When the foreground is looked at. The clock is the test's, so that it can say how long a look takes.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Looks } from '../../src/session/looks.ts';

beforeEach(() => { vi.useFakeTimers(); });
afterEach(() => { vi.useRealTimers(); });

/** The times of the looks within so many milliseconds, when each takes as long as `tookMs` says. */
function looksWithin(ms: number, tookMs: (look: number) => number, begin: (looks: Looks) => void = () => undefined): number[] {
  const times: number[] = [];
  const now = vi.spyOn(performance, 'now');
  const startedAt = Date.now();
  let heldUpMs = 0;
  now.mockImplementation(() => Date.now() - startedAt + heldUpMs);
  const looks = new Looks(() => {
    times.push(Date.now() - startedAt);
    heldUpMs = tookMs(times.length);
  });
  const leave = looks.join();
  begin(looks);
  for (let at = 0; at < ms; at++) {
    heldUpMs = 0;
    vi.advanceTimersByTime(1);
  }
  leave();
  now.mockRestore();
  return times;
}

test('who begins to wait looks soon, then ten times a second, and not after the wait', () => {
  expect(looksWithin(400, () => 0)).toEqual([8, 25, 60, 100, 200, 300, 400]);
  vi.advanceTimersByTime(1_000);
  expect(vi.getTimerCount()).toBe(0);
});

test('one look that took long puts off none of the next', () => {
  expect(looksWithin(200, (look) => (look === 1 ? 50 : 0))).toEqual([8, 25, 60, 100, 200]);
});

test('looks that always take long are taken less often, at most a fiftieth of the time', () => {
  const times = looksWithin(20_000, () => 10);
  expect(times.slice(0, 3)).toEqual([8, 25, expect.any(Number)]);
  expect(times.length * 10).toBeLessThan(20_000 / 50 + 30);
  expect(times.length).toBeGreaterThan(20);
});

test('a look that was asked for again comes as soon as it may', () => {
  expect(looksWithin(90, () => 0, (looks) => looks.again(3))).toEqual([3, 25, 60]);
});
