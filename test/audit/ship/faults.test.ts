// A place that fails, in every way that a network knows; files that go away while they are sent; positions that cannot be kept or read.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, expect, test, vi } from 'vitest';
import { retryAfterMs } from '../../../src/audit/ship/back-off.ts';
import { call, filesOf } from '../support.ts';
import { answer, halfAnAnswer, hang, HttpPeer, reset, type Behaviour } from './http-peer.ts';
import { bury, eventually, ship, untilStopped, type Shipped } from './support.ts';

afterEach(() => void vi.restoreAllMocks());

async function start(usual: Behaviour = answer(204)): Promise<{ peer: HttpPeer; sink: { to: 'loki'; url: string }; details: () => string[] }> {
  const peer = await HttpPeer.start(usual);
  const details = (): string[] => peer.requests.flatMap(({ body }) => [...gunzipSync(body).toString().matchAll(/\\"detail\\":\\"([^"\\]+)\\"/g)].map(([, detail]) => detail ?? ''));
  return { peer, sink: { to: 'loki', url: `${peer.url}/loki/api/v1/push` }, details };
}

const arrived = ({ shipping }: Shipped, shipped: number): Promise<unknown> => eventually(() => expect(shipping.status).toMatchObject([{ ok: true, shipped, lagEntries: 0 }]));

/** Time only: what takes 10 s takes a moment. */
function shortTimeouts(): void {
  const real = AbortSignal.timeout.bind(AbortSignal);
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => real(ms / 100));
}

test.each<[string, Behaviour, string]>([
  ['hangs', hang, 'no answer within 10 s'],
  ['answers 500', answer(500, 'no space\nleft'), 'it answered 500: no space left'],
  ['answers 401', answer(401, ''), 'it answered 401'],
  ['resets the connection', reset, 'connection reset by peer'],
  ['goes in the middle of its answer', halfAnAnswer, 'connection reset by peer'],
  ['sends elsewhere', answer(307, '', { location: 'http://127.0.0.1:1/' }), 'it answered 307, a redirect, which is not followed'],
])('a place that %s is told once, tried again with growing pauses, told again when it is over, and gets everything', async (_what, behaviour, problem) => {
  shortTimeouts();
  const { peer, sink, details } = await start();
  peer.next(behaviour, behaviour, behaviour);
  const shipped = await ship([sink], { before: (log) => { for (const name of ['one', 'two', 'three']) log.append(call(name)); } });
  await arrived(shipped, 3);
  expect(shipped.told).toEqual([`the audit log cannot be sent to loki at ${sink.url}: ${problem}; it is tried again`, `the audit log can be sent to loki at ${sink.url} again`]);
  expect(shipped.waits.slice(0, 3)).toEqual([500, 1_000, 2_000]);
  expect(details().slice(-3)).toEqual(['one', 'two', 'three']);
  expect(shipped.shipping.status[0]?.dropped).toBe(0);
});

test('a place that is not there at the start gets everything when it comes', async () => {
  const { peer, sink, details } = await start();
  await peer.close();
  let goOn = (): void => undefined;
  const wait = (ms: number, signal: AbortSignal): Promise<void> => (ms === 500 ? new Promise((resolve) => (goOn = resolve)) : untilStopped(ms, signal));
  const shipped = await ship([sink], { wait, before: (log) => void log.append(call('one')) });
  await eventually(() => expect(shipped.shipping.status).toMatchObject([{ ok: false, problem: 'connection refused', lagEntries: 1, retryAt: expect.any(String) as string }]));
  shipped.log.append(call('two'));
  expect(shipped.shipping.status).toMatchObject([{ lagEntries: 2 }]);
  await peer.listen();
  goOn();
  await peer.until(() => details().includes('one'));
  await shipped.shipping.stop(5_000);
  expect(details()).toEqual(['one', 'two']);
});

test('the pauses grow to a minute and no further, and begin anew when it answers', async () => {
  const { peer, sink } = await start();
  peer.next(...Array.from({ length: 9 }, () => answer(500)));
  const shipped = await ship([sink], { before: (log) => void log.append(call('one')) });
  await arrived(shipped, 1);
  expect(shipped.waits.slice(0, 9)).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
  peer.next(answer(500));
  shipped.log.append(call('two'));
  await arrived(shipped, 2);
  expect(shipped.waits.filter((ms) => ms === 500)).toHaveLength(2);
});

