// What the audit log is told of a call: when, and what is left out.
import { describe, expect, test } from 'vitest';
import type { Facts } from '../../src/audit/entry.ts';
import { ExpectedError } from '../../src/errors.ts';
import { AUDIT_ID } from '../support/memory-trail.ts';
import { Double } from './double.ts';
import { COMMAND_REPORT, RUN_RESULT, SPAWNED } from './samples.ts';

const SESSION = 's_k3v9x2m7qp4t';
const TASK = 't_k3v9x2m7qp4t';
const SECRET = 'correct horse battery';

interface Told {
  readonly onRunning: () => (end: Facts) => void;
}

test.each([
  ['run', { command: 'true' }, 'runner.run', RUN_RESULT],
  ['task_spawn', { command: 'true' }, 'tasks.spawn', SPAWNED],
  ['session_run', { session_id: SESSION, command: 'true' }, 'sessions.run', COMMAND_REPORT],
])('what %s starts is in the log before it starts, and its end behind it, with one id (R158, R159)', async (tool, args, method, answer) => {
  const kinds: string[][] = [];
  const double: Double = new Double({
    [method]: () => {
      kinds.push(double.audit.entries.map(({ kind }) => kind));
      return answer;
    },
  });
  const { structured } = await double.call(tool, args);
  const [start, end] = double.audit.entries;
  expect(kinds).toEqual([['start']]);
  expect(start).toMatchObject({ kind: 'start', tool, owner: 'local', classification: 'safe', args: { values: { command: { text: 'true', bytes: 4 } } } });
  expect(end).toMatchObject({ kind: 'end', tool, auditId: AUDIT_ID, outcome: 'done' });
  expect(structured['audit_id']).toBe(AUDIT_ID);
});

test('the entry of a run has its code, times and sizes, and none of its output (R159)', async () => {
  const double = new Double();
  await double.call('run', { command: 'make' });
  expect(double.audit.entries[1]).toMatchObject({ exitCode: 124, signal: 'SIGKILL', durationMs: 1_234, queueMs: 57, timedOut: true, truncated: true, stdoutBytes: 61_234, stderrBytes: 71_234, cwd: RUN_RESULT.cwd });
  expect(JSON.stringify(double.audit.entries)).not.toMatch(/out\\n|err\\n/);
});

describe('a command that goes on when its call is answered', () => {
  test('has its end in the log when it ends, with its own facts', async () => {
    const ends: ((end: Facts) => void)[] = [];
    const double = new Double({
      'sessions.run': (_owner: string, _id: string, _command: unknown, { onRunning }: Told) => {
        ends.push(onRunning());
        return { ...COMMAND_REPORT, state: 'running', exitCode: undefined };
      },
    });
    await double.call('session_run', { session_id: SESSION, command: 'sleep 9', timeout_ms: 1 });
    expect(double.audit.entries.map(({ kind }) => kind)).toEqual(['start']);
    ends[0]?.({ exitCode: 3, durationMs: 9_000 });
    expect(double.audit.entries[1]).toMatchObject({ kind: 'end', outcome: 'done', exitCode: 3, durationMs: 9_000 });
    expect(double.audit.entries).toHaveLength(2);
  });

  test('and was cancelled says so, and how it ended all the same', async () => {
    const ends: ((end: Facts) => void)[] = [];
    const double = new Double({
      'runner.run': (_owner: unknown, _command: unknown, { onRunning }: Told) => {
        ends.push(onRunning());
        throw new Error('aborted');
      },
    });
    await double.call('run', { command: 'sleep 9' }, { signal: AbortSignal.abort() });
    ends[0]?.({ exitCode: 0, durationMs: 9_000 });
    expect(double.audit.entries.slice(1)).toMatchObject([{ kind: 'end', outcome: 'cancelled', exitCode: 0, durationMs: 9_000 }]);
  });

  test('and ends before the answer has one end, with the facts of both', async () => {
    const double = new Double({
      'runner.run': (_owner: unknown, _command: unknown, { onRunning }: Told) => {
        onRunning()({ exitCode: 1, durationMs: 7 });
        return { ...RUN_RESULT, exitCode: 1 };
      },
    });
    await double.call('run', { command: 'false' });
    expect(double.audit.entries.slice(1)).toMatchObject([{ kind: 'end', outcome: 'done', exitCode: 1, durationMs: 7, queueMs: 57, truncated: true }]);
  });
});

test.each([
  ['refused by the policy', 'run', { command: 'x' }, 'runner.run', new ExpectedError('FORBIDDEN_COMMAND', 'no', { classification: { class: 'reject' } }), { outcome: 'refused', error: 'FORBIDDEN_COMMAND', classification: 'reject' }],
  ['failed in a service', 'session_read', { session_id: SESSION }, 'sessions.read', new ExpectedError('SESSION_NOT_FOUND', 'no'), { kind: 'call', outcome: 'failed', error: 'SESSION_NOT_FOUND', sessionId: SESSION }],
  ['failed by a fault of ours', 'session_list', {}, 'sessions.list', new TypeError('bug'), { kind: 'call', outcome: 'failed', error: 'INTERNAL' }],
])('a call that is %s has an entry, and the answer its id', async (_, tool, args, method, error, entry) => {
  const double = new Double({ [method]: error });
  const { structured, text } = await double.call(tool, args);
  expect(double.audit.entries.at(-1)).toMatchObject(entry);
  expect([structured['audit_id'], text.endsWith(`\n[${AUDIT_ID}]`)]).toEqual([AUDIT_ID, true]);
});

