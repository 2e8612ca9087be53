import { describe, expect, test } from 'vitest';
import type { Changes } from '../../src/session/api.ts';
import { ShellState } from '../../src/session/shell-state.ts';
import type { ShellReport } from '../../src/shell/report.ts';
import type { SessionShellName } from '../../src/shell/shell.ts';

const REPORT: ShellReport & { readonly exports: string } = {
  id: 'c_1', exitCode: 0, flags: 'himBHs', cwd: '/srv', umask: '0022', options: 'monitor:nullglob', aliases: "alias ll='x'\nalias ls='y'\n", functions: 'declare -f f\ndeclare -f g\n',
  exports: 'declare -x A="1"\ndeclare -x B="2"\ndeclare -x PWD="/srv"\ndeclare -x _="x"\n', jobs: '',
} satisfies ShellReport;

function changesBy(report: Partial<ShellReport>, shell: SessionShellName = 'bash'): Changes | undefined {
  const before = new ShellState(shell, REPORT);
  return new ShellState(shell, { ...REPORT, id: 'c_2', ...report }, before).changesSince(before);
}

describe('what a command changed', () => {
  test.each<[string, Partial<ShellReport>, Changes | undefined]>([
    ['nothing', {}, undefined],
    ['the directory', { cwd: '/' }, { cwd: '/' }],
    ['a new variable', { exports: `${REPORT.exports}declare -x C="3"\n` }, { envSet: ['C'] }],
    ['another value', { exports: REPORT.exports.replace('"1"', '"9"') }, { envSet: ['A'] }],
    ['a variable that is gone', { exports: REPORT.exports.replace('declare -x A="1"\n', '') }, { envUnset: ['A'] }],
    ['several, sorted', { exports: 'declare -x Z="1"\ndeclare -x C="3"\n' }, { envSet: ['C', 'Z'], envUnset: ['A', 'B'] }],
    ['only what every command changes', { exports: REPORT.exports.replace('"x"', '"y"').replace('"/work"', '"/"').concat('declare -x OLDPWD="/srv"\n') }, undefined],
    ['only the order', { exports: 'declare -x B="2"\ndeclare -x A="1"\n' }, undefined],
    ['aliases', { aliases: "alias la='z'\nalias ls='y'\n" }, { aliases: ['la', 'll'] }],
    ['all aliases', { aliases: '' }, { aliases: ['ll', 'ls'] }],
    ['functions', { functions: 'declare -f f\ndeclare -f g\ndeclare -fx h\n' }, { functions: ['h'] }],
    ['options', { options: 'monitor:errexit' }, { options: ['errexit', 'nullglob'] }],
    ['only names of our own', { functions: 'declare -f f\ndeclare -f __sk_x\ndeclare -f g\n', exports: `${REPORT.exports}declare -x __sk_y="3"\n` }, undefined],
    ['everything', { cwd: '/tmp', aliases: "alias ll='x'\n", functions: 'declare -f g\n', options: 'monitor', exports: '' }, { cwd: '/tmp', aliases: ['ls'], functions: ['f'], options: ['nullglob'], envUnset: ['A', 'B'] }],
  ])('%s', (_, report, changes) => {
    expect(changesBy(report)).toEqual(changes);
  });

  test('what was not listed this time has not changed, and is known the next time', () => {
    const first = new ShellState('fish', { ...REPORT, exports: 'A=1\0', functions: 'f\ng\n' });
    const second = new ShellState('fish', { ...REPORT, exports: undefined, functions: undefined }, first);
    const third = new ShellState('fish', { ...REPORT, exports: 'A=2\0', functions: 'f\ng\nh\n' }, second);
    expect(second.changesSince(first)).toBeUndefined();
    expect([...second.exported]).toEqual([['A', '1']]);
    expect(third.changesSince(second)).toEqual({ functions: ['h'], envSet: ['A'] });
  });
});

test.each([['0022', 0o022], ['027', 0o027], ['0000', 0], ['0777', 0o777], ['', undefined]])('the umask %j is %o', (umask, value) => {
  expect(new ShellState('bash', { ...REPORT, umask }).umask).toBe(value);
});

test('exported variables and jobs are those of the report', () => {
  const state = new ShellState('zsh', { ...REPORT, exports: 'A=1\0B=x=y\0', jobs: '[1]  + 1001 running    sleep 1\n' });
  expect([...state.exported]).toEqual([['A', '1'], ['B', 'x=y']]);
  expect(state.jobs()).toEqual([{ job: 1, pid: 1001, state: 'running', command: 'sleep 1' }]);
});
