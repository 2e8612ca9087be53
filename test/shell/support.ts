// What the tests of shell/ share: real shells without their startup files, and texts that break careless quoting.
import { spawnSync } from 'node:child_process';
import type { ShellName } from '../../src/shell/shell.ts';
import { Home } from '../support/home.ts';
import { removeAtEnd } from '../support/leftovers.ts';
import { findProgram } from '../support/shells.ts';

const home = new Home();
removeAtEnd(home.root);

const ARGUMENTS: Readonly<Record<ShellName, readonly string[]>> = {
  bash: ['--norc', '--noprofile', '-c'],
  zsh: ['-f', '-c'],
  fish: ['--no-config', '-c'],
  sh: ['-c'],
};

/** What a script prints in a real shell, with a home of its own. A script that complains is an error. */
export function evaluate(shell: ShellName, script: string, env: Readonly<Record<string, string>> = {}): string {
  const { stdout, stderr, error } = spawnSync(findProgram(shell) ?? shell, [...ARGUMENTS[shell], script], { env: { ...home.environment(), ...env }, encoding: 'utf8' });
  if (error !== undefined || stderr !== '') throw new Error(`${shell}: ${stderr}`, { cause: error });
  return stdout;
}

/** The fields of a text in which each one ends in NUL. */
export function fields(text: string): string[] {
  return text.split('\0').slice(0, -1);
}

const ASCII = Array.from({ length: 127 }, (_, index) => String.fromCharCode(index + 1));

export const NASTY_TEXTS: readonly string[] = [
  '', ' ', '  two  blanks ', "it's", "''", "'''", '"', '\\', '\\\\', "\\'", '\\n', 'ends in \\', 'a \\\\ b', "it's a 'dog' \\", "a'  b", " '", '$HOME', '${x:?}', '`id`', '$(id)',
  'hello!world', '!!', 'a\nb', '\n', 'ends in a newline\n\n', 'a\tb', 'a\r\nb', 'é ≤ 你 🎉', '\u00a0', '\ufeff', '\u{10ffff}', '\x01\x07\x1b[31m\x7f', '-n', '--', '=', '(', '!',
  '*?[a]', '~', '# no comment', 'a;b|c&d', '{a,b}', '%s', '%', '<x >y', 'a=b', ':', 'a:b::c:', 'x\ndeclare -x FAKE="1"', "x\nFAKE 1  '2'", 'x'.repeat(5_000), ASCII.join(''), ...ASCII,
];
