// No text is too long, too deep or too odd to be read: it takes a bounded time, nothing is thrown, and what was cut is never safe.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { classify } from '../../src/policy/classify.ts';
import type { ClassifyContext } from '../../src/policy/classify.ts';

const CONTEXT: ClassifyContext = { shell: 'bash', cwd: '/home/u/proj', home: '/home/u', allowedRoots: ['/home/u/proj', '/tmp'] };
const KIB16 = 16 * 1024;
/** Generous: machines that run tests are busy. What is meant is that nothing takes minutes. */
const LIMIT_MS = 3_000;

const repeated = (text: string): string => text.repeat(Math.floor(KIB16 / text.length));
const doubled = Array.from({ length: 30 }, (_, index) => `v${index + 1}=$v${index}$v${index}`).join(';');

test.each([
  ['16 KiB of $(', repeated('$('), 'dangerous'],
  ['16 KiB of backticks', repeated('`a'), undefined],
  ['16 KiB of (', repeated('('), 'dangerous'],
  ['16 KiB of {', repeated('{'), undefined],
  ['16 KiB of nested braces', `echo ${repeated('{a,')}`, undefined],
  ['16 KiB of braces beside one another', `echo ${repeated('{a,b}')}`, undefined],
  ['16 KiB of ${x:-', `echo ${repeated('${x:-')}`, 'dangerous'],
  ['16 KiB of quotes', repeated(`'"`), undefined],
  ['16 KiB of heredocs', repeated('cat <<E\n'), undefined],
  ['16 KiB of eval', repeated('eval '), undefined],
  ['16 KiB of bash -c in quotes', repeated('bash -c "'), undefined],
  ['16 KiB of sudo', `${repeated('sudo ')}ls`, 'dangerous'],
  ['16 KiB of assignments', `${repeated('a=$a$b b=$b$a;')} $a`, 'dangerous'],
  ['16 KiB of arithmetic', `echo ${repeated('$((')}`, undefined],
  ['16 KiB of backslashes', repeated('\\'), undefined],
  ['16 KiB of pipes', `${repeated('ls|')}ls`, undefined],
  ['values that double', `v0=aaaaaaaa;${doubled};$v30`, 'dangerous'],
  ['a nested value that doubles and ends in rm', `v0=aaaaaaaa;${doubled};rm -rf "$v30"`, 'dangerous'],
  ['a heredoc of 1 MB', `cat > x <<'E'\n${'never run rm -rf /\n'.repeat(52_000)}E\n`, 'safe'],
  ['more than the longest text', `echo ${'a'.repeat(1024 * 1024)}`, 'dangerous'],
  ['20,000 commands', 'ls\n'.repeat(20_000), 'dangerous'],
  ['nine scripts in one another', Array.from({ length: 9 }).reduce<string>((code) => `eval ${JSON.stringify(code)}`, 'ls'), 'dangerous'],
  ['40 loops in one another', `${Array.from({ length: 40 }, (_, index) => `for v${index} in 1 2 3; do `).join('')}echo $v0 $v1 $v2 $v3 $v4${'; done'.repeat(40)}`, 'safe'],
  ['sixty commands before the one that counts', `${'true && '.repeat(60)}rm -rf /`, 'reject'],
])('%s', (_, text, expected) => {
  const start = performance.now();
  const verdict = classify(text, CONTEXT);
  expect(performance.now() - start).toBeLessThan(LIMIT_MS);
  if (expected !== undefined) expect(verdict.class, JSON.stringify(verdict.rules).slice(0, 500)).toBe(expected);
});

/** Pieces that a text of 16 KiB is made of: openings, closings, operators, words, programs that run programs. The bench has their times. */
const REPEATED = JSON.parse(readFileSync(new URL('pathological.json', import.meta.url), 'utf8')) as string[];

test.each(REPEATED)('16 KiB of %j takes a bounded time', (piece) => {
  const start = performance.now();
  classify(repeated(piece), CONTEXT);
  expect(performance.now() - start).toBeLessThan(LIMIT_MS);
});

test.each([['$(', ')'], ['${a:-', '}'], ['<(', ')'], ['"$(', ')"'], ['$((', '))'], ['eval $(', ')'], ['$(x=$(', '))'], ['cat <<E\n$(', ')\nE\n']])('substitutions %s…%s far in one another are never safe', (open, close) => {
  const { class: found, rules } = classify(`: ${open.repeat(60)}a${close.repeat(60)}`, CONTEXT);
  expect(found).toBe('dangerous');
  expect(rules.map(({ rule }) => rule)).toContain('unreadable');
});

test('what is refused before it is parsed tells the reason', () => {
  expect(classify(repeated('$('), CONTEXT).rules[0]?.matched).toContain('substitutions in one another');
  expect(classify('a '.repeat(100_000), CONTEXT).rules[0]?.matched).toContain('outside of here-documents');
  expect(classify('a'.repeat(10_000_000), CONTEXT).rules[0]?.matched).toContain('characters');
});

test.each([
  ['quoted', "cat > x <<'E'\n", 'if (a[b]) { return ${c}; } $(rm -rf /)\n'],
  ['expanded', 'cat > x <<E\n', 'if (a[b]) { return c; }\n'],
])('a long here-document that is %s is safe, and read again only where it is run', (_, start, line) => {
  const body = line.repeat(Math.floor(1_000_000 / line.length));
  expect(classify(`${start}${body}E\n`, CONTEXT).class).toBe('safe');
  expect(classify(`${start.replace('cat > x', 'bash')}${body}E\n`, CONTEXT).class).not.toBe('safe');
  expect(classify(`${start}${body}E\nrm -rf /`, CONTEXT).class).toBe('reject');
});

/** A generator with a seed: the same texts in every run. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const PIECES = ['rm', ' -rf', ' /', '$(', ')', '`', '"', "'", '\\', '\n', ';', '|', '&', '{', '}', '${x', ':-', '/', '#', '%', '@P}', '((', '))', '<<E\n', 'E\n', '<(', '>', '<<<', 'if ', 'then ', 'fi', 'for x in ', 'do ', 'done', 'case ', 'esac', 'eval ', 'bash -c ', 'x=', '$x', '[', ']', '*', '?', '~', '!', 'sudo ', 'xargs ', 'find . -exec ', ' {} +', 'python3 -c ', '\0', '\r', 'ü', '\uFDD0', '\uD800', 'a[', '=(', ',', '..'];

test.each(['bash', 'zsh', 'fish', 'sh'] as const)('no text of random pieces makes reading throw or linger: %s', (shell) => {
  const below = random(shell.length * 7919);
  for (let round = 0; round < 1_500; round++) {
    const text = Array.from({ length: 1 + below(40) }, () => PIECES[below(PIECES.length)]).join('');
    const start = performance.now();
    const { class: found, rules } = classify(text, { ...CONTEXT, shell });
    expect(performance.now() - start, JSON.stringify(text)).toBeLessThan(LIMIT_MS);
    expect(found !== 'safe', JSON.stringify(text)).toBe(rules.length > 0);
  }
});

test('random bytes never throw', () => {
  const below = random(42);
  for (let round = 0; round < 500; round++) {
    const text = String.fromCharCode(...Array.from({ length: below(200) }, () => below(0x180)));
    expect(() => classify(text, CONTEXT)).not.toThrow();
  }
});
