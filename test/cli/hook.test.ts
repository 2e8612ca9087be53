// The hook that clients ask before a shell tool runs: what it turns back, what it lets pass, and that it never stands in the way.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { answerTo } from '../../src/cli/hook.ts';
import { findWslCall } from '../../src/cli/hook/wsl-call.ts';
import { ROOT } from '../support/paths.ts';
import { runProgram } from './program.ts';

const PAYLOAD = { session_id: 's', cwd: 'C:\\x', hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: 'wsl ls', description: 'd' } };

function payload(command: string, more: Readonly<Record<string, unknown>> = {}): string {
  return JSON.stringify({ ...PAYLOAD, tool_input: { command }, ...more });
}

test.each<[string, string | undefined]>([
  ['wsl ls -la', 'ls -la'],
  ['wsl.exe -d Ubuntu-22.04 -- make test', 'make test'],
  ['  \n\tWSL.EXE -e uname', 'uname'],
  ['"wsl.exe" ls "my dir"', "ls 'my dir'"],
  ["'C:\\Windows\\System32\\wsl.exe' ls", 'ls'],
  ['C:\\Windows\\system32\\WSL.exe -u root --cd /srv -- id', 'id'],
  ['/mnt/c/Windows/System32/wsl.exe ls', 'ls'],
  ['wsl -d Ubuntu -- bash -c "cd app && make"', 'cd app && make'],
  ['wsl bash -lc \'echo "$HOME"\'', 'echo "$HOME"'],
  ['wsl --exec sh -c "a; b"', 'a; b'],
  ['& wsl ls', 'ls'],
  ['& "C:\\Windows\\System32\\wsl.exe" ls', 'ls'],
  ['FOO=1 BAR="a b" wsl ls', 'ls'],
  ['$env:FOO=1; wsl ls', 'ls'],
  ['cmd /c wsl ls', 'ls'],
  ['cmd.exe /d /s /c "wsl ls"', 'ls'],
  ['cmd //c wsl ls', 'ls'],
  ['powershell -NoProfile -Command "wsl -- ls /tmp"', 'ls /tmp'],
  ['pwsh -c wsl ls', 'ls'],
  ['powershell.exe "wsl ls"', 'ls'],
  ['bash -c "cmd /c wsl ls"', 'ls'],
  ['start "" /wait wsl ls', 'ls'],
  ['exec wsl ls', 'ls'],
  ['cd app && wsl make', 'make'],
  ['cd app; wsl make | tail -3', 'make'],
  ['out=$(wsl cat /etc/hostname)', 'cat /etc/hostname'],
  ['wsl cat /etc/hosts > hosts.txt', 'cat /etc/hosts'],
  ['wsl bash <<EOF\nls\nEOF', undefined],
  ['wsl', undefined],
  ['wsl ~', undefined],
  ['wsl --shutdown', undefined],
  ['wsl -l -v', undefined],
  ['wsl -d Ubuntu', undefined],
])('%j calls wsl.exe, for: %s (R205)', (command, inner) => {
  expect(findWslCall(command)).toEqual({ command: inner });
  expect(answerTo(payload(command))).toMatchObject({ hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: expect.stringContaining(inner === undefined ? '{"command": …}' : JSON.stringify({ command: inner })) as unknown } });
});

test.each([
  'git status',
  'echo wsl',
  'grep -r wsl .',
  'wslpath -w /tmp',
  'wslview x',
  'ls wsl.exe',
  'echo "wsl ls"',
  "git commit -m 'a; wsl b'",
  'cat > notes.md <<EOF\nwsl ls\nEOF',
  'cmd /c dir wsl',
  'powershell -Command "Get-Command wsl"',
  './wsl-tool',
  '',
  '   ',
  'SHELLKEEP_SKIP=1 wsl ls',
  '  FOO=1 SHELLKEEP_SKIP=1 wsl ls',
  'export SHELLKEEP_SKIP=1; wsl ls',
  '$env:SHELLKEEP_SKIP = "1"; wsl --list',
  'set SHELLKEEP_SKIP=1&& wsl ls',
  'cmd /c "set SHELLKEEP_SKIP=1&& wsl ls"',
])('%j passes (R205)', (command) => {
  expect(answerTo(payload(command))).toEqual({});
});

test.each(['SHELLKEEP_SKIP=0 wsl ls', 'SHELLKEEP_SKIP= wsl ls', 'SHELLKEEP_SKIP=10 wsl ls', 'NO_SHELLKEEP_SKIP=1 wsl ls'])('%j is no word to let it pass (R205)', (command) => {
  expect(answerTo(payload(command))).not.toEqual({});
});

