import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isId } from '../../src/lib/ids.ts';
import { groupMembers, taggedProcesses } from '../../src/process/proc.ts';
import { eventually } from '../process/support.ts';
import { never, Services } from './support.ts';

let services: Services;
beforeAll(() => {
  services = new Services();
});
afterAll(() => services.close());

test('a task is there at once, runs, and gives its end', async () => {
  const spawned = await services.spawn('echo out; sleep 0.2; exit 3', { name: 'build' });
  expect(spawned).toMatchObject({ name: 'build', state: 'running', command: 'echo out; sleep 0.2; exit 3', cwd: services.kernel.root });
  expect(isId('t', spawned.taskId)).toBe(true);
  expect(Date.now() - Date.parse(spawned.startedAt)).toBeLessThan(5_000);
  const running = await services.poll(spawned.taskId);
  expect(running).toMatchObject({ state: 'running', finished: false });
  expect('exitCode' in running || 'endedBy' in running).toBe(false);
  const ended = await services.finish(spawned.taskId);
  expect(ended).toMatchObject({ state: 'exited', finished: true, exitCode: 3, endedBy: 'itself', warnings: [] });
  expect(running.stdout.text + ended.stdout.text).toBe('out\n');
  const { elapsedMs } = ended;
  expect((await services.poll(spawned.taskId)).elapsedMs).toBe(elapsedMs);
});

test('B28: a failed program behind a shell is a failed task', async () => {
  const { taskId } = await services.spawn(`bash -c 'python3 -c "raise SystemExit(1)" > ${services.kernel.root}/out.log 2>&1'`);
  expect(await services.finish(taskId)).toMatchObject({ finished: true, exitCode: 1 });
});

test('B29: looking never ends a task', async () => {
  const { taskId } = await services.spawn('sleep 0.5; echo fin');
  for (let round = 0; round < 20; round++) expect((await services.poll(taskId)).state).toBe('running');
  expect(await services.finish(taskId)).toMatchObject({ exitCode: 0, stdout: { text: 'fin\n' } });
});

test('B67: a program that fails at once is found with its words, again and again', async () => {
  const { taskId } = await services.spawn("python3 -c 'import nope'");
  const first = await services.finish(taskId);
  expect(first).toMatchObject({ finished: true, exitCode: 1 });
  expect(first.stderr.text).toContain('ModuleNotFoundError');
  expect(await services.poll(taskId)).toMatchObject({ finished: true, exitCode: 1, stderr: { text: '' } });
  expect((await services.poll(taskId, { stderrCursor: 0 })).stderr.text).toBe(first.stderr.text);
});

test('B65: a character that comes byte by byte is one, whenever it is looked at', async () => {
  const { taskId } = await services.spawn(String.raw`printf '\xe2'; sleep 0.1; printf '\x89'; sleep 0.1; printf '\xa4'; sleep 0.1`);
  let text = '';
  for (let report = await services.poll(taskId); ; report = await services.poll(taskId, { waitMs: 20 })) {
    text += report.stdout.text;
    if (report.finished) break;
  }
  expect(text).toBe('≤');
});

test('polls join to the whole output, nothing twice, nothing lost, in pieces of any size', async () => {
  const { taskId } = await services.spawn('for i in {1..3000}; do echo "line $i äöü"; done');
  const expected = Array.from({ length: 3_000 }, (_, index) => `line ${index + 1} äöü\n`).join('');
  let text = '';
  for (let size = 1; ; size = (size * 7) % 5_003) {
    const report = await services.poll(taskId, { maxOutputBytes: size + 1, waitMs: 1 });
    text += report.stdout.text;
    expect(report.lostBytes).toBe(0);
    if (report.finished && !report.stdout.truncated) break;
  }
  expect(text).toBe(expected);
});

