// Owners of one server: each token has sessions, tasks and limits of its own, and of another's nothing can be seen, not even that it is there.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SERVER } from '../support/paths.ts';
import { messagesIn, Served, type HttpClient } from '../support/served.ts';

const UNKNOWN = { session: 's_222222222222', task: 't_222222222222' };

let served: Served;
let anna: HttpClient;
let ben: HttpClient;
let session: string;
let task: string;

beforeAll(async () => {
  served = await Served.start({ args: ['--max-sessions', '2', '--max-tasks', '1', '--max-concurrent', '1'] });
  anna = await served.client(await served.tokenOf('anna')).initialize();
  ben = await served.client(await served.tokenOf('ben')).initialize();
  session = String((await anna.call('session_create', { name: 'secret-name', shell: 'bash' }))['session_id']);
  task = String((await anna.call('task_spawn', { command: 'echo secret-output; sleep 3072', shell: 'bash' }))['task_id']);
});

afterAll(async () => {
  expect(await served.close()).toEqual({ code: 130, signal: null });
});

const CALLS: readonly (readonly [tool: string, args: (ids: typeof UNKNOWN) => object])[] = [
  ['session_run', ({ session: id }) => ({ session_id: id, command: 'true' })],
  ['session_send', ({ session: id }) => ({ session_id: id, keys: ['ctrl-c'] })],
  ['session_read', ({ session: id }) => ({ session_id: id, view: 'transcript' })],
  ['session_interrupt', ({ session: id }) => ({ session_id: id })],
  ['session_destroy', ({ session: id }) => ({ session_id: id })],
  ['run', ({ session: id }) => ({ session_id: id, command: 'true' })],
  ['task_spawn', ({ session: id }) => ({ session_id: id, command: 'true' })],
  ['classify', ({ session: id }) => ({ session_id: id, command: 'true' })],
  ['which', ({ session: id }) => ({ session_id: id, name: 'ls' })],
  ['task_poll', ({ task: id }) => ({ task_id: id, stdout_cursor: 0 })],
  ['task_wait', ({ task: id }) => ({ task_ids: [id], timeout_ms: 0 })],
  ['task_write', ({ task: id }) => ({ task_id: id, text: 'x' })],
];

/** The whole answer without what is its own: ids of entries and of the session or task that was asked for. */
async function answerOf(client: HttpClient, method: string, params: object, ids: typeof UNKNOWN): Promise<string> {
  const text = JSON.stringify(await client.request(method, params));
  return text.replaceAll(/a_[a-z0-9]{12}/g, 'a_').replaceAll(ids.session, 'ID').replaceAll(ids.task, 'ID').replaceAll(/"id":\d+/g, '"id":0');
}

test.each(CALLS)('T02, T03, R10: %s answers for what is another owner\'s as for what never was', async (name, args) => {
  const own = { session, task };
  const [foreign, unknown] = [await answerOf(ben, 'tools/call', { name, arguments: args(own) }, own), await answerOf(ben, 'tools/call', { name, arguments: args(UNKNOWN) }, UNKNOWN)];
  expect(foreign).toBe(unknown);
  expect(foreign).toContain('NOT_FOUND');
});

test.each(['read', 'subscribe'])('resources/%s answers for what is another owner\'s as for what never was', async (verb) => {
  for (const uriOf of [({ session: id }: typeof UNKNOWN) => `shellkeep://sessions/${id}/transcript`, ({ task: id }: typeof UNKNOWN) => `shellkeep://tasks/${id}/output`]) {
    const own = { session, task };
    expect(await answerOf(ben, `resources/${verb}`, { uri: uriOf(own) }, own)).toBe(await answerOf(ben, `resources/${verb}`, { uri: uriOf(UNKNOWN) }, UNKNOWN));
  }
});

test('no list, no status, no entry of the audit log and no completion names anything of another owner', async () => {
  const shown = await Promise.all([
    ben.call('session_list'),
    ben.call('task_list', { include_collected: true }),
    ben.call('status'),
    ben.call('audit_read', { max_entries: 1_000 }),
    ben.request('resources/list'),
    ben.request('completion/complete', { ref: { type: 'ref/resource', uri: 'shellkeep://sessions/{id}/transcript' }, argument: { name: 'id', value: '' } }),
  ]);
  const text = JSON.stringify(shown).replaceAll(/"(?:requests?|command)":"[^"]*"/g, '');
  for (const part of ['secret-name', 'secret-output', 'anna']) expect(text).not.toContain(part);
  expect(shown[0]).toMatchObject({ count: 0 });
  expect(shown[2]).toMatchObject({ sessions: { active: 0, total: 1 }, tasks: { running: 0, queued: 0, total: 1 } });
});