test.each<[string, unknown, object]>([
  ['Claude Code', PAYLOAD, { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny' } }],
  ['VS Code', { hookEventName: 'PreToolUse', tool_name: 'run_in_terminal', tool_input: { command: 'wsl ls' } }, { hookSpecificOutput: { permissionDecision: 'deny' } }],
  ['Copilot', { toolName: 'powershell', toolArgs: '{"command":"wsl ls"}' }, { permissionDecision: 'deny', permissionDecisionReason: expect.stringContaining('passes with $env:SHELLKEEP_SKIP=1; in front') as unknown }],
  ["bash-mcp's client", { input: { toolName: 'bash', toolArgs: { command: 'wsl ls' } }, output: {} }, { _abort: { reason: expect.stringContaining('passes with SHELLKEEP_SKIP=1 in front') as unknown } }],
])('%s is answered in its own words (R205)', (_, given, answer) => {
  expect(answerTo(JSON.stringify(given))).toMatchObject(answer);
});

test.each<[string, string]>([
  ['nothing', ''],
  ['no JSON', '{"tool_name":'],
  ['no object', '"wsl"'],
  ['null', 'null'],
  ['a list', '[]'],
  ['another event', payload('wsl ls', { hook_event_name: 'PostToolUse' })],
  ['another tool', payload('wsl ls', { tool_name: 'Write' })],
  ['one of our tools', payload('wsl ls', { tool_name: 'mcp__shellkeep__run' })],
  ['no tool', JSON.stringify({ tool_input: { command: 'wsl ls' } })],
  ['no command', JSON.stringify({ ...PAYLOAD, tool_input: {} })],
  ['a command that is no text', JSON.stringify({ ...PAYLOAD, tool_input: { command: ['wsl', 'ls'] } })],
  ['arguments that are no JSON', JSON.stringify({ toolName: 'bash', toolArgs: '{' })],
])('what cannot be understood passes: %s (R205)', (_, text) => {
  expect(answerTo(text)).toEqual({});
});

test.each(['"'.repeat(50_000), "'a".repeat(50_000), '\\'.repeat(100_000), '&'.repeat(100_000), `${'cmd /c '.repeat(20_000)}wsl`, `${' '.repeat(100_000)}x`])('a command that is made to be slow is not (%#)', (command) => {
  const start = performance.now();
  findWslCall(command);
  expect(performance.now() - start).toBeLessThan(1_000);
});

test.each<[string, Buffer, Readonly<Record<string, string>>, boolean]>([
  ['as clients send it', Buffer.from(payload('wsl ls')), {}, true],
  ['with a byte-order mark and blanks', Buffer.from(`\uFEFF \r\n${payload('wsl ls')}\r\n`), {}, true],
  ['in UTF-16, as PowerShell pipes it', Buffer.from(`\uFEFF${payload('wsl ls')}`, 'utf16le'), {}, true],
  ['where somebody has switched it off', Buffer.from(payload('wsl ls')), { SHELLKEEP_SKIP: '1' }, false],
  ['cut off', Buffer.from(payload('wsl ls').slice(0, -1)), {}, false],
  ['without end', Buffer.from(payload(`wsl ${'x'.repeat(5_000_000)}`)), {}, false],
])('the program reads a payload %s, prints one JSON object and ends well (R205)', async (_, stdin, env, isRefused) => {
  const { stdout, stderr, end } = await runProgram(['hook'], { stdin, env });
  expect([stderr, end, stdout.split('\n').length]).toEqual(['', 0, 2]);
  expect(JSON.stringify(JSON.parse(stdout)).includes('deny')).toBe(isRefused);
});

test.each(['scripts/windows/README.md', 'packaging/claude-plugin/skills/shellkeep/SKILL.md', 'README.md'])('%s says what the hook says, and names the way past it (R206)', (file) => {
  const text = readFileSync(path.join(ROOT, file), 'utf8');
  for (const part of ['wsl', 'hook', 'SHELLKEEP_SKIP=1']) expect(text).toContain(part);
});

test('it loads a few small files of its own and no package, since it is started before every command', () => {
  const loaded = new Set<string>();
  const load = (file: string): void => {
    if (loaded.has(file)) return;
    loaded.add(file);
    for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(/^import .*?from ['"]([^'"]+)['"];$/gm)) {
      expect(name).toMatch(/^(?:\.|node:)/);
      if (name.startsWith('.')) load(path.join(path.dirname(file), name));
    }
  };
  for (const file of ['dist/cli.js', 'dist/cli/hook.js']) load(path.join(ROOT, file));
  expect(loaded.size).toBeGreaterThan(3);
  expect(loaded.size).toBeLessThan(10);
});
