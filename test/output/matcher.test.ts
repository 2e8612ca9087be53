// A pattern is found in an output however it was cut on its way, and looking costs what is new.
import { expect, test } from 'vitest';
import { Pattern } from '../../src/lib/pattern.ts';
import { OutputMatcher } from '../../src/output/matcher.ts';
import type { RawOutput } from '../../src/output/range.ts';
import { logOf, MIB, temporaryStore } from './support.ts';

/** Whether it matches in the parts as they come, with a look after each. */
function matchesIn(parts: readonly (string | Buffer)[], source: string, { finished = false, from = 0 } = {}): boolean {
  const log = temporaryStore().createLog('c_test');
  const matcher = new OutputMatcher({ log, from }, Pattern.compile(source));
  for (const part of parts) {
    log.append(Buffer.from(part));
    matcher.check(false);
  }
  return matcher.check(finished);
}

test.each([
  ['words', 'starting …\nlistening on 3000\n', 'listening on \\d{4}'],
  ['several bytes a character', 'läuft → jetzt 😀!\n', 'läuft → jetzt 😀'],
  ['escape sequences in a word', 'Rea\x1b[1mdy\x1b[0m\x1b]0;title\x07 now\n', 'Ready now'],
  ['lines', 'first\nsecond\nthird\n', 'first\\nsecond$'],
  ['CR LF', 'one\r\ntwo\r\n', '^one$\\n^two$'],
  ['a prompt without newline', 'Continue? [y/N] ', '^Continue\\? \\[y/N\\] $'],
  ['an overwritten state', 'at 10%\rat 50%\rat 100%\ndone\n', '^at 50%$'],
  ['what overwrites', '10%\r\x1b[K100%\n', '^100%$'],
  ['what a backspace leaves', 'reafy\b\bdy\n', '^ready$'],
])('%s is found wherever the stream is cut', (_, text, source) => {
  const bytes = Buffer.from(text);
  for (let cut = 0; cut <= bytes.length; cut++) expect(matchesIn([bytes.subarray(0, cut), bytes.subarray(cut)], source), `cut at ${cut}`).toBe(true);
  expect(matchesIn([...bytes].map((byte) => Buffer.of(byte)), source)).toBe(true);
});

test.each([
  ['not what was read before', 'old ready\nnew\n', 'ready', { from: 10 }],
  ['not the place behind the last newline', 'one\ntwo\n', '^$', {}],
  ['not nothing', '', 'a*', {}],
  ['not within a sequence', '\x1b]0;ready\x07', 'ready', {}],
  ['not a sequence that is unfinished', 'a\x1b[1', '\\[1', {}],
])('it is %s', (_, text, source, options) => {
  expect(matchesIn([text], source, options)).toBe(false);
});

test.each([
  ['an empty line', 'one\n\ntwo', '^$'],
  ['a newline', 'done\n', 'done\\n'],
  ['anything', 'x', 'a*'],
])('%s is found', (_, text, source) => {
  expect(matchesIn([text], source)).toBe(true);
});

test('an output that has ended with half a character matches what there is', () => {
  expect(matchesIn([Buffer.from([0x61, 0xe2, 0x82])], '^a.$')).toBe(false);
  expect(matchesIn([Buffer.from([0x61, 0xe2, 0x82])], '^a\\x{FFFD}$', { finished: true })).toBe(true);
});

test('a match that begins far back in the last kilobytes is found, across lines and in one line', () => {
  const filler = 'x'.repeat(99);
  for (const separator of ['\n', ' ']) {
    const parts = ['BEGIN', ...Array.from({ length: 100 }, () => separator + filler), `${separator}END`];
    expect(matchesIn(parts, '(?s)BEGIN.*END')).toBe(true);
  }
});

test('a line without end does not grow in memory, and its end is still found', () => {
  const progress = Array.from({ length: 3_000 }, (_, step) => `\rstep ${step} ${'.'.repeat(50)}`);
  expect(matchesIn([...progress, '\rfinished'], '^finished$')).toBe(true);
  expect(matchesIn([...Array.from({ length: 300 }, () => 'y'.repeat(1_000)), 'found it'], 'found it')).toBe(true);
});

test('what lies on both sides of lost bytes does not join, and what follows is found', () => {
  const parts: RawOutput = {
    length: 1_006,
    read: (from) => (from < 3 ? { bytes: Buffer.from('rea'.slice(from)), from, lostBytes: 0 } : { bytes: Buffer.from('dy now'.slice(Math.max(0, from - 1_000))), from: Math.max(from, 1_000), lostBytes: Math.max(0, 1_000 - from) }),
  };
  expect(new OutputMatcher({ log: parts, from: 0 }, Pattern.compile('ready')).check(true)).toBe(false);
  expect(new OutputMatcher({ log: parts, from: 0 }, Pattern.compile('dy now')).check(true)).toBe(true);
});

test('a hundred megabytes are read once, in looks that are short', () => {
  const line = Buffer.from(`${'INFO compiled module in 12 ms; '.repeat(4)}\n`.repeat(9_000)).subarray(0, MIB);
  const total = 100 * MIB;
  let readBytes = 0;
  const endless: RawOutput = {
    length: total,
    read: (from, maxBytes) => {
      const start = from % MIB;
      const bytes = Buffer.from(line.subarray(start, Math.min(MIB, start + maxBytes, start + total - from)));
      readBytes += bytes.length;
      return { bytes, from, lostBytes: 0 };
    },
  };
  const matcher = new OutputMatcher({ log: endless, from: 0 }, Pattern.compile('never \\d+'));
  let longestMs = 0;
  let checks = 0;
  do {
    const startedAt = performance.now();
    matcher.check(false);
    longestMs = Math.max(longestMs, performance.now() - startedAt);
    checks += 1;
  } while (matcher.isBehind);
  expect(readBytes).toBeGreaterThanOrEqual(total);
  expect(readBytes).toBeLessThan(1.01 * total);
  expect(checks).toBeGreaterThan(10);
  expect(longestMs).toBeLessThan(500); // about 10 on a machine that is free
}, 60_000);

test('a look at nothing new reads nothing', () => {
  const log = logOf('some words\n');
  let reads = 0;
  const counted: RawOutput = { get length() { return log.length; }, read: (from, maxBytes) => { reads += maxBytes; return log.read(from, maxBytes); } };
  const matcher = new OutputMatcher({ log: counted, from: 0 }, Pattern.compile('other'));
  expect([matcher.check(false), matcher.isBehind]).toEqual([false, false]);
  const before = reads;
  matcher.check(false);
  expect(reads).toBe(before);
});
