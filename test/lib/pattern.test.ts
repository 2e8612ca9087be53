// What patterns match, what is refused and how it is told, and that no pattern costs much, whatever it is.
import { expect, test } from 'vitest';
import { ExpectedError } from '../../src/errors.ts';
import { Pattern } from '../../src/lib/pattern.ts';

function refusal(source: string): { message: string; hint: string } {
  try {
    Pattern.compile(source);
  } catch (error) {
    if (error instanceof ExpectedError && error.code === 'BAD_PATTERN') return error;
    throw error;
  }
  throw new Error(`${source} was compiled`);
}

test.each([
  ['ready', 'server ready\n', { start: 7, end: 12 }],
  ['^ready$', 'is\nready\nnow', { start: 3, end: 8 }],
  ['^ready$', 'not ready', undefined],
  ['(?i)ERROR|fail', 'one Error', { start: 4, end: 9 }],
  ['a.b', 'a\nb', undefined],
  ['(?s)a.b', 'a\nb', { start: 0, end: 3 }],
  ['port (\\d+)', 'on port 3000', { start: 3, end: 12 }],
  ['x', '😀x', { start: 2, end: 3 }],
  ['[[:digit:]]{2,}', 'a 1 22', { start: 4, end: 6 }],
])('%s in %j', (source, text, match) => {
  const pattern = Pattern.compile(source);
  expect(pattern.find(text)).toEqual(match);
  expect(pattern.test(text)).toBe(match !== undefined);
});

test('a search from a place on still sees what stands before it', () => {
  expect(Pattern.compile('^b').find('ab\nb', 1)).toEqual({ start: 3, end: 4 });
  expect(Pattern.compile('\\bb').find('ab b', 1)).toEqual({ start: 3, end: 4 });
});

test.each([
  ['', 'the pattern is empty'],
  ['a(b', 'the pattern "a(b" cannot be used: missing closing )'],
  ['ab[c', 'the pattern "ab[c" cannot be used: missing closing ] at character 3: "[c"'],
  ['*a', 'the pattern "*a" cannot be used: missing argument to repetition operator at character 1: "*"'],
  ['a\\', 'the pattern "a\\\\" cannot be used: trailing backslash at end of expression'],
  ['x\\p{Nope}', 'the pattern "x\\\\p{Nope}" cannot be used: invalid character class range at character 2: "\\\\p{Nope}"'],
])('%j is refused with the reason and the place', (source, message) => {
  expect(refusal(source).message).toBe(message);
});

test.each([
  ['foo(?=bar)', 'no look-around'],
  ['foo(?!bar)', 'no look-around'],
  ['(?<=foo)bar', 'no look-around'],
  ['(?<!foo)bar', 'no look-around'],
  ['(a)\\1', 'no back references'],
  ['(?P<q>a)\\k<q>', 'no back references'],
  ['(?>a)', 'never backtracks'],
  ['a++', 'never backtracks'],
  ['\\u20ac', '\\x{20AC}'],
  ['a{1001}', 'counts to 1000'],
])('%s is refused with a hint that RE2 has it not', (source, hint) => {
  expect(refusal(source).hint).toContain(hint);
});

test.each([
  ['a{1000}{1000}'],
  ['((a{100}){100}){100}'],
  [`(?:${'a'.repeat(900)}){1000}`],
  ['.{1000}'.repeat(140)],
  ['(?:[^a]{30}|[a-z]{30}){20}'],
  ['x'.repeat(1_001)],
  ['(?:(?:ab|cd){10,}){100}'],
])('%s is refused before it costs anything', (source) => {
  const startedAt = performance.now();
  refusal(source);
  expect(performance.now() - startedAt).toBeLessThan(50);
});

test.each([['x?'.repeat(490)], [`(?i)${'\\p{L}'.repeat(150)}`], ['(?:a|b)*a(?:a|b){400}[xy]'], ['(x*)*y'], ['('.repeat(400) + 'a' + ')'.repeat(400)]])(
  '%s is allowed, and its time grows with the text alone',
  (source) => {
    const pattern = Pattern.compile(source);
    const time = (characters: number): number => {
      const text = 'abba'.repeat(characters / 4);
      const startedAt = performance.now();
      pattern.test(text);
      return performance.now() - startedAt;
    };
    time(1_000);
    expect(time(8_000)).toBeLessThan(2_000); // a backtracking engine would take years
  },
);
