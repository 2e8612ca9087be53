// What was tried by hand to get something past the policy, and the commands of a day beside it, in three shells. fish is read from its own tree.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { classify } from '../../src/policy/classify.ts';
import { fishTreeOf } from '../../src/process/fish-tree.ts';
import { CONTEXT, type CaseFile } from './support.ts';

const { groups } = JSON.parse(readFileSync(new URL('attempts.json', import.meta.url), 'utf8')) as CaseFile;
const hasFish = fishTreeOf('ls') !== undefined;

test.each(groups)('what is written in $shell and is $class has that class', ({ shell, class: expected, commands }) => {
  if (shell === 'fish' && !hasFish) return;
  const wrong = commands.flatMap((command) => {
    const { class: found, rules } = classify(command, { ...CONTEXT, shell, fishTree: fishTreeOf });
    return found === expected ? [] : [`${command} → ${found} (${rules.map(({ rule }) => rule).join(', ')})`];
  });
  expect(wrong).toEqual([]);
  expect(commands.length).toBeGreaterThan(20);
}, 60_000);

test('a comment is one in a script of zsh, and words where it is typed', () => {
  const classes = ['ls # list; rm -rf x', 'ls # list'].map((command) => [false, true].map((isTyped) => classify(command, { ...CONTEXT, shell: 'zsh', isTyped }).class));
  expect(classes).toEqual([['safe', 'dangerous'], ['safe', 'safe']]);
});
