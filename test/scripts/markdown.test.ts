// The small Markdown functions behind the checks of the documents.
import { expect, test } from 'vitest';
import { anchors, replaceBetween, table, withoutCode } from '../../scripts/lib/markdown.mjs';

test('headings have the anchors that GitHub gives them', () => {
  expect([...anchors('# A b\n## A `b`, c!\n## A b\n```\n# no heading\n```\n')]).toEqual(['a-b', 'a-b-c', 'a-b-1']);
});

test('what is code is no link', () => {
  expect(withoutCode('a `[x](y)` b\n```\n[x](y)\n```\nc')).not.toContain('[x]');
});

test('a table escapes bars and joins lines', () => {
  expect(table([['a'], ['x | y\nz']])).toBe('| a |\n| --- |\n| x \\| y z |');
});

test('only what stands between the marks is replaced', () => {
  expect(replaceBetween('a<!-- m:begin -->old<!-- m:end -->b', 'm', 'new')).toBe('a<!-- m:begin -->\nnew\n<!-- m:end -->b');
  expect(() => replaceBetween('a', 'm', 'new')).toThrow('missing');
});
