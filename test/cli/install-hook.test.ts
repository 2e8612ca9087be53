// The hook in the settings of Claude Code: put in, found again, taken out, with everything else as it was.
import { chmodSync, existsSync, mkdirSync, readFileSync, realpathSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { hookGroup, withHook, withoutHook } from '../../src/cli/hook/settings.ts';
import { hookInstallText, type InstallHookOptions } from '../../src/cli/install-hook.ts';
import { newHome, runProgram } from './program.ts';

const GROUP = hookGroup('/opt/shellkeep/cli.js hook');
const OTHER = { matcher: 'Bash', hooks: [{ type: 'command', command: 'node other/cli.js hook' }, { type: 'prompt', prompt: 'is it good?' }] };

function json(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

test.each<[string, string, unknown]>([
  ['no settings', '', { hooks: { PreToolUse: [GROUP] } }],
  ['empty ones', '{}\n', { hooks: { PreToolUse: [GROUP] } }],
  ['others', json({ model: 'x', hooks: { Stop: [OTHER], PreToolUse: [OTHER] }, env: {} }), { model: 'x', hooks: { Stop: [OTHER], PreToolUse: [OTHER, GROUP] }, env: {} }],
  ['an older entry', json({ hooks: { PreToolUse: [hookGroup('node /old/shellkeep/dist/cli.js hook'), OTHER] } }), { hooks: { PreToolUse: [OTHER, GROUP] } }],
  ['an older entry in another group', json({ hooks: { PreToolUse: [{ ...OTHER, hooks: [{ type: 'command', command: "'/a b/shellkeep' hook" }, ...OTHER.hooks] }] } }), { hooks: { PreToolUse: [OTHER, GROUP] } }],
  ['the same entry twice', json({ hooks: { PreToolUse: [GROUP, GROUP] } }), { hooks: { PreToolUse: [GROUP] } }],
])('it is added to %s, and a second time changes nothing', (_, before, settings) => {
  const after = withHook(before, GROUP);
  expect(after).toBe(json(settings));
  expect(withHook(after, GROUP)).toBe(after);
});

test('what was put in is taken out, byte for byte as it was before', () => {
  for (const before of [json({}), json({ hooks: { PreToolUse: [OTHER] } }), json({ a: 1, hooks: { Stop: [OTHER] } }), '{\r\n\t"a": 1\r\n}\r\n', '\uFEFF{\n    "a": 1\n}']) {
    const after = withHook(before, GROUP);
    expect(after).not.toBe(before);
    expect(withoutHook(after, GROUP)).toBe(before);
    expect(withoutHook(before, GROUP)).toBe(before);
  }
});

test.each([
  ['{ // mine\n}', /^is no plain JSON \(/],
  ['[]', 'is no JSON object'],
  ['{"hooks":[]}', 'has "hooks" that are no object'],
  ['{"hooks":{"PreToolUse":{}}}', 'has "hooks.PreToolUse" that is no list'],
])('settings that are %s are left alone', (text, fault) => {
  expect(() => withHook(text, GROUP)).toThrow(fault);
});

test('the program installs it, which its own hook then answers, and takes it out', async () => {
  const home = newHome();
  const file = path.join(realpathSync(home.dir), '.claude', 'settings.json');
  expect(await runProgram(['install', 'hook', '--dry-run'], { home })).toMatchObject({ stdout: expect.stringMatching(`^would change ${file}: PreToolUse, matcher Bash\\|PowerShell: .*cli\\.js hook\\n$`) as unknown, end: 0 });
  expect(existsSync(file)).toBe(false);
  const { stdout: printed } = await runProgram(['install', 'hook', '--print'], { home });
  expect(await runProgram(['install', 'hook'], { home })).toMatchObject({ stderr: '', end: 0 });
  expect(readFileSync(file, 'utf8')).toBe(printed);
  const { hooks } = JSON.parse(printed) as { hooks: { PreToolUse: [{ hooks: [{ command: string; timeout: number }] }] } };
  const { command, timeout } = hooks.PreToolUse[0].hooks[0];
  expect(timeout).toBe(10);
  const payload = JSON.stringify({ tool_name: 'Bash', tool_input: { command: 'wsl ls' } });
  expect(await runProgram(['run', '--', command], { home, stdin: payload })).toMatchObject({ stdout: expect.stringContaining('"deny"') as unknown, end: 0 });
  expect((await runProgram(['install', 'hook'], { home })).stdout).toBe(`${file}: the hook is there already; nothing to change\n`);
  expect(await runProgram(['uninstall', 'hook'], { home })).toMatchObject({ stdout: `${file}: the hook is out\n`, end: 0 });
  expect(readFileSync(file, 'utf8')).toBe('{}\n');
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
  [['install'], 'install takes what to install: shellkeep install hook'],
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
