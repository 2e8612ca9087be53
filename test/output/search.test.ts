// The lines that a search finds, their numbers and surroundings, and that it holds up nobody.
import { expect, test } from 'vitest';
import { Pattern } from '../../src/lib/pattern.ts';
import type { RawOutput } from '../../src/output/range.ts';
import { searchOutput } from '../../src/output/search.ts';
import type { SearchOptions, SearchResult } from '../../src/output/search.ts';
import { logOf, MIB } from './support.ts';

function search(output: string | Buffer | RawOutput, source: string, options: Partial<SearchOptions> = {}): Promise<SearchResult> {
  const log = typeof output === 'string' || Buffer.isBuffer(output) ? logOf(output) : output;
  return searchOutput(log, Pattern.compile(source), { finished: true, contextLines: 0, maxBytes: 50_000, ...options });
}

const FIVE = 'one\ntwo\nthree\nfour\nfive\n';

test.each([
  ['o', [1, 2, 4]],
  ['^t', [2, 3]],
  ['e$', [1, 3, 5]],
  ['^$', []],
  ['nothing', []],
  ['one\\ntwo', []],
])('%s is in the lines %j', async (source, lines) => {
  const { matches, total, truncated } = await search(FIVE, source);
  expect(matches.map(({ line }) => line)).toEqual(lines);
  expect({ total, truncated }).toEqual({ total: lines.length, truncated: false });
  expect(matches.map(({ text, line }) => FIVE.split('\n')[line - 1] === text)).toEqual(lines.map(() => true));
});

test('each match has the lines around it, as far as there are any', async () => {
  expect((await search(FIVE, 'one|four', { contextLines: 2 })).matches).toEqual([
    { line: 1, text: 'one', after: ['two', 'three'] },
    { line: 4, text: 'four', before: ['two', 'three'], after: ['five'] },
  ]);
});

test.each([
  ['sequences are gone', '\x1b[31merror\x1b[0m: x\n', '^error: x$', 'error: x'],
  ['CR LF is a line end', 'a\r\nb\r\n', '^b$', 'b'],
  ['the last state of a line counts', '1%\r2%\r\x1b[Kdone\n', '^done$', 'done'],
  ['the last line needs no newline', 'a\nprompt> ', 'prompt> $', 'prompt> '],
  ['bytes that are no text show as such', Buffer.from([0x61, 0xff, 0x0a]), 'a', 'a\ufffd'],
])('%s', async (_, output, source, text) => {
  expect((await search(output, source)).matches.map((match) => match.text)).toEqual([text]);
});

test('lines keep their numbers through any number of pieces', async () => {
  const lines = Array.from({ length: 20_000 }, (_, index) => `line ${index + 1} äöü ${'.'.repeat(index % 40)}\n`);
  const { matches } = await search(lines.join(''), '^line \\d*7777 ');
  expect(matches.map(({ line, text }) => [line, text.split(' ')[1]])).toEqual([[7_777, '7777'], [17_777, '17777']]);
});

test('from an offset on, lines are numbered as in the whole', async () => {
  expect((await search(FIVE, 'o', { from: 8 })).matches).toEqual([{ line: 4, text: 'four' }]);
  expect((await search(FIVE, 'wo', { from: 5 })).matches).toEqual([{ line: 2, text: 'wo' }]);
});

test('a long line is shown around its match, with marks, and counts once', async () => {
  const { matches, total } = await search(`${'x'.repeat(5_000)}NEEDLE${'y'.repeat(300_000)}NEEDLE\nnext NEEDLE\n`, 'NEEDLE');
  expect(total).toBe(2);
  expect(matches[0]).toMatchObject({ line: 1, text: expect.stringMatching(/^\[… 4,800 characters …\]x{200}NEEDLEy{794}\[… [\d,]+ characters …\]$/) as string });
  expect(matches[1]).toEqual({ line: 2, text: 'next NEEDLE' });
});

test('there is as much as there is room for, and all are counted', async () => {
  const { matches, total, truncated } = await search('match me\n'.repeat(1_000), 'match', { maxBytes: 100 });
  expect([matches.length, total, truncated]).toEqual([11, 1_000, true]);
  expect(await search('match me\n', 'match', { maxBytes: 5 })).toEqual({ matches: [], total: 1, truncated: true });
  expect((await search(FIVE, 'one', { maxBytes: 8, contextLines: 2 })).matches).toEqual([{ line: 1, text: 'one', after: ['two'] }]);
});

test('what is around lost bytes is not one line', async () => {
  const gap: RawOutput = {
    length: 1_010,
    read: (from) => (from < 5 ? { bytes: Buffer.from('a\nerr'.slice(from)), from, lostBytes: 0 } : { bytes: Buffer.from('or\nerror 2'.slice(Math.max(0, from - 1_000))), from: Math.max(from, 1_000), lostBytes: Math.max(0, 1_000 - from) }),
  };
  const { matches } = await search(gap, 'err');
  expect(matches.map(({ text }) => text)).toEqual(['err', 'error 2']);
});

test('while a large output is searched, others get their turn, and a cancelled search ends', async () => {
  const line = Buffer.from('INFO compiled module foo/bar in 123 ms\n'.repeat(30_000)).subarray(0, MIB);
  const large: RawOutput = { length: 16 * MIB, read: (from, maxBytes) => ({ bytes: line.subarray(from % MIB, (from % MIB) + maxBytes), from, lostBytes: 0 }) };
  let turns = 0;
  const ticker = setInterval(() => { turns += 1; }, 1);
  await search(large, 'never [xyz]');
  clearInterval(ticker);
  expect(turns).toBeGreaterThan(5);
  const abort = new AbortController();
  const cancelled = search(large, 'never [xyz]', { signal: abort.signal });
  setImmediate(() => abort.abort(new Error('cancelled')));
  await expect(cancelled).rejects.toThrow('cancelled');
}, 30_000);
