// Waiting for words and for quiet: soon, seldom, and leaving nothing behind.
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { checkUntil, UntilWatch } from '../../src/waiting/until.ts';
import { logOf, MIB, temporaryStore } from '../output/support.ts';
import { watchFor } from './support.ts';

test('what is already unread satisfies at once, and what was read before does not', async () => {
  const log = logOf('old ready\n');
  const at = (from: number) => watchFor({ kind: 'output', pattern: 'ready' }, { outputs: [{ log, from }] });
  expect((await at(0)).watch.isSatisfied).toBe(true);
  expect((await at(10)).watch.isSatisfied).toBe(false);
});

test('words are seen a moment after they came, in either output', async () => {
  const store = temporaryStore();
  const logs = [store.createLog('a'), store.createLog('b')];
  const { watch, satisfied } = await watchFor({ kind: 'output', pattern: 'listening on \\d+' }, { outputs: logs.map((log) => ({ log, from: 0 })) });
  logs[0]?.append(Buffer.from('starting\n'));
  watch.outputArrived();
  logs[1]?.append(Buffer.from('listening on 3000'));
  watch.outputArrived();
  const startedAt = performance.now();
  await satisfied;
  expect(performance.now() - startedAt).toBeLessThan(500); // 30 on a machine that is free
});

test('a fast output is looked at seldom, and its last chunk all the same', async () => {
  const log = temporaryStore().createLog('a');
  let reads = 0;
  const counted = { get length() { return log.length; }, read: (from: number, maxBytes: number) => { reads += 1; return log.read(from, maxBytes); } };
  const { watch, satisfied } = await watchFor({ kind: 'output', pattern: 'END' }, { outputs: [{ log: counted, from: 0 }] });
  const startedAt = performance.now();
  for (let round = 0; round < 20_000; round++) {
    log.append(Buffer.from('chunk\n'));
    watch.outputArrived();
    if (round % 1_000 === 0) await delay(1);
  }
  const looks = Math.ceil((performance.now() - startedAt) / 30) + 1;
  expect(reads).toBeLessThanOrEqual(4 * looks);
  log.append(Buffer.from('END\n'));
  watch.outputArrived();
  await satisfied;
});

test('an output that comes faster than it can be looked at is followed all the same', async () => {
  const log = temporaryStore().createLog('a');
  for (let size = 0; size < 40; size++) log.append(Buffer.alloc(MIB, 'Info: compiled\n'));
  log.append(Buffer.from('Ready\n'));
  const { watch, satisfied } = await watchFor({ kind: 'output', pattern: '(?i)ready|[xyz]{9}' }, { outputs: [{ log, from: 0 }] });
  expect(watch.isSatisfied).toBe(false); // it is looked through in turns
  await satisfied;
}, 30_000);

test('the end is looked at with all that is left', async () => {
  const log = temporaryStore().createLog('a');
  let isFinished = false;
  const { watch } = await watchFor({ kind: 'output', pattern: 'last \\x{FFFD}' }, { outputs: [{ log, from: 0 }], isFinished: () => isFinished });
  log.append(Buffer.from([...Buffer.from('last '), 0xe2]));
  watch.outputArrived();
  isFinished = true;
  expect(await watch.finish()).toBe(true);
});

test('quiet is the time since the last output, and since the start when there was none', async () => {
  const { watch, satisfied } = await watchFor({ kind: 'quiet', quietMs: 80 });
  const noisyUntil = performance.now() + 200;
  while (performance.now() < noisyUntil) {
    watch.outputArrived();
    await delay(5);
  }
  const last = performance.now();
  expect(watch.isSatisfied).toBe(false);
  await satisfied;
  expect(performance.now() - last).toBeGreaterThan(60);
  const alone = await watchFor({ kind: 'quiet', quietMs: 30 });
  await alone.satisfied;
  expect(alone.watch.isSatisfied).toBe(true);
});

test('nothing but an end is an exit', async () => {
  const { watch } = await watchFor({ kind: 'exit' });
  watch.outputArrived();
  expect(await watch.finish()).toBe(false);
});

test('a watch that was stopped is never satisfied, may be stopped again, and takes no more news', async () => {
  const log = temporaryStore().createLog('a');
  let calls = 0;
  const target = { outputs: [{ log, from: 0 }], isFinished: () => false };
  for (const until of [{ kind: 'output', pattern: 'x' }, { kind: 'quiet', quietMs: 10 }] as const) {
    const watch = await UntilWatch.start(until, target, () => { calls += 1; });
    watch.outputArrived();
    watch.stop();
    watch.stop();
    log.append(Buffer.from('x'));
    watch.outputArrived();
    await delay(50);
    expect([watch.isSatisfied, await watch.finish(), calls]).toEqual([false, false, 0]);
  }
});

test('a bad pattern is refused before anything is done', async () => {
  await expect(checkUntil({ kind: 'output', pattern: 'a(?=b)' })).rejects.toMatchObject({ code: 'BAD_PATTERN' });
  await expect(watchFor({ kind: 'output', pattern: '(' })).rejects.toMatchObject({ code: 'BAD_PATTERN' });
  await checkUntil({ kind: 'port', port: 1 });
});
