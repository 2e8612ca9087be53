// The two forms of results: exact samples, and that neither has a fact that the other lacks.
import { expect, test } from 'vitest';
import type { CommandReport } from '../../src/session/api.ts';
import type { RunResult, TaskReport } from '../../src/task/api.ts';
import { AUDIT_ID } from '../support/memory-trail.ts';
import { Double, tools } from './double.ts';
import { COMMAND_REPORT, rendered, RUN_RESULT, STATUS, TASK_REPORT } from './samples.ts';

const SESSION = 's_k3v9x2m7qp4t';
const TASK = 't_k3v9x2m7qp4t';

const PLAIN_RUN: RunResult = {
  stdout: rendered('hi\n'),
  stderr: rendered(''),
  exitCode: 0,
  durationMs: 12.3,
  queueMs: 0,
  timedOut: false,
  cwd: '/home/u/app',
  shell: 'bash',
  backgroundPids: [],
  warnings: [],
};

const PLAIN_REPORT: CommandReport = {
  sessionId: SESSION,
  commandId: 'c_9d2k4m6n8p2q',
  state: 'done',
  output: rendered('hi\n'),
  exitCode: 0,
  durationMs: 12.3,
  cwd: '/home/u/app',
  cursor: 3,
  changes: {},
  background: [],
  warnings: [],
};

const answer = (tool: string, args: object, method: string, value: unknown) => new Double({ [method]: value }).answer(tool, args);

const run = (value: Partial<RunResult>) => answer('run', { command: 'true' }, 'runner.run', { ...PLAIN_RUN, ...value });
const sessionRun = (value: Partial<CommandReport>) => answer('session_run', { session_id: SESSION, command: 'true' }, 'sessions.run', { ...PLAIN_REPORT, ...value });

test('a plain run is one status line and its output; what is at its default is in neither form', async () => {
  const { structured, text } = await run({});
  expect(structured).toEqual({ stdout: 'hi\n', stderr: '', exit_code: 0, duration_ms: 12, stdout_bytes: 3, stderr_bytes: 0, cwd: '/home/u/app', shell: 'bash', classification: { class: 'safe' } });
  expect(text).toBe('[exit 0 · 12 ms · /home/u/app · bash · safe]\n\nhi\n');
});

test('a run without output is one line', async () => {
  expect((await run({ stdout: rendered('') })).text).toBe('[exit 0 · 12 ms · /home/u/app · bash · safe]');
});

test('both streams of a run are told apart, and the end of the first is exact', async () => {
  expect((await run({ stderr: rendered('oops\n') })).text).toBe('[exit 0 · 12 ms · /home/u/app · bash · safe]\n\nhi\n\n[stderr]\noops\n');
  expect((await run({ stdout: rendered('hi'), stderr: rendered('oops\n') })).text).toBe('[exit 0 · 12 ms · /home/u/app · bash · safe]\n\nhi\n[stderr]\noops\n');
});

test('a run with everything in it', async () => {
  const { structured, text } = await answer('run', { command: 'true' }, 'runner.run', RUN_RESULT);
  expect(structured).toEqual({
    stdout: 'out\n',
    stderr: 'err\n',
    exit_code: 124,
    signal: 'SIGKILL',
    duration_ms: 1234,
    queue_ms: 57,
    timed_out: true,
    truncated: true,
    stdout_bytes: 61_234,
    stderr_bytes: 71_234,
    stdout_path: '/run/o.log',
    stderr_path: '/run/e.log',
    cwd: '/home/u/app',
    shell: 'bash',
    classification: { class: 'safe' },
    background_pids: [4711, 4712],
    warnings: [
      'stdout: 31 overwritten states of lines (progress bars) are left out',
      'stderr: 41 invisible or direction-changing characters are shown as \\u{…}',
      'a job was writing',
    ],
  });
  expect(text).toBe(
    [
      '[exit 124 · SIGKILL · timed out · 1234 ms · queued 57 ms · /home/u/app · bash · safe · truncated · stdout 61234 bytes · stderr 71234 bytes]',
      '[whole stdout: /run/o.log]',
      '[whole stderr: /run/e.log]',
      '[still running in the background: 4711, 4712]',
      '[warning: stdout: 31 overwritten states of lines (progress bars) are left out]',
      '[warning: stderr: 41 invisible or direction-changing characters are shown as \\u{…}]',
      '[warning: a job was writing]',
      '',
      'out\n\n[stderr]\nerr\n',
    ].join('\n'),
  );
});

test('a plain command in a session is one status line and its output', async () => {
  const { structured, text } = await sessionRun({});
  expect(structured).toEqual({
    session_id: SESSION,
    command_id: 'c_9d2k4m6n8p2q',
    state: 'done',
    output: 'hi\n',
    exit_code: 0,
    duration_ms: 12,
    cwd: '/home/u/app',
    output_bytes: 3,
    cursor: 3,
    classification: { class: 'safe' },
  });
  expect(text).toBe(`[exit 0 · 12 ms · /home/u/app · ${SESSION} · c_9d2k4m6n8p2q · cursor 3 · safe]\n\nhi\n`);
});