test('T84: the limits are those of each owner: what one has open is no other\'s', async () => {
  const opened: string[] = [];
  for (const _ of [1, 2]) opened.push(String((await ben.call('session_create', { shell: 'bash' }))['session_id']));
  expect(await ben.call('session_create', { shell: 'bash' })).toMatchObject({ error: { code: 'SESSION_LIMIT', message: '2 sessions are open and max_sessions is 2' } });
  const { task_id: id, state } = await ben.call('task_spawn', { command: 'echo mine', shell: 'bash' });
  expect(state).toBe('running');
  expect(await ben.call('task_poll', { task_id: id, wait_ms: 5_000 })).toMatchObject({ stdout: 'mine\n', finished: true });
  for (const session_id of opened) expect(await ben.call('session_destroy', { session_id })).toMatchObject({ ok: true });
});

test('T84: whoever has many runs waiting delays another owner by one of them', async () => {
  const order: string[] = [];
  const run = (client: HttpClient, name: string, command: string): Promise<unknown> => client.call('run', { command }).then(() => order.push(name));
  const first = run(anna, 'anna', 'sleep 0.5');
  await expect.poll(async () => (await anna.call('status'))['concurrency'], { interval: 10 }).toMatchObject({ active: 1 });
  const waiting = Array.from({ length: 10 }, () => run(anna, 'anna', 'sleep 0.05'));
  await expect.poll(async () => (await anna.call('status'))['concurrency'], { interval: 10 }).toMatchObject({ queued: 10 });
  await Promise.all([first, ...waiting, run(ben, 'ben', 'true')]);
  expect(order.indexOf('ben')).toBeLessThanOrEqual(2);
});

test('two connections of one owner share its sessions, and each gets all of the output of a task', async () => {
  const second = await served.client(anna.token).initialize();
  expect(await second.call('session_list')).toMatchObject({ sessions: [{ session_id: session, name: 'secret-name' }], count: 1 });
  await anna.call('session_run', { session_id: session, command: 'export SHARED=yes' });
  expect(await second.call('session_run', { session_id: session, command: 'echo $SHARED' })).toMatchObject({ output: 'yes\n' });
  for (const client of [anna, second]) expect(await client.call('task_poll', { task_id: task, until: { output: 'secret' }, wait_ms: 5_000 })).toMatchObject({ stdout: 'secret-output\n' });
  expect(await anna.call('task_poll', { task_id: task })).toMatchObject({ stdout: '' });
});

test('the end of a connection ends no session; the next one finds it, with what was set in it', async () => {
  const first = await served.client(anna.token).initialize();
  await first.call('session_run', { session_id: session, command: 'cd / && KEPT=here' });
  expect((await first.end()).status).toBe(200);
  expect((await first.post({ jsonrpc: '2.0', id: 9, method: 'ping' })).status).toBe(404);
  const next = await served.client(anna.token).initialize();
  expect(await next.call('session_list')).toMatchObject({ sessions: [{ session_id: session, cwd: '/' }] });
  expect(await next.call('session_run', { session_id: session, command: 'echo $KEPT' })).toMatchObject({ output: 'here\n' });
});

test('a token may be for safe commands only, by whichever way they come', async () => {
  const careful = await served.client(await served.tokenOf('careful', '--max-class', 'safe')).initialize();
  const refused = { error: { code: 'FORBIDDEN_COMMAND', message: expect.stringContaining('the token of this client lets only safe commands run') as string } };
  const dangerous = { command: 'sudo id', dangerous: true };
  const { session_id } = await careful.call('session_create', { shell: 'bash' });
  for (const [tool, args] of [['run', {}], ['task_spawn', {}], ['session_run', { session_id }]] as const) expect(await careful.call(tool, { ...dangerous, ...args }), tool).toMatchObject(refused);
  expect(await careful.call('classify', { command: 'sudo id' })).toMatchObject({ class: 'dangerous', would_execute_with_dangerous_true: false });
  await careful.call('session_run', { session_id, command: 'bash --norc', until: { quiet_ms: 200 }, timeout_ms: 5_000 });
  expect(await careful.call('session_send', { session_id, text: 'sudo id' })).toMatchObject(refused);
  expect(await careful.call('run', { command: 'echo fine' })).toMatchObject({ stdout: 'fine\n' });
});

test('what an agent runs can make no token, tell no client and end no server, in whatever way it comes to the program', async () => {
  const program = `${process.execPath} ${SERVER}`;
  for (const command of ['token add mine', 'token revoke anna', 'stop', 'install claude-code --force', 'install service']) {
    const { exit_code: code, stderr } = await anna.call('run', { command: `${program} ${command}`, dangerous: true });
    expect([command, code, stderr]).toEqual([command, 2, expect.stringContaining('this is for a person in a terminal of their own')]);
  }
});

test('another owner\'s connection cannot be used, whoever knows its id', async () => {
  const answer = await ben.post({ jsonrpc: '2.0', id: 5, method: 'tools/list' }, { 'mcp-session-id': anna.id });
  expect([answer.status, messagesIn(answer)[0]?.error?.code]).toEqual([404, -32_001]);
});