test.each([
  ['seconds', () => '7', 7_000],
  ['a date', () => new Date(Date.now() + 60_000).toUTCString(), 60_000],
  ['a week', () => '604800', 3_600_000],
  ['nonsense', () => 'soon', 500],
  ['a date that is over', () => new Date(0).toUTCString(), 500],
])('429 with Retry-After of %s is waited for, at most an hour', async (_what, header, expected) => {
  const { peer, sink } = await start();
  peer.next(answer(429, '', { 'retry-after': header() }));
  const shipped = await ship([sink], { before: (log) => void log.append(call('one')), wait: recorded });
  const waits: number[] = [];
  async function recorded(ms: number, signal: AbortSignal): Promise<void> {
    waits.push(ms);
    if (waits.length > 1) await untilStopped(ms, signal);
  }
  await eventually(() => expect(shipped.shipping.status).toMatchObject([{ shipped: 1, dropped: 0 }]));
  expect(waits[0]).toBeGreaterThan(expected - 3_000);
  expect(waits[0]).toBeLessThanOrEqual(expected);
});

test('Retry-After is seconds or a date of HTTP and nothing else', () => {
  const now = Date.parse('2026-12-01T00:00:00Z');
  expect(['0', ' 5 ', 'Tue, 01 Dec 2026 00:00:09 GMT', '-1', '1.5', '2026', '', '9'.repeat(30), undefined].map((header) => retryAfterMs(header, now)))
    .toEqual([0, 5_000, 9_000, undefined, undefined, 2_026_000, undefined, undefined, undefined]);
});

