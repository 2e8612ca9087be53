// Waiting on tasks for more than their end, and searching what they printed.
import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SpawnedTask } from '../../src/task/api.ts';
import { freePort } from '../waiting/support.ts';
import { never, Services } from './support.ts';

let services: Services;
beforeAll(() => {
  services = new Services();
});
afterAll(() => services.close());

/** A task that prints, and goes on until its input ends. */
function spawnServer(print: string): Promise<SpawnedTask> {
  return services.spawn(`${print}; read line; echo "got $line"; read line`, { stdin: 'pipe' });
}

const output = (pattern: string) => ({ kind: 'output', pattern }) as const;

describe('a poll with until', () => {
  test('returns when the words are there, in either stream, and gives them', async () => {
    const { taskId } = await spawnServer('echo starting; sleep 0.2; echo "Listening on 3000" >&2');
    const report = await services.poll(taskId, { waitMs: 20_000, until: output('listening on \\d+|Listening') });
    expect(report).toMatchObject({ matched: true, finished: false, state: 'running', stdout: { text: 'starting\n' }, stderr: { text: 'Listening on 3000\n' } });
  });

  test('looks at what this connection has not read yet, and at nothing else', async () => {
    const { taskId } = await spawnServer('echo ready');
    expect(await services.poll(taskId, { waitMs: 20_000, until: output('ready') })).toMatchObject({ matched: true });
    expect(await services.poll(taskId, { waitMs: 300, until: output('ready') })).not.toHaveProperty('matched');
    expect(await services.poll(taskId, { waitMs: 20_000, until: output('ready') }, 'c2')).toMatchObject({ matched: true, stdout: { text: 'ready\n' } });
    const waiting = services.poll(taskId, { waitMs: 20_000, until: output('got x') });
    await services.tasks.write('local', taskId, { text: 'x\n', eof: false }, never);
    expect(await waiting).toMatchObject({ matched: true, stdout: { text: 'got x\n' } });
  });

  test('finds what is there also when it does not wait', async () => {
    const { taskId } = await spawnServer('echo ready');
    await services.poll(taskId, { waitMs: 20_000, until: output('ready') });
    expect(await services.poll(taskId, { waitMs: 0, until: output('ready') }, 'c2')).toMatchObject({ matched: true });
  });

  test('returns when the task ends first, at once when it has ended, and says whether it matched at the last moment', async () => {
    const { taskId } = await services.spawn('echo almost; exit 3');
    expect(await services.poll(taskId, { waitMs: 20_000, until: output('never') })).toMatchObject({ finished: true, exitCode: 3 });
    const startedAt = performance.now();
    expect(await services.poll(taskId, { waitMs: 20_000, until: output('never') }, 'c2')).not.toHaveProperty('matched');
    expect(await services.poll(taskId, { waitMs: 20_000, until: output('almost') }, 'c3')).toMatchObject({ matched: true, finished: true });
    expect(performance.now() - startedAt).toBeLessThan(5_000);
    const late = await services.spawn('sleep 0.2; printf "the end"');
    expect(await services.poll(late.taskId, { waitMs: 20_000, until: output('the end') })).toMatchObject({ matched: true });
  });

  test('waits for quiet, and for the end', async () => {
    const { taskId } = await spawnServer('for i in 1 2 3 4; do echo $i; sleep 0.1; done');
    expect(await services.poll(taskId, { waitMs: 20_000, until: { kind: 'quiet', quietMs: 400 } })).toMatchObject({ matched: true, stdout: { text: '1\n2\n3\n4\n' } });
    await services.tasks.write('local', taskId, { text: '', eof: true }, never);
    const ended = await services.poll(taskId, { waitMs: 20_000, until: { kind: 'exit' } });
    expect(ended).toMatchObject({ finished: true });
    expect(ended).not.toHaveProperty('matched');
  });

  test('waits for a port that the task opens', async () => {
    const port = await freePort(createServer());
    const { taskId } = await services.spawn(`sleep 0.2; exec node -e "require('net').createServer().listen(${port}, '127.0.0.1')"`);
    expect(await services.poll(taskId, { waitMs: 20_000, until: { kind: 'port', port } })).toMatchObject({ matched: true, finished: false });
    await services.poll(taskId, { terminate: true });
  });

  test('refuses a bad pattern before it ends or signals anything', async () => {
    const { taskId } = await spawnServer('echo up');
    await expect(services.poll(taskId, { signal: 'SIGKILL', until: output('(') })).rejects.toMatchObject({ code: 'BAD_PATTERN' });
    await expect(services.poll(taskId, { terminate: true, search: { pattern: '(', contextLines: 0 } })).rejects.toMatchObject({ code: 'BAD_PATTERN' });
    expect(await services.poll(taskId, { waitMs: 300 })).toMatchObject({ state: 'running' });
  });

  test('leaves the words unread when it is cancelled', async () => {
    const { taskId } = await spawnServer('echo up');
    const abort = new AbortController();
    const waiting = services.poll(taskId, { waitMs: 20_000, until: output('never') }, 'c1', abort.signal);
    setTimeout(() => abort.abort(new Error('cancelled')), 100);
    await expect(waiting).rejects.toThrow('cancelled');
    expect(await services.poll(taskId, { waitMs: 20_000, until: output('up') })).toMatchObject({ matched: true, stdout: { text: 'up\n' } });
  });
});

