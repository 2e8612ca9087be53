import { expect, test } from 'vitest';
import { forShell } from '../support/shells.ts';
import { runProgram } from './program.ts';

test.each([
  ["echo 'rm -rf /' # as text", 'safe\n'],
  ['ls -la | wc -l', 'safe\n'],
])('%s is %j', async (command, expected) => {
  expect(await runProgram(['classify', command])).toEqual({ stdout: expected, stderr: '', end: 0 });
});

test.each([
  ['x=$(r""m -rf /)', 'reject\ndelete-protected: ', ': r""m -rf /\n'],
  ['sudo ls', 'dangerous\nprivileges: ', ': sudo ls\n'],
])('%s is told with the rule and what it matched', async (command, start, matched) => {
  const { stdout, end } = await runProgram(['classify', command]);
  expect([stdout.startsWith(start), stdout.includes(matched), end], stdout).toEqual([true, true, 0]);
});

forShell('fish', () => {
  test('a text for fish is read as fish reads it', async () => {
    const { stdout } = await runProgram(['classify', '--run-shell', 'fish', "echo 'a\\'' ; echo (rm -rf /)"]);
    expect(stdout.split('\n')[0]).toBe('reject');
    expect((await runProgram(['classify', '--run-shell', 'fish', "echo 'a b'; ls"])).stdout).toBe('safe\n');
  });
});

test.each([[['classify']], [['classify', '  ']], [['classify', 'ls', 'folder']]])('%j says how it is used', async (argv) => {
  const { stderr, end } = await runProgram(argv);
  expect([stderr.includes("shellkeep classify 'make && echo ok'"), end]).toEqual([true, 2]);
});
