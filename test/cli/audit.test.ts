// `shellkeep audit`, the built program over files that a log has written.
import { randomBytes } from 'node:crypto';
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { recordedArguments } from '../../src/audit/arguments.ts';
import { AuditLog } from '../../src/audit/log.ts';
import { Redactor } from '../../src/audit/redact.ts';
import { createIdMaker } from '../../src/lib/ids.ts';
import type { Home } from '../support/home.ts';
import { newHome, Program, runProgram } from './program.ts';

const redactor = new Redactor();

function withLog(): { home: Home; log: AuditLog } {
  const home = newHome();
  const directory = path.join(home.dir, '.local/share/shellkeep/audit');
  const log = new AuditLog({ directory, maxBytes: 1_000_000, backups: 5, gzipBytes: 0, sync: 'never', isRequired: false, makeId: createIdMaker(randomBytes), log: () => undefined });
  return { home, log };
}

function run(log: AuditLog, command: string, exitCode: number): void {
  const auditId = log.append({ kind: 'start', tool: 'run', classification: 'safe', args: recordedArguments({ command }, { redactor }) });
  log.append({ kind: 'end', tool: 'run', auditId, outcome: 'done', exitCode, durationMs: 12 });
}

test('the newest entries, the last one at the bottom, in columns without control characters', async () => {
  const { home, log } = withLog();
  run(log, 'printf "\u001b[31m"\nmake', 2);
  log.append({ kind: 'call', tool: 'task_spawn', outcome: 'refused', error: 'FORBIDDEN_COMMAND', classification: 'reject', args: recordedArguments({ command: 'mkfs /dev/sda' }, { redactor }) });
  log.append({ kind: 'event', event: 'session_ended', detail: 'exit' });
  const { stdout, stderr, end } = await runProgram(['audit'], { home });
  const lines = stdout.split('\n');
  expect([stderr, end, lines.length]).toEqual(['', 0, 5]);
  expect(lines[0]).toMatch(/^time \(UTC\) +what +outcome +code +time +class +command or detail$/);
  expect(lines[1]).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} run +done +2 +12 ms {2}safe +printf "\\u001b\[31m"\\nmake$/);
  expect(lines[2]).toMatch(/ task_spawn +refused +FORBIDD… +reject +mkfs \/dev\/sda$/);
  expect(lines[3]).toMatch(/ session_ended +exit$/);
  await log.close();
});

test('as JSON, filtered and limited', async () => {
  const { home, log } = withLog();
  for (let i = 0; i < 5; i++) run(log, `echo ${i}`, i);
  const details = async (...flags: string[]) => (await runProgram(['audit', '--json', ...flags], { home })).stdout.split('\n').filter((line) => line !== '').map((line) => (JSON.parse(line) as { exit_code: number }).exit_code);
  expect(await details()).toEqual([0, 1, 2, 3, 4]);
  expect(await details('--limit', '2')).toEqual([3, 4]);
  expect(await details('--search', 'echo 3')).toEqual([3]);
  expect(await details('--tool', 'task_spawn')).toEqual([]);
  expect(await details('--after', '2001-01-01', '--outcome', 'done', '--class=safe', '--limit=1')).toEqual([4]);
  expect(await details('--before', '2001-01-01T00:00:00Z')).toEqual([]);
  await log.close();
});

test('--follow shows what is written from then on', async () => {
  const { home, log } = withLog();
  run(log, 'echo before', 0);
  const program = new Program(['audit', '--follow', '--json'], { home });
  const seen = (text: string): Promise<void> => new Promise((resolve) => program.child.stdout?.on('data', function look(this: unknown, piece: Buffer) { if (piece.toString().includes(text)) resolve(); }));
  await seen('echo before');
  const after = seen('echo after');
  run(log, 'echo after', 0);
  await after;
  program.child.kill('SIGTERM');
  expect((await program.ended).end).toBe('SIGTERM');
  await log.close();
});

test('verify says that all is well, or names file and line and ends with 1', async () => {
  const { home, log } = withLog();
  for (let i = 0; i < 3; i++) run(log, `echo ${i}`, 0);
  const file = log.status.path ?? '';
  await log.close();
  expect(await runProgram(['audit', 'verify'], { home })).toEqual({ stdout: '6 records in 1 file: as they were written\n', stderr: '', end: 0 });
  writeFileSync(file, readFileSync(file, 'utf8').replace('echo 1', 'echo 7'));
  appendFileSync(file, 'garbage\n');
  expect(await runProgram(['audit', 'verify'], { home })).toEqual({ stdout: `${file}:4: does not fit the line before it: one of the two was changed\n${file}:7: is no record of this version\n6 records in 1 file: 2 faults\n`, stderr: '', end: 1 });
});

test('without any log there is nothing to show and nothing wrong, and none is made', async () => {
  const home = newHome();
  expect((await runProgram(['audit', '--json'], { home })).stdout).toBe('');
  expect(await runProgram(['audit', 'verify'], { home })).toMatchObject({ stdout: '0 records in 0 files: as they were written\n', end: 0 });
  mkdirSync(path.join(home.dir, '.local/share/shellkeep'), { recursive: true });
  writeFileSync(path.join(home.dir, '.local/share/shellkeep/audit'), 'a file');
  expect(await runProgram(['audit', '--json'], { home })).toMatchObject({ stdout: '', stderr: '', end: 0 });
});

test.each([
  [['--limit', '0'], 'shellkeep: --limit "0": must be a whole number from 1 to 100000\n'],
  [['--after', 'yesterday'], 'shellkeep: --after "yesterday": must be a time like 2026-12-01 or 2026-12-01T08:00:00Z\n'],
  [['verifi'], 'shellkeep: audit takes no argument "verifi"; shellkeep audit --help shows what it takes\n'],
  [['--tol', 'x'], "shellkeep: audit: Unknown option '--tol'; shellkeep audit --help shows what it takes\n"],
])('%j is refused in one line', async (words, stderr) => {
  expect(await runProgram(['audit', ...words])).toEqual({ stdout: '', stderr, end: 2 });
});

test('audit --help shows the filters', async () => {
  expect((await runProgram(['audit', '--help'])).stdout).toContain('--session-id ID');
});
