import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { defaultRoots } from '../../src/config/default-roots.ts';
import { configFile, homeDirectory, stateDirectory } from '../../src/config/paths.ts';
import { spillBase } from '../../src/config/spill-base.ts';
import { packageVersion } from '../../src/config/version.ts';
import manifest from '../../package.json' with { type: 'json' };

test.each([
  ['/', []],
  ['/usr', []],
  ['/usr/lib/node_modules/x', []],
  ['/etc/x', []],
  ['/home', []],
  ['/usr/local/src/x', ['/usr/local/src/x']],
  ['/srv/app', ['/srv/app']],
  ['/etcetera', ['/etcetera']],
  ['/mnt/c/WINDOWS/system32', []],
  ['/mnt/c/Program Files (x86)/App', []],
  ['/mnt/c', []],
  ['/mnt/c/Users/a/app', ['/mnt/c/Users/a/app']],
  ['/mnt/c/windowsill', ['/mnt/c/windowsill']],
])('a server started in %s gets it as a root: %j', (startDirectory, added) => {
  expect(defaultRoots({ home: '/home/u', startDirectory })).toEqual(['/home/u', '/tmp', '/var/tmp', ...added]);
});

test('no root is there twice, and no home is no root', () => {
  expect(defaultRoots({ home: '/tmp', startDirectory: '/tmp' })).toEqual(['/tmp', '/var/tmp']);
  expect(defaultRoots({ home: undefined, startDirectory: '/' })).toEqual(['/tmp', '/var/tmp']);
});

test('files are where XDG says, else below the home', () => {
  expect(configFile({ HOME: '/home/u' })).toBe('/home/u/.config/shellkeep/config.toml');
  expect(configFile({ HOME: '/home/u', XDG_CONFIG_HOME: '/x' })).toBe('/x/shellkeep/config.toml');
  expect(stateDirectory({ HOME: '/home/u' })).toMatch(/^\/home\/u\/\.local\/state\/shellkeep/);
  expect(stateDirectory({ HOME: '/home/u', XDG_STATE_HOME: '/x' })).toMatch(/^\/x\/shellkeep/);
});

test.each(['', 'relative', undefined])('HOME=%s is not taken: the account has a home', (home) => {
  expect(homeDirectory({ HOME: home })).toMatch(/^\//);
  expect(configFile({ HOME: home, XDG_CONFIG_HOME: 'relative' })).toMatch(/^\/.*\.config\/shellkeep\/config\.toml$/);
});

test('spilled output goes to the state directory, which is made for this user alone, and without a home to the temporary one', () => {
  const home = mkdtempSync(join(tmpdir(), 'home-'));
  const base = spillBase({ HOME: home });
  expect(base).toBe(join(home, '.local/state/shellkeep/output'));
  expect(statSync(base).mode & 0o777).toBe(0o700);
  expect(spillBase({ HOME: join(home, 'none') })).toBe(tmpdir());
  expect(existsSync(join(home, 'none'))).toBe(false);
  writeFileSync(join(home, 'file'), '');
  expect(spillBase({ HOME: home, XDG_STATE_HOME: join(home, 'file') })).toBe(tmpdir());
  rmSync(home, { recursive: true });
  expect(spillBase({ HOME: '/proc' })).toBe(tmpdir()); // where mkdir says ENOENT although the parent is there
});

test('the version is the one of the package', () => {
  expect(packageVersion()).toBe(manifest.version);
});
