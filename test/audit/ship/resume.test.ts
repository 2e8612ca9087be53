// Servers that are killed while they send, several at once, and memory while nobody takes anything: with processes of their own.
import { readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { call, filesOf, temporaryDirectory } from '../support.ts';
import { answer, HttpPeer } from './http-peer.ts';
import { startShippingProgram } from './shipping-program.ts';
import { bury, eventually, ship } from './support.ts';

const LIVES = 6;

async function start(): Promise<{ peer: HttpPeer; url: string; details: () => string[]; batches: () => string[][] }> {
  const peer = await HttpPeer.start(answer(204));
  const read = new Map<Buffer, string[]>();
  const batches = (): string[][] => peer.requests.map(({ body }) => {
    if (!read.has(body)) read.set(body, [...gunzipSync(body).toString().matchAll(/\\"detail\\":\\"([^"\\]+)\\"/g)].map(([, detail]) => detail ?? ''));
    return read.get(body) ?? [];
  });
  return { peer, url: `${peer.url}/loki/api/v1/push`, batches, details: () => batches().flat() };
}

test(`kill -9 while entries are sent, ${LIVES} times: every acknowledged entry arrives, each life sends at most its last batch once more, and the next server goes on where it was`, async () => {
  const { peer, url, details, batches } = await start();
  const directory = temporaryDirectory();
  const acknowledged: string[] = [];
  for (let life = 0; life < LIVES; life++) {
    const program = startShippingProgram({ directory, name: `life${life}`, count: 1_000_000, url, then: 'leave' });
    const enough = peer.requests.length + 3 + life;
    await peer.until(() => peer.requests.length >= enough && details().some((name) => name.startsWith(`life${life}-`)));
    program.child.kill('SIGKILL');
    await program.ended;
    acknowledged.push(...program.output().split('\n').slice(0, -1));
  }
  const last = await ship([{ to: 'loki', url }], { log: { directory, backups: 10_000 } });
  await peer.until(() => {
    const there = new Set(details());
    return acknowledged.every((name) => there.has(name));
  });
  expect(last.shipping.status).toMatchObject([{ ok: true, dropped: 0 }]);
  const largest = Math.max(...batches().map(({ length }) => length));
  expect(details().length - new Set(details()).size).toBeLessThanOrEqual(LIVES * largest);
}, 60_000);

test('two servers at once send each their own, and what a dead one has left is sent by one of them only', async () => {
  const { url, details } = await start();
  const directory = temporaryDirectory();
  const dead = await ship([], { log: { directory, maxBytes: 8_192, backups: 100 }, before: (log) => { for (let i = 0; i < 200; i++) log.append(call(`dead-${i}`)); } });
  await dead.log.close();
  bury(directory);
  const programs = ['a', 'b', 'c'].map((name) => startShippingProgram({ directory, name, count: 300, url, then: 'drain' }));
  expect(await Promise.all(programs.map(({ ended }) => ended))).toEqual([0, 0, 0]);
  expect(programs.map(({ errors }) => errors())).toEqual(['', '', '']);
  expect(details().sort()).toEqual([...Array.from({ length: 200 }, (_, i) => `dead-${i}`), ...['a', 'b', 'c'].flatMap((name) => Array.from({ length: 300 }, (_, i) => `${name}-${i}`))].sort());
}, 30_000);

test('what a dead server has left is claimed from one that has died over it, not from one that lives', async () => {
  const { url, details } = await start();
  const dead = await ship([], { before: (log) => void log.append(call('left')) });
  const alive = await ship([], { log: { directory: dead.directory } });
  await dead.log.close();
  bury(dead.directory);
  const first = await ship([{ to: 'loki', url }], { log: { directory: dead.directory }, wait: (_ms, signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve())) });
  await eventually(() => expect(details()).toEqual(['left']));
  const [place = ''] = readdirSync(join(dead.directory, 'ship'));
  const folder = join(dead.directory, 'ship', place);
  const [claim = ''] = readdirSync(folder).filter((name) => name.includes('.claim.'));
  expect(claim).toMatch(/^999999999-.*\.claim\.1$/);
  const { claim: tryClaim } = await import('../../../src/audit/ship/claim.ts');
  const { parseWriterName, writerName } = await import('../../../src/audit/segment-name.ts');
  const writer = parseWriterName(claim.split('.claim.')[0] ?? '');
  if (writer === undefined) throw new Error(claim);
  expect(tryClaim(folder, writer, alive.log.writer)).toBe(false);
  expect(tryClaim(folder, writer, first.log.writer)).toBe(true);
  symlinkSync(writerName({ ...first.log.writer, pid: 999_999_998 }), join(folder, claim.replace(/1$/, '2')));
  expect(tryClaim(folder, writer, alive.log.writer)).toBe(true);
  expect(tryClaim(folder, writer, first.log.writer)).toBe(false);
});

test('when the files of a dead server are gone, what it had not sent is counted once and its position is forgotten', async () => {
  const { url } = await start();
  const dead = await ship([{ to: 'loki', url: 'http://127.0.0.1:1/' }, { to: 'loki', url }], { wait: (_ms, signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve())), before: (log) => { for (let i = 0; i < 7; i++) log.append(call(`entry ${i}`)); } });
  await eventually(() => expect(dead.shipping.status).toMatchObject([{ ok: false, lagEntries: 7 }, { shipped: 7 }]));
  await dead.shipping.stop();
  await dead.log.close();
  const folders = readdirSync(join(dead.directory, 'ship')).map((name) => join(dead.directory, 'ship', name));
  for (const folder of folders) for (const name of readdirSync(folder)) renameSync(join(folder, name), join(folder, name.replace(/^\d+-/, '999999999-')));
  for (const name of filesOf(dead.directory).filter((file) => file.includes('.jsonl'))) rmSync(join(dead.directory, name));
  const next = await ship([{ to: 'loki', url: 'http://127.0.0.1:1/' }, { to: 'loki', url }], { log: { directory: dead.directory } });
  await eventually(() => expect(next.shipping.status).toMatchObject([{ dropped: 7 }, { dropped: 0 }]));
  await eventually(() => expect(folders.flatMap((folder) => readdirSync(folder))).toEqual([]));
  expect(next.told).toEqual(['7 entries of the audit log will not arrive at loki at http://127.0.0.1:1/: their files were removed or damaged before they could be sent (7 in all)']);
});

