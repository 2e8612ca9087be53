import { setMaxListeners } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { groupMembers, readProcess, taggedProcesses } from '../../src/process/proc.ts';
import { eventually } from '../process/support.ts';
import { Services } from './support.ts';

let services: Services;
beforeAll(() => {
  services = new Services();
});
afterAll(() => services.close());
afterEach(() => eventually(() => services.turns.load.active === 0));

test('a command gives its output, its errors and its code', async () => {
  const result = await services.run('echo out; echo err >&2; exit 3');
  expect(result).toMatchObject({ exitCode: 3, timedOut: false, shell: 'bash', cwd: services.kernel.root, backgroundPids: [], warnings: [] });
  expect([result.stdout.text, result.stderr.text]).toEqual(['out\n', 'err\n']);
  expect('signal' in result).toBe(false);
  expect(result.durationMs).toBeLessThan(5_000);
});

test.each([
  ['kill -9 $$', 137, 'SIGKILL'],
  ['kill -TERM $$', 143, 'SIGTERM'],
  ['kill -SEGV $$', 139, 'SIGSEGV'],
])('T74, B25: "%s" gives %i and %s', async (command, exitCode, signal) => {
  expect(await services.run(command)).toMatchObject({ exitCode, signal, timedOut: false });
});

test('the shell, the input, the environment and the umask are those asked for', async () => {
  expect((await services.run('echo $0', { shell: 'sh' })).stdout.text).toMatch(/sh\n$/);
  expect((await services.run('cat', { stdin: 'text' })).stdout.text).toBe('text');
  expect((await services.run('cat; echo end')).stdout.text).toBe('end\n');
  expect((await services.run('echo $A; umask', { env: { A: '1' }, umask: 0o077 })).stdout.text).toBe('1\n0077\n');
});

describe('a timeout', () => {
  test('T70: ends by SIGTERM, gives 124 and what was printed', async () => {
    const result = await services.run('echo begun; sleep 100', { timeoutMs: 200 });
    expect(result).toMatchObject({ exitCode: 124, timedOut: true, signal: 'SIGTERM' });
    expect(result.stdout.text).toBe('begun\n');
    expect(result.durationMs).toBeGreaterThan(190);
    expect(result.durationMs).toBeLessThan(2_000);
  });

  test('T71, B83: ends by SIGKILL two seconds later what ignores SIGTERM', async () => {
    const result = await services.run('trap "" TERM INT HUP; echo $$; while :; do sleep 1; done', { timeoutMs: 200 });
    expect(result).toMatchObject({ exitCode: 124, timedOut: true, signal: 'SIGKILL' });
    expect(result.durationMs).toBeGreaterThan(2_190);
    expect(result.durationMs).toBeLessThan(4_000);
    expect(groupMembers(Number(result.stdout.text))).toEqual([]);
  });

  test('gives 124 also to a command that ends in good order, with its last words and those of its children', async () => {
    const result = await services.run('(trap "sleep 0.3; echo child; exit" TERM; while :; do sleep 0.05; done) & trap "echo parent; exit 0" TERM; while :; do sleep 0.05; done', { timeoutMs: 300 });
    expect(result).toMatchObject({ exitCode: 124, timedOut: true, signal: 'SIGTERM' });
    expect(result.stdout.text).toBe('parent\nchild\n');
  });

  test('reaches what has left the group', async () => {
    const tagsBefore = services.kernel.tags.next().value;
    const result = await services.run('setsid sleep 100 & env -i setsid -f sleep 100; sleep 100', { timeoutMs: 300 });
    expect(result.exitCode).toBe(124);
    expect(taggedProcesses((limit) => limit === tagsBefore + 1n)).toEqual([]);
  });

  test('covers the whole life, also when the output was closed long ago', async () => {
    expect(await services.run('exec >&- 2>&-; sleep 100', { timeoutMs: 200 })).toMatchObject({ exitCode: 124, timedOut: true });
  });

  test('that a timer cannot take is none', async () => {
    expect(await services.run('sleep 0.1; echo ok', { timeoutMs: 2 ** 40 })).toMatchObject({ exitCode: 0, timedOut: false });
  });
});

test('B85: what is left in the background is named, goes on, and does not hold the call', async () => {
  const result = await services.run('sleep 30 & echo OK');
  expect(result.stdout.text).toBe('OK\n');
  expect(result.durationMs).toBeLessThan(1_000);
  expect(result.backgroundPids).toHaveLength(1);
  const [pid = 0] = result.backgroundPids;
  expect(readProcess(pid)?.comm).toBe('sleep');
  process.kill(pid);
  expect((await services.run('true & wait')).backgroundPids).toEqual([]);
});

test('B86: what a background job prints later is in no other result', async () => {
  const first = await services.run('(for i in 1 2 3 4 5 6 7 8 9; do echo tick; sleep 0.1; done) & sleep 0.3; echo fg');
  expect(first.stdout.text).toContain('fg\n');
  expect(first.durationMs).toBeLessThan(1_000);
  expect((await services.run('sleep 0.3; echo next')).stdout.text).toBe('next\n');
});

test('B104: a search that looks at its input searches the directory', async () => {
  writeFileSync(join(services.kernel.root, 'hay'), 'needle\n');
  expect((await services.run('if [ -p /dev/stdin ] || [ -f /dev/stdin ]; then echo input; else grep -r needle .; fi')).stdout.text).toBe('./hay:needle\n');
});

