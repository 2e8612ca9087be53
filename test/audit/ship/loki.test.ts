// Shipping to Loki: a receiver that checks each request against the documented form of the push API.
import { mkdtempSync, rmSync, writeFileSync, readFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { call, linesOf } from '../support.ts';
import { answer, HttpPeer, type Behaviour, type Received } from './http-peer.ts';
import { eventually, ship, untilStopped } from './support.ts';

interface Pushed {
  readonly labels: Readonly<Record<string, string>>;
  readonly time: bigint;
  readonly line: string;
}

/** What a request holds. Throws where it is not as Loki documents it. */
function pushed({ method, url, headers, body }: Received): Pushed[] {
  expect([method, url]).toEqual(['POST', '/loki/api/v1/push']);
  expect(headers['content-type']).toBe('application/json');
  expect(headers['content-length']).toBe(String(body.length));
  const { streams, ...rest } = JSON.parse((headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body).toString()) as { streams: { stream: Record<string, string>; values: [string, string][] }[] };
  expect(rest).toEqual({});
  return streams.flatMap(({ stream, values }) => {
    for (const name of Object.keys(stream)) expect(name).toMatch(/^[a-zA-Z_][a-zA-Z0-9_]*$/);
    return values.map(([time, line]) => {
      expect(time).toMatch(/^\d{19}$/);
      return { labels: stream, time: BigInt(time), line };
    });
  });
}

const taken = answer(204);

async function loki(usual: Behaviour = taken): Promise<{ peer: HttpPeer; sink: { to: 'loki'; url: string }; lines: () => string[] }> {
  const peer = await HttpPeer.start(usual);
  return { peer, sink: { to: 'loki', url: `${peer.url}/loki/api/v1/push` }, lines: () => peer.requests.flatMap(pushed).map(({ line }) => line) };
}

test('every entry arrives as the line that is in the file, with the time of the entry, in the order of the chain (R227)', async () => {
  const { peer, sink, lines } = await loki();
  const { log, shipping } = await ship([sink]);
  for (let i = 0; i < 300; i++) log.append(call(`entry ${i} "quoted" ünïcödé`));
  await peer.until(() => lines().length >= 300);
  expect(lines()).toEqual(linesOf(log.status.path ?? ''));
  const all = peer.requests.flatMap(pushed);
  expect(all.every(({ time }, i) => i === 0 || time > (all[i - 1]?.time ?? 0n))).toBe(true);
  expect(all.map(({ time }) => Number(time / 1_000_000n))).toEqual(all.map(({ line }) => Date.parse((JSON.parse(line) as { ts: string }).ts)));
  await eventually(() => expect(shipping.status).toEqual([{ to: `loki at ${sink.url}`, ok: true, shipped: 300, dropped: 0, lagEntries: 0, problem: undefined, retryAt: undefined }]));
});

test('a stream is known by job, host and server, and by the labels that were asked for', async () => {
  const { peer, sink } = await loki();
  const { log } = await ship([{ ...sink, labels: { job: 'audit', site: 'lab' } }]);
  log.append(call('one'));
  await peer.received(1);
  const { server } = JSON.parse(readFileSync(log.status.path ?? '', 'utf8').split('\n')[0] ?? '') as { server: string };
  expect(peer.requests.flatMap(pushed).map(({ labels }) => labels)).toEqual([{ job: 'audit', host: hostname(), site: 'lab', server }]);
});

test('a clock that is set back does not send times back, which Loki would refuse', async () => {
  const { peer, sink, lines } = await loki();
  let now = Date.parse('2026-12-01T10:00:00Z');
  const { log } = await ship([sink], { log: { now: () => new Date(now) } });
  log.append(call('one'));
  now -= 86_400_000;
  log.append(call('two'));
  await peer.until(() => lines().length >= 2);
  now += 1_000;
  log.append(call('three'));
  await peer.until(() => lines().length >= 3);
  const times = peer.requests.flatMap(pushed).map(({ time }) => time);
  expect(times.every((time, i) => i === 0 || time > (times[i - 1] ?? 0n))).toBe(true);
});

test('a tenant and a token are sent as headers, the token from a variable or a file, read anew for each request', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'shellkeep-ship-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'token');
  writeFileSync(file, 'Basic dTpw\n', { mode: 0o600 });
  const { peer, sink } = await loki();
  const withVariable = await ship([{ ...sink, tenant: 'team-a', authorization_env: 'LOKI_TOKEN' }], { env: { LOKI_TOKEN: 'abc123' } });
  withVariable.log.append(call('one'));
  await peer.received(1);
  expect(peer.requests[0]?.headers).toMatchObject({ 'x-scope-orgid': 'team-a', authorization: 'Bearer abc123' });
  const withFile = await ship([{ ...sink, authorization_file: file }]);
  withFile.log.append(call('two'));
  await peer.received(2);
  expect(peer.requests[1]?.headers.authorization).toBe('Basic dTpw');
  writeFileSync(file, 'other');
  withFile.log.append(call('three'));
  await peer.received(3);
  expect(peer.requests[2]?.headers.authorization).toBe('Bearer other');
  expect(JSON.stringify([withVariable.shipping.status, withVariable.told, withFile.shipping.status])).not.toMatch(/abc123|dTpw|other/);
});

