import { expect, test } from 'vitest';
import { quote } from '../../src/shell/quote.ts';
import { ALL_SHELLS, findProgram } from '../support/shells.ts';
import { evaluate, fields, NASTY_TEXTS } from './support.ts';

test.each([...ALL_SHELLS, 'sh'] as const)('B58: %s reads a quoted text as one word that is the text', (shell) => {
  if (findProgram(shell) === undefined) return;
  expect(fields(evaluate(shell, `printf '%s\\0' ${NASTY_TEXTS.map((text) => quote(shell, text)).join(' ')}`))).toEqual(NASTY_TEXTS);
});

test.each([
  ['bash', 'posix'],
  ['bash', 'extglob'],
  ['zsh', 'rc_quotes'],
  ['zsh', 'sh_word_split'],
] as const)('in %s also with the option %s', (shell, option) => {
  if (findProgram(shell) === undefined) return;
  const set = shell === 'zsh' ? `setopt ${option}` : `set -o ${option} 2>/dev/null || shopt -s ${option}`;
  expect(fields(evaluate(shell, `${set}\nprintf '%s\\0' ${NASTY_TEXTS.map((text) => quote(shell, text)).join(' ')}`))).toEqual(NASTY_TEXTS);
});
