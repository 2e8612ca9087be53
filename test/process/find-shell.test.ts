import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { findShell, shellVersion, userShell } from '../../src/process/find-shell.ts';
import type { Shell } from '../../src/shell/shell.ts';
import { shells } from '../support/shells.ts';

const dir = mkdtempSync(join(tmpdir(), 'shellkeep-test-'));
afterAll(() => rmSync(dir, { recursive: true }));

function program(path: string, mode = 0o755): string {
  const file = join(dir, path);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, '#!/bin/sh\necho "shell 9.8.7-rc1"\n');
  chmodSync(file, mode);
  return file;
}

test('a shell is found on the search path, else in the usual places', () => {
  const own = program('first/zsh');
  program('not-executable/zsh', 0o644);
  mkdirSync(join(dir, 'folder/zsh'), { recursive: true });
  const PATH = [join(dir, 'not-executable'), join(dir, 'folder'), 'relative', '', join(dir, 'first')].join(':');
  expect(findShell('zsh', { PATH })).toEqual({ name: 'zsh', path: own });
  expect(findShell('sh', {}).path).toMatch(/^\/(usr\/)?bin\/sh$/);
});

test('without a name it is bash', () => {
  expect(findShell(undefined, process.env).name).toBe('bash');
});

test('the user\'s shell is $SHELL if we know it, and if it is there', () => {
  const own = program('mine/fish');
  expect(userShell({ SHELL: own })).toEqual({ name: 'fish', path: own });
  for (const SHELL of ['/bin/csh', '/missing/zsh', 'zsh', '', undefined]) {
    expect(['bash', 'zsh', 'fish']).toContain(userShell({ ...process.env, SHELL }).name);
  }
});

test('a version is asked for once, and sh has none', async () => {
  const shell: Shell = { name: 'zsh', path: program('version/zsh') };
  expect(await shellVersion(shell)).toBe('9.8.7');
  rmSync(shell.path);
  expect(await shellVersion(shell)).toBe('9.8.7');
  expect(await shellVersion({ name: 'fish', path: '/missing/fish' })).toBeUndefined();
  expect(await shellVersion({ name: 'sh', path: '/bin/sh' })).toBeUndefined();
  for (const name of shells()) expect(await shellVersion(findShell(name, process.env)), name).toMatch(/^\d+\.\d+/);
});
