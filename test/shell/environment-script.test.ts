import { describe, expect, test } from 'vitest';
import { commandEnvironment, isOwnedByShell, takeOverScript } from '../../src/shell/environment-script.ts';
import { quote } from '../../src/shell/quote.ts';
import type { SessionShellName } from '../../src/shell/shell.ts';
import { forEachShell } from '../support/shells.ts';
import { evaluate, fields, NASTY_TEXTS } from './support.ts';

/** The same few statements in each shell. */
interface Words {
  readonly export: (name: string, value: string) => string;
  readonly set: (name: string, value: string) => string;
  readonly unset: (name: string) => string;
  /** Prints the value in the shell itself, or `(unset)`. */
  readonly show: (name: string) => string;
}

const POSIX: Words = {
  export: (name, value) => `export ${name}=${quote('bash', value)}`,
  set: (name, value) => `${name}=${quote('bash', value)}`,
  unset: (name) => `unset ${name}`,
  show: (name) => `printf '%s\\0' "\${${name}-(unset)}"`,
};

const WORDS: Readonly<Record<SessionShellName, Words>> = {
  bash: POSIX,
  zsh: POSIX,
  fish: {
    export: (name, value) => `set -gx ${name} ${quote('fish', value)}`,
    set: (name, value) => `set -g ${name} ${quote('fish', value)}`,
    unset: (name) => `set -e ${name}`,
    show: (name) => `if set -q ${name}; printf '%s\\0' "$${name}"; else; printf '(unset)\\0'; end`,
  },
};

/** What a child sees of a variable. Without a process of its own for each look: sh tells it from its own environment. */
function showInChild(name: string): string {
  return `sh -c 'printf "%s\\0" "\${${name}-(unset)}"'`;
}

interface Before {
  readonly value: string;
  readonly isExported: boolean;
}

interface OneCommand {
  readonly before?: Before;
  readonly given: string;
  readonly command?: (words: Words) => string;
}

/** What the command's child sees, and afterwards the shell and a child of it. */
function runWith(shell: SessionShellName, { before, given, command }: OneCommand): string[] {
  const words = WORDS[shell];
  const { set, restore } = commandEnvironment(shell, { V: given }, new Map(before?.isExported === true ? [['V', before.value]] : []));
  const prepare = before === undefined ? '' : words[before.isExported ? 'export' : 'set']('V', before.value);
  return fields(evaluate(shell, `${prepare}\n${set}${showInChild('V')}\n${command?.(words) ?? ''}\n${restore}${words.show('V')}\n${showInChild('V')}\n`));
}

