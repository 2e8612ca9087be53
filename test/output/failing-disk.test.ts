import { spawnSync } from 'node:child_process';
import * as nodeFs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { OutputLog } from '../../src/output/log.ts';
import { ROOT } from '../support/paths.ts';
import { MIB, patternAt, readAll, temporaryDirectory, temporaryStore } from './support.ts';

type Operation = 'closeSync' | 'ftruncateSync' | 'lstatSync' | 'mkdirSync' | 'openSync' | 'readSync' | 'rmSync' | 'unlinkSync' | 'writeSync';

const OPERATIONS: readonly Operation[] = ['closeSync', 'ftruncateSync', 'lstatSync', 'mkdirSync', 'openSync', 'readSync', 'rmSync', 'unlinkSync', 'writeSync'];

/** node:fs in which an operation, counted over all of them, fails; `failed()` says whether it came to that. */
function failingFs(isFailing: (operation: Operation, count: number) => boolean): { fs: typeof nodeFs; failed: () => boolean } {
  let count = 0;
  let hasFailed = false;
  const wrapped = OPERATIONS.map((operation) => [operation, (...args: unknown[]) => {
    count += 1;
    if (isFailing(operation, count)) {
      hasFailed = true;
      throw Object.assign(new Error(`EIO: i/o error, ${operation}`), { errno: -5, code: 'EIO' });
    }
    return Reflect.apply(nodeFs[operation], nodeFs, args) as unknown;
  }]);
  return { fs: { ...nodeFs, ...Object.fromEntries(wrapped) } as typeof nodeFs, failed: () => hasFailed };
}

/** What is there is right, what is not there is counted, and the newest bytes are there. */
function expectHonest(log: OutputLog, length: number): void {
  const pieces = readAll(log);
  for (const { from, bytes } of pieces) expect(bytes.equals(patternAt(from, bytes.length))).toBe(true);
  const readable = pieces.reduce((sum, { bytes }) => sum + bytes.length, 0);
  expect(log.length).toBe(length);
  expect(readable + log.lostBytes(0, length)).toBe(length);
  expect(log.failure === undefined).toBe(readable === length);
}

