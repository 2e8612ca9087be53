import { expect, test } from 'vitest';
import { nearest } from '../../src/lib/nearest.ts';

const NAMES = ['command', 'cwd', 'timeout_ms', 'env', 'stdin', 'shell', 'login', 'session_id', 'max_output_bytes'];

test.each([
  ['timeot_ms', 'timeout_ms'],
  ['timeoutMs', 'timeout_ms'],
  ['timeout-ms', 'timeout_ms'],
  ['timeout', 'timeout_ms'],
  ['comand', 'command'],
  ['commnad', 'command'],
  ['Command', 'command'],
  ['sessionId', 'session_id'],
  ['session', 'session_id'],
  ['evn', 'env'],
  ['max_bytes', undefined],
  ['my_env', 'env'],
  ['environment', undefined],
  ['xyzzy', undefined],
  ['', undefined],
])('the name nearest to "%s" is %s', (word, name) => {
  expect(nearest(word, NAMES)).toBe(name);
});

test('a word of megabytes takes no time', () => {
  expect(nearest('a'.repeat(5_000_000), NAMES)).toBeUndefined();
});

test('nothing is near in an empty list', () => {
  expect(nearest('command', [])).toBeUndefined();
});
