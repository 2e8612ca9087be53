import { afterAll, describe, expect, test } from 'vitest';
import type { OutputLog } from '../../src/output/log.ts';
import { OutputStore } from '../../src/output/store.ts';
import { Transcript } from '../../src/session/transcript.ts';
import { Home } from '../support/home.ts';
import { removeAtEnd } from '../support/leftovers.ts';

const home = new Home();
removeAtEnd(home.root);
const store = new OutputStore({ dir: `${home.root}/output`, limitBytes: 2 ** 26 });
afterAll(() => store.close());

let count = 0;
function newLog(): OutputLog {
  return store.createLog(`c_${++count}`);
}

/** Shows texts of several logs in this order; `#0` and so on name the log. */
function show(transcript: Transcript, ...pieces: readonly (readonly [OutputLog, string])[]): void {
  for (const [log, text] of pieces) transcript.append(log, Buffer.from(text));
}

/** All of it, read on with pieces of so many bytes; `<5>` stands for 5 lost bytes. */
function readAll(transcript: Transcript, maxBytes: number, from = 0): string {
  let text = '';
  for (let at = from; at < transcript.length; ) {
    const read = transcript.read(at, maxBytes);
    expect(read.from).toBe(at + read.lostBytes);
    expect(read.bytes.length + read.lostBytes, `at ${at} it reads on`).toBeGreaterThan(0);
    expect(read.bytes.length).toBeLessThanOrEqual(maxBytes);
    text += (read.lostBytes > 0 ? `<${read.lostBytes}>` : '') + read.bytes.toString();
    at = read.from + read.bytes.length;
  }
  return text;
}

const SIZES = [1, 2, 3, 5, 7, 100] as const;

describe('a transcript', () => {
  test.each(SIZES)('is what was shown, in its order, read %d bytes at a time', (size) => {
    const transcript = new Transcript();
    const [between, one, two] = [newLog(), newLog(), newLog()];
    show(transcript, [between, '$ '], [one, 'first'], [one, ' more'], [between, 'job!'], [one, 'end'], [between, '$ '], [two, 'second']);
    expect(transcript.length).toBe(27);
    expect(readAll(transcript, size)).toBe('$ first morejob!end$ second');
    for (let from = 0; from <= transcript.length; from++) expect(readAll(transcript, size, from), `from ${from}`).toBe('$ first morejob!end$ second'.slice(from));
  });

  test('reads nothing at its end and beyond it', () => {
    const transcript = new Transcript();
    expect(transcript.read(0, 10)).toEqual({ bytes: Buffer.alloc(0), from: 0, lostBytes: 0 });
    show(transcript, [newLog(), 'abc']);
    expect(transcript.read(3, 10).bytes.length).toBe(0);
    expect(transcript.read(99, 10).bytes.length).toBe(0);
  });

  test.each(SIZES)('counts what a forgotten log took with it, read %d bytes at a time', (size) => {
    const transcript = new Transcript();
    const [between, gone, kept] = [newLog(), newLog(), newLog()];
    show(transcript, [gone, '12345'], [between, 'ab'], [gone, '67'], [between, 'cd'], [kept, 'ef'], [gone, '890'], [between, 'gh']);
    transcript.forget(gone);
    gone.dispose();
    expect(readAll(transcript, size)).toBe('<5>ab<2>cdef<3>gh');
    expect(readAll(transcript, size, 2)).toBe('<3>ab<2>cdef<3>gh');
    expect(transcript.length).toBe(18);
  });

  test.each(SIZES)('counts what is forgotten at its end, read %d bytes at a time', (size) => {
    const transcript = new Transcript();
    const [between, gone] = [newLog(), newLog()];
    show(transcript, [between, 'ab'], [gone, '12345']);
    transcript.forget(gone);
    gone.dispose();
    expect(readAll(transcript, size)).toBe('ab<5>');
    show(transcript, [between, 'cd']);
    expect(readAll(transcript, size)).toBe('ab<5>cd');
  });

  test('counts what a log has lost by itself', () => {
    const small = new OutputStore({ dir: `${home.root}/small`, limitBytes: 2 ** 20 });
    const [transcript, log] = [new Transcript(), small.createLog('c_1')];
    for (let at = 0; at < 64; at++) transcript.append(log, Buffer.alloc(65_536, at));
    const whole = { bytes: 0, lost: 0 };
    for (let at = 0; at < transcript.length; ) {
      const { bytes, from, lostBytes } = transcript.read(at, 50_000);
      for (const [index, byte] of bytes.entries()) if (byte !== (from + index) >>> 16) expect.fail(`byte ${from + index} is ${byte}`);
      whole.bytes += bytes.length;
      whole.lost += lostBytes;
      at = from + bytes.length;
    }
    expect(whole.bytes + whole.lost).toBe(2 ** 22);
    expect(whole.lost).toBeGreaterThan(2 ** 20);
    small.close();
  });

  test('keeps the newest of very many pieces, and counts the others', () => {
    const transcript = new Transcript();
    const logs = [newLog(), newLog()] as const;
    for (let at = 0; at < 30_000; at++) transcript.append(logs[at % 2 === 0 ? 0 : 1], Buffer.from([at % 251]));
    const { bytes, from, lostBytes } = transcript.read(0, 100_000);
    expect(lostBytes).toBeLessThanOrEqual(12_000);
    expect([from, bytes.length]).toEqual([lostBytes, 30_000 - lostBytes]);
    expect([...bytes].every((byte, index) => byte === (from + index) % 251)).toBe(true);
  });
});
