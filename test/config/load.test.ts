import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { loadSettings, strayVariables, variableOf, type SettingSources } from '../../src/config/load.ts';
import { TEXT_KEYS } from '../../src/config/schema.ts';
import { StartError } from '../../src/config/start-error.ts';

const folder = mkdtempSync(join(tmpdir(), 'config-'));
afterAll(() => rmSync(folder, { recursive: true }));

const NOWHERE = { flags: {}, env: {}, configPath: undefined, home: '/home/u', startDirectory: '/home/u/app' };

function load(sources: Partial<SettingSources> = {}) {
  return loadSettings({ ...NOWHERE, ...sources });
}

function file(text: string): string {
  const path = join(folder, 'config.toml');
  writeFileSync(path, text);
  return path;
}

async function refusal(sources: Partial<SettingSources>): Promise<string> {
  const error = await load(sources).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(StartError);
  return (error as StartError).message;
}

test('without any source the defaults are in effect, and say so', async () => {
  const { settings, origins } = await load();
  expect(settings).toEqual({
    allowedRoots: ['/home/u', '/tmp', '/var/tmp', '/home/u/app'],
    cwdPolicy: 'report',
    profile: 'standard',
    confirm: 'flag',
    maxClass: 'dangerous',
    allowedCommands: undefined,
    rule: [],
    ship: [],
    maxConcurrent: 8,
    maxSessions: 64,
    maxTasks: 64,
    maxWaitMs: 600_000,
    maxTimeoutMs: 600_000,
    maxOutputBytes: 50_000,
    outputDiskBytes: 2_147_483_648,
    retentionS: 600,
    idleTimeoutS: 0,
    shell: undefined,
    runShell: 'bash',
    login: false,
    startTimeoutMs: 20_000,
    quietEnv: true,
    host: '127.0.0.1',
    port: 54_321,
    tcp: true,
    socket: undefined,
    allowRemote: false,
    allowedHosts: [],
    results: 'structured',
    auditMaxBytes: 26_214_400,
    auditBackups: 5,
    auditGzipBytes: 0,
    auditSync: 'interval',
    auditRequired: false,
    redact: [],
  });
  expect(new Set(Object.values(origins))).toEqual(new Set(['default']));
});

test('a flag wins over the environment, that over the file, and each origin is kept', async () => {
  const configPath = file('max_tasks = 1\nmax_sessions = 2\nmax_concurrent = 3\nlogin = true\n');
  const { settings, origins } = await load({
    configPath,
    env: { SHELLKEEP_MAX_TASKS: '10', SHELLKEEP_MAX_SESSIONS: '20' },
    flags: { max_tasks: '100' },
  });
  expect(settings).toMatchObject({ maxTasks: 100, maxSessions: 20, maxConcurrent: 3, login: true });
  expect(origins).toMatchObject({ max_tasks: '--max-tasks', max_sessions: 'SHELLKEEP_MAX_SESSIONS', max_concurrent: configPath, shell: 'default' });
});

test('roots are separated by colons, and a tilde is the home', async () => {
  const { settings } = await load({ env: { SHELLKEEP_ALLOWED_ROOTS: '~/work:/srv/a' } });
  expect(settings.allowedRoots).toEqual(['/home/u/work', '/srv/a']);
});

test('roots may be written as Windows writes them; the colon of a drive separates nothing (R112)', async () => {
  const windows = { mountRoot: '/win/', distribution: 'Ubuntu' };
  const expected = ['/win/c/Users/a', '/home/u/work', '/win/d/x', '/win/e'];
  expect((await load({ windows, flags: { allowed_roots: 'C:\\Users\\a:~/work:d:/x:E:\\' } })).settings.allowedRoots).toEqual(expected);
  expect((await load({ windows, configPath: file('allowed_roots = [\'C:\\Users\\a\', "~/work", "d:/x", "E:/"]') })).settings.allowedRoots).toEqual(expected);
  expect(await refusal({ windows, configPath: file("allowed_roots = ['C:work']") })).toMatch(/^allowed_roots = "C:work" \(from .*\): is relative to a drive of Windows; write "\/win\/c\/work"$/);
});

test('a list without roots in the file is a lockout on purpose', async () => {
  expect((await load({ configPath: file('allowed_roots = []') })).settings.allowedRoots).toEqual([]);
});

test('the variable of the hook is no misspelt setting', () => {
  expect(strayVariables({ SHELLKEEP_SKIP: '1' })).toEqual([]);
  expect(strayVariables({ SHELLKEEP_SHIPP: '1' })).toHaveLength(1);
});

test('a file that is not there changes nothing', async () => {
  for (const configPath of [join(folder, 'none.toml'), '/dev/null/config.toml']) expect((await load({ configPath })).settings.maxTasks).toBe(64);
});