test('arguments that are wrong, and tools that do not exist, are in the log, too', async () => {
  const double = new Double();
  await double.call('run', { comand: 'x', api_key: 5 });
  await double.call('nonsense', ['not', 'an', 'object']);
  expect(double.audit.entries).toMatchObject([
    { kind: 'call', tool: 'run', outcome: 'failed', error: 'INVALID_ARGUMENT' },
    { kind: 'call', tool: 'nonsense', outcome: 'failed', error: 'INVALID_ARGUMENT' },
  ]);
});

test.each([
  ['session_create', {}, 'created'],
  ['session_destroy', { session_id: SESSION }, 'destroyed'],
  ['classify', { command: 'true' }, 'classified'],
  ['session_read', { session_id: SESSION }, 'read'],
  ['session_list', {}, 'read'],
  ['task_list', {}, 'read'],
  ['task_poll', { task_id: TASK }, 'read'],
  ['task_wait', { task_ids: [TASK] }, 'read'],
  ['session_interrupt', { session_id: SESSION }, 'done'],
  ['audit_read', {}, 'read'],
])('%s is in the log as what it did, reading the log included (R159, R168)', async (tool, args, outcome) => {
  const double = new Double();
  await double.call(tool, args);
  expect(double.audit.entries.at(-1)).toMatchObject({ tool, outcome });
});

describe('what is typed', () => {
  test.each([
    ['session_send', { session_id: SESSION, text: SECRET }, 'sessions.send', 2, 'onSend', COMMAND_REPORT],
    ['task_write', { task_id: TASK, text: SECRET }, 'tasks.write', 2, 'onWrite', { bytes: 3 }],
  ] as const)('by %s is kept, unless a secret was asked for', async (tool, args, method, at, hook, answer) => {
    for (const isSecret of [false, true]) {
      const double = new Double({
        [method]: (...given: Record<string, (input: { isSecret: boolean }) => void>[]) => {
          given[at]?.[hook]?.({ isSecret });
          return answer;
        },
      });
      await double.call(tool, args);
      expect(double.audit.entries.map(({ kind }) => kind)).toEqual(['start', 'end']);
      expect(JSON.stringify(double.audit.entries).includes(SECRET)).toBe(!isSecret);
    }
  });

  test('and reached nobody may have been a secret', async () => {
    const double = new Double({ 'sessions.send': new ExpectedError('INVALID_ARGUMENT', 'takes no input') });
    await double.call('session_send', { session_id: SESSION, text: SECRET });
    expect(double.audit.entries).toMatchObject([{ kind: 'call', args: { values: { text: { bytes: SECRET.length } } } }]);
    expect(JSON.stringify(double.audit.entries)).not.toContain(SECRET);
  });

  test('and was refused as a command is kept', async () => {
    const double = new Double({ 'sessions.send': new ExpectedError('FORBIDDEN_COMMAND', 'no', { classification: { class: 'reject' } }) });
    await double.call('session_send', { session_id: SESSION, text: 'rm -rf /' });
    expect(double.audit.entries).toMatchObject([{ kind: 'call', outcome: 'refused', args: { values: { text: { text: 'rm -rf /' } } } }]);
  });
});

test('of an environment the names are kept, sorted, never a value (R160)', async () => {
  const double = new Double();
  await double.call('run', { command: 'true', env: { B_TOKEN: SECRET, A: 'plain value' } });
  expect(double.audit.entries[0]).toMatchObject({ args: { values: { env: ['A', 'B_TOKEN'] } } });
  expect(JSON.stringify(double.audit.entries)).not.toMatch(/correct horse|plain value/);
});

test('nothing runs when a required log refuses its start', async () => {
  const full = (): never => {
    throw new ExpectedError('DISK_FULL', 'the audit log cannot be written');
  };
  for (const [tool, args] of [['run', { command: 'true' }], ['task_spawn', { command: 'true' }], ['session_run', { session_id: SESSION, command: 'true' }], ['session_create', {}]] as const) {
    const double = new Double({}, ({ kind }) => void (kind === 'start' && full()));
    const { structured } = await double.call(tool, args);
    expect(structured['error']).toMatchObject({ code: 'DISK_FULL' });
    expect(double.asked.map(({ method }) => method).filter((method) => /\.(?:run|spawn|create)$/.test(method))).toEqual([]);
  }
});

test('the client is named as it introduced itself', async () => {
  const double = new Double();
  await double.call('session_list', {}, {}, { name: 'an editor', version: '1.2' });
  expect(double.audit.entries).toMatchObject([{ client: { name: 'an editor', version: '1.2' } }]);
});
