// What is left of a text when its quotes are emptied: nothing that a shell would run may be taken for quoted.
import { expect, test } from 'vitest';
import { unquoted } from '../../src/syntax/unquoted.ts';

test.each([
  ['quotes and comments are emptied', `a 'b c' "d e" # g\nh`, `a '' "" \nh`],
  ['what is expanded is kept', `a "f $x" "\`y\`"`, `a "f $x" "\`y\`"`],
  ["one kind of quotes in the other is text", `a "it's" b "it's" 'say "x' c`, `a "" b "" '' c`],
  ['an escaped quote opens nothing', `a\\'b 'c' \\\\'d' \\"e "f"`, `a\\'b '' \\\\'' \\"e ""`],
  ['ANSI-C quotes have escaped ones in them', `$'a\\'b' c`, `$'' c`],
  ['a # in a word, or behind an escaped blank, is no comment', `a#b \\ #c "x"#d`, `a#b \\ #c ""#d`],
  ['quotes in a substitution in quotes', `a "$(b "c" 'd')" e 'f'`, `a "$(b "c" 'd')" e ''`],
  ['a quoted here-document is left out', `cat <<'E' && b 'c'\nit's\nE\nd 'e'`, `cat <<'' && b ''\nd ''`],
  ['of another one what is expanded is kept', `cat <<E\nit's $x\nb\nE\nc`, `cat <<E\n: it's $x\nc`],
  ['tabs end it only where they may', `cat <<-E\n\tE\na\ncat <<E\n\tE\nit's\nE\nb`, `cat <<-E\na\ncat <<E\nb`],
  ['two of them, in their order', `cat <<a <<'b'\n1\na\n2\nb\nx`, `cat <<a <<''\nx`],
  ['a here-string is none', `a <<<'b' c\nd`, `a <<<'' c\nd`],
])('%s', (_, text, expected) => {
  expect(unquoted(text)).toBe(expected);
});

test.each([
  ['a substitution with case in quotes', `"$(case x in a) b;; esac)" 'q'`],
  ['quotes in an expansion in quotes', `"\${x:-'}" repeat '`],
  ['a quote behind an escaped dollar', `\\$'a\\' repeat '`],
  ['a shift of bits', `a=$((1<<2))\nrepeat 'x'\n2`],
  ['a comment in backticks', "`# it's\nrepeat 'x'`"],
  ['a pattern that begins with #', `ls (#i)'x'`],
  ['a here-document without an end', `cat <<E\nit's 'x'`],
  ['a word of a here-document that is expanded', `cat <<$'E'\n'x'\nE`],
  ['quotes without an end', `a "b 'c'`],
  ['a comment in a substitution in quotes', `"$(a #')\n)" 'x'`],
  ['many here-documents', `${'cat <<E\nE\n'.repeat(70)}'x'`],
  ['substitutions far in one another', `${'"$('.repeat(40)}'x'${')"'.repeat(40)}`],
])('%s: where it cannot be told what is quoted, the rest stays', (_, text) => {
  const rest = unquoted(text);
  expect(text.endsWith(rest.slice(-3))).toBe(true);
  expect(rest).toContain(/'[^']*'$/.exec(text)?.[0] ?? text.slice(-4));
});

test.each([['"$('], ['"${'], ['<<x '], ['<<x\nx\n'], ['"$(a"'], ['`#'], ["$'\\"], ['a "b" ']])('64 KiB of %j take a bounded time', (piece) => {
  const start = performance.now();
  unquoted(piece.repeat(Math.floor(65_536 / piece.length)));
  expect(performance.now() - start).toBeLessThan(5_000);
});
