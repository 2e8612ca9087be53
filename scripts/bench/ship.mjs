// Sending the audit log: memory while nobody takes it, what it costs a writer, and how fast a place on loopback gets it.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from '../lib/steps.mjs';

const built = (file) => pathToFileURL(path.join(ROOT, 'dist', file)).href;
const FEW = 10_000;
const NOBODY = 'http://127.0.0.1:1/loki/api/v1/push';

export const ship = {
  ship_dead: { measure: (report) => dead(report, 100_000) },
  ship_dead_million: { measure: (report) => dead(report, 1_000_000), isBig: true },
  ship_rate: { measure: rate },
};

/** In a process of its own: what is in use after so many entries, and the microseconds of processor that one has taken. */
const PROGRAM = `
const { count, directory, url } = JSON.parse(process.argv[1]);
const { log, shipping } = await (await import(${JSON.stringify(new URL(import.meta.url).href)})).openShipped({ directory, url, maxBytes: 26_214_400 });
const begun = process.cpuUsage();
for (let i = 0; i < count; i++) {
  log.append({ kind: 'call', tool: 'run', outcome: 'done', classification: 'safe', detail: 'entry ' + i });
  if (i % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
}
const { user, system } = process.cpuUsage(begun);
const status = shipping?.status[0];
for (let round = 0; round < 3; round++) { global.gc(); await new Promise((resolve) => setTimeout(resolve, 30)); }
const { heapUsed, external, arrayBuffers } = process.memoryUsage();
await shipping?.stop(0);
await log.close();
console.log(JSON.stringify({ bytes: heapUsed + external + arrayBuffers, us: (user + system) / count, lag: status?.lagEntries }));
`;

async function dead(report, count) {
  const [without, few, many] = [written(count, undefined), written(FEW, NOBODY), written(count, NOBODY)];
  if (many.lag !== count) throw new Error(`${many.lag} entries wait instead of ${count}`);
  report(`ship_dead_memory_${count}`, { value: (many.bytes - few.bytes) / 1e6, unit: 'MB', atMost: 3 });
  report(`ship_dead_entry_${count}`, { value: many.us, unit: 'us', floor: without.us, timesFloor: 1.25 });
}

function written(count, url) {
  return withDirectory((directory) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['--expose-gc', '--input-type=module', '-e', PROGRAM, JSON.stringify({ count, directory, url })], { encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
    return JSON.parse(stdout);
  });
}

/** Entries that lie there when the place is found. */
async function rate(report) {
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => response.writeHead(204).end());
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  await withDirectory(async (directory) => {
    const url = `http://127.0.0.1:${server.address().port}/loki/api/v1/push`;
    const { log, shipping } = await openShipped({ directory, url, maxBytes: 26_214_400, before: FEW * 2 });
    const begun = performance.now();
    while (shipping.status[0].shipped < FEW * 2) await new Promise((resolve) => setTimeout(resolve, 1));
    report('ship_rate', { value: (FEW * 2_000) / (performance.now() - begun), unit: '1/s', atLeast: 10_000 });
    await shipping.stop();
    await log.close();
  });
  server.close();
  server.closeAllConnections();
}

/** A log, with a shipper beside it if there is an address. */
export async function openShipped({ directory, url, maxBytes, before = 0 }) {
  const [{ AuditLog }, { Shipping }] = await Promise.all([import(built('audit/log.js')), import(built('audit/ship/shipping.js'))]);
  let [shipping, number] = [undefined, 0];
  const makeId = () => `a_${String((number += 1)).padStart(12, '0')}`;
  const log = new AuditLog({ directory: path.join(directory, 'audit'), maxBytes, backups: 100, gzipBytes: 0, sync: 'never', isRequired: false, makeId, log: console.error, onWritten: (seq) => shipping?.onWritten(seq) });
  for (let i = 0; i < before; i++) log.append({ kind: 'call', tool: 'run', outcome: 'done', classification: 'safe', detail: `entry ${i}` });
  if (url !== undefined) shipping = await Shipping.start({ directory: path.join(directory, 'audit'), sinks: [{ to: 'loki', url }], writer: log.writer, env: {}, log: () => undefined });
  return { log, shipping };
}

function withDirectory(use) {
  const directory = mkdtempSync(path.join(tmpdir(), 'shellkeep-bench-'));
  const remove = () => rmSync(directory, { recursive: true, force: true });
  const result = use(directory);
  if (result instanceof Promise) return result.finally(remove);
  remove();
  return result;
}
