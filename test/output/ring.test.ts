import { expect, test } from 'vitest';
import { Ring } from '../../src/output/ring.ts';
import { patternAt, seeded } from './support.ts';

test('a ring has the newest bytes, whatever the sizes of the chunks', () => {
  const random = seeded(5);
  for (let round = 0; round < 200; round++) {
    const ring = new Ring(1_000, 64);
    let end = 1_000;
    for (let chunk = 0; chunk < 20; chunk++) {
      const length = Math.floor(random() * (chunk % 5 === 0 ? 200 : 40));
      ring.append(patternAt(end, length));
      end += length;
      expect(ring.end).toBe(end);
      expect(ring.end - ring.start).toBeGreaterThanOrEqual(Math.min(64, end - 1_000));
      const target = Buffer.alloc(ring.end - ring.start);
      expect(ring.read(ring.start, target)).toBe(target.length);
      expect(target.equals(patternAt(ring.start, target.length))).toBe(true);
    }
  }
});

test('a ring holds at most twice what it has to', () => {
  const ring = new Ring(0, 64);
  for (let chunk = 0; chunk < 1_000; chunk++) ring.append(Buffer.alloc(7));
  expect(ring.end - ring.start).toBeLessThanOrEqual(128);
});
