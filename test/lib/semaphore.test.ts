import { expect, test } from 'vitest';
import { Semaphore } from '../../src/lib/semaphore.ts';

/** Takes a slot and notes when it got it. */
function ask(semaphore: Semaphore, log: string[], name: string, signal?: AbortSignal): Promise<void> {
  return semaphore.acquire(signal).then(() => void log.push(name), (error: unknown) => void log.push(`${name}: ${String(error)}`));
}

async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await Promise.resolve();
}

test('slots go out at once while there are some, then in the order in which they were asked for', async () => {
  const semaphore = new Semaphore(2);
  const log: string[] = [];
  for (const name of ['a', 'b', 'c', 'd', 'e']) void ask(semaphore, log, name);
  await settled();
  expect(log).toEqual(['a', 'b']);
  expect([semaphore.active, semaphore.waiting]).toEqual([2, 3]);
  for (const expected of ['c', 'd', 'e']) {
    semaphore.release();
    await settled();
    expect(log.at(-1)).toBe(expected);
  }
  semaphore.release();
  semaphore.release();
  expect([semaphore.active, semaphore.waiting]).toEqual([0, 0]);
});

test('nobody overtakes those who wait', async () => {
  const semaphore = new Semaphore(1);
  const log: string[] = [];
  await ask(semaphore, log, 'a');
  void ask(semaphore, log, 'b');
  semaphore.release(); // the slot is b's now, before b has noticed
  expect(semaphore.tryAcquire()).toBe(false);
  await settled();
  expect(log).toEqual(['a', 'b']);
});

test('who gives up leaves the queue, and takes no slot', async () => {
  const semaphore = new Semaphore(1);
  const log: string[] = [];
  const abort = new AbortController();
  await ask(semaphore, log, 'a');
  void ask(semaphore, log, 'b', abort.signal);
  void ask(semaphore, log, 'c');
  abort.abort('enough');
  await settled();
  expect(log).toEqual(['a', 'b: enough']);
  semaphore.release();
  await settled();
  expect(log.at(-1)).toBe('c');
  abort.abort('again');
  semaphore.release();
  expect([semaphore.active, semaphore.waiting]).toEqual([0, 0]);
});

test('giving up after the slot was given changes nothing, and giving up before asking takes none', async () => {
  const semaphore = new Semaphore(1);
  const log: string[] = [];
  const abort = new AbortController();
  await ask(semaphore, log, 'a', abort.signal);
  abort.abort('late');
  await ask(semaphore, log, 'b', abort.signal);
  expect(log).toEqual(['a', 'b: late']);
  expect(semaphore.active).toBe(1);
});

test('a slot that is given back twice is a bug, and no slot more (R171)', async () => {
  const semaphore = new Semaphore(1);
  await semaphore.acquire();
  semaphore.release();
  expect(() => semaphore.release()).toThrow('nobody had');
  expect(semaphore.active).toBe(0);
});

test('several owners get slots in turn, each in its own order, and one that gives up passes nobody over', async () => {
  const semaphore = new Semaphore(1);
  const log: string[] = [];
  const abort = new AbortController();
  const askAs = (owner: string, name: string, signal?: AbortSignal): void => void semaphore.acquire(signal, owner).then(() => void log.push(name), () => {});
  await semaphore.acquire();
  for (const name of ['a1', 'a2', 'a3']) askAs('a', name);
  askAs('b', 'b1');
  askAs('c', 'c1', abort.signal);
  askAs('b', 'b2');
  expect([semaphore.waiting, semaphore.waitingOf('a'), semaphore.waitingOf('b'), semaphore.waitingOf('nobody')]).toEqual([6, 3, 2, 0]);
  abort.abort();
  for (let turn = 0; turn < 6; turn++) {
    semaphore.release();
    await settled();
  }
  expect(log).toEqual(['a1', 'b1', 'a2', 'b2', 'a3']);
  expect([semaphore.active, semaphore.waiting]).toEqual([0, 0]);
});
