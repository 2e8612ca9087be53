// `until` and `search` on the wire: what is refused, what reaches the service, and both forms of what comes back.
import { expect, test } from 'vitest';
import { Double } from './double.ts';
import { rendered, TASK_REPORT } from './samples.ts';
import type { TaskReport } from '../../src/task/api.ts';

const TASK = 't_k3v9x2m7qp4t';
const CALLS = [['task_poll', { task_id: TASK }, 'tasks.poll'], ['task_wait', { task_ids: [TASK] }, 'tasks.wait']] as const;

test.each([
  [{ outptu: 'x' }, 'argument "until" has no "outptu"; argument "until" names nothing to wait for', '"until" takes output, quiet_ms, port, http, exit'],
  [{ port: 1, output: 'x' }, 'argument "until" names output and port; one is waited for', 'give exactly one of output, quiet_ms, port, http, exit; nothing was run'],
  [{}, 'argument "until" names nothing to wait for', 'give exactly one of'],
  [{ port: 0 }, 'argument "until.port" is 0; it must be a whole number from 1 to 65535', ''],
  [{ port: 65_536 }, 'argument "until.port" is 65536; it must be a whole number from 1 to 65535', ''],
  [{ port: '3000' }, 'argument "until.port" is "3000"; it must be a whole number from 1 to 65535', ''],
  [{ quiet_ms: 0 }, 'argument "until.quiet_ms" is 0; it must be a whole number from 1 to 600000', ''],
  [{ exit: false }, 'argument "until.exit" is false; it must be true', ''],
  [{ output: 5 }, 'argument "until.output" is 5; it must be text', ''],
  [{ http: 'http://example.com' }, 'argument "until.http" is "http://example.com", which is a url of another machine; only 127.0.0.1, [::1] and localhost are asked', 'http://127.0.0.1:3000/'],
  [{ http: 'https://localhost:3000' }, 'argument "until.http" is "https://localhost:3000", which is a url of https, which is not asked', 'give the "port" to wait for instead'],
  ['ready', 'argument "until" is "ready"; it must be an object with output, quiet_ms, port, http, exit', ''],
])('%j is refused by both tools', async (until, message, hint) => {
  for (const [tool, args] of CALLS) {
    const double = new Double();
    const { structured } = await double.call(tool, { ...args, until });
    expect(structured['error']).toMatchObject({ code: 'INVALID_ARGUMENT', message, hint: expect.stringContaining(hint) as string });
    expect(double.asked).toEqual([]);
  }
});

test.each([
  [{ output: 'listening' }, { kind: 'output', pattern: 'listening' }],
  [{ quiet_ms: 500 }, { kind: 'quiet', quietMs: 500 }],
  [{ port: 65_535 }, { kind: 'port', port: 65_535 }],
  [{ http: 'http://localhost:3000/health' }, { kind: 'http', url: 'http://localhost:3000/health' }],
  [{ exit: true }, { kind: 'exit' }],
])('%j is waited for', async (given, until) => {
  for (const [tool, args, method] of CALLS) {
    const double = new Double();
    await double.call(tool, { ...args, until: given });
    expect(double.argsOf(method)[3]).toMatchObject({ until });
  }
});

test.each([
  [{}, 0],
  [{ until: { port: 3_000 } }, 30_000],
  [{ until: { port: 3_000 }, wait_ms: 0 }, 0],
  [{ wait_ms: 70 }, 70],
])('a poll with %j waits %i ms', async (args, waitMs) => {
  const double = new Double();
  await double.call('task_poll', { task_id: TASK, ...args });
  expect(double.argsOf('tasks.poll')[3]).toMatchObject({ waitMs });
});

test('a poll cannot end a task and wait for something else', async () => {
  const double = new Double();
  const { structured } = await double.call('task_poll', { task_id: TASK, terminate: true, until: { port: 3_000 } });
  expect(structured['error']).toMatchObject({ code: 'INVALID_ARGUMENT', hint: 'give one of them; nothing was ended' });
  expect(double.asked).toEqual([]);
});

test('a search has lines around its matches when they are asked for', async () => {
  const double = new Double();
  await double.call('task_poll', { task_id: TASK, search: 'error', context_lines: 2 });
  expect(double.argsOf('tasks.poll')[3]).toMatchObject({ search: { pattern: 'error', contextLines: 2 } });
  const { structured } = await double.call('task_poll', { task_id: TASK, search: 'error', context_lines: 21 });
  expect(structured['error']).toMatchObject({ message: 'argument "context_lines" is 21; it must be a whole number from 0 to 20' });
});

const RUNNING: TaskReport = { taskId: TASK, state: 'running', finished: false, stdout: rendered(''), stderr: rendered(''), elapsedMs: 5, stdoutCursor: 7, stderrCursor: 8, lostBytes: 0, warnings: [] };

const answer = (report: TaskReport) => new Double({ 'tasks.poll': report }).answer('task_poll', { task_id: TASK });

test('a match is said in both forms, and in neither when there was none', async () => {
  const matched = await answer({ ...RUNNING, matched: true });
  expect(matched.structured['matched']).toBe(true);
  expect(matched.text).toBe(`[running · 5 ms · ${TASK} · matched · stdout cursor 7 · stderr cursor 8]`);
  expect((await answer(TASK_REPORT)).structured).not.toHaveProperty('matched');
});

test('the lines that were found are in both forms, as grep shows them', async () => {
  const { structured, text } = await answer({
    ...RUNNING,
    stdout: rendered('', { truncated: true }),
    matches: [{ stream: 'stdout', line: 12, text: 'error: x', before: ['a', 'b'], after: ['c'] }, { stream: 'stderr', line: 1, text: 'error: y' }],
    matchesTotal: 31,
  });
  expect(structured).toMatchObject({
    stdout: '',
    truncated: true,
    matches: [{ stream: 'stdout', line: 12, text: 'error: x', before: ['a', 'b'], after: ['c'] }, { stream: 'stderr', line: 1, text: 'error: y' }],
    matches_total: 31,
  });
  expect(text).toBe(`[running · 5 ms · ${TASK} · truncated · stdout cursor 7 · stderr cursor 8]
[31 matching lines, 2 of them shown]

stdout 10- a
stdout 11- b
stdout 12: error: x
stdout 13- c
--
stderr 1: error: y`);
});

test('a search that finds nothing says so in both forms', async () => {
  const { structured, text } = await answer({ ...RUNNING, matches: [], matchesTotal: 0 });
  expect(structured).toMatchObject({ matches: [], matches_total: 0 });
  expect(text).toBe(`[running · 5 ms · ${TASK} · stdout cursor 7 · stderr cursor 8]\n[0 matching lines]`);
});
