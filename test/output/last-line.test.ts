import { expect, test } from 'vitest';
import { lastLine } from '../../src/output/last-line.ts';
import { logOf } from './support.ts';

test.each([
  ['', ''],
  ['one\ntwo\n\n', 'two'],
  ['one\r\n\x1b[32mtwo\x1b[0m\r\n', 'two'],
  ['one\n10%\r20%\r', '20%'],
  ['one\n\x1b[3', 'one'],
  ['x'.repeat(5_000), 'x'.repeat(200)],
])('the last line of %j', (output, line) => {
  expect(lastLine(logOf(output))).toBe(line);
});

test('the last line since an offset', () => {
  expect(lastLine(logOf('one\ntwo\n'), 8)).toBe('');
  expect(lastLine(logOf('one\ntwo\n'), 4)).toBe('two');
});