test('segments that are closed, compressed and renewed while they are sent arrive whole and once', async () => {
  const { peer, sink, details } = await start((response) => void setTimeout(() => response.writeHead(204).end(), 5));
  const shipped = await ship([sink], { log: { maxBytes: 8_192, backups: 1_000, gzipBytes: 1 } });
  const expected = Array.from({ length: 3_000 }, (_, i) => `entry ${i}`);
  for (const [i, name] of expected.entries()) {
    shipped.log.append(call(name));
    if (i % 100 === 0) await peer.received(peer.requests.length + (i === 0 ? 1 : 0));
    if (i % 20 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  await arrived(shipped, 3_000);
  expect(details()).toEqual(expected);
  expect(filesOf(shipped.directory).filter((name) => name.endsWith('.gz')).length).toBeGreaterThan(50);
}, 30_000);

test('compressed segments of a dead server are sent, of a damaged one what can be read', async () => {
  const { sink, details } = await start();
  const first = await ship([], { log: { maxBytes: 8_192, backups: 100, gzipBytes: 1 }, before: (log) => { for (let i = 0; i < 100; i++) log.append(call(`entry ${i}`)); } });
  await first.log.close();
  bury(first.directory);
  const [, second = ''] = filesOf(first.directory).filter((name) => name.endsWith('.gz'));
  const path = join(first.directory, second);
  const bytes = readFileSync(path);
  const lost = gunzipSync(bytes).toString().split('\n').length - 1;
  writeFileSync(path, Buffer.concat([bytes.subarray(0, 20), Buffer.alloc(bytes.length - 20)]));
  const next = await ship([sink], { log: { directory: first.directory } });
  await arrived(next, 100 - lost);
  expect(details()).toHaveLength(100 - lost);
  expect(next.shipping.status[0]?.dropped).toBe(lost);
});

test('entries whose files go before they could be sent are counted and told, and retention waits for nobody', async () => {
  const { peer, sink, details } = await start();
  await peer.close();
  let goOn = (): void => undefined;
  const wait = (ms: number, signal: AbortSignal): Promise<void> => (ms === 500 ? new Promise((resolve) => (goOn = resolve)) : untilStopped(ms, signal));
  const shipped = await ship([sink], { wait, log: { maxBytes: 8_192, backups: 2 }, before: (log) => void log.append(call('first')) });
  await eventually(() => expect(shipped.shipping.status).toMatchObject([{ ok: false }]));
  for (let i = 0; i < 500; i++) shipped.log.append(call(`entry ${i}`));
  await eventually(() => expect(filesOf(shipped.directory).filter((name) => name.endsWith('.jsonl'))).toHaveLength(3));
  const there = detailsIn(shipped.directory);
  expect(there.length).toBeLessThan(100);
  await peer.listen();
  goOn();
  await peer.until(() => details().includes('first'));
  await shipped.shipping.stop(5_000);
  const { shipped: count, dropped } = shipped.shipping.status[0] ?? { shipped: 0, dropped: 0 };
  expect(count + dropped).toBe(501);
  expect(details()).toEqual(['first', ...new Set([...details().slice(1), ...there])]);
  expect(shipped.told.filter((text) => text.includes('will not arrive'))).toEqual([
    `${dropped} entries of the audit log will not arrive at loki at ${sink.url}: their files were removed or damaged before they could be sent (${dropped} in all)`,
  ]);
});

test.each([
  ['damaged', '{"v":1,"num', 'is damaged'],
  ['of a later version', '{"v":2,"number":9}', 'has version 2, this is 1'],
  ['not of the kind that it should be', '{"v":1,"number":-1,"offset":0}', 'is damaged'],
  ['far too large', ' '.repeat(5_000), 'is damaged'],
])('a position that is %s is told, and what is left of that server is sent from the beginning', async (_what, text, fault) => {
  const { sink, details } = await start();
  const first = await ship([sink], { before: (log) => { for (const name of ['one', 'two']) log.append(call(name)); } });
  await arrived(first, 2);
  await first.shipping.stop();
  await first.log.close();
  const [place = ''] = readdirSync(join(first.directory, 'ship'));
  const folder = join(first.directory, 'ship', place);
  const [name = ''] = readdirSync(folder);
  bury(first.directory);
  const path = join(folder, name.replace(/^\d+-/, '999999999-'));
  writeFileSync(path, text);
  const next = await ship([sink], { log: { directory: first.directory } });
  await arrived(next, 2);
  expect(details()).toEqual(['one', 'two', 'one', 'two']);
  expect(next.told).toEqual([`${path} ${fault}: what is left of that server's audit log is sent from the beginning`]);
});

test('where no position can be kept everything is sent all the same, and it is told once', async () => {
  const { sink, details } = await start();
  const shipped = await ship([sink], { before: (log) => {
    log.append(call('one'));
    writeFileSync(join(dirname(log.status.path ?? ''), 'ship'), 'a file');
  } });
  await eventually(() => expect(details()).toEqual(['one']));
  shipped.log.append(call('two'));
  await eventually(() => expect(shipped.shipping.status).toMatchObject([{ ok: false, shipped: 2, dropped: 0 }]));
  expect(shipped.told).toHaveLength(1);
  expect(shipped.told[0]).toMatch(/^how far the audit log was sent to loki at .* cannot be kept: ".*ship" is not a directory; after a restart it is sent again$/);
});

test('a log that is removed as a whole while it is sent ends nothing', async () => {
  const { sink, details } = await start();
  const shipped = await ship([sink], { before: (log) => void log.append(call('one')) });
  await arrived(shipped, 1);
  rmSync(shipped.directory, { recursive: true });
  mkdirSync(shipped.directory, { mode: 0o700 });
  await eventually(() => {
    shipped.log.append(call('later'));
    expect(details()).toContain('later');
  }, 300);
});

test('a place that hangs holds the end up for half a second at most, and what is left stays to be sent', async () => {
  const { peer, sink } = await start(hang);
  const shipped = await ship([sink], { before: (log) => void log.append(call('one')) });
  await peer.received(1);
  const begun = performance.now();
  await shipped.shipping.stop();
  expect(performance.now() - begun).toBeGreaterThan(400);
  expect(performance.now() - begun).toBeLessThan(1_500);
  expect(shipped.shipping.status).toMatchObject([{ shipped: 0, dropped: 0, lagEntries: 1 }]);
});

test('at the end the last entries go out without waiting for more', async () => {
  const { sink, details } = await start();
  const shipped = await ship([sink], { wait: untilStopped });
  shipped.log.append(call('one'));
  shipped.log.append(call('two'));
  await shipped.shipping.stop();
  expect(details()).toEqual(['one', 'two']);
});

test('writing goes on at its own speed while a place hangs, for it waits for nothing', async () => {
  const { peer, sink } = await start(hang);
  const shipped = await ship([sink], { before: (log) => void log.append(call('first')) });
  await peer.received(1);
  for (let i = 0; i < 2_000; i++) shipped.log.append(call(`entry ${i}`)); // in one turn of the event loop: nothing can be waited for
  expect(shipped.log.status).toMatchObject({ written: 2_001, dropped: 0 });
  expect(shipped.shipping.status).toMatchObject([{ lagEntries: 2_001 }]);
});

test('several places are sent to on their own: one that is dead holds up no other', async () => {
  const [dead, living] = [await start(hang), await start()];
  const shipped = await ship([dead.sink, living.sink]);
  for (let i = 0; i < 10; i++) shipped.log.append(call(`entry ${i}`));
  await eventually(() => expect(living.details()).toHaveLength(10));
  await eventually(() => expect(shipped.shipping.status).toMatchObject([{ shipped: 0, lagEntries: 10 }, { shipped: 10, lagEntries: 0 }]));
});

/** Names of the entries that are still in files, the directory of positions aside. */
function detailsIn(directory: string): string[] {
  return filesOf(directory).filter((name) => name.endsWith('.jsonl')).flatMap((name) => [...readFileSync(join(directory, name), 'utf8').matchAll(/"detail":"([^"]+)"/g)].map(([, detail]) => detail ?? ''));
}
