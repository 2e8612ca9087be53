// The hook in the settings of Claude Code: put in, found again, taken out, with everything else as it was.
import { chmodSync, existsSync, mkdirSync, readFileSync, realpathSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { hookInstallText, type InstallHookOptions } from '../../src/cli/install-hook.ts';
import { newHome, runProgram } from './program.ts';

test('the program installs it, which its own hook then answers, and takes it out', async () => {
  const home = newHome();
  const file = path.join(realpathSync(home.dir), '.claude', 'settings.json');
  expect(await runProgram(['install', 'hook', '--dry-run'], { home })).toMatchObject({ stdout: expect.stringMatching(`^hook: would change ${file}\n[^]*\n\\+ .*"matcher": "Bash\\|PowerShell",\n[^]*cli\\.js hook",\n`) as unknown, end: 0 });
  expect(existsSync(file)).toBe(false);
  const { stdout: printed } = await runProgram(['install', 'hook', '--print'], { home });
  expect(await runProgram(['install', 'hook'], { home })).toMatchObject({ stderr: '', end: 0 });
  expect(readFileSync(file, 'utf8')).toBe(printed);
  const { hooks } = JSON.parse(printed) as { hooks: { PreToolUse: [{ hooks: [{ command: string; timeout: number }] }] } };
  const { command, timeout } = hooks.PreToolUse[0].hooks[0];
  expect(timeout).toBe(10);
  const payload = JSON.stringify({ tool_name: 'Bash', tool_input: { command: 'wsl ls' } });
  expect(await runProgram(['run', '--', command], { home, stdin: payload })).toMatchObject({ stdout: expect.stringContaining('"deny"') as unknown, end: 0 });
  expect((await runProgram(['install', 'hook'], { home })).stdout).toBe(`hook: already there, in ${file}\n`);
  expect(await runProgram(['uninstall', 'hook'], { home })).toMatchObject({ stdout: `hook: taken out of ${file}\n`, end: 0 });
  expect(readFileSync(file, 'utf8')).toBe('{\n  "hooks": {}\n}\n');
});

test('settings behind a link stay behind it, with their mode', async () => {
  const home = newHome();
  const real = path.join(realpathSync(home.dir), 'dotfiles.json');
  writeFileSync(real, '{}\n');
  chmodSync(real, 0o640);
  mkdirSync(path.join(home.dir, '.claude'));
  symlinkSync(real, path.join(home.dir, '.claude', 'settings.json'));
  await runProgram(['install', 'hook'], { home });
  expect([readFileSync(real, 'utf8').includes('PreToolUse'), statSync(real).mode & 0o777]).toEqual([true, 0o640]);
});

test.each([
  [['install', 'hook', '--frob'], "Unknown option '--frob'"],
  [['install', 'hook', '--settings', '\\\\server\\x'], 'is a network path of Windows'],
])('%j is refused with status 2', async (words, message) => {
  const { stderr, end } = await runProgram(words);
  expect([stderr, end]).toEqual([expect.stringContaining(message), 2]);
});

const WINDOWS: InstallHookOptions = {
  action: 'install',
  words: ['--print', '--settings', 'C:\\Users\\me\\.claude\\settings.json'],
  env: {},
  home: '/home/me',
  startDirectory: '/',
  windows: { mountRoot: '/mnt/', distribution: 'Ubuntu' },
  program: { node: '/usr/bin/node', file: '/home/me/my apps/shellkeep/dist/cli.js' },
};

test.each([
  ['C:\\Users\\me\\.claude\\settings.json', 'wsl.exe -d Ubuntu --exec //usr/bin/node "//home/me/my apps/shellkeep/dist/cli.js" hook'],
  ['~/.claude/settings.json', "/usr/bin/node '/home/me/my apps/shellkeep/dist/cli.js' hook"],
])('in the settings %s it is started with %s, which every shell there reads alike', (settings, command) => {
  expect(JSON.parse(hookInstallText({ ...WINDOWS, words: ['--print', '--settings', settings] }))).toMatchObject({ hooks: { PreToolUse: [{ hooks: [{ command }] }] } });
});

test('a path that no quotes protect in every shell of Windows is refused', () => {
  expect(() => hookInstallText({ ...WINDOWS, program: { node: '/usr/bin/node', file: '/home/$me/cli.js' } })).toThrow('"//home/$me/cli.js" cannot be written');
});