describe('reading positions', () => {
  test('are kept for each connection', async () => {
    const { taskId } = await services.spawn('echo one');
    await services.finish(taskId);
    expect((await services.poll(taskId, {}, 'c2')).stdout.text).toBe('one\n');
    expect((await services.poll(taskId, {}, 'c2')).stdout.text).toBe('');
  });

  test('are moved by what is read from them on, not by a look elsewhere', async () => {
    const { taskId } = await services.spawn('printf 0123456789');
    await eventually(() => services.tasks.list('local', true).some((task) => task.taskId === taskId && task.done));
    expect((await services.poll(taskId, { stdoutCursor: -3 })).stdout.text).toBe('789');
    expect((await services.poll(taskId, { maxOutputBytes: 2 })).stdout.text).toBe('01');
    expect(await services.poll(taskId, { stdoutCursor: 1, maxOutputBytes: 4 })).toMatchObject({ stdout: { text: '1234' }, stdoutCursor: 5 });
    expect((await services.poll(taskId, { maxOutputBytes: 2 })).stdout.text).toBe('56');
    expect((await services.poll(taskId, { stdoutCursor: 0 })).stdout.text).toBe('0123456789');
    expect((await services.poll(taskId)).stdout.text).toBe('');
    await expect(services.poll(taskId, { stdoutCursor: 11 })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', message: expect.stringContaining('stdout_cursor 11') });
    expect((await services.poll(taskId, { stdoutCursor: -99 })).stdout.text).toBe('0123456789');
  });

  test('stay where they are when the call was cancelled', async () => {
    const { taskId } = await services.spawn('echo words; sleep 0.5');
    const abort = new AbortController();
    const call = services.poll(taskId, { waitMs: 5_000 }, 'c1', abort.signal);
    setTimeout(() => abort.abort(new Error('cancelled')), 100);
    await expect(call).rejects.toThrow('cancelled');
    expect((await services.finish(taskId)).stdout.text).toBe('words\n');
  });
});

describe('ending a task', () => {
  test('B103: it is listed while it runs, ends on request, and stays readable', async () => {
    const { taskId, pid } = await services.spawn("sh -c 'echo up; exec sleep 60'");
    const listed = (): boolean => services.tasks.list('local', false).some((task) => task.taskId === taskId);
    expect(listed()).toBe(true);
    await eventually(() => services.tasks.list('local', false).some((task) => task.taskId === taskId && task.unreadBytes === 3));
    const report = await services.poll(taskId, { terminate: true });
    expect(report).toMatchObject({ state: 'terminated', finished: true, exitCode: 143, signal: 'SIGTERM', endedBy: 'request', stdout: { text: 'up\n' } });
    expect(groupMembers(pid ?? 0)).toEqual([]);
    expect(listed()).toBe(false);
    expect(services.tasks.list('local', true).find((task) => task.taskId === taskId)).toMatchObject({ state: 'terminated', done: true, exitCode: 143 });
    expect((await services.poll(taskId, { stdoutCursor: 0 })).stdout.text).toBe('up\n');
  });

  test('B83: one that ignores SIGTERM is killed after five seconds', async () => {
    const { taskId } = await services.spawn("bash -c 'trap \"\" INT TERM HUP; echo up; while :; do sleep 1; done'");
    await eventually(() => services.tasks.list('local', false).some((task) => task.taskId === taskId && task.unreadBytes > 0));
    const startedAt = performance.now();
    expect(await services.poll(taskId, { terminate: true })).toMatchObject({ state: 'terminated', exitCode: 137, signal: 'SIGKILL', endedBy: 'request' });
    expect(performance.now() - startedAt).toBeLessThan(6_500);
  });

  test('the last words of a server behind a shell are in the reply', async () => {
    const { taskId } = await services.spawn('bash -c "trap \'sleep 0.2; echo goodbye; exit\' TERM; echo up; while :; do sleep 0.05; done"; echo never');
    await eventually(() => services.tasks.list('local', false).some((task) => task.taskId === taskId && task.unreadBytes > 0));
    const report = await services.poll(taskId, { terminate: true });
    expect(report.stdout.text).toBe('up\ngoodbye\n');
  });

  test('B88: one that has ended is not ended again, and says so calmly', async () => {
    const { taskId } = await services.spawn('true', { stdin: 'pipe' });
    await services.finish(taskId);
    for (const options of [{ terminate: true }, { signal: 'SIGINT' as const }]) {
      const report = await services.poll(taskId, options);
      expect(report).toMatchObject({ state: 'exited', exitCode: 0, endedBy: 'itself', warnings: [expect.stringMatching(/nothing to (terminate|send)/)] });
    }
    await expect(services.tasks.write('local', taskId, { text: 'x', eof: false }, never)).rejects.toMatchObject({ code: 'NOT_WRITABLE', message: expect.stringContaining('exit code 0') });
  });

  test('a signal goes to the group; one that ends it is a request', async () => {
    const { taskId } = await services.spawn('trap "echo usr1" USR1; echo up; while :; do sleep 0.02; done');
    await eventually(() => services.tasks.list('local', false).some((task) => task.taskId === taskId && task.unreadBytes > 0));
    let text = (await services.poll(taskId, { signal: 'SIGUSR1' })).stdout.text;
    while (!text.includes('usr1')) text += (await services.poll(taskId, { waitMs: 10 })).stdout.text;
    await services.poll(taskId, { signal: 'SIGINT' });
    expect(await services.finish(taskId)).toMatchObject({ state: 'terminated', exitCode: 130, signal: 'SIGINT', endedBy: 'request' });
  });

  test('a lifetime that is over is 124', async () => {
    const { taskId } = await services.spawn('echo up; sleep 60', { timeoutMs: 200 });
    expect(await services.finish(taskId)).toMatchObject({ state: 'terminated', exitCode: 124, signal: 'SIGTERM', endedBy: 'timeout', stdout: { text: 'up\n' } });
  });

  test('B85: a daemon that it left does not hold the end, and is named', async () => {
    const { taskId } = await services.spawn('sleep 30 & exit 4');
    const report = await services.finish(taskId);
    expect(report).toMatchObject({ state: 'exited', exitCode: 4, warnings: [expect.stringMatching(/^left running in the background: \d+$/)] });
    expect(report.elapsedMs).toBeLessThan(1_000);
  });
});

describe('waiting', () => {
  test('for the first, for all, and for neither', async () => {
    const spawned = await Promise.all(['sleep 0.2; echo a', 'sleep 0.5; echo b'].map((command) => services.spawn(command)));
    const ids = spawned.map(({ taskId }) => taskId);
    const wait = (all: boolean, timeoutMs: number): ReturnType<typeof services.tasks.wait> => services.tasks.wait('local', 'c1', [...ids, ...ids], { all, timeoutMs, maxOutputBytes: 1_000 }, never);
    const neither = await wait(false, 20);
    expect(neither).toMatchObject({ timedOut: true, tasks: [{ state: 'running' }, { state: 'running' }] });
    expect(await wait(false, 0)).toMatchObject({ timedOut: true });
    expect(await wait(false, 5_000)).toMatchObject({ timedOut: false, tasks: [{ state: 'exited', stdout: { text: 'a\n' } }, { state: 'running' }] });
    expect(await wait(true, 5_000)).toMatchObject({ timedOut: false, tasks: [{ state: 'exited', stdout: { text: '' } }, { state: 'exited', stdout: { text: 'b\n' } }] });
    expect(await wait(true, 0)).toMatchObject({ timedOut: false });
  });

  test('ends within 5 ms of the task\'s end', async () => {
    const { taskId } = await services.spawn('sleep 0.1');
    const report = await services.finish(taskId);
    const startedAt = performance.now();
    const again = await services.spawn('sleep 0.1');
    const second = await services.finish(again.taskId);
    expect(performance.now() - startedAt - second.elapsedMs).toBeLessThan(50); // 5 ms on a quiet machine
    expect(report.finished && second.finished).toBe(true);
  });

  test('tells the last line about once a second', async () => {
    const { taskId } = await services.spawn('echo working; sleep 1.5');
    const lines: string[] = [];
    await services.poll(taskId, { waitMs: 5_000, onProgress: (line) => lines.push(line) });
    expect(lines).toEqual(['working']);
  });
});

describe('the input of a task', () => {
  test('is written to, and closed', async () => {
    const { taskId } = await services.spawn('while read -r x; do echo "<$x>"; done; echo over', { stdin: 'pipe' });
    expect(await services.tasks.write('local', taskId, { text: 'eins\nzwö\n', eof: false }, never)).toEqual({ bytes: 10 });
    await services.tasks.write('local', taskId, { text: '', eof: true }, never);
    await expect(services.tasks.write('local', taskId, { text: 'late', eof: false }, never)).rejects.toMatchObject({ code: 'NOT_WRITABLE' });
    expect((await services.finish(taskId)).stdout.text).toBe('<eins>\n<zwö>\nover\n');
  });

  test('is refused where there is none, and where too much is unread', async () => {
    const none = await services.spawn('sleep 60');
    await expect(services.tasks.write('local', none.taskId, { text: 'x', eof: false }, never)).rejects.toMatchObject({ code: 'NOT_WRITABLE' });
    await services.poll(none.taskId, { terminate: true });
    const deaf = await services.spawn('sleep 60', { stdin: 'pipe' });
    await services.tasks.write('local', deaf.taskId, { text: 'x'.repeat(1_000_000), eof: false }, never);
    await expect(services.tasks.write('local', deaf.taskId, { text: 'x'.repeat(500_000), eof: false }, never)).rejects.toMatchObject({ code: 'NOT_WRITABLE', hint: expect.stringContaining('1 MiB') });
    await services.poll(deaf.taskId, { terminate: true });
  });
});

test('T02: a task of another owner is answered exactly as one that never was', async () => {
  const { taskId } = await services.spawn('sleep 60', {}, 'alice');
  const mine = await services.spawn('sleep 60 # mine', {}, 'bob');
  const asked = async (id: string): Promise<{ message: string; hint: string; code: string }> =>
    services.tasks.poll('bob', 'c1', id, { waitMs: 0, terminate: true, maxOutputBytes: 1 }, never).then(
      () => { throw new Error('it was answered'); },
      (error: { message: string; hint: string; code: string }) => ({ message: error.message.replace(id, 'ID'), hint: error.hint, code: error.code }),
    );
  const unknown = await asked('t_222222222222');
  expect(await asked(taskId)).toEqual(unknown);
  expect(unknown).toMatchObject({ code: 'TASK_NOT_FOUND', message: 'no task "ID"', hint: expect.stringContaining(mine.taskId) });
  expect(unknown.hint).not.toContain(taskId);
  for (const odd of ['', '__proto__', 'constructor', '../../x', 'x'.repeat(1_000_000)]) expect((await asked(odd)).code, odd.slice(0, 20)).toBe('TASK_NOT_FOUND');
  expect(services.tasks.list('bob', true).map((task) => task.taskId)).toEqual([mine.taskId]);
  expect((await services.tasks.poll('alice', 'c1', taskId, { waitMs: 0, terminate: true, maxOutputBytes: 1 }, never)).state).toBe('terminated');
  await services.tasks.poll('bob', 'c1', mine.taskId, { waitMs: 0, terminate: true, maxOutputBytes: 1 }, never);
});

test('a start that fails leaves nothing behind', async () => {
  const few = new Services({ maxTasks: 1 });
  await expect(few.spawn('true', { cwd: join(few.kernel.root, 'missing') })).rejects.toMatchObject({ code: 'INVALID_CWD' });
  expect(few.tasks.list('local', true)).toEqual([]);
  expect(few.tasks.load).toEqual({ running: 0, queued: 0 });
  await few.close();
});

describe('when max_tasks run', () => {
  test('others are queued, start in order, and can be ended before', async () => {
    const two = new Services({ maxTasks: 2 });
    const spawned = [];
    for (const name of ['a', 'stays', 'c', 'd', 'e']) spawned.push(await two.spawn(name === 'stays' ? 'sleep 60' : `sleep 0.2; date +%s%N; echo ${name}`)); // one place alone keeps the order visible
    expect(spawned.map(({ state }) => state)).toEqual(['running', 'running', 'queued', 'queued', 'queued']);
    const [, , c, d, e] = spawned;
    expect('pid' in (c ?? {})).toBe(false);
    expect(await two.poll(c?.taskId ?? '')).toMatchObject({ state: 'queued', finished: false, elapsedMs: 0, stdout: { text: '' }, stdoutCursor: 0 });
    await expect(two.tasks.write('local', c?.taskId ?? '', { text: 'x', eof: false }, never)).rejects.toMatchObject({ code: 'NOT_WRITABLE' });
    const ended = await two.poll(d?.taskId ?? '', { terminate: true });
    expect(ended).toMatchObject({ state: 'terminated', finished: true, endedBy: 'request' });
    expect('exitCode' in ended).toBe(false);
    const times = await Promise.all([c, e].map(async (task) => Number((await two.finish(task?.taskId ?? '')).stdout.text.split('\n')[0])));
    expect(times[0]).toBeLessThan(times[1] ?? 0);
    await two.close();
  });

  test('one whose folder has gone when its turn comes says why it did not start', async () => {
    const one = new Services({ maxTasks: 1 });
    const cwd = one.kernel.runtimeDir.subdir('soon-gone');
    await one.spawn('sleep 0.3');
    const queued = await one.spawn('true', { cwd });
    rmSync(cwd, { recursive: true });
    const report = await one.finish(queued.taskId);
    expect(report).toMatchObject({ state: 'terminated', finished: true, warnings: [expect.stringContaining('soon-gone')] });
    expect((await one.finish((await one.spawn('echo ok')).taskId)).stdout.text).toBe('ok\n');
    await one.close();
  });

  test('the queue is bounded, and says so', async () => {
    const one = new Services({ maxTasks: 1 });
    for (let index = 0; index <= 1_000; index++) await one.spawn('sleep 60');
    await expect(one.spawn('true')).rejects.toMatchObject({ code: 'QUEUE_FULL', message: expect.stringContaining('max_tasks'), hint: expect.stringContaining('max_tasks') });
    await one.close();
  });
});

test('results are kept for the retention time, then they are gone with their files', async () => {
  const short = new Services({ retentionS: 0.3 });
  const { taskId } = await short.spawn("head -c 300000 /dev/zero | tr '\\0' x");
  const report = await short.poll(taskId, { waitMs: 5_000, maxOutputBytes: 1_000_000 });
  expect(report).toMatchObject({ finished: true, stdoutCursor: 300_000 });
  expect(short.store.bytesOnDisk).toBe(300_000);
  await eventually(() => short.tasks.list('local', true).length === 0);
  await expect(short.poll(taskId)).rejects.toMatchObject({ code: 'TASK_NOT_FOUND', hint: 'there are no tasks; task_spawn starts one' });
  expect(short.store.bytesOnDisk).toBe(0);
  await short.close();
});

test('B101: at the end of the server 20 tasks that ignore everything are gone within two seconds, with all they started', async () => {
  const last = new Services({ maxTasks: 20 });
  const spawned = [];
  for (let index = 0; index < 25; index++) spawned.push(await last.spawn('trap "" TERM HUP INT; setsid sleep 600 & echo up; while :; do sleep 600; done'));
  await eventually(() => last.tasks.list('local', false).filter(({ unreadBytes }) => unreadBytes > 0).length === 20);
  const startedAt = performance.now();
  await last.tasks.shutdown();
  expect(performance.now() - startedAt).toBeLessThan(2_000);
  expect(taggedProcesses((limit) => last.kernel.tags.owns(limit)).filter(({ pid }) => pid !== process.pid)).toEqual([]);
  const reports = await Promise.all(spawned.map(({ taskId }) => last.poll(taskId)));
  expect(reports.filter(({ endedBy }) => endedBy === 'shutdown')).toHaveLength(25);
  await expect(last.spawn('true')).rejects.toMatchObject({ code: 'SHUTTING_DOWN' });
  await last.close();
});
