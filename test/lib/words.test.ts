import { expect, test } from 'vitest';
import { allowedValues } from '../../src/lib/allowed.ts';
import { defined } from '../../src/lib/defined.ts';
import { expandHome } from '../../src/lib/home-path.ts';
import { createLog } from '../../src/lib/logger.ts';
import { shorten } from '../../src/lib/shorten.ts';

test.each<[unknown, string]>([
  ['a "b"\n', '"a \\"b\\"\\n"'],
  [0, '0'],
  [Infinity, 'Infinity'],
  [NaN, 'NaN'],
  [null, 'null'],
  [undefined, 'undefined'],
  [{ a: [1] }, '{"a":[1]}'],
  ['x'.repeat(70), `"${'x'.repeat(60)}"… (10 more characters)`],
])('a value is shown on one line and short (%#)', (value, shown) => {
  expect(shorten(value)).toBe(shown);
});

test.each([
  [{ type: 'integer', minimum: 1, maximum: 5 }, 'a whole number from 1 to 5'],
  [{ type: 'string', enum: ['a', 'b'] }, 'one of a, b'],
  [{ type: 'boolean' }, 'true or false'],
  [{ type: 'string', minLength: 1, maxLength: 64 }, 'text of 1 to 64 characters'],
  [{ type: 'string', minLength: 1 }, 'text that is not empty'],
  [{ type: 'string' }, 'text'],
  [{ type: 'array', items: { type: 'string' } }, 'a list of texts'],
  [{ type: 'array', minItems: 1, maxItems: 9 }, 'a list of 1 to 9 texts'],
  [{ type: 'object' }, 'an object of names and texts, like {"NAME": "value"}'],
])('what a schema allows is said in words (%#)', (schema, words) => {
  expect(allowedValues(schema)).toBe(words);
});

test.each([
  ['~', '/home/u'],
  ['~/a', '/home/u/a'],
  ['~root/a', '~root/a'],
  ['/a/~', '/a/~'],
])('%s becomes %s', (path, expanded) => {
  expect(expandHome(path, '/home/u')).toBe(expanded);
});

test('without a home a tilde stays, and a home of "/" gives no double slash', () => {
  expect(expandHome('~/a', undefined)).toBe('~/a');
  expect(expandHome('~/a', '/')).toBe('/a');
});

test('entries that are undefined are left out, others that are empty stay', () => {
  expect(Object.keys(defined({ a: undefined, b: '', c: 0, d: false }))).toEqual(['b', 'c', 'd']);
});

test('a log line names the product', () => {
  const written: string[] = [];
  createLog((text) => written.push(text))('something is wrong');
  expect(written).toEqual(['shellkeep: something is wrong\n']);
});
