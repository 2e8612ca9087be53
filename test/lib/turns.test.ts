import { setMaxListeners } from 'node:events';
import { expect, test } from 'vitest';
import { Turns } from '../../src/lib/turns.ts';

async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await Promise.resolve();
}

/** Takes a turn and notes when it came; gives it back at once when `ends`. */
function ask(turns: Turns, owner: string, order: string[], signal?: AbortSignal): Promise<void> {
  return turns.of(owner).take(signal).then(() => void order.push(owner));
}

test('T84: an owner with one command waits for one turn of another who has fifty, not for all of them', async () => {
  const turns = new Turns(1);
  const order: string[] = [];
  for (let index = 0; index <= 50; index++) void ask(turns, 'alice', order);
  void ask(turns, 'bob', order);
  await settled();
  for (let index = 0; index <= 50; index++) {
    turns.of(order.at(-1) ?? '').end();
    await settled();
  }
  expect(order).toHaveLength(52);
  expect(order.indexOf('bob')).toBe(2); // the first is alice's that ran already, then each has one turn
});

test('T84: the queue of each owner is bounded by itself; who has filled it is told so, and no other is refused', async () => {
  const turns = new Turns(2);
  const order: string[] = [];
  const abort = new AbortController();
  setMaxListeners(0, abort.signal);
  for (let index = 0; index < 2; index++) await ask(turns, 'alice', order);
  const waiting = Array.from({ length: 256 }, () => ask(turns, 'alice', order, abort.signal).catch(String));
  await expect(ask(turns, 'alice', order)).rejects.toMatchObject({ code: 'QUEUE_FULL', message: '2 commands run (max_concurrent) and 256 wait for their turn' });
  void ask(turns, 'bob', order);
  expect([turns.load, turns.of('alice').load, turns.of('bob').load]).toEqual([{ active: 2, queued: 257 }, { active: 2, queued: 256 }, { active: 0, queued: 1 }]);
  abort.abort('enough');
  expect(new Set(await Promise.all(waiting))).toEqual(new Set(['enough']));
  turns.of('alice').end();
  expect([turns.load, turns.of('alice').load, turns.of('bob').load]).toEqual([{ active: 2, queued: 0 }, { active: 1, queued: 0 }, { active: 1, queued: 0 }]);
});

test('who takes a turn is told whether there was one at once', async () => {
  const turns = new Turns(1);
  await expect(turns.of('alice').take()).resolves.toBe(false);
  const second = turns.of('alice').take();
  turns.of('alice').end();
  await expect(second).resolves.toBe(true);
});

test('a turn that another owner has cannot be given back', async () => {
  const turns = new Turns(1);
  await turns.of('alice').take();
  expect(() => turns.of('bob').end()).toThrow('nobody had');
});
