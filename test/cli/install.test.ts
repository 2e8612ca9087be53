// `shellkeep install`: what a person types, and what is then in the files of clients.
import { chmodSync, existsSync, mkdirSync, readFileSync, readdirSync, realpathSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { CLIENTS } from '../../src/install/clients.ts';
import type { Home } from '../support/home.ts';
import { SERVER } from '../support/paths.ts';
import { RawClient } from '../support/raw-client.ts';
import { newHome, runProgram } from './program.ts';

const fileOf = (home: Home, name: string): string => CLIENTS.find((client) => client.name === name)?.file({ home: home.dir, env: {}, platform: process.platform }) ?? '';

/** A home in which every client is installed. */
function withClients(): Home {
  const home = newHome();
  for (const client of CLIENTS) mkdirSync(path.dirname(client.file({ home: home.dir, env: {}, platform: process.platform })), { recursive: true });
  mkdirSync(path.join(home.dir, '.claude'));
  return home;
}

test('every client gets an entry that starts the server, once; the list says so, and uninstall takes all of them out', async () => {
  const home = withClients();
  const names = CLIENTS.map(({ name }) => name);
  const first = await runProgram(['install', ...names, '--stdio'], { home });
  expect([first.end, first.stderr, first.stdout.match(/: written to /g)?.length]).toEqual([0, '', names.length]);
  const second = await runProgram(['install', ...names, '--stdio'], { home });
  expect(second.stdout.match(/: already there/g)?.length).toBe(names.length);
  expect((await runProgram(['install'], { home })).stdout.match(/ has it /g)?.length).toBe(names.length);
  for (const name of names) expect(readFileSync(fileOf(home, name), 'utf8')).toMatch(/dist\/cli\.js",\s*"stdio"/);
  const { mcpServers } = JSON.parse(readFileSync(fileOf(home, 'cursor'), 'utf8')) as { mcpServers: { shellkeep: { command: string; args: string[] } } };
  const { command, args: [program = '', ...argv] } = mcpServers.shellkeep;
  expect([command, program]).toEqual([process.execPath, realpathSync(SERVER)]);
  const client = new RawClient({ home, argv });
  expect((await client.initialize()).result).toMatchObject({ serverInfo: { name: 'shellkeep' } });
  await client.close();
  const gone = await runProgram(['uninstall', '--all'], { home });
  expect(gone.stdout.match(/: taken out of /g)?.length).toBe(names.length);
});

test('connect is what is written, unless something else is asked for', async () => {
  const home = withClients();
  await runProgram(['install', 'Claude Code'], { home });
  expect(JSON.parse(readFileSync(fileOf(home, 'claude-code'), 'utf8'))).toMatchObject({ mcpServers: { shellkeep: { type: 'stdio', args: [expect.stringMatching(/dist\/cli\.js$/), 'connect'] } } });
  await runProgram(['install', 'claude-code', '--http', 'http://127.0.0.1:54321/mcp'], { home, stdin: 'shellkeep_t\n' });
  expect(JSON.parse(readFileSync(fileOf(home, 'claude-code'), 'utf8'))).toEqual({ mcpServers: { shellkeep: { type: 'http', url: 'http://127.0.0.1:54321/mcp', headers: { Authorization: 'Bearer shellkeep_t' } } } });
});

test('--dry-run and --print write nothing; what they show is what would be', async () => {
  const home = withClients();
  home.write('.cursor/mcp.json', '{\n  "mcpServers": {}\n}\n');
  expect((await runProgram(['install', 'cursor', '--dry-run'], { home })).stdout).toMatch(/^Cursor: would change .*mcp\.json\n {2}\{\n- {3}"mcpServers": \{\}\n\+ {3}"mcpServers": \{\n\+ {5}"shellkeep": \{\n/);
  expect(readFileSync(fileOf(home, 'cursor'), 'utf8')).toBe('{\n  "mcpServers": {}\n}\n');
  expect((await runProgram(['install', '--print', 'codex'], { home })).stdout).toContain('[mcp_servers.shellkeep]\n');
  const { stdout } = await runProgram(['install', '--print'], { home });
  expect(JSON.parse(stdout)).toMatchObject({ mcpServers: { shellkeep: { args: [expect.any(String), 'connect'] } } });
  expect(readdirSync(path.join(home.dir, '.codex'))).toEqual([]);
});

test('a file keeps its mode, and a link stays a link', async () => {
  const home = withClients();
  const real = home.write('dotfiles/cursor.json', '{}\n');
  chmodSync(real, 0o640);
  symlinkSync(real, fileOf(home, 'cursor'));
  expect((await runProgram(['install', 'cursor'], { home })).end).toBe(0);
  expect([statSync(real).mode & 0o777, readFileSync(real, 'utf8').includes('shellkeep')]).toEqual([0o640, true]);
});

test.each([
  [['install', 'emacs'], /no client "emacs"; there are claude-code, .*--print for any other/],
  [['install', 'curser'], /did you mean "cursor"/],
  [['install', 'cursor', '--dry'], /Unknown option '--dry'; shellkeep install /],
  [['install', 'cursor', '--max-tasks', '3'], /Unknown option '--max-tasks'; shellkeep install /],
  [['install', 'cursor', '--stdio', '--http', 'http://x/'], /not both/],
  [['install', 'cursor', '--http', 'nonsense'], /must be the address that serve prints/],
  [['install', 'cursor', '--http', 'http://127.0.0.1/mcp'], /needs a token on standard input/],
  [['install', 'claude-desktop', '--http', 'http://127.0.0.1/mcp'], /does not speak HTTP|needs a token/],
  [['uninstall'], /shellkeep uninstall CLIENT\|--all/],
])('%j is refused with one line that says what to do', async (argv, line) => {
  const { stderr, stdout, end } = await runProgram(argv, { home: withClients() });
  expect([end, stdout, stderr.trimEnd().split('\n').length]).toEqual([2, '', 1]);
  expect(stderr).toMatch(line);
});

test('a client that is not there, and a file that is none of its format, are left alone', async () => {
  const home = newHome();
  expect(await runProgram(['install', 'zed'], { home })).toMatchObject({ end: 2, stderr: expect.stringMatching(/Zed seems not to be installed.*--force/) as string });
  expect((await runProgram(['install', 'zed', '--force'], { home })).stdout).toContain('written to');
  const broken = home.write('.cursor/mcp.json', '{\n  "mcpServers": {\n    "a": }\n}\n');
  expect(await runProgram(['install', 'cursor'], { home })).toMatchObject({ end: 2, stderr: `shellkeep: ${broken}:3:10: value expected; nothing was changed: correct the file and try again\n` });
  writeFileSync(broken, 'x'.repeat(11 * 1024 * 1024));
  expect((await runProgram(['install', 'cursor'], { home })).stderr).toContain('is larger than');
});

test('of several clients none is changed when one of them cannot be: what is said holds for all', async () => {
  const home = withClients();
  await runProgram(['install', 'claude-code'], { home });
  home.write('.gemini/settings.json', '{');
  const before = readFileSync(fileOf(home, 'claude-code'), 'utf8');
  expect(await runProgram(['uninstall', '--all'], { home })).toMatchObject({ end: 2, stdout: '', stderr: expect.stringContaining('nothing was changed') as string });
  expect(readFileSync(fileOf(home, 'claude-code'), 'utf8')).toBe(before);
  expect(await runProgram(['install', 'cursor', 'gemini'], { home })).toMatchObject({ end: 2, stdout: '' });
  expect(existsSync(fileOf(home, 'cursor'))).toBe(false);
});
