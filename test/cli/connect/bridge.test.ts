// The bridge between a client and the server that runs: what passes, what is held, what is said when a server goes away.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Bridged, INITIALIZE, lineOf, type Peer } from './support.ts';

const MIB = 1024 * 1024;
const callOf = (id: number | string): object => ({ id, method: 'tools/call', params: { name: 'run' } });

let bridged: Bridged;
let peer: Peer;
beforeEach(async () => {
  ({ bridged, peer } = await Bridged.introduced());
});
afterEach(async () => {
  await bridged.close();
});

describe('what passes', () => {
  /** Text of several bytes a character, odd blanks, and bytes that are no UTF-8. */
  const ODD = Buffer.concat([Buffer.from('{"jsonrpc" : "2.0","method":"x/é≤😀","params":{ "a":1.0,"b":"'), Buffer.from([0xff, 0xc3]), Buffer.from('"} }\r\n')]);

  test('bytes are the same on the other side, however they are cut in two', async () => {
    for (let cut = 0; cut <= ODD.length; cut++) {
      const [before, given] = [peer.received.length, bridged.given.length];
      bridged.input.write(ODD.subarray(0, cut));
      peer.socket.write(ODD.subarray(0, cut));
      await new Promise((resolve) => setImmediate(resolve));
      bridged.input.write(ODD.subarray(cut));
      peer.socket.write(ODD.subarray(cut));
      await expect.poll(() => [peer.received.length - before, bridged.given.length - given], { interval: 1, message: `cut at ${cut}` }).toEqual([ODD.length, ODD.length]);
      expect([peer.received.from(before).equals(ODD), bridged.given.from(given).equals(ODD)], `cut at ${cut}`).toEqual([true, true]);
    }
  });

  test('a line of 32 MiB passes, one byte more is answered and skipped, and the next one passes', async () => {
    const [start, end] = ['{"method":"x","params":{"a":"', '"}}\n'];
    const most = `${start}${'x'.repeat(32 * MIB - start.length - end.length + 1)}${end}`;
    const before = peer.received.length;
    bridged.input.write(most);
    await expect.poll(() => peer.received.length - before, { timeout: 10_000 }).toBe(most.length);
    bridged.input.write(` ${most}`);
    expect(await bridged.told(({ error }) => error !== undefined)).toMatchObject({ id: null, error: { code: -32_600, message: expect.stringContaining('33554433 bytes') as string } });
    bridged.send({ method: 'after' });
    await expect.poll(() => peer.received.from(before + most.length).includes('"after"')).toBe(true);
  });

  test('who sends faster than the server reads is held, loses nothing, and costs no listener a line', async () => {
    const warnings: Error[] = [];
    const note = (warning: Error): number => warnings.push(warning);
    process.on('warning', note);
    const before = peer.received.length;
    const lines = Array.from({ length: 200 }, (_, index) => lineOf({ method: 'x', params: { index, text: 'y'.repeat(MIB / 2) } }));
    for (let round = 0; round < 20; round++) {
      peer.socket.pause();
      for (const line of lines.slice(round * 10, round * 10 + 10)) bridged.input.write(line);
      if (round === 19) await expect.poll(() => bridged.input.writableNeedDrain).toBe(true);
      peer.socket.resume();
    }
    const all = lines.join('');
    await expect.poll(() => peer.received.length - before, { timeout: 10_000 }).toBe(all.length);
    expect(peer.received.from(before).toString() === all).toBe(true);
    process.off('warning', note);
    expect(warnings).toEqual([]);
  });

  test('a server that sends faster than the client reads is held, and nothing is lost', async () => {
    bridged.output.pause();
    const before = bridged.given.length;
    const all = Array.from({ length: 200 }, (_, index) => lineOf({ method: 'x', params: { index, text: 'y'.repeat(MIB / 8) } })).join('');
    peer.socket.write(all);
    await expect.poll(() => bridged.output.writableNeedDrain).toBe(true);
    bridged.send(callOf(1)); // the other way is open all the time
    await peer.heard(({ id }) => id === 1);
    expect(bridged.output.readableLength + bridged.output.writableLength).toBeLessThan(2 * MIB);
    bridged.output.resume();
    await expect.poll(() => bridged.given.length - before, { timeout: 10_000 }).toBe(all.length);
    expect(bridged.given.from(before).toString() === all).toBe(true);
  });
});