test('a token that is not there is a problem of this sink that is told, and nothing is sent without it', async () => {
  const { peer, sink } = await loki();
  const { shipping, told } = await ship([{ ...sink, authorization_env: 'LOKI_TOKEN' }], { wait: untilStopped, before: (log) => void log.append(call('one')) });
  await eventually(() => expect(shipping.status).toMatchObject([{ ok: false, problem: 'the variable LOKI_TOKEN is not set', lagEntries: 1 }]));
  expect(told).toEqual([`the audit log cannot be sent to loki at ${sink.url}: the variable LOKI_TOKEN is not set; it is tried again`]);
  expect(peer.requests).toEqual([]);
});

test('an entry that is refused is found among the others and given up, counted and told; all others arrive', async () => {
  const poison = (request: Received): boolean => pushed(request).some(({ line }) => line.includes('poison'));
  const { peer, sink, lines } = await loki((response, request) => void response.writeHead(poison(request) ? 400 : 204).end(poison(request) ? 'max entry size exceeded' : ''));
  const { log, shipping, told } = await ship([sink], { before: (before) => { for (let i = 0; i < 200; i++) before.append(call(i === 77 ? 'poison' : `entry ${i}`)); } });
  log.append(call('last'));
  await eventually(() => expect(shipping.status).toMatchObject([{ ok: true, shipped: 200, dropped: 1, lagEntries: 0 }]));
  expect(told).toEqual([`1 entry of the audit log will not arrive at loki at ${sink.url}: it answered 400: max entry size exceeded (1 in all)`]);
  expect(peer.requests.length).toBeLessThan(30);
  const accepted = peer.requests.filter((request) => !poison(request)).flatMap(pushed).map(({ line }) => (JSON.parse(line) as { detail: string }).detail);
  expect(accepted).toEqual([...Array.from({ length: 200 }, (_, i) => `entry ${i}`).filter((_, i) => i !== 77), 'last']);
  expect(lines().filter((line) => line.includes('poison')).length).toBeGreaterThan(1);
});

test('a request that is too large is sent in parts', async () => {
  const { peer, sink } = await loki((response, request) => void response.writeHead(pushed(request).length > 10 ? 413 : 204).end());
  const { shipping } = await ship([sink], { before: (log) => { for (let i = 0; i < 50; i++) log.append(call(`entry ${i}`)); } });
  await eventually(() => expect(shipping.status).toMatchObject([{ ok: true, shipped: 50, dropped: 0 }]));
  expect(peer.requests.length).toBeLessThan(20);
});

test('what is older than Loki takes is given up at once and not searched for, and the rest arrives', async () => {
  let now = Date.parse('2026-01-01T00:00:00Z');
  const oldest = '2026-06-01T00:00:00Z';
  const { peer, sink } = await loki((response, request) => {
    const isOld = pushed(request).some(({ time }) => time < BigInt(Date.parse(oldest)) * 1_000_000n);
    response.writeHead(isOld ? 400 : 204).end(isOld ? `entry for stream '{job="shellkeep"}' has timestamp too old: 2026-01-01T00:00:00Z, oldest acceptable timestamp is: ${oldest}` : '');
  });
  const before = (log: { append: (entry: ReturnType<typeof call>) => void }): void => {
    for (let i = 0; i < 100; i++) log.append(call(`old ${i}`));
    now = Date.parse('2026-11-01T00:00:00Z');
    for (let i = 0; i < 5; i++) log.append(call(`new ${i}`));
  };
  const { shipping } = await ship([sink], { log: { now: () => new Date(now) }, before });
  await eventually(() => expect(shipping.status).toMatchObject([{ ok: true, shipped: 5, dropped: 100, lagEntries: 0 }]));
  expect(peer.requests).toHaveLength(2);
});

test('a place that refuses everything is left alone for longer and longer, instead of being given the whole log to throw away', async () => {
  const { sink } = await loki(answer(400, 'no'));
  const { shipping, waits } = await ship([sink], { before: (log) => { for (let i = 0; i < 8; i++) log.append(call(`entry ${i}`)); } });
  await eventually(() => expect(shipping.status).toMatchObject([{ dropped: 8, shipped: 0 }]));
  expect(waits.filter((ms) => ms >= 500).slice(0, 5)).toEqual([500, 1_000, 2_000, 4_000, 8_000]);
  expect(shipping.status[0]?.ok).toBe(false);
});
