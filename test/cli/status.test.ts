// `shellkeep status`, the built program: for people and as JSON.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { newHome, runProgram } from './program.ts';

test('a person sees the machine, the audit log, and each setting with its origin (R177)', async () => {
  const home = newHome();
  home.write('.local/share/shellkeep/audit/20261201T000000000Z-1-aaaaaaaa-0.jsonl', ''); // no name of ours, so not counted
  const { stdout, stderr, end } = await runProgram(['status', '--max-tasks', '5'], { home, env: { SHELLKEEP_LOGIN: 'true', MY_TOKEN: 'hunter2' } });
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  expect([stderr, end]).toEqual(['', 0]);
  expect(stdout).toMatch(new RegExp(`^shellkeep ${version}\n\nsystem +\\S`));
  expect(stdout).toMatch(/^shells +bash \d+\.\d+.* · default$/m);
  expect(stdout).toMatch(/^environment .*\bMY_TOKEN\b/m);
  expect(stdout).toMatch(new RegExp(`^audit log +${path.join(home.dir, '.local/share/shellkeep/audit')} · 0 files · 0 bytes$`, 'm'));
  expect(stdout).toMatch(/^ {2}max_tasks = 5 +--max-tasks$/m);
  expect(stdout).toMatch(/^ {2}login = true +SHELLKEEP_LOGIN$/m);
  expect(stdout).toMatch(/^ {2}shell = not set +default$/m);
  expect(stdout).not.toContain('hunter2');
});

test('as JSON it has the names of the tools, and secrets in it are hidden', async () => {
  const token = `ghp_${'a1B2'.repeat(9)}`;
  const { stdout } = await runProgram(['status', '--json', '--redact', 'hunter[0-9]', '--allowed-roots', `/tmp/${token}:/tmp/hunter2`]);
  const facts = JSON.parse(stdout) as Record<string, unknown>;
  expect(facts).toMatchObject({
    service: 'shellkeep',
    shells: expect.arrayContaining([expect.objectContaining({ name: 'bash', default: true })]) as unknown,
    audit: { files: 0, backups_present: 0, size_bytes: 0 },
    config: { redact: { value: '1 (not shown)', origin: '--redact' }, allowed_roots: { value: ['/tmp/[redacted]', '/tmp/[redacted]'] } },
  });
  expect(stdout).not.toMatch(/ghp_|hunter2/);
});

test('control characters of the environment do not reach the terminal', async () => {
  const { stdout } = await runProgram(['status'], { env: { PATH: `/usr/bin:/bin:/tmp/\u001b[31m` } });
  expect(stdout).toContain(String.raw`"/tmp/\u001b[31m"`);
  expect(stdout).not.toContain('\u001b');
});

test.each([
  [['status', 'now'], /status takes no argument "now"/],
  [['config', '--json'], /config takes no flag "--json"/],
  [['status', '--jason'], /no flag "--jason"; did you mean "--json"\?/],
])('%j is refused', async (argv, message) => {
  const { stderr, stdout, end } = await runProgram(argv);
  expect([stdout, end]).toEqual(['', 2]);
  expect(stderr).toMatch(message);
});
