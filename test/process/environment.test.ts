import { spawnSync } from 'node:child_process';
import { homedir } from 'node:os';
import { describe, expect, test } from 'vitest';
import { baseEnvironment, terminalEnvironment } from '../../src/process/environment.ts';
import { findProgram } from '../support/shells.ts';

const HOME_PATH = { HOME: '/home/u', PATH: '/usr/bin:/bin', LANG: 'C.UTF-8' };

function names(source: NodeJS.ProcessEnv, quiet = false): string[] {
  return Object.keys(baseEnvironment(source, { quiet })).sort();
}

test('the user\'s own variables are kept as they are', () => {
  const own = { ...HOME_PATH, EDITOR: 'vim', PAGER: 'less', VIRTUAL_ENV: '/y', NODE_ENV: 'test', NODE_OPTIONS: '--x', npm_config_registry: 'r', FORCE_COLOR: '1', EMPTY: '' };
  expect(baseEnvironment(own, { quiet: false })).toEqual({ ...own, TERM: 'dumb' });
});

test.each(['npm_lifecycle_event', 'npm_execpath'])('B107: what npm added is gone when it started the server, which %s shows', (sign) => {
  const source = { ...HOME_PATH, [sign]: 'start', npm_config_prefix: '/x', NODE_OPTIONS: '--max-old-space-size=64', NODE_ENV: 'production', INIT_CWD: '/', NODE: '/n', COLOR: '1', VIRTUAL_ENV: '/y' };
  expect(names(source)).toEqual(['HOME', 'LANG', 'PATH', 'TERM', 'VIRTUAL_ENV']);
});

test('B107: the folders that npm put in front of the search path are gone, the user\'s own stay', () => {
  const npm = '/w/node_modules/.bin:/node_modules/.bin:/usr/lib/node_modules/npm/node_modules/@npmcli/run-script/lib/node-gyp-bin';
  const own = '/usr/bin:/home/u/node_modules/.bin';
  expect(baseEnvironment({ ...HOME_PATH, npm_lifecycle_event: 'start', PATH: `${npm}:${own}` }, { quiet: false })['PATH']).toBe(own);
  expect(baseEnvironment({ ...HOME_PATH, PATH: `${npm}:${own}` }, { quiet: false })['PATH']).toBe(`${npm}:${own}`);
});

test('B109: what is absent stays absent, what is empty stays empty', () => {
  const found = baseEnvironment({ ...HOME_PATH, A: undefined, B: '' }, { quiet: true });
  expect('A' in found).toBe(false);
  expect(found['B']).toBe('');
  expect(Object.values(found)).not.toContain('undefined');
});

test('B110: what would change or poison every shell is gone', () => {
  const poison = { SHELLOPTS: 'nounset', BASHOPTS: 'x', BASH_ENV: '/tmp/x', ENV: '/tmp/x', PS4: '$(date)', PS1: '$ ', PROMPT_COMMAND: 'date', CDPATH: '/usr', GREP_OPTIONS: '-v', TMOUT: '5', GLOBIGNORE: '*' };
  expect(names({ ...HOME_PATH, ...poison })).toEqual(['HOME', 'LANG', 'PATH', 'TERM']);
});

test('B112: what describes another terminal is gone', () => {
  const terminal = {
    TERM: 'tmux-256color', TMUX: '/tmp/x,1,0', TMUX_PANE: '%1', STY: '1', COLUMNS: '37', LINES: '5', TERMCAP: 'x', WINDOWID: '1', TERM_PROGRAM: 'vscode', TERM_PROGRAM_VERSION: '1',
    VTE_VERSION: '7000', COLORTERM: 'truecolor', KITTY_WINDOW_ID: '1', ITERM_SESSION_ID: 'x', VSCODE_INJECTION: '1', INSIDE_EMACS: '29', SHLVL: '3', _: '/usr/bin/node', PWD: '/w', OLDPWD: '/v', SSH_TTY: '/dev/pts/9',
  };
  const found = baseEnvironment({ ...HOME_PATH, ...terminal }, { quiet: false });
  expect(found).toEqual({ ...HOME_PATH, TERM: 'dumb' });
});

test('what says how the launcher runs node, and our own settings, are gone', () => {
  expect(names({ ...HOME_PATH, ELECTRON_RUN_AS_NODE: '1', SHELLKEEP_TOKEN: 'secret', SHELLKEEP_MAX_TASKS: '3' })).toEqual(['HOME', 'LANG', 'PATH', 'TERM']);
});

describe('B76: a locale is given when there is none', () => {
  test.each([[{}], [{ LANG: '' }]])('%j', (locale) => {
    const found = baseEnvironment({ PATH: '/usr/bin:/bin', HOME: '/', ...locale }, { quiet: false });
    expect(found['LANG']).toBe('C.UTF-8');
    expect(spawnSync('locale', ['charmap'], { env: found, encoding: 'utf8' }).stdout).toBe('UTF-8\n');
  });

  test.each([[{ LC_ALL: 'POSIX' }], [{ LC_CTYPE: 'de_DE.UTF-8' }], [{ LANG: 'C' }]])('but %j stays as it is', (locale) => {
    expect(baseEnvironment({ ...HOME_PATH, LANG: undefined, ...locale }, { quiet: false })).toEqual({ PATH: HOME_PATH.PATH, HOME: HOME_PATH.HOME, TERM: 'dumb', ...locale });
  });
});

test('a home and a search path are given when there is none', () => {
  const found = baseEnvironment({}, { quiet: false });
  expect(found['HOME']).toBe(homedir());
  expect(found['PATH']).toContain('/usr/bin');
});

test('B77: pagers, editors and questions are silenced, over what the user set, unless the setting is off', () => {
  const source = { ...HOME_PATH, PAGER: 'less', GIT_EDITOR: 'vim' };
  const quiet = baseEnvironment(source, { quiet: true });
  expect(quiet).toMatchObject({ PAGER: 'cat', GIT_PAGER: 'cat', MANPAGER: 'cat', GIT_EDITOR: 'true', GIT_TERMINAL_PROMPT: '0', DEBIAN_FRONTEND: 'noninteractive' });
  expect(baseEnvironment(source, { quiet: false })).toMatchObject({ PAGER: 'less', GIT_EDITOR: 'vim' });
});

test('a session is told what its terminal is', () => {
  const base = baseEnvironment(HOME_PATH, { quiet: false });
  expect(terminalEnvironment(base)).toEqual({ ...HOME_PATH, TERM: 'xterm-256color', TERM_PROGRAM: 'shellkeep', fish_features: 'no-query-term' });
  expect(terminalEnvironment({ ...base, fish_features: 'qmark-noglob' })['fish_features']).toBe('qmark-noglob,no-query-term');
});

test.runIf(findProgram('fish'))('a fish that does not know the feature says nothing about it', () => {
  const env = terminalEnvironment(baseEnvironment(process.env, { quiet: true }));
  const { stdout, stderr } = spawnSync('fish', ['--no-config', '-c', 'echo ok'], { env, encoding: 'utf8' });
  expect({ stdout, stderr }).toEqual({ stdout: 'ok\n', stderr: '' });
});
