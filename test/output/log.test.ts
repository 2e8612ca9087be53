import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, truncateSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { MIB, logOf, patternAt, readAll, seeded, temporaryDirectory, temporaryStore } from './support.ts';

/** A limit of 8 MiB: 256 KiB in the first segment, 64 KiB in later ones, 1 MiB for one log. */
const LIMIT_BYTES = 8 * MIB;
const SHARE_BYTES = MIB;

describe('a log', () => {
  test('keeps small outputs in memory', () => {
    const dir = join(temporaryDirectory(), 'output');
    const log = logOf('abc', temporaryStore({ dir }));
    expect(log.read(0, 10)).toEqual({ bytes: Buffer.from('abc'), from: 0, lostBytes: 0 });
    expect(existsSync(dir)).toBe(false);
  });

  test('copies what it is given, and what it gives', () => {
    const store = temporaryStore();
    const log = store.createLog('c_1');
    const chunk = Buffer.from('abc');
    log.append(chunk);
    chunk.fill(0);
    log.read(0, 3).bytes.fill(1);
    expect(log.read(0, 3).bytes.toString()).toBe('abc');
  });

  test('reads from any offset, negative ones and ones beyond the end too', () => {
    const log = logOf('abcdef');
    expect(log.read(4, 10).bytes.toString()).toBe('ef');
    expect(log.read(-3, 2).bytes.toString()).toBe('ab');
    expect(log.read(6, 10)).toEqual({ bytes: Buffer.alloc(0), from: 6, lostBytes: 0 });
    expect(log.read(99, 10)).toEqual({ bytes: Buffer.alloc(0), from: 6, lostBytes: 0 });
  });

  test('gives back what was appended, whatever the sizes of chunks and reads', () => {
    const random = seeded(6);
    for (const largest of [10, 5_000, 70_000, 300_000]) {
      const log = temporaryStore({ limitBytes: 64 * MIB }).createLog('c_1');
      while (log.length < 1_500_000 && log.length < largest * 200) log.append(patternAt(log.length, Math.floor(random() * largest)));
      expect(log.failure).toBeUndefined();
      for (let read = 0; read < 50; read++) {
        const from = Math.floor(random() * log.length);
        const { bytes } = log.read(from, 1 + Math.floor(random() * 200_000));
        expect(bytes.equals(patternAt(from, bytes.length))).toBe(true);
      }
    }
  });

  test('a read goes on over the border between files, and between file and memory', () => {
    const log = temporaryStore({ limitBytes: LIMIT_BYTES }).createLog('c_1');
    log.append(patternAt(0, 400_000));
    log.append(patternAt(400_000, 10));
    expect(log.read(0, 1_000_000).bytes.equals(patternAt(0, 400_010))).toBe(true);
  });

  test('spills to files that only the user can read', () => {
    const dir = join(temporaryDirectory(), 'output');
    const log = logOf(Buffer.alloc(100_000), temporaryStore({ dir }));
    expect(lstatSync(dir).mode & 0o777).toBe(0o700);
    expect(lstatSync(join(dir, 'c_test.out')).mode & 0o777).toBe(0o600);
    expect(log.path()).toBe(join(dir, 'c_test.out'));
  });

  test('the path of an output in memory is a file written for it', () => {
    const log = logOf('abc');
    const path = log.path() ?? '';
    expect(readFileSync(path, 'utf8')).toBe('abc');
    log.append(Buffer.from('def'));
    expect(log.read(0, 10).bytes.toString()).toBe('abcdef');
    expect(readFileSync(log.path() ?? '', 'utf8')).toBe('abcdef');
  });

  test('keeps head and newest tail of an endless output, counts the middle, and stays within its share', () => {
    const store = temporaryStore({ limitBytes: LIMIT_BYTES });
    const log = store.createLog('c_1');
    for (let at = 0; at < 5 * MIB; at += 50_000) log.append(patternAt(at, 50_000));
    expect(store.bytesOnDisk).toBeLessThanOrEqual(SHARE_BYTES);
    const [head, tail, ...others] = readAll(log, 2 * MIB);
    expect(others).toEqual([]);
    expect(head?.bytes.equals(patternAt(0, 256 * 1024))).toBe(true);
    expect(tail?.bytes.equals(patternAt(tail.from, log.length - tail.from))).toBe(true);
    expect(tail?.bytes.length).toBeGreaterThan(SHARE_BYTES / 2);
    const lost = (tail?.from ?? 0) - 256 * 1024;
    expect(log.lostBytes(0, log.length)).toBe(lost);
    expect(log.lostBytes(0, 300_000)).toBe(300_000 - 256 * 1024);
    expect(log.read(300_000, 10)).toMatchObject({ from: tail?.from, lostBytes: (tail?.from ?? 0) - 300_000 });
    expect(log.failure).toBe(`the limit output_disk_bytes is reached: ${lost.toLocaleString('en-US')} bytes of the output are missing`);
    expect(log.path()).toBeUndefined();
  });

  test('several segments become one file when the output has ended', () => {
    const dir = join(temporaryDirectory(), 'output');
    const store = temporaryStore({ dir, limitBytes: LIMIT_BYTES });
    const log = store.createLog('c_1');
    log.append(patternAt(0, 700_000));
    expect(log.path()).toBeUndefined();
    log.finish();
    expect(readdirSync(dir).length).toBeGreaterThan(1);
    expect(readFileSync(log.path() ?? '').equals(patternAt(0, 700_000))).toBe(true);
    expect(readdirSync(dir)).toEqual(['c_1.out']);
    expect(store.bytesOnDisk).toBe(700_000);
    expect(log.read(650_000, 100_000).bytes.equals(patternAt(650_000, 50_000))).toBe(true);
  });

  test('takes nothing after its end, and can be read as before', () => {
    for (const size of [10, 100_000, 400_000]) {
      const log = temporaryStore({ limitBytes: LIMIT_BYTES }).createLog('c_1');
      log.append(patternAt(0, size));
      log.finish();
      log.append(Buffer.from('late'));
      expect(log.length).toBe(size);
      expect(log.read(0, size).bytes.equals(patternAt(0, size))).toBe(true);
    }
  });

  test.skipIf(!existsSync('/proc/self/fd'))('holds a descriptor only while it is written', () => {
    const descriptors = (): number => readdirSync('/proc/self/fd').length;
    const store = temporaryStore();
    const before = descriptors();
    const logs = Array.from({ length: 20 }, (_, index) => store.createLog(`c_${index}`));
    for (const log of logs) log.append(Buffer.alloc(100_000));
    expect(descriptors()).toBe(before + 20);
    for (const log of logs) {
      log.finish();
      log.read(0, 100);
      log.path();
    }
    expect(descriptors()).toBe(before);
  });

  test('is gone from memory and disk after dispose', () => {
    const dir = join(temporaryDirectory(), 'output');
    const store = temporaryStore({ dir });
    const log = logOf(Buffer.alloc(100_000), store);
    log.dispose();
    expect(readdirSync(dir)).toEqual([]);
    expect(store.bytesOnDisk).toBe(0);
    expect(log.read(0, 10)).toEqual({ bytes: Buffer.alloc(0), from: 100_000, lostBytes: 100_000 });
    expect(log.path()).toBeUndefined();
    expect(log.failure).toBe('the output was dropped: 100,000 bytes of the output are missing');
  });
});

