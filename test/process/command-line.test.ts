import { describe, expect, test } from 'vitest';
import { commandFromFile, planStart, type StartFacts, type StartRequest } from '../../src/process/command-line.ts';
import type { Shell } from '../../src/shell/shell.ts';

const bash: Shell = { name: 'bash', path: '/bin/bash' };
const zsh: Shell = { name: 'zsh', path: '/bin/zsh' };
const tag = { value: 77n };
const linux: StartFacts = { closeFds: [9, 18, 23], isLinux: true, bash: '/bin/bash' };
const mac: StartFacts = { closeFds: [], isLinux: false, bash: '/bin/bash' };

function plan(request: Partial<StartRequest>, facts: StartFacts): ReturnType<typeof planStart> {
  return planStart({ shell: bash, command: 'date', login: false, env: { A: '1' }, tag, ...request }, facts);
}

describe('on Linux', () => {
  test('bash is started directly and prepares itself', () => {
    expect(plan({ umask: 0o27 }, linux)).toEqual({
      file: '/bin/bash',
      args: ['--norc', '-c', 'date'],
      env: { A: '1', BASH_ENV: '/proc/self/fd/3', SHELLKEEP_PROLOGUE: 'ulimit -S -R 77 2>/dev/null;exec 9>&- 18>&- 23>&-;umask 27' },
      needsPrologue: true,
      isTagged: true,
    });
  });

  test.each([[zsh, false], [bash, true]] as const)('%j, login %s, is started by way of a clean bash', (shell, login) => {
    const args = login ? ['-l', '-c', 'date'] : ['-c', 'date'];
    expect(plan({ shell, login }, linux)).toEqual({
      file: '/bin/bash',
      args: ['--norc', '--noprofile', '-p', '-c', 'ulimit -S -R 77 2>/dev/null;exec 9>&- 18>&- 23>&-;exec "$@"', 'bash', shell.path, ...args],
      env: { A: '1' },
      needsPrologue: false,
      isTagged: true,
    });
  });

  test('options in the environment reach the shell, not what prepares it', () => {
    const { args, env } = plan({ env: { A: '1', SHELLOPTS: 'xtrace', BASH_ENV: '/x y' } }, linux);
    expect(env).toEqual({ A: '1' });
    expect(args.slice(6)).toEqual(['/usr/bin/env', 'SHELLOPTS=xtrace', 'BASH_ENV=/x y', '/bin/bash', '--norc', '-c', 'date']);
  });

  test('without a bash, sh closes what it can name and the tag comes from outside', () => {
    const withoutBash = { ...linux, bash: undefined };
    expect(plan({ shell: zsh }, withoutBash)).toMatchObject({ file: '/bin/sh', args: ['-c', 'exec 9>&-;exec "$@"', 'sh', '/bin/zsh', '-c', 'date'], isTagged: false });
    expect(plan({ shell: zsh }, { ...withoutBash, closeFds: [] })).toMatchObject({ file: '/bin/zsh', args: ['-c', 'date'], isTagged: false });
  });
});

test('elsewhere there is nothing to prepare but the umask', () => {
  expect(plan({}, mac)).toEqual({ file: '/bin/bash', args: ['--norc', '-c', 'date'], env: { A: '1' }, needsPrologue: false, isTagged: false });
  expect(plan({ umask: 0o77 }, mac)).toMatchObject({ file: '/bin/bash', args: expect.arrayContaining(['umask 77;exec "$@"']), needsPrologue: false });
});

test('a path with quotes and substitutions in it is a path', () => {
  const path = "/tmp/a b'c $(touch x)/1";
  expect(commandFromFile(bash, path)).toBe(`eval " $(<'/tmp/a b'\\''c $(touch x)/1')"`);
  expect(commandFromFile({ name: 'sh', path: '/bin/sh' }, path)).toContain('$(cat ');
  expect(commandFromFile({ name: 'fish', path: '/bin/fish' }, path)).toBe(`eval (string collect -N <'/tmp/a b\\'c $(touch x)/1')`);
});
