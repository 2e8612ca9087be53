import { expect, test } from 'vitest';
import { Semaphore } from '../../src/lib/semaphore.ts';

/** Takes a slot and notes when it got it. */
function ask(semaphore: Semaphore, log: string[], name: string, signal?: AbortSignal, key?: string): Promise<void> {
  return semaphore.acquire(signal, key).then(() => void log.push(name), (error: unknown) => void log.push(`${name}: ${String(error)}`));
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

test('between keys slots go out in turns, whoever of them asks for more', async () => {
  const semaphore = new Semaphore(1);
  const log: string[] = [];
  await semaphore.acquire(undefined, 'a');
  const asked = ['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'b2'];
  for (const name of asked) void ask(semaphore, log, name, undefined, name[0]);
  expect([semaphore.activeOf('a'), semaphore.waitingOf('a'), semaphore.waitingOf('b'), semaphore.waitingOf('none')]).toEqual([1, 4, 2, 0]);
  semaphore.release('a');
  await settled();
  while (semaphore.waiting > 0) {
    semaphore.release(log.at(-1)?.[0]);
    await settled();
  }
  expect(log).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4']);
  expect([semaphore.active, semaphore.activeOf('a'), semaphore.activeOf('b')]).toEqual([1, 1, 0]);
});

test('a slot of another key cannot be given back', async () => {
  const semaphore = new Semaphore(2);
  await semaphore.acquire(undefined, 'a');
  expect(() => semaphore.release('b')).toThrow('nobody had');
  expect(semaphore.active).toBe(1);
});