describe('a spill directory', () => {
  test('of others, or a link, is not used', () => {
    const base = temporaryDirectory();
    mkdirSync(join(base, 'open'), { mode: 0o755 });
    mkdirSync(join(base, 'private'), { mode: 0o700 });
    symlinkSync(join(base, 'private'), join(base, 'link'));
    for (const name of ['open', 'link']) {
      const log = logOf(patternAt(0, 300_000), temporaryStore({ dir: join(base, name) }));
      expect(log.failure).toContain('is not a directory of this user alone');
    }
    expect(readdirSync(join(base, 'private'))).toEqual([]);
    expect(logOf(Buffer.alloc(300_000), temporaryStore({ dir: join(base, 'private') })).failure).toBeUndefined();
  });

  test('in which something stands in the place of a file is not written to', () => {
    const base = temporaryDirectory();
    const dir = join(base, 'output');
    mkdirSync(dir, { mode: 0o700 });
    symlinkSync(join(base, 'victim'), join(dir, 'c_test.out'));
    const log = logOf(patternAt(0, 300_000), temporaryStore({ dir }));
    expect(log.failure).toContain('file already exists');
    expect(existsSync(join(base, 'victim'))).toBe(false);
  });

  test('that vanishes costs what was in it and no more', () => {
    const dir = join(temporaryDirectory(), 'output');
    const store = temporaryStore({ dir, limitBytes: LIMIT_BYTES });
    const log = store.createLog('c_1');
    log.append(patternAt(0, 400_000));
    rmSync(dir, { recursive: true });
    log.append(patternAt(400_000, 400_000));
    log.finish();
    const pieces = readAll(log);
    for (const { from, bytes } of pieces) expect(bytes.equals(patternAt(from, bytes.length))).toBe(true);
    expect(pieces.reduce((sum, { bytes }) => sum + bytes.length, 0)).toBe(800_000 - log.lostBytes(0, 800_000));
    expect(log.path()).toBeUndefined();
    expect(logOf(Buffer.alloc(100_000), store).failure).toBeUndefined();
  });

  test('whose file was cut by someone gives what is left, and no path', () => {
    const log = logOf(patternAt(0, 200_000));
    const path = log.path() ?? '';
    log.finish();
    truncateSync(path, 50_000);
    expect(log.path()).toBeUndefined();
    expect(log.read(0, 100_000).bytes.length).toBe(50_000);
    expect(log.read(50_000, 100_000)).toMatchObject({ from: 200_000, lostBytes: 150_000 });
    expect(log.failure).toContain('a spill file cannot be read');
  });

  test('is removed by the store, and running logs go on in memory', () => {
    const dir = join(temporaryDirectory(), 'output');
    const store = temporaryStore({ dir });
    const log = logOf(patternAt(0, 200_000), store);
    store.close();
    expect(readdirSync(dirname(dir))).toEqual([]);
    for (let at = 200_000; at < 600_000; at += 1_000) log.append(patternAt(at, 1_000));
    expect(readdirSync(dirname(dir))).toEqual([]);
    expect(log.failure).toContain('the server is ending');
    const { bytes } = log.read(590_000, 20_000);
    expect(bytes.equals(patternAt(590_000, 10_000))).toBe(true);
    expect(statSync(dirname(dir)).isDirectory()).toBe(true);
  });
});
