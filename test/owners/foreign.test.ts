// What one owner is told of another's: nothing. Every tool that takes an id is asked with another's and with one that never was.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CallResult } from '../../src/tools/call.ts';
import { TestApp } from '../support/test-app.ts';

interface Belongings {
  readonly session: string;
  readonly command: string;
  readonly task: string;
}

const NOWHERE: Belongings = { session: 's_222222222222', command: 'c_222222222222', task: 't_222222222222' };

let app: TestApp;
/** Of alice and of bob; carol has nothing. */
let alice: Belongings;
let bob: Belongings;
beforeAll(async () => {
  app = await TestApp.start();
  alice = await belongingsOf('alice');
  bob = await belongingsOf('bob');
});
afterAll(() => app.close());

async function belongingsOf(owner: string): Promise<Belongings> {
  const { session_id: session = '' } = await app.facts(owner, 'session_create', { shell: 'bash', name: `${owner}s-session` });
  const { command_id: command = '' } = await app.facts(owner, 'session_run', { session_id: session, command: `echo ${owner}s-words` });
  const { task_id: task = '' } = await app.facts(owner, 'task_spawn', { command: `echo ${owner}s-output; cat`, stdin: 'pipe', name: `${owner}s-task` });
  return { session, command, task };
}

/** A call with something of `them` in it, made by somebody else, whose own is `own`. */
const CALLS: readonly (readonly [tool: string, args: (them: Belongings, own: Belongings) => object])[] = [
  ['run', ({ session }) => ({ command: 'true', session_id: session })],
  ['run', ({ session }) => ({ command: 'true', session_id: session, cwd: 'below' })],
  ['session_run', ({ session }) => ({ session_id: session, command: 'echo intruder' })],
  ['session_run', ({ session }) => ({ session_id: session, command: 'sudo id', queue_ms: 10 })],
  ['session_send', ({ session }) => ({ session_id: session, text: 'intruder' })],
  ['session_send', ({ session }) => ({ session_id: session, cols: 10 })],
  ['session_read', ({ session }) => ({ session_id: session, view: 'transcript' })],
  ['session_read', ({ session, command }) => ({ session_id: session, command_id: command })],
  ['session_read', ({ command }, { session }) => ({ session_id: session, command_id: command })],
  ['session_interrupt', ({ session }) => ({ session_id: session, grace_ms: 0 })],
  ['session_destroy', ({ session }) => ({ session_id: session, grace_ms: 0 })],
  ['task_spawn', ({ session }) => ({ command: 'true', session_id: session })],
  ['task_poll', ({ task }) => ({ task_id: task })],
  ['task_poll', ({ task }) => ({ task_id: task, terminate: true, search: 'words' })],
  ['task_poll', ({ task }) => ({ task_id: task, until: { output: 'words' }, stdout_cursor: 5 })],
  ['task_wait', ({ task }) => ({ task_ids: [task], timeout_ms: 0 })],
  ['task_wait', ({ task }, own) => ({ task_ids: [own.task, task], timeout_ms: 0 })],
  ['task_write', ({ task }) => ({ task_id: task, text: 'intruder', eof: true })],
  ['classify', ({ session }) => ({ command: 'true', session_id: session })],
  ['classify', ({ session }) => ({ command: 'true', session_id: session, cwd: 'below' })],
  ['which', ({ session }) => ({ name: 'ls', session_id: session })],
];

test('every tool with an id among its arguments is in the table', () => {
  const withId = app.tools.filter(({ inputSchema }) => Object.keys(inputSchema.properties).some((name) => /_ids?$/.test(name))).map(({ name }) => name);
  expect(withId.filter((name) => name !== 'audit_read').sort()).toEqual([...new Set(CALLS.map(([tool]) => tool))].sort()); // that one finds nothing: see below
});

/** The whole answer, without the ids that were asked with and that of the entry in the audit log. */
function neutral({ structured, text, isError }: CallResult): string {
  const ids = [...Object.values(bob), ...Object.values(NOWHERE), String(structured['audit_id'])];
  return ids.reduce((rest, id) => rest.replaceAll(id, 'ID'), JSON.stringify({ structured, text, isError }));
}

test.each(CALLS)('T02 T03 R10: %s says of another\'s the same as of what never was (%#)', async (tool, args) => {
  for (const [owner, own] of [['alice', alice], ['carol', NOWHERE]] as const) {
    const [foreign, unknown] = [await app.call(owner, tool, args(bob, own)), await app.call(owner, tool, args(NOWHERE, own))];
    expect(foreign.isError).toBe(true);
    expect(neutral(foreign)).toBe(neutral(unknown));
    expect(JSON.stringify(foreign)).not.toMatch(/bob/);
  }
});

test('T02: after all that what is another\'s is as it was', async () => {
  expect(await app.facts('bob', 'session_read', { session_id: bob.session, command_id: bob.command })).toMatchObject({ state: 'done', output: 'bobs-words\n' });
  expect(await app.facts('bob', 'session_list')).toMatchObject({ count: 1, sessions: [{ session_id: bob.session, state: 'idle', commands_run: 1 }] });
  expect(await app.facts('bob', 'task_poll', { task_id: bob.task, until: { output: 'bobs' }, wait_ms: 10_000 })).toMatchObject({ state: 'running', stdout: 'bobs-output\n' });
});

test('T02 T03: no list and no status of an owner has anything of another in it', async () => {
  for (const [tool, args] of [['session_list', {}], ['task_list', { include_collected: true }], ['status', {}]] as const) {
    const answer = JSON.stringify(await app.call('alice', tool, args));
    for (const part of [...Object.values(bob), 'bob']) expect(answer).not.toContain(part);
  }
  expect(await app.facts('alice', 'session_list')).toMatchObject({ count: 1, sessions: [{ session_id: alice.session }] });
  expect(await app.facts('alice', 'task_list', { include_collected: true })).toMatchObject({ count: 1, tasks: [{ task_id: alice.task }] });
  expect(await app.facts('carol', 'session_list')).toMatchObject({ count: 0, sessions: [] });
});

test('the status has what is the owner\'s own, and beside it only sums', async () => {
  const sums = { sessions: { active: 1, total: 2 }, tasks: { running: 1, queued: 0, total: 2 }, concurrency: { active: 0, queued: 0 } };
  expect(await app.facts('alice', 'status')).toMatchObject(sums);
  expect(await app.facts('carol', 'status')).toMatchObject({ ...sums, sessions: { active: 0, total: 2 }, tasks: { running: 0, queued: 0, total: 2 } });
});
