import { expect, test } from 'vitest';
import { parseBashExports } from '../../src/shell/exports.ts';
import { exportsOf } from '../../src/shell/report.ts';
import { quote } from '../../src/shell/quote.ts';
import type { SessionShellName } from '../../src/shell/shell.ts';
import { forEachShell } from '../support/shells.ts';
import { evaluate, fields, NASTY_TEXTS } from './support.ts';

/** As the integration of each shell prints its exported variables. */
const PRINTS: Readonly<Record<SessionShellName, string>> = {
  bash: 'export -p',
  zsh: 'for name in ${(k)parameters[(R)*export*]}; do print -rN -- "$name=${(P)name}"; done',
  fish: 'for name in (set -xn); printf "%s=%s\\0" $name "$$name"; end',
};

/** What a shell sets anew for each child, or names without exporting it. */
const VOLATILE = new Set(['_', 'OLDPWD', 'SHLVL']);

const NASTY: Readonly<Record<string, string>> = Object.fromEntries(NASTY_TEXTS.map((text, index) => [`NASTY_${index}`, text]));

forEachShell((shell) => {
  test('what the shell says of its exported variables is what its children get', () => {
    const printed = evaluate(shell, `${PRINTS[shell]}; printf '\\0\\0\\0'; env -0`, NASTY);
    const at = printed.lastIndexOf('\0\0\0');
    const actual = new Map(fields(printed.slice(at + 3)).map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]));
    const parsed = exportsOf(shell, printed.slice(0, at));
    for (const [name, text] of Object.entries(NASTY)) {
      expect(parsed.get(name), `${name} ${JSON.stringify(text)}`).toBe(text);
      expect(actual.get(name), `${name} in a child`).toBe(text);
    }
    expect([...parsed.keys()].filter((name) => !actual.has(name) && !VOLATILE.has(name))).toEqual([]);
    expect([...actual.keys()].filter((name) => !parsed.has(name) && !VOLATILE.has(name))).toEqual([]);
  });

  test('texts set in the shell itself come back', () => {
    const set = NASTY_TEXTS.map((text, index) => (shell === 'fish' ? `set -gx N${index} ${quote(shell, text)}` : `export N${index}=${quote(shell, text)}`));
    const parsed = exportsOf(shell, evaluate(shell, `${set.join('\n')}\n${PRINTS[shell]}`));
    expect(NASTY_TEXTS.map((_, index) => parsed.get(`N${index}`))).toEqual(NASTY_TEXTS);
  });
});

test.each([
  ['declare -x A="1"', [['A', '1']]],
  ['declare -x A', []],
  ['declare -x A=""', [['A', '']]],
  ['declare -ix N="5"\ndeclare -rx R="x"\nexport P="posix"', [['N', '5'], ['R', 'x'], ['P', 'posix']]],
  ['declare -x A="a \\"b\\" \\$c \\`d\\` \\\\"', [['A', 'a "b" $c `d` \\']]],
  ['declare -x A="1\ndeclare -x B=\\"2\\"\n"\ndeclare -x C="3"', [['A', '1\ndeclare -x B="2"\n'], ['C', '3']]],
  ["declare -x A=$'a\\n\\'b\\'\\t\\E[0m\\001\\303\\251'", [['A', "a\n'b'\t\x1b[0m\x01é"]]],
  ['declare -ax LIST=([0]="a" [1]="b")\ndeclare -x A="1"', [['A', '1']]],
])('bash prints %j', (text, variables) => {
  expect([...parseBashExports(`${text}\n`)]).toEqual(variables);
});

test('a list of fish is what its programs see', () => {
  const lists = ["set -gx LIST a 'b c' '' it\\'s \\\\ 'e  f' \\n", 'set -gx NONE', "set -gx MY_PATH /a '/b c' /d", 'set -gx ONE_PATH /only', 'set -gx NO_PATH', 'set -gx --path LIB /a /b', 'set -gx --unpath OUR_PATH a b'];
  const printed = evaluate('fish', `${lists.join('\n')}\n${PRINTS.fish}; printf '\\0'; env -0`);
  const at = printed.indexOf('\0\0') + 1;
  const actual = new Map(fields(printed.slice(at + 1)).map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]));
  const parsed = exportsOf('fish', printed.slice(0, at));
  for (const name of ['LIST', 'NONE', 'MY_PATH', 'ONE_PATH', 'NO_PATH', 'LIB', 'OUR_PATH', 'PATH']) expect(parsed.get(name), name).toBe(actual.get(name));
});
