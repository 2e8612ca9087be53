// Each limit, made small: what is over it waits its turn or is told which limit it is, which setting, and what to do.
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { withServer, type Facts, type Harness } from '../support/harness.ts';
import { uniqueSeconds, untilRunning } from './support.ts';

/** A line of a file that every command appends to, in the order in which they run. */
const note = (word: string): string => `echo ${word} >>order`;

async function orderIn(server: Harness): Promise<string[]> {
  return String((await server.facts('task_poll', { task_id: (await server.facts('task_spawn', { command: 'cat order' })).task_id, wait_ms: 5_000 })).stdout).trim().split('\n');
}

test('more runs than max_concurrent wait in the order in which they came, and say how long', async () => {
  await withServer({ args: ['--max-concurrent', '2'] }, async (server) => {
    const slow = uniqueSeconds();
    const first = [1, 2].map(() => server.facts('run', { command: `sleep ${slow}`, timeout_ms: 60_000 }));
    const sleepers = await untilRunning(`sleep ${slow}`, 2);
    const queued = ['a', 'b', 'c', 'd'].map((word) => server.facts('run', { command: note(word) }));
    expect(await server.facts('session_list')).toMatchObject({ count: 0 }); // all of them have been read
    const [one, two] = sleepers;
    await sleep(120); // what is measured
    process.kill(one?.pid ?? 0, 'SIGTERM'); // one slot alone keeps the order visible
    for (const facts of await Promise.all(queued)) expect(facts.queue_ms).toBeGreaterThanOrEqual(100);
    expect(await orderIn(server)).toEqual(['a', 'b', 'c', 'd']);
    process.kill(two?.pid ?? 0, 'SIGTERM');
    for (const facts of await Promise.all(first)) expect(facts).toMatchObject({ exit_code: 143, signal: 'SIGTERM' });
    expect(await server.facts('run', { command: 'true' })).toMatchObject({ exit_code: 0 });
  });
});

test('the queue of runs has 256 places; one more is QUEUE_FULL, and nothing of the queue is dropped', async () => {
  await withServer({ args: ['--max-concurrent', '1'] }, async (server) => {
    const slow = uniqueSeconds();
    const blocking = server.facts('run', { command: `sleep ${slow}`, timeout_ms: 60_000 });
    const [sleeper] = await untilRunning(`sleep ${slow}`, 1);
    const queued = Array.from({ length: 256 }, () => server.facts('run', { command: ':', shell: 'sh' }));
    const { facts } = await server.callTool('run', { command: ':' });
    expect(facts.error).toMatchObject({ code: 'QUEUE_FULL', message: '1 commands run (max_concurrent) and 256 wait for their turn', hint: expect.stringMatching(/task_spawn.*max_concurrent/) as string });
    process.kill(sleeper?.pid ?? 0, 'SIGTERM');
    await blocking;
    for (const done of await Promise.all(queued)) expect(done).toMatchObject({ exit_code: 0 });
  });
});

test('one session more than max_sessions is an error that names the limit, the setting and who is idle longest', async () => {
  await withServer({ args: ['--max-sessions', '3'] }, async (server) => {
    const [oldest, busy, newest] = [await server.openSession('bash', { name: 'oldest' }), await server.openSession('bash'), await server.openSession('bash', { name: 'newest' })];
    await busy.run('sleep 600', { timeout_ms: 1 });
    await oldest.run('true');
    await newest.run('true');
    const { facts } = await server.callTool('session_create', {});
    expect(facts.error).toMatchObject({ code: 'SESSION_LIMIT', message: '3 sessions are open and max_sessions is 3' });
    const { hint = '' } = facts.error ?? {};
    expect(hint).toMatch(new RegExp(`session_destroy.*max_sessions.*${oldest.id} \\(oldest, idle .*${newest.id} \\(newest`));
    expect(hint).not.toContain(busy.id);
    await oldest.destroy();
    expect(await (await server.openSession('bash')).run('echo ok')).toMatchObject({ output: 'ok\n' });
  });
});

test('sessions asked for at once are never more than max_sessions', async () => {
  await withServer({ args: ['--max-sessions', '3'] }, async (server) => {
    const results = await Promise.all(Array.from({ length: 10 }, () => server.callTool('session_create', { shell: 'bash' })));
    expect(results.filter(({ isError }) => !isError)).toHaveLength(3);
    expect(results.filter(({ facts }) => facts.error?.code === 'SESSION_LIMIT')).toHaveLength(7);
    expect(await server.facts('session_list')).toMatchObject({ count: 3 });
  });
});

test('R172: more tasks than max_tasks are queued and start by themselves in order; one that is ended in the queue never starts', async () => {
  await withServer({ args: ['--max-tasks', '1'] }, async (server) => {
    const slow = uniqueSeconds();
    const { task_id: first } = await server.facts('task_spawn', { command: `sleep ${slow}` });
    const words = ['a', 'b', 'never', 'c'];
    const spawned: Facts[] = [];
    for (const word of words) spawned.push(await server.facts('task_spawn', { command: note(word), name: word }));
    expect(spawned.map(({ state, pid }) => [state, pid])).toEqual(words.map(() => ['queued', undefined]));
    const ids = spawned.map(({ task_id }) => task_id ?? '');
    expect(await server.facts('task_poll', { task_id: ids[0], wait_ms: 1 })).toMatchObject({ state: 'queued', finished: false, elapsed_ms: 0 });
    const ended = await server.facts('task_poll', { task_id: ids[2], terminate: true });
    expect(ended).toMatchObject({ state: 'terminated', finished: true, ended_by: 'request' });
    expect(ended.exit_code).toBeUndefined();
    await server.facts('task_poll', { task_id: first, terminate: true });
    const { tasks } = await server.facts('task_wait', { task_ids: ids, all: true });
    expect(tasks).toMatchObject([{ state: 'exited' }, { state: 'exited' }, { state: 'terminated' }, { state: 'exited' }]);
    expect(await orderIn(server)).toEqual(['a', 'b', 'c']);
  });
});