describe('a disk that fails', () => {
  test('at the n-th operation, for each n, costs no byte that is not counted', () => {
    for (let nth = 1; ; nth++) {
      const { fs, failed } = failingFs((_operation, count) => count === nth);
      const store = temporaryStore({ limitBytes: 8 * MIB, fs });
      const log = store.createLog('t_1');
      for (const size of [10, 70_000, 3_000, 150_000, 200_000, 65_536, 65_536, 300_000, 400_000, 100]) log.append(patternAt(log.length, size));
      log.read(100_000, 50_000);
      log.finish();
      log.path();
      expectHonest(log, 1_254_182);
      log.dispose();
      store.close();
      if (!failed()) break;
      expect(nth).toBeLessThan(500);
    }
  });

  test('at the n-th operation while files are joined leaves all that was there', () => {
    for (let nth = 1; ; nth++) {
      const { fs, failed } = failingFs((operation, count) => operation !== 'readSync' && count === nth);
      const log = temporaryStore({ limitBytes: 8 * MIB, fs }).createLog('t_1');
      log.append(patternAt(0, 500_000));
      log.finish();
      const before = log.failure;
      const path = log.path();
      if (path !== undefined) expect(nodeFs.readFileSync(path).subarray(0, 500_000).equals(patternAt(0, 500_000))).toBe(true);
      expect(log.failure).toBe(before);
      expectHonest(log, 500_000);
      if (!failed()) break;
      expect(nth).toBeLessThan(500);
    }
  });

  test('from the n-th write on keeps head and tail', () => {
    for (let nth = 1; nth < 12; nth++) {
      let writes = 0;
      const { fs } = failingFs((operation) => operation === 'writeSync' && ++writes >= nth);
      const log = temporaryStore({ limitBytes: 8 * MIB, fs }).createLog('t_1');
      for (let at = 0; at < 600_000; at += 4_000) log.append(patternAt(at, 4_000));
      if (nth % 2 === 0) log.finish();
      expect(log.read(0, 60_000).bytes.equals(patternAt(0, 60_000))).toBe(true);
      expect(log.read(550_000, 100_000).bytes.equals(patternAt(550_000, 50_000))).toBe(true);
      expectHonest(log, 600_000);
    }
  });

  test('for want of descriptors makes a read fail, and loses nothing', () => {
    const fs = { ...nodeFs };
    const log = temporaryStore({ fs: fs as typeof nodeFs }).createLog('t_1');
    log.append(patternAt(0, 100_000));
    log.finish();
    fs.openSync = () => { throw Object.assign(new Error('EMFILE: too many open files'), { errno: -24, code: 'EMFILE' }); };
    expect(() => log.read(0, 10)).toThrow(expect.objectContaining({ code: 'RESOURCE_EXHAUSTED', message: 'the output cannot be read: too many open files' }));
    fs.openSync = nodeFs.openSync;
    expectHonest(log, 100_000);
    expect(log.failure).toBeUndefined();
  });

  test('that takes a part of what is written is asked for the rest', () => {
    const fs = {
      ...nodeFs,
      writeSync: (fd: number, bytes: Buffer, offset: number, length: number, position: number) =>
        nodeFs.writeSync(fd, bytes, offset, Math.min(length, 10_007), position),
    } as typeof nodeFs;
    const log = temporaryStore({ fs }).createLog('t_1');
    log.append(patternAt(0, 300_000));
    expect(log.read(0, 300_000).bytes.equals(patternAt(0, 300_000))).toBe(true);
    expect(log.failure).toBeUndefined();
  });

  test('is not blamed for a fault of the program', () => {
    const fs = { ...nodeFs, writeSync: () => { throw new TypeError('a bug'); } } as typeof nodeFs;
    expect(() => temporaryStore({ fs }).createLog('t_1').append(Buffer.alloc(100_000))).toThrow('a bug');
  });

  test.skipIf(!nodeFs.existsSync('/dev/full'))('because it is full keeps head and tail of the output, and says so', () => {
    const fs = {
      ...nodeFs,
      openSync: (path: string, flags: number) => nodeFs.openSync(path.endsWith('.out') ? '/dev/full' : path, flags & nodeFs.constants.O_RDWR),
    } as typeof nodeFs;
    const log = temporaryStore({ fs }).createLog('t_1');
    for (let at = 0; at < 1_000_000; at += 1_000) log.append(patternAt(at, 1_000));
    expect(log.read(0, 60_000).bytes.equals(patternAt(0, 60_000))).toBe(true);
    expect(log.read(940_000, 60_000).bytes.equals(patternAt(940_000, 60_000))).toBe(true);
    expect(log.failure).toMatch(/^no space left on device: \d{3},\d{3} bytes of the output are missing$/);
    expect(log.path()).toBeUndefined();
    expectHonest(log, 1_000_000);
  });

  test('because of the limit of a file size (ulimit -f) keeps head and tail of the output', () => {
    const dir = join(temporaryDirectory(), 'output');
    const store = JSON.stringify(join(ROOT, 'dist', 'output', 'store.js'));
    const script = `
      const { OutputStore } = await import(${store});
      const log = new OutputStore({ dir: ${JSON.stringify(dir)}, limitBytes: 2 ** 30 }).createLog('t_1');
      for (let index = 0; index < 100_000; index++) log.append(Buffer.from(String(index).padStart(9) + '\\n'));
      console.log(JSON.stringify([log.read(0, 10).bytes.toString(), log.read(999_980, 20).bytes.toString(), log.failure]));`;
    const { stdout, stderr } = spawnSync('bash', ['-c', 'ulimit -f 200; exec "$0" --input-type=module -e "$1"', process.execPath, script]);
    expect(stderr.toString()).toBe('');
    const [head, tail, failure] = JSON.parse(stdout.toString()) as string[];
    expect(head).toBe('        0\n');
    expect(tail).toBe('    99998\n    99999\n');
    expect(failure).toMatch(/^file too large: \d{3},\d{3} bytes of the output are missing$/);
  });
});
