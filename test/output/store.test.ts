import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { OutputLog } from '../../src/output/log.ts';
import type { OutputStore } from '../../src/output/store.ts';
import { MIB, patternAt, temporaryDirectory, temporaryStore } from './support.ts';

/** A share is 1 MiB, so that nine full logs are one too many. */
const LIMIT_BYTES = 8 * MIB;

function fullLog(store: OutputStore, name: string): OutputLog {
  const log = store.createLog(name);
  for (let at = 0; at < MIB - 65_536; at += 65_536) log.append(patternAt(at, 65_536));
  return log;
}

function names(logs: Readonly<Record<string, OutputLog>>): string[] {
  return Object.keys(logs).filter((name) => logs[name]?.lostBytes(0, MIB - 65_536) === 0);
}

describe('the limit of all spilled output', () => {
  test('small outputs cost no disk', () => {
    const dir = join(temporaryDirectory(), 'output');
    const store = temporaryStore({ dir });
    for (let index = 0; index < 2_000; index++) store.createLog(`c_${index}`).append(Buffer.from('hi\n'));
    expect(readdirSync(join(dir, '..'))).toEqual([]);
    expect(store.bytesOnDisk).toBe(0);
  });

  test('what was collected goes first, the oldest first, then what has ended', () => {
    const store = temporaryStore({ limitBytes: LIMIT_BYTES });
    const logs: Record<string, OutputLog> = {};
    const order = ['ended', 'collected second', 'collected first', 'running'];
    for (const name of order) logs[name] = fullLog(store, name.replace(' ', '-'));
    for (const name of ['ended', 'collected second', 'collected first']) logs[name]?.finish();
    for (const name of ['collected first', 'collected second']) logs[name]?.markCollected();
    const gone: string[] = [];
    for (let next = 0; next < 7; next++) {
      fullLog(store, `next-${next}`);
      for (const name of order) if (!names(logs).includes(name) && !gone.includes(name)) gone.push(name);
      expect(store.bytesOnDisk).toBeLessThanOrEqual(LIMIT_BYTES);
    }
    expect(gone.slice(0, 3)).toEqual(['collected first', 'collected second', 'ended']);
    expect(logs['ended']?.failure).toMatch(/^the limit output_disk_bytes is reached: 983,040 bytes/);
    expect(logs['ended']?.path()).toBeUndefined();
  });

  test('running logs lose old segments, and keep head and tail', () => {
    const dir = join(temporaryDirectory(), 'output');
    const store = temporaryStore({ dir, limitBytes: LIMIT_BYTES });
    const logs = Array.from({ length: 20 }, (_, index) => fullLog(store, `t_${index}`));
    expect(store.bytesOnDisk).toBeLessThanOrEqual(LIMIT_BYTES);
    expect(readdirSync(dir).reduce((sum, name) => sum + statSync(join(dir, name)).size, 0)).toBe(store.bytesOnDisk);
    for (const log of logs) {
      expect(log.read(0, 200_000).bytes.equals(patternAt(0, 200_000))).toBe(true);
      const { bytes } = log.read(log.length - 60_000, 60_000);
      expect(bytes.equals(patternAt(log.length - 60_000, 60_000))).toBe(true);
    }
  });

  test('when only heads are left, a new log keeps its own in memory', () => {
    const store = temporaryStore({ limitBytes: LIMIT_BYTES });
    const logs = Array.from({ length: 60 }, (_, index) => fullLog(store, `t_${index}`));
    expect(store.bytesOnDisk).toBeLessThanOrEqual(LIMIT_BYTES);
    for (const log of logs) {
      expect(log.read(0, 60_000).bytes.equals(patternAt(0, 60_000))).toBe(true);
      expect(log.read(log.length - 60_000, 60_000).bytes.equals(patternAt(log.length - 60_000, 60_000))).toBe(true);
    }
  });

  test.each([0, 1, 1_000, 100_000])('a limit of %i bytes is kept', (limitBytes) => {
    const store = temporaryStore({ limitBytes });
    const log = fullLog(store, 't_1');
    expect(store.bytesOnDisk).toBeLessThanOrEqual(limitBytes);
    expect(log.read(0, 1_000).bytes.equals(patternAt(0, 1_000))).toBe(true);
    expect(log.read(log.length - 1_000, 1_000).bytes.equals(patternAt(log.length - 1_000, 1_000))).toBe(true);
    expect(log.failure).toContain('the limit output_disk_bytes is reached');
  });
});