test('memory stays flat while 60,000 entries are written and nobody takes them: the files are the queue', async () => {
  const used = async (count: number): Promise<{ bytes: number; lagEntries: number }> => {
    const program = startShippingProgram({ directory: temporaryDirectory(), name: 'x', count, url: 'http://127.0.0.1:1/', then: 'measure', pauseMs: 0, maxBytes: 1_000_000 });
    expect(await program.ended).toBe(0);
    const { heapUsed, arrayBuffers, lagEntries } = JSON.parse(program.output().split('\n').at(-2) ?? '') as Record<string, number>;
    return { bytes: (heapUsed ?? 0) + (arrayBuffers ?? 0), lagEntries: lagEntries ?? 0 };
  };
  const [few, many] = [await used(3_000), await used(60_000)];
  expect(many.lagEntries).toBe(60_000);
  expect(many.bytes - few.bytes).toBeLessThan(3_000_000); // all of it would be 20 MB
}, 60_000);

test('entries that are on their way keep no process alive', async () => {
  const { peer, url } = await start();
  peer.next((response) => void setTimeout(() => response.writeHead(204).end(), 60_000).unref());
  const program = startShippingProgram({ directory: temporaryDirectory(), name: 'x', count: 1_000_000, url, then: 'leave' });
  await peer.received(1);
  const begun = performance.now();
  program.child.kill('SIGTERM');
  expect(await program.ended).toBe(0);
  expect(performance.now() - begun).toBeLessThan(8_000);
}, 20_000);
