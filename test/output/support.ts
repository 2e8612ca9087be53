// What the tests of output share: stores in directories of their own, and random numbers that come again with their seed.
import * as nodeFs from 'node:fs';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { OutputLog } from '../../src/output/log.ts';
import { OutputStore } from '../../src/output/store.ts';

export const MIB = 1024 * 1024;

export function temporaryDirectory(): string {
  const dir = mkdtempSync(join(tmpdir(), 'shellkeep-output-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true, maxRetries: 3 }));
  return dir;
}

export function temporaryStore(options: { limitBytes?: number; dir?: string; fs?: typeof nodeFs } = {}): OutputStore {
  const store = new OutputStore({
    dir: options.dir ?? join(temporaryDirectory(), 'output'),
    limitBytes: options.limitBytes ?? 512 * MIB,
    fs: options.fs ?? nodeFs,
  });
  onTestFinished(() => store.close());
  return store;
}

export function logOf(content: string | Buffer, store: OutputStore = temporaryStore(), name = 'c_test'): OutputLog {
  const log = store.createLog(name);
  log.append(Buffer.from(content));
  return log;
}

/** Everything that can be read, piece by piece, with its offset. */
export function readAll(log: OutputLog, maxBytes = 100_000): { from: number; bytes: Buffer }[] {
  const pieces: { from: number; bytes: Buffer }[] = [];
  for (let at = 0; at < log.length; ) {
    const { bytes, from } = log.read(at, maxBytes);
    if (bytes.length > 0) pieces.push({ from, bytes });
    at = from + bytes.length;
  }
  return pieces;
}

/** Numbers from 0 up to 1 (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const PATTERN = Buffer.from(Uint8Array.from({ length: 6 * MIB }, (_, offset) => (offset % 251) ^ (offset >>> 16)));

/** Bytes that tell their offset, below 6 MiB, so that any piece can be checked. */
export function patternAt(offset: number, length: number): Buffer {
  return PATTERN.subarray(offset, offset + length);
}