describe('a server goes away', () => {
  test('each open request is answered once, also while more is being sent than it takes', async () => {
    bridged.send(callOf(1), callOf('1'), callOf(2), callOf(3), { method: 'notifications/cancelled', params: { requestId: 3 } });
    peer.say({ id: 2, result: {} });
    await bridged.told(({ id }) => id === 2);
    peer.socket.pause();
    bridged.send({ ...callOf(4), params: { text: 'x'.repeat(8 * MIB) } });
    await expect.poll(() => bridged.input.readableLength + bridged.input.writableLength).toBe(0);
    peer.socket.destroy(); // with much unread: the other side sees an error
    await bridged.told(({ id, error }) => id === 4 && error !== undefined);
    bridged.send(callOf(5));
    await (await bridged.nextPeer(2)).heard(({ id }) => id === 5);
    expect(bridged.messages.filter(({ error }) => error !== undefined).map(({ id }) => id)).toEqual([1, '1', 4]);
    expect(bridged.messages.find(({ error }) => error !== undefined)?.error).toMatchObject({ code: -32_000, message: expect.stringContaining('session_create') as string });
  });

  test('the client is introduced to the next one before its message passes, and hears nothing of it but that lists have changed', async () => {
    peer.socket.destroy();
    await expect.poll(() => bridged.logged).toHaveLength(1);
    const told = bridged.messages.length;
    bridged.send(callOf(1));
    const next = await bridged.nextPeer(2);
    await next.heard(({ id }) => id === 1);
    expect(next.messages.map(({ method }) => method)).toEqual(['initialize', 'notifications/initialized', 'tools/call']);
    expect(next.messages[0]).toEqual({ jsonrpc: '2.0', ...INITIALIZE, id: expect.not.stringMatching('first') as string });
    expect(bridged.messages.slice(told).map(({ method }) => method)).toEqual(['notifications/tools/list_changed', 'notifications/resources/list_changed']);
  });

  test('an answer to its question never reaches another one, which counts its questions from 0, too', async () => {
    peer.say({ id: 0, method: 'elicitation/create' });
    const old = await bridged.told(({ method }) => method === 'elicitation/create');
    peer.socket.destroy();
    await expect.poll(() => bridged.logged).toHaveLength(1);
    bridged.send(callOf(1));
    const next = await bridged.nextPeer(2);
    next.say({ id: 0, method: 'elicitation/create' });
    next.say({ id: 1, method: 'roots/list' });
    next.say({ method: 'notifications/cancelled', params: { requestId: 1, reason: 'late' } });
    const again = await bridged.told(({ id, method }) => method === 'elicitation/create' && id !== old.id);
    const taken = await bridged.told(({ method }) => method === 'roots/list');
    expect(await bridged.told(({ method }) => method === 'notifications/cancelled')).toMatchObject({ params: { requestId: taken.id, reason: 'late' } });
    bridged.send({ id: old.id, result: { action: 'accept' } }, { id: taken.id, result: {} }, { id: again.id, result: { action: 'decline' } }, callOf(2));
    await next.heard(({ id }) => id === 2);
    expect(next.messages.filter(({ result }) => result !== undefined)).toEqual([{ jsonrpc: '2.0', id: 0, result: { action: 'decline' } }]);
  });

  test('what asks nothing starts no other one', async () => {
    peer.socket.destroy();
    await expect.poll(() => bridged.logged).toHaveLength(1);
    bridged.send({ method: 'notifications/cancelled', params: { requestId: 1 } }, { method: 'notifications/roots/list_changed' }, { id: 7, result: {} });
    bridged.send(callOf(1));
    const next = await bridged.nextPeer(2);
    await next.heard(({ id }) => id === 1);
    expect([bridged.reaches, next.messages.map(({ method }) => method)]).toEqual([2, ['initialize', 'notifications/initialized', 'tools/call']]);
  });

  test('one that goes away while the client is introduced is no end: the request is answered, a later one reaches the next', async () => {
    peer.socket.destroy();
    await expect.poll(() => bridged.logged).toHaveLength(1);
    bridged.send(callOf(1));
    const second = await bridged.peer(2);
    await second.heard(({ method }) => method === 'initialize');
    second.socket.destroy();
    expect((await bridged.told(({ id }) => id === 1)).error?.message).toContain('nothing was done');
    await expect.poll(() => (bridged.send(callOf('again')), bridged.reaches), { timeout: 5_000 }).toBe(3);
    await (await bridged.nextPeer(3)).heard(({ id }) => id === 'again');
  });

  test('when no other can be reached, all who wait are told why, after one try', async () => {
    peer.socket.destroy();
    await expect.poll(() => bridged.logged).toHaveLength(1);
    bridged.obstacle = Promise.reject(new Error('port in use'));
    bridged.send(callOf(1), callOf(2), callOf(3));
    for (const number of [1, 2, 3]) expect((await bridged.told(({ id }) => id === number)).error?.message).toBe('port in use');
    expect(bridged.reaches).toBe(2);
  });
});

describe('the client goes away', () => {
  test('what it said last arrives', async () => {
    bridged.send(callOf(1));
    bridged.input.end();
    expect(await bridged.ended).toBe('ended');
    await peer.heard(({ id }) => id === 1);
  });

  test.each([
    ['nobody reads what it has sent', () => {
      peer.socket.pause();
      bridged.send({ ...callOf(1), params: { text: 'x'.repeat(8 * MIB) } });
    }],
    ['a server is being looked for', async () => {
      peer.socket.destroy();
      await expect.poll(() => bridged.logged).toHaveLength(1);
      bridged.obstacle = new Promise(() => {});
      bridged.send(callOf(1));
    }],
  ])('while %s: that is not waited for', async (_, prepare) => {
    await prepare();
    const from = performance.now();
    bridged.input.end();
    expect(await bridged.ended).toBe('ended');
    expect(performance.now() - from).toBeLessThan(1_900);
  });
});

test('the first message that reaches no server ends it with the reason, which is also its answer', async () => {
  const lonely = await Bridged.open();
  lonely.read();
  lonely.obstacle = Promise.reject(new Error('no home'));
  lonely.send(INITIALIZE);
  expect(await lonely.ended).toBe('Error: no home');
  expect(lonely.messages).toEqual([{ jsonrpc: '2.0', id: 'first', error: { code: -32_000, message: 'no home' } }]);
  await lonely.close();
});