test('in the queue it waits from the start of the task on', async () => {
  const narrow = new Services({ maxTasks: 1 });
  try {
    const first = await narrow.spawn('sleep 0.6');
    const second = await narrow.spawn('echo mine; sleep 60');
    expect(second.state).toBe('queued');
    await expect(narrow.poll(second.taskId, { until: output('(') })).rejects.toMatchObject({ code: 'BAD_PATTERN' });
    expect(await narrow.poll(second.taskId, { waitMs: 0, until: { kind: 'quiet', quietMs: 50 } })).not.toHaveProperty('matched');
    expect(await narrow.poll(second.taskId, { waitMs: 20_000, until: output('mine') })).toMatchObject({ matched: true, state: 'running' });
    expect(await narrow.poll(first.taskId)).toMatchObject({ finished: true });
  } finally {
    await narrow.close();
  }
});

describe('a wait for several with until', () => {
  const wait = (taskIds: string[], pattern: string, all: boolean, timeoutMs = 20_000) =>
    services.tasks.wait('local', 'c1', taskIds, { all, timeoutMs, maxOutputBytes: 50_000, until: output(pattern) }, never);

  test('returns with the first that matched, or with all', async () => {
    const tasks = [await spawnServer('echo no'), await spawnServer('sleep 0.2; echo yes'), await spawnServer('sleep 0.6; echo yes')];
    const ids = tasks.map(({ taskId }) => taskId);
    const first = await wait(ids, 'yes', false);
    expect(first.tasks.map(({ matched }) => matched)).toEqual([undefined, true, undefined]);
    expect(first.timedOut).toBe(false);
    const all = await wait(ids.slice(2), 'yes', true);
    expect(all).toMatchObject({ timedOut: false, tasks: [{ matched: true, stdout: { text: 'yes\n' } }] });
  });

  test('counts an end as good as a match, and says when the time came first', async () => {
    const [ends, matches, neither] = [await services.spawn('exit 0'), await spawnServer('echo yes'), await spawnServer('echo no')];
    expect(await wait([ends.taskId, matches.taskId], 'yes', true)).toMatchObject({ timedOut: false, tasks: [{ finished: true }, { matched: true }] });
    expect(await wait([neither.taskId], 'yes', false, 300)).toMatchObject({ timedOut: true });
  });
});

describe('a search', () => {
  const search = (taskId: string, pattern: string, options = {}) => services.poll(taskId, { search: { pattern, contextLines: 0 }, ...options });

  test('gives the matching lines of the whole output, and nothing counts as read', async () => {
    const { taskId } = await services.spawn('echo one; echo two; echo three; echo two >&2');
    const found = await search(taskId, 'two|^one', { waitMs: 20_000 });
    expect(found).toMatchObject({ finished: true, exitCode: 0, stdout: { text: '' }, stderr: { text: '' }, stdoutCursor: 0, matchesTotal: 3 });
    expect(found.matches).toEqual([
      { stream: 'stdout', line: 1, text: 'one' },
      { stream: 'stdout', line: 2, text: 'two' },
      { stream: 'stderr', line: 1, text: 'two' },
    ]);
    expect(await services.poll(taskId)).toMatchObject({ stdout: { text: 'one\ntwo\nthree\n' }, stderr: { text: 'two\n' } });
    expect(await search(taskId, 'three')).toMatchObject({ stdoutCursor: 14, matches: [{ line: 3, text: 'three' }] });
  });

  test('has the lines around a match, begins at a cursor, and holds no more than it may', async () => {
    const { taskId } = await services.spawn('seq 1 5000');
    await services.finish(taskId);
    expect(await search(taskId, '^77$', { search: { pattern: '^77$', contextLines: 1 } })).toMatchObject({ matches: [{ line: 77, before: ['76'], after: ['78'] }] });
    expect(await search(taskId, '^5$', { stdoutCursor: 10 })).toMatchObject({ matches: [], matchesTotal: 0 });
    expect(await search(taskId, '^4999$', { stdoutCursor: -10 })).toMatchObject({ matches: [{ line: 4_999 }] });
    await expect(search(taskId, '5', { stdoutCursor: 1_000_000 })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    const cut = await search(taskId, '7', { maxOutputBytes: 100 });
    expect(cut.stdout.truncated).toBe(true);
    expect(cut.matchesTotal).toBe(1_355);
    expect(cut.matches?.length).toBeLessThan(51);
  });

  test('of a task in the queue finds nothing', async () => {
    const narrow = new Services({ maxTasks: 1 });
    await narrow.spawn('sleep 60');
    const { taskId } = await narrow.spawn('echo x');
    expect(await narrow.poll(taskId, { search: { pattern: 'x', contextLines: 0 } })).toMatchObject({ state: 'queued', matches: [], matchesTotal: 0 });
    await narrow.close();
  });
});
