import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isWsl, windowsView } from '../../src/process/windows-view.ts';
import { removeAtEnd } from '../support/leftovers.ts';

const WSL = '5.15.167.4-microsoft-standard-WSL2';
const folder = mkdtempSync(join(tmpdir(), 'windows-view-'));
const configuration = join(folder, 'wsl.conf');
removeAtEnd(folder);
writeFileSync(configuration, '[automount]\nroot = /win/\n');

test.each([
  [WSL, true],
  ['4.4.0-19041-Microsoft', true],
  ['6.1.0-18-amd64', false],
])('the kernel %s is one of WSL: %s', (release, isOne) => {
  expect(isWsl(release)).toBe(isOne);
});

test.each([
  [WSL, configuration, { mountRoot: '/win/', distribution: 'Ubuntu' }],
  [WSL, join(folder, 'none'), { mountRoot: '/mnt/', distribution: 'Ubuntu' }],
  ['6.1.0-18-amd64', configuration, { mountRoot: '/mnt/', distribution: undefined }],
])('on %s, with %s, drives are mounted where WSL was told (R112)', (release, path, view) => {
  expect(windowsView({ env: { WSL_DISTRO_NAME: 'Ubuntu' }, release, configuration: path })).toEqual(view);
});
