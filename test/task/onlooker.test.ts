// Looking at tasks and being told of changes: nothing counts as read or collected, and nothing is left behind.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Services } from './support.ts';

let services: Services;
beforeAll(() => {
  services = new Services({ maxTasks: 2, retentionS: 1 });
});
afterAll(() => services.close());

/** Waits until a watcher was told, and gives how often. */
function watch(taskId: string) {
  let told = 0;
  const stop = services.tasks.watch('local', taskId, () => told++);
  return { told: () => told, until: (count: number) => expect.poll(() => told, { interval: 5, timeout: 10_000 }).toBeGreaterThanOrEqual(count), stop };
}

const look = (taskId: string): string => services.tasks.output('local', taskId, 50_000);

test('the output is seen while it grows, and is still to be polled', async () => {
  const { taskId } = await services.spawn("echo out; echo err >&2; read -r line; printf 'got %s' \"$line\"; exit 3", { stdin: 'pipe' });
  await expect.poll(() => look(taskId)).toBe('out\n[stderr]\nerr\n');
  await services.tasks.write('local', taskId, { text: 'it\n', eof: true }, new AbortController().signal);
  await expect.poll(() => services.tasks.list('local', false).find((task) => task.taskId === taskId)?.done).toBe(true);
  expect(look(taskId)).toBe('out\ngot it\n[stderr]\nerr\n');
  expect(services.tasks.list('local', false)).toMatchObject([{ taskId, unreadBytes: 14 }]);
  expect(await services.finish(taskId)).toMatchObject({ exitCode: 3, stdout: { text: 'out\ngot it' }, stderr: { text: 'err\n' } });
});

test('output on the second stream alone, none, and much of it', async () => {
  const outputs = await Promise.all(['echo err >&2', 'true', 'seq -w 1 50000'].map(async (command) => {
    const { taskId } = await services.spawn(command);
    await expect.poll(() => services.tasks.list('local', true).find((task) => task.taskId === taskId)?.done, { timeout: 10_000 }).toBe(true);
    return look(taskId);
  }));
  expect(outputs.slice(0, 2)).toEqual(['[stderr]\nerr\n', '']);
  expect(outputs[2]).toMatch(/^00001\n[^]*\[… [\d,]+ bytes left out.*…\]\n[^]*50000\n$/);
});

test('a watcher is told of output, of the end and that the task is forgotten', async () => {
  const { taskId } = await services.spawn('read -r line; echo "$line"; read -r line', { stdin: 'pipe' });
  const { told, until } = watch(taskId);
  expect(told()).toBe(0);
  const write = (text: string, eof: boolean) => services.tasks.write('local', taskId, { text, eof }, new AbortController().signal);
  await write('first\n', false);
  await until(1);
  expect(look(taskId)).toBe('first\n');
  await write('', true);
  await until(2);
  expect(services.tasks.list('local', true).find((task) => task.taskId === taskId)).toMatchObject({ done: true });
  expect(services.tasks.has('local', taskId)).toBe(true);
  await until(3); // when retention_s is over
  expect(services.tasks.has('local', taskId)).toBe(false);
  expect(() => look(taskId)).toThrow(expect.objectContaining({ code: 'TASK_NOT_FOUND' }) as Error);
});

test('a task in the queue is watched from its start on, and one that has ended tells nothing more', async () => {
  const running = await Promise.all([services.spawn('sleep 600'), services.spawn('sleep 600')]);
  const { taskId, state } = await services.spawn('echo started');
  expect(state).toBe('queued');
  const [first, second] = [watch(taskId), watch(taskId)];
  second.stop();
  expect(look(taskId)).toBe('');
  for (const task of running) await services.poll(task.taskId, { terminate: true });
  await first.until(2);
  expect(look(taskId)).toBe('started\n');
  expect(watch(taskId).told()).toBe(0);
  expect(second.told()).toBe(0);
});

test('a list changes for its owner alone: a task is there, runs, has ended, is forgotten', async () => {
  const seen: string[] = [];
  const stop = services.tasks.onListChange('owner', () => seen.push(services.tasks.list('owner', true)[0]?.state ?? 'gone'));
  const stranger: string[] = [];
  services.tasks.onListChange('stranger', () => stranger.push('told'));
  const { taskId } = await services.spawn('echo hi', {}, 'owner');
  expect(() => services.tasks.watch('stranger', taskId, () => {})).toThrow(expect.objectContaining({ code: 'TASK_NOT_FOUND' }) as Error);
  expect([services.tasks.has('owner', taskId), services.tasks.has('stranger', taskId)]).toEqual([true, false]);
  await expect.poll(() => seen.at(-1), { timeout: 10_000 }).toBe('gone');
  expect([...new Set(seen)]).toEqual(['running', 'exited', 'gone']);
  expect(stranger).toEqual([]);
  stop();
});
