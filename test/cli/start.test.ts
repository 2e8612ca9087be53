// How the program starts and ends: help, version, settings, mistakes, and the server without anything asked of it.
import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { SERVER } from '../support/paths.ts';
import { RawClient } from '../support/raw-client.ts';
import { newHome, runProgram } from './program.ts';

test('the version is the one of the package', async () => {
  expect(await runProgram(['--version'])).toEqual({ stdout: `shellkeep ${manifest.version}\n`, stderr: '', end: 0 });
});

test('help goes to standard output', async () => {
  const { stdout, stderr, end } = await runProgram(['--help', '--max-tasks', 'x']);
  expect({ stderr, end }).toEqual({ stderr: '', end: 0 });
  expect(stdout).toContain('shellkeep run -- COMMAND');
});

test('a person who types the name alone gets help, a program that starts it is served', async () => {
  const home = newHome();
  const typed = spawnSync('script', ['-qec', `'${process.execPath}' '${SERVER}'`, '/dev/null'], { env: home.environment(), cwd: home.dir, encoding: 'utf8' });
  expect(typed.stdout).toContain('shellkeep run -- COMMAND');
  const client = new RawClient({ argv: [] });
  expect((await client.initialize()).result).toMatchObject({ serverInfo: { name: 'shellkeep', version: manifest.version } });
  expect(await client.close()).toEqual({ code: 0, signal: null });
  expect(client.process.stderr).toBe('');
});

test('the effective settings are shown with the file, the variable or the flag they are from', async () => {
  const home = newHome();
  const file = home.write('.config/shellkeep/config.toml', 'max_sessions = 9\nallowed_roots = ["~/work"]\n');
  const { stdout, end } = await runProgram(['config', '--max-tasks', '5'], { home, env: { SHELLKEEP_LOGIN: 'true' } });
  expect(end).toBe(0);
  expect(stdout).toContain(`allowed_roots = ["${home.dir}/work"]`);
  expect(stdout).toMatch(new RegExp(`^max_sessions = 9 +# ${file}$`, 'm'));
  expect(stdout).toMatch(/^max_tasks = 5 +# --max-tasks$/m);
  expect(stdout).toMatch(/^login = true +# SHELLKEEP_LOGIN$/m);
});

test('the configuration is where XDG_CONFIG_HOME says', async () => {
  const home = newHome();
  home.write('elsewhere/shellkeep/config.toml', 'max_tasks = 7\n');
  const { stdout } = await runProgram(['config'], { home, env: { XDG_CONFIG_HOME: `${home.dir}/elsewhere` } });
  expect(stdout).toContain('max_tasks = 7');
});

test.each<[string[], Record<string, string>, string]>([
  [['--max-tasks=x'], {}, 'shellkeep: max_tasks = "x" (from --max-tasks): must be a whole number from 1 to 10000\n'],
  [['stdio'], { SHELLKEEP_RESULTS: 'xml' }, 'shellkeep: results = "xml" (from SHELLKEEP_RESULTS): must be one of structured, text\n'],
  [['config'], { SHELLKEEP_MAX_WAIT_MS: '1e400' }, 'shellkeep: max_wait_ms = "1e400" (from SHELLKEEP_MAX_WAIT_MS): must be a whole number from 1 to 2147483647\n'],
  [['--max-task', '5'], {}, 'shellkeep: no flag "--max-task"; did you mean "--max-tasks"?\n'],
  [['stdio'], { SHELLKEEP_RULE: 'x' }, 'shellkeep: no variable SHELLKEEP_RULE; rules are tables [[rule]] in the configuration file\n'],
  [['serv'], {}, 'shellkeep: no command "serv"; did you mean "serve"?\n'],
  [['stop', '--background'], {}, 'shellkeep: stop takes no flag "--background"\n'],
  [['run'], {}, 'shellkeep: run needs a command: shellkeep run -- COMMAND\n'],
])('%j with %j stops the start with one line and status 2', async (argv, env, line) => {
  expect(await runProgram(argv, { env })).toEqual({ stdout: '', stderr: line, end: 2 });
});

test('a variable that looks like a misspelt setting is named, and stops nothing; others may be anything', async () => {
  const env = { SHELLKEEP_MAX_TASK: '5', SHELLKEEP_RULES: 'x', SHELLKEEP_TEST_REPORT: 'x', SHELLKEEP_TOKEN: 'x', MAX_TASK: '5' };
  const { stdout, stderr, end } = await runProgram(['config'], { env });
  expect(stderr.split('\n').sort().slice(1)).toEqual([
    'shellkeep: no variable "SHELLKEEP_MAX_TASK", which is ignored; did you mean "SHELLKEEP_MAX_TASKS"?',
    'shellkeep: no variable "SHELLKEEP_RULES", which is ignored; rules are tables [[rule]] in the configuration file',
  ]);
  expect([stdout.includes('max_tasks = 64'), end]).toEqual([true, 0]);
});

test('a mistake in the file is named with the file', async () => {
  const home = newHome();
  const file = home.write('.config/shellkeep/config.toml', 'max_task = 5\n');
  expect(await runProgram(['stdio'], { home })).toEqual({ stdout: '', stderr: `shellkeep: ${file}: no setting "max_task"; did you mean "max_tasks"?\n`, end: 2 });
});

test.each([{ HOME: '' }, { HOME: 'relative' }, { HOME: '/nowhere' }])('with %j the server starts', async (env) => {
  const client = new RawClient({ env });
  expect((await client.initialize()).result).toBeDefined();
  expect(await client.close()).toEqual({ code: 0, signal: null });
});

test.each([['SIGTERM', 143], ['SIGINT', 130], ['SIGHUP', 129]] as const)('%s ends the server with status %i', async (signal, code) => {
  const client = new RawClient();
  await client.initialize();
  client.process.kill(signal);
  expect(await client.process.ended).toEqual({ code, signal: null });
  expect(client.process.stderr).toBe('');
});

test('the end of the input is the end of the server, also when nothing was said', async () => {
  expect(await runProgram(['stdio'])).toEqual({ stdout: '', stderr: '', end: 0 });
});