describe('a variable for one command', () => {
  forEachShell((shell) => {
    test.each<[string, OneCommand, [string, string, string]]>([
      ['that was not set is unset again', { given: 'new' }, ['new', '(unset)', '(unset)']],
      ['that was exported gets its value back', { before: { value: 'old', isExported: true }, given: 'new' }, ['new', 'old', 'old']],
      ['that was set but not exported is neither after it', { before: { value: 'old', isExported: false }, given: 'new' }, ['new', 'old', '(unset)']],
      ['that was empty is empty again', { before: { value: '', isExported: true }, given: 'new' }, ['new', '', '']],
      ['that is empty', { before: { value: 'old', isExported: true }, given: '' }, ['', 'old', 'old']],
      ['that is empty and was not set', { given: '' }, ['', '(unset)', '(unset)']],
      ['with the value it had anyway', { before: { value: 'same', isExported: true }, given: 'same' }, ['same', 'same', 'same']],
      ['that the command changes stays as it is then', { before: { value: 'old', isExported: true }, given: 'new', command: ({ export: set }) => set('V', 'mine') }, ['new', 'mine', 'mine']],
      ['that the command empties stays empty', { before: { value: 'old', isExported: true }, given: 'new', command: ({ export: set }) => set('V', '') }, ['new', '', '']],
      ['that the command unsets stays unset', { before: { value: 'old', isExported: true }, given: 'new', command: ({ unset }) => unset('V') }, ['new', '(unset)', '(unset)']],
      ['that is empty and that the command unsets stays unset', { before: { value: 'old', isExported: true }, given: '', command: ({ unset }) => unset('V') }, ['', '(unset)', '(unset)']],
    ])('%s', (_, command, seen) => {
      expect(runWith(shell, command)).toEqual(seen);
    });

    test('takes any text, and any text comes back', () => {
      const words = WORDS[shell];
      const names = NASTY_TEXTS.map((_, index) => `V${index}`);
      const given = Object.fromEntries(names.map((name, index) => [name, NASTY_TEXTS.at(-index) ?? '']));
      const old = new Map(names.map((name, index) => [name, NASTY_TEXTS[index] ?? '']));
      const { set, restore } = commandEnvironment(shell, given, old);
      const show = names.map((name) => words.show(name)).join('\n');
      const exports = [...old].map(([name, value]) => words.export(name, value)).join('\n');
      expect(fields(evaluate(shell, `${exports}\n${set}${show}\n${restore}${show}`))).toEqual([...Object.values(given), ...NASTY_TEXTS]);
    });

    test('leaves no variable of ours behind', () => {
      const { set, restore } = commandEnvironment(shell, { A: '1', B: '2' }, new Map([['A', '0']]));
      const names = { bash: 'compgen -v', zsh: 'print -rl -- ${(k)parameters}', fish: 'set -n' }[shell];
      expect(evaluate(shell, `${WORDS[shell].export('A', '0')}\n${set}${restore}${names}`)).not.toContain('__sk_');
    });
  });

  test('that is a list of fish is one again', () => {
    const { set, restore } = commandEnvironment('fish', { LIST: 'x', MY_PATH: '/x:/y' }, new Map([['LIST', 'a b'], ['MY_PATH', '/a:/b c']]));
    const show = 'printf "%s\\0" (count $LIST) $LIST (count $MY_PATH) $MY_PATH';
    expect(fields(evaluate('fish', `set -gx LIST a b; set -gx MY_PATH /a '/b c'\n${set}${show}\n${restore}${show}`))).toEqual(['1', 'x', '2', '/x', '/y', '2', 'a', 'b', '2', '/a', '/b c']);
  });
});

describe('a new shell', () => {
  forEachShell((shell) => {
    test('takes over any text', () => {
      const variables = new Map(NASTY_TEXTS.map((text, index) => [`V${index}`, text]));
      const show = [...variables.keys()].map((name) => WORDS[shell].show(name)).join('\n');
      expect(fields(evaluate(shell, takeOverScript(shell, variables, []) + show))).toEqual(NASTY_TEXTS);
    });

    test('exports what was exported and unsets what was unset, of all but what a shell has its own idea of', () => {
      const variables = new Map(Object.entries({ A: '1', MY_PATH: '/a:/b:', PWD: '/nowhere', SHLVL: '77', TERM: 'dumb', COLUMNS: '3', _: 'x', UID: '5', 'BASH_FUNC_f%%': '() { :; }' }));
      const script = takeOverScript(shell, variables, ['GONE', 'PPID', 'LINES', 'never-a-name']);
      const names = ['A', 'MY_PATH', 'GONE', 'TERM'];
      const shown = fields(evaluate(shell, script + names.map(showInChild).join('\n'), { GONE: 'here', TERM: 'vt100' }));
      expect(shown).toEqual(['1', '/a:/b:', '(unset)', 'vt100']);
      expect(script).not.toMatch(/PWD|SHLVL|TERM|COLUMNS|LINES|UID|PPID|BASH_FUNC|never-a-name/);
    });
  });

  test('makes lists of the paths of fish', () => {
    expect(evaluate('fish', `${takeOverScript('fish', new Map([['MY_PATH', '/a:/b c:/d'], ['WORDS', 'a:b']]), [])}count $MY_PATH; count $WORDS`)).toBe('3\n1\n');
  });
});

test.each(['UID', 'EUID', 'GID', 'EGID', 'PPID', 'USERNAME', 'SHELLOPTS', 'BASHOPTS', 'IFS', 'PWD', 'OLDPWD', '_', 'RANDOM', 'BASH_VERSION', 'status', 'fish_pid', '__sk_dir'])('%s belongs to a shell', (name) => {
  expect(isOwnedByShell(name)).toBe(true);
});

test.each(['PATH', 'HOME', 'LANG', 'USER', 'UIDS', 'MY_UID', 'BASHFUL', 'IFS2', 'A', 'PS1', 'HISTFILE', 'TERM', 'PWDS'])('%s is free', (name) => {
  expect(isOwnedByShell(name)).toBe(false);
});