test('output on disk stays below output_disk_bytes: what was collected goes first, what goes is said, what runs goes on', async () => {
  const limit = 2 ** 20;
  await withServer({ args: ['--output-disk-bytes', String(limit)] }, async (server) => {
    const folder = path.join(server.process.home.dir, '.local/state/shellkeep/output');
    const onDisk = (): number => readdirSync(folder, { recursive: true, encoding: 'utf8' }).reduce((sum, name) => sum + statSync(path.join(folder, name)).size, 0);
    const spill = 'seq -w 1 15000'; // 90,000 bytes
    const { task_id: running } = await server.facts('task_spawn', { command: `${spill}; exec cat`, stdin: 'pipe' });
    const { task_id: collected } = await server.facts('task_spawn', { command: spill });
    await server.facts('task_poll', { task_id: collected, wait_ms: 10_000, max_output_bytes: 1_000_000 });
    const { task_id: unread } = await server.facts('task_spawn', { command: spill });
    const session = await server.openSession('bash');
    for (let index = 0; index < 12; index++) {
      const { output_path } = await session.run(spill);
      expect(output_path).toMatch(/^\//);
      expect(onDisk()).toBeLessThanOrEqual(limit * 1.1);
    }
    const again = await server.facts('task_poll', { task_id: collected, stdout_cursor: 0 });
    expect(again).toMatchObject({ finished: true, exit_code: 0, warnings: expect.arrayContaining([expect.stringMatching(/output_disk_bytes is reached: [\d,]+ bytes/)]) as string[] });
    await server.facts('task_write', { task_id: running, text: 'alive', eof: true });
    expect(await server.facts('task_poll', { task_id: running, wait_ms: 5_000, stdout_cursor: -5 })).toMatchObject({ stdout: 'alive', exit_code: 0 });
    expect(await server.facts('task_poll', { task_id: unread })).toMatchObject({ exit_code: 0 });
    expect(await session.run('seq 1 500000; echo end', { max_output_bytes: 300 })).toMatchObject({ exit_code: 0, output: expect.stringMatching(/\n500000\nend\n$/) as string });
    expect(onDisk()).toBeLessThanOrEqual(limit * 1.1);
  });
});

test('results are gone when retention_s is over, and say where to look', async () => {
  await withServer({ args: ['--retention-s', '1'] }, async (server) => {
    const session = await server.openSession('bash');
    const { command_id } = await session.run('echo first');
    const { task_id } = await server.facts('task_spawn', { command: 'echo done' });
    expect(await server.facts('task_poll', { task_id, wait_ms: 5_000 })).toMatchObject({ stdout: 'done\n' });
    expect(await server.facts('task_poll', { task_id, stdout_cursor: 0 })).toMatchObject({ stdout: 'done\n', exit_code: 0 });
    await expect.poll(async () => (await server.callTool('task_poll', { task_id })).facts.error, { timeout: 5_000 }).toMatchObject({ code: 'TASK_NOT_FOUND' });
    expect(await session.read({ command_id })).toMatchObject({ output: 'first\n' }); // the last one stays
    await session.run('echo second');
    await expect.poll(async () => { await session.run('true'); return (await server.callTool('session_read', { session_id: session.id, command_id })).facts.error; }, { timeout: 5_000 }).toMatchObject({ code: 'COMMAND_NOT_FOUND' });
  });
});

test('max_wait_ms and max_timeout_ms are bounds of every wait and of every run, and defaults keep to them', async () => {
  await withServer({ args: ['--max-wait-ms', '300', '--max-timeout-ms', '400', '--max-output-bytes', '100'] }, async (server) => {
    const session = await server.openSession('bash');
    expect((await server.callTool('session_run', { session_id: session.id, command: 'true', timeout_ms: 301 })).facts.error?.message).toContain('from 1 to 300');
    expect((await server.callTool('run', { command: 'true', timeout_ms: 401 })).facts.error?.message).toContain('from 1 to 400');
    expect(await session.run('sleep 600')).toMatchObject({ state: 'running' });
    expect(await server.facts('run', { command: 'sleep 600' })).toMatchObject({ exit_code: 124, timed_out: true });
    expect(await server.facts('run', { command: 'seq 1 1000' })).toMatchObject({ truncated: true, stdout_bytes: 3_893 });
  });
});

test('R173: polls that wait delay no other call, of whatever kind', async () => {
  await withServer({}, async (server) => {
    const { task_id } = await server.facts('task_spawn', { command: 'cat', stdin: 'pipe' });
    let answered = 0;
    const polls = Array.from({ length: 20 }, () => server.facts('task_poll', { task_id, wait_ms: 60_000 }).finally(() => answered++));
    const session = await server.openSession('bash');
    expect(await session.run('echo in the session')).toMatchObject({ output: 'in the session\n' });
    expect(await server.facts('run', { command: 'echo beside it' })).toMatchObject({ stdout: 'beside it\n' });
    expect(await server.facts('task_list')).toMatchObject({ count: 1 });
    expect(answered).toBe(0);
    await server.facts('task_write', { task_id, text: 'end', eof: true });
    for (const poll of await Promise.all(polls)) expect(poll).toMatchObject({ finished: true, exit_code: 0 });
  });
});