test('a long output is cut in its middle, counted, and there as a file', async () => {
  const result = await services.run('seq 1 100000; echo tail', { maxOutputBytes: 1_000 });
  expect(result.stdout.truncated).toBe(true);
  expect(result.stdout.bytes).toBe(588_895 + 5);
  expect(result.stdout.text).toMatch(/^1\n2\n[^]*left out[^]*tail\n$/);
  expect(readFileSync(result.stdout.path ?? '', 'utf8')).toHaveLength(588_900);
});

test('the files of outputs that were shown whole are gone at once', async () => {
  const result = await services.run("head -c 200000 /dev/zero | tr '\\0' x", { maxOutputBytes: 1_000_000 });
  expect(result.stdout.text).toHaveLength(200_000);
  expect(services.store.bytesOnDisk).toBeLessThan(1_000_000);
});

test('files are kept for the retention time only', async () => {
  const short = new Services({ retentionS: 0.2 });
  const { stdout } = await short.run("head -c 300000 /dev/zero | tr '\\0' x", { maxOutputBytes: 1_000 });
  const path = stdout.path ?? '';
  expect(existsSync(path)).toBe(true);
  await eventually(() => !existsSync(path));
  await short.close();
});

describe('when all slots are taken', () => {
  test('others wait in order, and are told how long', async () => {
    const one = new Services({ maxConcurrent: 1 });
    const order: string[] = [];
    const runs = ['a', 'b', 'c', 'd'].map((name) => one.run(`sleep 0.1; echo ${name}`).then((result) => (order.push(name), result)));
    const results = await Promise.all(runs);
    expect(order).toEqual(['a', 'b', 'c', 'd']);
    expect(results.map(({ stdout }) => stdout.text)).toEqual(['a\n', 'b\n', 'c\n', 'd\n']);
    expect(results[0]?.queueMs).toBeLessThan(50);
    expect(results[3]?.queueMs).toBeGreaterThan(290);
    expect(results[3]?.durationMs).toBeLessThan(results[3]?.queueMs ?? 0);
    await one.close();
  });

  test('a slot comes free when its command is over by a timeout or could not start', async () => {
    const one = new Services({ maxConcurrent: 1 });
    const [timedOut, failed, last] = await Promise.allSettled([one.run('sleep 100', { timeoutMs: 100 }), one.run('true', { cwd: join(one.kernel.root, 'missing') }), one.run('echo ok')]);
    expect(timedOut).toMatchObject({ value: { exitCode: 124 } });
    expect(failed).toMatchObject({ reason: { code: 'INVALID_CWD' } });
    expect(last).toMatchObject({ value: { exitCode: 0 } });
    expect(one.turns.load).toEqual({ active: 0, queued: 0 });
    await one.close();
  });

  test('256 may wait; one more is told what to do', async () => {
    const one = new Services({ maxConcurrent: 1 });
    const abort = new AbortController();
    setMaxListeners(0, abort.signal);
    const holder = one.run('sleep 100', { timeoutMs: 400 });
    await eventually(() => one.turns.load.active === 1);
    const waiting = Array.from({ length: 256 }, () => one.run('true', {}, abort.signal).catch((error: unknown) => error));
    await eventually(() => one.turns.load.queued === 256);
    await expect(one.run('true')).rejects.toMatchObject({ code: 'QUEUE_FULL', message: expect.stringContaining('max_concurrent'), hint: expect.stringContaining('max_concurrent') });
    abort.abort(new Error('enough'));
    expect(new Set((await Promise.all(waiting)).map(String))).toEqual(new Set(['Error: enough']));
    await holder;
    await one.close();
  });
});

describe('a cancelled call', () => {
  test('leaves its command running to its end, and the slot taken until then', async () => {
    const abort = new AbortController();
    const file = join(services.kernel.root, 'went-on');
    const call = services.run(`sleep 0.4; echo done > ${file}`, {}, abort.signal);
    await eventually(() => services.turns.load.active === 1);
    abort.abort(new Error('cancelled'));
    await expect(call).rejects.toThrow('cancelled');
    expect(services.turns.load.active).toBe(1);
    await eventually(() => existsSync(file) && services.turns.load.active === 0);
  });

  test('takes what waits out of the queue', async () => {
    const one = new Services({ maxConcurrent: 1 });
    const abort = new AbortController();
    const file = join(one.kernel.root, 'started');
    const first = one.run('sleep 0.3');
    const second = one.run(`touch ${file}`, {}, abort.signal).catch(String);
    await eventually(() => one.turns.load.queued === 1);
    abort.abort(new Error('cancelled'));
    expect(await second).toBe('Error: cancelled');
    await first;
    expect((await one.run('echo ok')).stdout.text).toBe('ok\n');
    expect(existsSync(file)).toBe(false);
    await one.close();
  });

  test('that was cancelled before starts nothing', async () => {
    const file = join(services.kernel.root, 'never');
    await expect(services.run(`touch ${file}`, {}, AbortSignal.abort(new Error('before')))).rejects.toThrow('before');
    expect(existsSync(file)).toBe(false);
  });
});

test('a call that waits is told the last line about once a second', async () => {
  const lines: string[] = [];
  const times: number[] = [];
  await services.run('echo one; echo two; sleep 1.3; echo three >&2; sleep 1', { onProgress: (line, ms) => (lines.push(line), times.push(ms)) });
  expect(lines).toEqual(['two', 'three']);
  expect(times[0]).toBeGreaterThan(990);
  expect(times[0]).toBeLessThan(1_300);
});

test('100 runs at once all give their own output', async () => {
  const results = await Promise.all(Array.from({ length: 100 }, (_, index) => services.run(`echo ${index}; echo e${index} >&2; exit ${index}`)));
  results.forEach((result, index) => {
    expect([result.stdout.text, result.stderr.text, result.exitCode]).toEqual([`${index}\n`, `e${index}\n`, index]);
  });
});
