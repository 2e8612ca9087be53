// Several owners of runs and tasks, and several connections of one: limits, turns, and what each has read.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventually } from '../process/support.ts';
import { Services, never } from './support.ts';

test('T84: fifty runs of one owner that wait delay the one of another by a single turn', async () => {
  const one = new Services({ maxConcurrent: 1 });
  const [gate, order] = [join(one.kernel.root, 'gate'), join(one.kernel.root, 'order')];
  expect(spawnSync('mkfifo', [gate]).status).toBe(0);
  const run = (owner: string, command: string): Promise<unknown> => one.run(command, { shell: 'sh' }, never, owner);
  const holding = run('alice', `read -r line <${gate}`);
  const waiting = Array.from({ length: 50 }, () => run('alice', `echo alice >>${order}`));
  const single = run('bob', `echo bob >>${order}`);
  expect([one.turns.of('alice').load, one.turns.of('bob').load]).toEqual([{ active: 1, queued: 50 }, { active: 0, queued: 1 }]);
  await writeFile(gate, 'go\n'); // waits for its reader
  await Promise.all([holding, single, ...waiting]);
  const words = readFileSync(order, 'utf8').trim().split('\n');
  expect([words.length, words.indexOf('bob')]).toEqual([51, 1]);
  await one.close();
});

test('T84: max_tasks and the queue behind it are of each owner: who has used them up takes nothing from another', async () => {
  const one = new Services({ maxTasks: 1 });
  for (let index = 0; index <= 1_000; index++) await one.spawn('sleep 60', {}, 'alice');
  await expect(one.spawn('true', {}, 'alice')).rejects.toMatchObject({ code: 'QUEUE_FULL', message: '1 tasks run (max_tasks) and 1000 wait for their turn' });
  expect(await one.spawn('sleep 60', {}, 'bob')).toMatchObject({ state: 'running' });
  expect(await one.spawn('sleep 60', {}, 'bob')).toMatchObject({ state: 'queued' });
  expect([one.tasks.loadOf('alice'), one.tasks.loadOf('bob'), one.tasks.loadOf('carol')]).toEqual([{ running: 1, queued: 1_000 }, { running: 1, queued: 1 }, { running: 0, queued: 0 }]);
  expect(one.tasks.load).toEqual({ running: 2, queued: 1_001 });
  expect(one.tasks.list('bob', true)).toHaveLength(2);
  await one.close();
});

test('an owner\'s task that ends makes place for the next of the same owner', async () => {
  const one = new Services({ maxTasks: 1 });
  const [first, other] = [await one.spawn('sleep 60', {}, 'local'), await one.spawn('sleep 60', {}, 'bob')];
  const [next, others] = [await one.spawn('echo next', {}, 'local'), await one.spawn('sleep 60', {}, 'bob')];
  await one.poll(first.taskId, { terminate: true });
  expect(await one.finish(next.taskId)).toMatchObject({ exitCode: 0, stdout: { text: 'next\n' } });
  expect(one.tasks.list('bob', true).map(({ taskId, state }) => [taskId, state])).toEqual([[other.taskId, 'running'], [others.taskId, 'queued']]);
  await one.close();
});

test('two connections of one owner each get all of a task\'s output, and what one that is over has read stays read', async () => {
  const services = new Services();
  const { taskId } = await services.spawn('echo one; read -r line; echo "$line"', { stdin: 'pipe' });
  const unread = (): number | undefined => services.tasks.list('local', true)[0]?.unreadBytes;
  expect((await services.poll(taskId, { until: { kind: 'output', pattern: 'one' }, waitMs: 10_000 }, 'ahead')).stdout.text).toBe('one\n');
  expect((await services.poll(taskId, { maxOutputBytes: 2 }, 'behind')).stdout.text).toBe('on');
  expect(unread()).toBe(0);
  services.tasks.forget('ahead');
  expect(unread()).toBe(0);
  await services.tasks.write('local', taskId, { text: 'two\n', eof: true }, never);
  expect((await services.poll(taskId, { waitMs: 10_000 }, 'behind')).stdout.text).toBe('e\ntwo\n');
  expect((await services.poll(taskId, {}, 'ahead')).stdout.text, 'it is a new connection').toBe('one\ntwo\n');
  expect((await services.poll(taskId, {}, 'ahead')).stdout.text).toBe('');
  await services.close();
});

test('a connection is forgotten by each task and stream, whatever the task is: queued, running, ended', async () => {
  const two = new Services({ maxTasks: 2 });
  const write = 'echo out; echo err >&2';
  const ended = await two.spawn(write);
  await two.poll(ended.taskId, { waitMs: 10_000 }, 'first');
  const [running, , queued] = [await two.spawn(`${write}; sleep 60`), await two.spawn('sleep 60'), await two.spawn(write)];
  const all = { stdout: { text: 'out\n' }, stderr: { text: 'err\n' } };
  await eventually(() => two.tasks.list('local', true)[1]?.unreadBytes === 8);
  for (const connection of ['goes', 'stays']) for (const { taskId } of [ended, running]) expect(await two.poll(taskId, {}, connection)).toMatchObject(all);
  two.tasks.forget('goes');
  for (const { taskId } of [ended, running]) {
    expect(await two.poll(taskId, {}, 'stays')).toMatchObject({ stdout: { text: '' }, stderr: { text: '' } });
    expect(await two.poll(taskId, {}, 'goes')).toMatchObject(all);
  }
  expect((await two.poll(queued.taskId, {}, 'goes')).state).toBe('queued');
  await two.close();
});