test.each(['abc', '', '0', '-5', '2.5', '5m', '1e3', '1e400', '9999999999', ' 5', 'NaN'])('"%s" is no number of tasks, from wherever it comes', async (value) => {
  const message = await refusal({ env: { SHELLKEEP_MAX_TASKS: value } });
  expect(message).toBe(`max_tasks = ${/^-?\d+$/.test(value) ? value : JSON.stringify(value)} (from SHELLKEEP_MAX_TASKS): must be a whole number from 1 to 10000`);
  expect(await refusal({ flags: { max_tasks: value } })).toContain('(from --max-tasks)');
});

test.each([
  ['max_tasks = "5"', 'max_tasks = "5" (from FILE): must be a whole number from 1 to 10000'],
  ['max_tasks = 1e400', 'max_tasks = Infinity (from FILE): must be a whole number from 1 to 10000'],
  ['shell = "tcsh"', 'shell = "tcsh" (from FILE): must be one of bash, zsh, fish'],
  ['login = 1', 'login = 1 (from FILE): must be true or false'],
  ['allowed_roots = "/tmp"', 'allowed_roots = "/tmp" (from FILE): must be a list of absolute paths (or "~/…")'],
  ['allowed_roots = ["tmp"]', 'allowed_roots = ["tmp"] (from FILE): must be a list of absolute paths (or "~/…")'],
  ['max_task = 5', 'FILE: no setting "max_task"; did you mean "max_tasks"?'],
  ['profile = "lax"', 'profile = "lax" (from FILE): must be one of standard, strict, open'],
  ['confirm = "never"', 'confirm = "never" (from FILE): must be one of flag, token, ask'],
  ['max_class = "reject"', 'max_class = "reject" (from FILE): must be one of safe, dangerous'],
  ['allowed_commands = ["git push"]', 'allowed_commands = ["git push"] (from FILE): must be a list of texts'],
  ['allowed_commands = []', 'allowed_commands = [] (from FILE): must be a list of texts'],
  ['cwd_policies = "report"', 'FILE: no setting "cwd_policies"; did you mean "cwd_policy"?'],
])('the file may not say %s', async (text, message) => {
  const configPath = file(text);
  expect(await refusal({ configPath })).toBe(message.replace('FILE', configPath));
});

test('a file that is no TOML is named with line and column, on one line', async () => {
  const configPath = file('max_tasks = 5\nmax_sessions = = 3\n');
  const message = await refusal({ configPath });
  expect(message).toMatch(/config\.toml:2:\d+: /);
  expect(message).not.toContain('\n');
});

test('a directory in the place of the file stops the start', async () => {
  mkdirSync(join(folder, 'directory.toml'));
  expect(await refusal({ configPath: join(folder, 'directory.toml') })).toContain('not a regular file');
});

test('a large file is not read', async () => {
  expect(await refusal({ configPath: file('#'.repeat(1024 * 1024 + 1)) })).toContain('larger than 1048576 bytes');
});

test.each(TEXT_KEYS.filter((key) => key !== 'allowed_commands'))('%s refuses nonsense with one line that names it', async (key) => {
  const message = await refusal({ env: { [variableOf(key)]: 'nonsense(' } }); // nor is it a regular expression
  expect(message).toMatch(new RegExp(`^${key} = .*nonsense.* \\(from SHELLKEEP_${key.toUpperCase()}\\): must be `));
});

const RULE = 'id = "no-deploy"\nclass = "reject"\nmatch = ["make", ["deploy", "release"]]\nreason = "a person deploys"\n';

test('tables [[rule]] are rules, with their examples', async () => {
  const { settings } = await load({ configPath: file(`[[rule]]\n${RULE}examples = ["make deploy"]\nnot_examples = ["make test"]\n`) });
  expect(settings.rule).toEqual([{ id: 'no-deploy', class: 'reject', match: ['make', ['deploy', 'release']], reason: 'a person deploys', examples: ['make deploy'], notExamples: ['make test'] }]);
});

test.each([
  [`[[rule]]\n${RULE}[[rule]]\n${RULE.replace('"reject"', '"never"')}`, 'rule 2 ("no-deploy"): class'],
  [`[[rule]]\n${RULE.replace('no-deploy', 'No Deploy')}`, 'rule 1 ("No Deploy"): id: must be lower case'],
  [`[[rule]]\n${RULE.replace(/reason.*/, '')}`, 'rule 1 ("no-deploy"): "reason" is missing'],
  [`[[rule]]\n${RULE.replace(/match.*/, 'match = []')}`, 'rule 1 ("no-deploy"): match'],
  [`[[rule]]\n${RULE}exmples = ["make deploy"]`, 'rule 1 ("no-deploy"): '],
])('a rule that is none names itself and its key: %s', async (text, part) => {
  expect(await refusal({ configPath: file(text) })).toContain(part);
});

test('patterns to redact are taken as they are: one from a flag or a variable, several from the file', async () => {
  expect((await load({ flags: { redact: '~/a:b|c' } })).settings.redact).toEqual(['~/a:b|c']);
  expect((await load({ env: { SHELLKEEP_REDACT: 'x:y' } })).settings.redact).toEqual(['x:y']);
  expect((await load({ configPath: file('redact = ["ACME-\\\\d+", "~/x"]\n') })).settings.redact).toEqual(['ACME-\\d+', '~/x']);
});
