import { expect, test } from 'vitest';
import { FairQueue } from '../../src/lib/fair-queue.ts';
import { seeded } from '../output/support.ts';

function drained(queue: FairQueue<string>): string[] {
  const order: string[] = [];
  for (let item = queue.next(); item !== undefined; item = queue.next()) order.push(item);
  return order;
}

test.each([
  ['of one key in the order in which they came', 'a1 a2 a3', 'a1 a2 a3'],
  ['of several keys in turns', 'a1 a2 a3 b1 b2 c1', 'a1 b1 c1 a2 b2 a3'],
  ['nothing of nothing', '', ''],
])('gives %s', (_what, added, order) => {
  const queue = new FairQueue<string>();
  for (const item of added.split(' ').filter(Boolean)) queue.add(item.slice(0, 1), item);
  expect(drained(queue).join(' ')).toBe(order);
  expect([queue.size, queue.sizeOf('a')]).toEqual([0, 0]);
});

test('a key that comes back is behind all others', () => {
  const queue = new FairQueue<string>();
  for (const item of ['a1', 'b1', 'b2']) queue.add(item.slice(0, 1), item);
  expect(queue.next()).toBe('a1');
  queue.add('a', 'a2');
  expect(drained(queue)).toEqual(['b1', 'a2', 'b2']);
});

test('who gives up is taken out, once, and others keep their turns', () => {
  const queue = new FairQueue<string>();
  for (const item of ['a1', 'b1', 'a2', 'c1']) queue.add(item.slice(0, 1), item);
  for (const item of ['b1', 'b1', 'a1', 'none']) queue.remove(item.slice(0, 1), item);
  expect([queue.size, queue.sizeOf('a'), queue.sizeOf('b')]).toEqual([2, 1, 0]);
  expect(drained(queue)).toEqual(['a2', 'c1']);
});

test('nobody waits longer than one turn of each other key, whatever comes and goes', () => {
  const random = seeded(11);
  const queue = new FairQueue<string>();
  const keys = ['a', 'b', 'c', 'd'];
  /** Turns of others since a key has waited. */
  const passed = new Map<string, string[]>();
  for (let step = 0; step < 5_000; step++) {
    const key = keys[Math.floor(random() ** 3 * keys.length)] ?? 'a';
    if (random() < 0.55) {
      if (queue.sizeOf(key) === 0) passed.set(key, []);
      queue.add(key, `${key}${step}`);
      continue;
    }
    const served = queue.next()?.slice(0, 1);
    if (served === undefined) continue;
    for (const [waiting, turns] of passed) if (waiting !== served) turns.push(served);
    for (const turns of passed.values()) expect(new Set(turns).size).toBe(turns.length);
    if (queue.sizeOf(served) > 0) passed.set(served, []);
    else passed.delete(served);
  }
});
