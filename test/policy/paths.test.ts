// Patterns that are compared with paths, where nothing is looked up.
import { expect, test } from 'vitest';
import { matches } from '../../src/policy/paths.ts';
import { GLOB_ONE, GLOB_STAR } from '../../src/syntax/marks.ts';

test.each([
  ['/etc', '/etc', true],
  ['/e*', '/etc', true],
  ['/e*c', '/etc', true],
  ['/*c*', '/etc', true],
  ['/et?', '/etc', true],
  ['/e*x', '/etc', false],
  ['/et??', '/etc', false],
  ['/*', '/', true],
  ['/?', '/', false],
  ['*a*b', 'aab', true],
  ['*ab', 'aab', true],
  ['*a?', 'aab', true],
  ['a*b*c', 'abbcbc', true],
  ['a*b*c', 'abbcb', false],
  // neither takes a slash
  ['/*', '/a/b', false],
  ['/*/b', '/a/b', true],
  ['/?a', '//a', false],
  ['*/*x', 'a/b/x', false],
])('%s matches %s: %s', (pattern, text, expected) => {
  expect(matches(pattern.replaceAll('*', GLOB_STAR).replaceAll('?', GLOB_ONE), text)).toBe(expected);
});