test('a command that goes on has no exit code, and its line begins with its state', async () => {
  const { exitCode: _, ...running } = PLAIN_REPORT;
  const { structured, text } = await answer('session_run', { session_id: SESSION, command: 'true' }, 'sessions.run', { ...running, state: 'running' });
  expect(structured).not.toHaveProperty('exit_code');
  expect(text).toMatch(/^\[running · 12 ms · /);
});

test('a command in a session with everything in it', async () => {
  expect((await answer('session_interrupt', { session_id: SESSION }, 'sessions.interrupt', COMMAND_REPORT)).text).toBe(
    [
      `[ended · exit 137 · SIGKILL · 1234 ms · /home/u/app · ${SESSION} · c_9d2k4m6n8p2q · truncated · 61234 bytes · cursor 61235 · cpu 81 ms]`,
      '[changed: cwd /home/u/app; env_set A, B; env_unset C; aliases ll; functions f; options pipefail]',
      '[job 1 · pid 4713 · running · sleep 300]',
      '[interrupt: SIGTERM worked · tried interrupt key, SIGINT, SIGTERM]',
      '[still alive: 4714 stubborn]',
      '[whole output: /run/o.log]',
      '[warning: output: 51 bytes were lost before they were read]',
      '[warning: aliases are gone]',
      '',
      'out\n\n[stderr]\nerr\n',
    ].join('\n'),
  );
});

test('a poll of a task that has ended', async () => {
  expect((await answer('task_poll', { task_id: TASK }, 'tasks.poll', TASK_REPORT)).text).toBe(
    [
      `[terminated · exit 143 · SIGTERM · ended by request · 9877 ms · ${TASK} · truncated: poll again for more · 501 bytes lost · stdout cursor 1004 · stderr cursor 2004]`,
      '[warning: stderr: 31 overwritten states of lines (progress bars) are left out]',
      '[warning: the disk is full]',
      '',
      'out\n\n[stderr]\nerr\n',
    ].join('\n'),
  );
});

test('a poll of a running task says that it is not finished, and has no exit code', async () => {
  const { exitCode: _c, signal: _s, endedBy: _e, ...task } = TASK_REPORT;
  const running: TaskReport = { ...task, state: 'running', finished: false, lostBytes: 0, warnings: [], stdout: rendered(''), stderr: rendered('') };
  const { structured, text } = await answer('task_poll', { task_id: TASK }, 'tasks.poll', running);
  expect(structured).toEqual({ task_id: TASK, state: 'running', finished: false, stdout: '', stderr: '', elapsed_ms: 9_877, stdout_cursor: 1_004, stderr_cursor: 2_004 });
  expect(text).toBe(`[running · 9877 ms · ${TASK} · stdout cursor 1004 · stderr cursor 2004]`);
});

test('a path or a name with a newline does not break the status line', async () => {
  expect((await run({ cwd: '/tmp/a\n[exit 1]' })).text.split('\n')[0]).toBe('[exit 0 · 12 ms · "/tmp/a\\n[exit 1]" · bash · safe]');
});

test('empty lists say so in both forms', async () => {
  expect(await answer('session_list', {}, 'sessions.list', [])).toEqual({ structured: { sessions: [], count: 0 }, text: '[0 sessions]' });
  expect(await answer('task_list', {}, 'tasks.list', [])).toEqual({ structured: { tasks: [], count: 0 }, text: '[0 tasks]' });
});

test('one entry is a list of one', async () => {
  const { structured, text } = await new Double().call('session_list');
  expect(structured).toMatchObject({ sessions: [{ session_id: SESSION, state: 'running' }], count: 1 });
  expect(text).toBe(
    `[1 session · ${AUDIT_ID}]\n\n${SESSION} · build · zsh · running · /home/u/app · 7 commands · 43 variables · created 2026-01-02T03:04:05.000Z · used 2026-01-02T03:05:05.000Z · "make\\nmake test"`,
  );
});

test('a command of megabytes is not echoed whole', async () => {
  const { structured, text } = await answer('task_spawn', { command: 'true' }, 'tasks.spawn', { taskId: TASK, state: 'queued', command: 'x'.repeat(1_000_000), cwd: '/', startedAt: 'now' });
  expect((structured as { command: string }).command).toBe(`${'x'.repeat(500)}… (999500 more characters)`);
  expect(text.length).toBeLessThan(1_000);
});

test('the machine, programs, names and the server as text', async () => {
  const texts = async (tool: string, args: object = {}) => (await new Double().answer(tool, args)).text;
  expect(await texts('check_env')).toBe(
    [
      '[Debian GNU/Linux 12 (bookworm) · Linux 6.1.0-18-amd64 · x86_64 · wsl · node v20.19.0]',
      '[user u · home /home/u · cwd /default · locale C.UTF-8]',
      '[zsh 5.9 · /usr/bin/zsh · default]',
      '[sh · /usr/bin/sh]',
      '[PATH: /usr/local/bin, ""]',
      '[environment: HOME, PATH]',
    ].join('\n'),
  );
  expect(await texts('list_binaries')).toBe('[2 programs]\n\ngit · /usr/bin/git · git version 2.39.5\nrg · missing');
  expect(await texts('which', { name: 'git' })).toBe('[git · file · /usr/bin/git · git version 2.39.5]');
  expect(await texts('which', { name: 'll', session_id: SESSION })).toBe('[ll · alias]');
  expect(await texts('status')).toBe(
    [
      '[shellkeep · 0.1.0 · pid 4719 · up 98765 ms · memory 85368832 bytes · busy 12.3 %]',
      '[descriptors 27 of 1024]',
      '[runs 7 of 8 · queued 13 · 37 of all owners]',
      '[sessions 17 of 64 · 18 of all owners · idle timeout 0 s · 3 ended by it]',
      '[tasks 19 of 64 · queued 23 · 44 of all owners]',
      '[output 1207 of 2147483648 bytes · disk free 1208 bytes]',
      '[audit not ok · no space left on device · 1201 written · 1202 failed · 1203 dropped · 1204 bytes · file 1205 of 26214400 bytes · backups 3 of 5 · all files 1206 bytes · gzip above 0 bytes]',
      '[audit in /home/u/.local/share/shellkeep/audit · /home/u/.local/share/shellkeep/audit/current.jsonl]',
      '[sent to loki at http://127.0.0.1:3100 · not ok · HTTP 503 · 1207 sent · 1208 dropped · 1209 waiting · next try 2026-12-01T08:00:03.000Z]',
      '[what was started is ended by: process groups, tags, watchdog 4720]',
      `[tools: ${tools.map(({ name }) => name).join(', ')}]`,
      '',
      'max_tasks = 64 (default)',
      'allowed_roots = ["/home/u","/tmp"] (--allowed-roots)',
      'shell = not set (default)',
    ].join('\n'),
  );
});

test('the status of who is alone says nothing of all owners', async () => {
  const [load, tasks] = [{ active: 1, queued: 0 }, { running: 3, queued: 0 }];
  const alone = { ...STATUS, concurrency: { max: 8, own: load, all: load }, sessions: { own: 2, all: 2, reaped: 0 }, tasks: { own: tasks, all: tasks } };
  const { structured, text } = await answer('status', {}, 'services.status', alone);
  expect([structured['concurrency'], structured['sessions'], structured['tasks']]).toEqual([{ max: 8, ...load }, { active: 2, max: 64, idle_timeout_s: 0 }, { ...tasks, max: 64 }]);
  expect(text).toContain('[runs 1 of 8 · queued 0]\n[sessions 2 of 64 · idle timeout 0 s]\n[tasks 3 of 64 · queued 0]\n');
});

/** Facts that a word of the text says. */
const SAID: Readonly<Record<string, RegExp>> = {
  'timed_out=true': /timed out/,
  'truncated=true': /truncated/,
  'finished=true': /^\[(exited|terminated)|\n\[terminated/,
  'done=true': /terminated/,
  'eof=true': /input closed/,
  'wsl=true': /wsl/,
  'default=true': /zsh 5\.9 · \/usr\/bin\/zsh · default\]/,
  'default=false': /sh · \/usr\/bin\/sh\]/,
  'exists=true': /git · .*\/usr\/bin\/git/,
  'exists=false': /rg · missing/,
  'ok=false': /not everything ended|audit not ok/,
};

test.each([
  ['run', { command: 'true' }],
  ['session_create', {}],
  ['session_run', { session_id: SESSION, command: 'true' }],
  ['session_send', { session_id: SESSION, text: 'y' }],
  ['session_read', { session_id: SESSION }],
  ['session_interrupt', { session_id: SESSION }],
  ['session_list', {}],
  ['session_destroy', { session_id: SESSION }],
  ['task_spawn', { command: 'true' }],
  ['task_list', {}],
  ['task_poll', { task_id: TASK }],
  ['task_wait', { task_ids: [TASK] }],
  ['task_write', { task_id: TASK, text: 'a', eof: true }],
  ['audit_read', { backup_index: 1 }],
  ['check_env', {}],
  ['list_binaries', {}],
  ['which', { name: 'git' }],
  ['status', {}],
])('every fact of %s is in its text', async (tool, args) => {
  const { structured, text } = await new Double().call(tool, args);
  const facts = leavesOf(structured, '');
  expect(facts.length).toBeGreaterThan(1);
  const missing = facts.filter(([name, value]) => {
    const said = SAID[`${name}=${String(value)}`];
    if (said !== undefined) return !said.test(text);
    return !text.includes(String(value)) && !text.includes(JSON.stringify(value));
  });
  expect(missing).toEqual([]);
});

function leavesOf(value: unknown, name: string): [name: string, value: unknown][] {
  if (typeof value !== 'object' || value === null) return value === undefined ? [] : [[name, value]];
  return Object.entries(value).flatMap(([key, inner]) => leavesOf(inner, Array.isArray(value) ? name : key));
}
