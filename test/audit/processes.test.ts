// Several servers at one directory, and servers that are killed while they write.
import { appendFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readAudit } from '../../src/audit/read.ts';
import { verifyAudit } from '../../src/audit/verify.ts';
import { call, filesOf, openLog, recordsOf, temporaryDirectory } from './support.ts';
import { startWriter } from './writer-program.ts';

/** More lives than a run of all tests has time for: AUDIT_KILLS=200 npx vitest run test/audit/processes.test.ts */
const KILLS = Number(process.env['AUDIT_KILLS'] ?? 15);
const ENTRIES = 5_000;

test('four servers that write, rotate and compress at the same time lose nothing and write nothing twice (R162, R164)', async () => {
  const directory = temporaryDirectory();
  const writers = ['a', 'b', 'c', 'd'].map((name) => startWriter({ directory, name, count: ENTRIES, maxBytes: 65_536, gzipBytes: 1, backups: 10_000, least: 10, most: 300 }));
  expect(await Promise.all(writers.map(({ ended }) => ended))).toEqual([0, 0, 0, 0]);
  const details = recordsOf(directory).map(({ detail }) => String(detail));
  expect(details).toHaveLength(4 * ENTRIES);
  expect(new Set(details).size).toBe(4 * ENTRIES);
  expect(await verifyAudit(directory)).toMatchObject({ records: 4 * ENTRIES, findings: [] });
  const files = filesOf(directory);
  expect(files.filter((name) => name.endsWith('.gz')).length).toBeGreaterThan(20);
  expect(files.filter((name) => name.endsWith('.tmp'))).toEqual([]);
}, 60_000);

test('four servers keep as much as one, and never remove what a living one writes', async () => {
  const directory = temporaryDirectory();
  const { log } = openLog({ directory });
  log.append(call('mine'));
  const mine = log.status.path ?? '';
  const writers = ['a', 'b', 'c', 'd'].map((name) => startWriter({ directory, name, count: 1_000, maxBytes: 16_384, gzipBytes: 1, backups: 3, least: 10, most: 300 }));
  expect(await Promise.all(writers.map(({ ended }) => ended))).toEqual([0, 0, 0, 0]);
  expect(statSync(mine).size).toBeGreaterThan(0);
  const last = openLog({ directory, backups: 3 });
  last.log.open();
  await last.log.close();
  const closed = filesOf(directory).filter((name) => !mine.endsWith(name));
  expect(closed.length).toBeGreaterThanOrEqual(3);
  expect(closed.filter((name) => !name.endsWith('000001.jsonl.gz')).length).toBe(closed.length); // the first ones of all four have gone
  expect(closed.reduce((sum, name) => sum + statSync(join(directory, name)).size, 0)).toBeLessThanOrEqual(3 * 16_384);
  await log.close();
}, 60_000);

test('servers that wrote little do not push out what was before: their last files count by size', async () => {
  const directory = temporaryDirectory();
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) {
    expect(await startWriter({ directory, name, count: 3, maxBytes: 16_384, gzipBytes: 0, backups: 2, least: 10, most: 20 }).ended).toBe(0);
  }
  const { log } = openLog({ directory, maxBytes: 16_384, backups: 2 });
  log.open();
  await log.close();
  expect(recordsOf(directory).map(({ detail }) => detail)).toEqual(['a', 'b', 'c', 'd', 'e', 'f'].flatMap((name) => [0, 1, 2].map((index) => `${name}-${index}`)));
  const { log: strict } = openLog({ directory, maxBytes: 4_096, backups: 1 });
  strict.open();
  await strict.close();
  const kept = recordsOf(directory).map(({ detail }) => String(detail));
  expect(kept.at(-1)).toBe('f-2');
  expect(kept.length).toBeLessThan(18);
});

test(`kill -9 while entries of 100 B to 8 KB are written, ${KILLS} times: no acknowledged entry is lost, and at most one line a life is torn, cut off and reported`, async () => {
  const directory = temporaryDirectory();
  const acknowledged: string[] = [];
  let healed = 0;
  for (let life = 0; life < KILLS; life++) {
    const writer = startWriter({ directory, name: `life${life}`, count: 1_000_000, maxBytes: 262_144, gzipBytes: 1, backups: 10_000, least: 1, most: 7_500 });
    const enough = 20 + ((life * 37) % 200);
    await new Promise<void>((resolve) => writer.child.stdout?.on('data', () => { if (writer.output().split('\n').length > enough) resolve(); }));
    writer.child.kill('SIGKILL');
    await writer.ended;
    const [first = '', ...lines] = writer.output().split('\n');
    const count = Number(first.replace('healed ', ''));
    expect(count).toBeLessThanOrEqual(1);
    healed += count;
    acknowledged.push(...lines.slice(0, -1));
  }
  const { log } = openLog({ directory, backups: 10_000, gzipBytes: 1 });
  healed += log.open().length;
  await log.close();
  const records = recordsOf(directory); // every line of every file is whole
  const written = records.map(({ detail }) => String(detail));
  const there = new Set(written);
  expect(acknowledged.length).toBeGreaterThan(KILLS * 20);
  expect(acknowledged.filter((name) => !there.has(name))).toEqual([]);
  expect(there.size).toBe(written.length);
  expect(records.filter(({ event }) => event === 'healed')).toHaveLength(healed);
  expect((await verifyAudit(directory)).findings).toEqual([]);
  expect(readdirSync(directory).filter((name) => name.endsWith('.tmp'))).toEqual([]);
}, 25_000 + KILLS * 2_000);

test.each([
  ['half a line', '{"v":1,"ts":"2026'],
  ['zeros, as after a loss of power', '\0'.repeat(70_000)],
  ['half a line that is longer than a block', `{"v":1,${'x'.repeat(200_000)}`],
])('%s at the end of a dead server\'s file is cut off and reported, and the entries before it stay', async (_what, torn) => {
  const directory = temporaryDirectory();
  const writer = startWriter({ directory, name: 'a', count: 3, maxBytes: 65_536, gzipBytes: 0, backups: 5, least: 10, most: 20 });
  await writer.ended;
  const [name = ''] = filesOf(directory);
  appendFileSync(join(directory, name), torn);
  expect((await verifyAudit(directory)).findings).toEqual([{ path: join(directory, name), line: 4, what: expect.any(String) as string }]);
  const { log } = openLog({ directory });
  expect(log.open()).toEqual([{ file: name, bytes: torn.length }]);
  expect(recordsOf(directory).map(({ detail }) => detail)).toEqual(['a-0', 'a-1', 'a-2', `${torn.length} bytes of a torn line were cut off from ${name}`]);
  expect(log.open()).toEqual([]);
  expect((await verifyAudit(directory)).findings).toEqual([]);
  await log.close();
});

test('the torn line of a server that lives is left alone: it may be writing it', async () => {
  const directory = temporaryDirectory();
  const { log } = openLog({ directory });
  log.append(call('x'));
  appendFileSync(log.status.path ?? '', '{"v":1');
  const size = statSync(log.status.path ?? '').size;
  expect(openLog({ directory }).log.open()).toEqual([]);
  expect(statSync(log.status.path ?? '').size).toBe(size);
  await log.close();
});

test('what a server left that was killed while it compressed is removed by the next one, and files of others are not', async () => {
  const directory = temporaryDirectory();
  const writer = startWriter({ directory, name: 'a', count: 3, maxBytes: 65_536, gzipBytes: 0, backups: 5, least: 10, most: 20 });
  await writer.ended;
  const [name = ''] = filesOf(directory);
  writeFileSync(join(directory, `${name}.gz.${name}.tmp`), 'half');
  writeFileSync(join(directory, 'notes.txt'), 'mine');
  const { log } = openLog({ directory });
  log.open();
  await log.close();
  expect(filesOf(directory)).toEqual([name, 'notes.txt']);
});

test('a start without an end shows as interrupted when its server is dead, as running while it lives, and as one entry with its end', async () => {
  const directory = temporaryDirectory();
  const { log } = openLog({ directory });
  const auditId = log.append({ kind: 'start', tool: 'run', classification: 'safe' });
  const read = async () => (await readAudit({ directory }, { backupIndex: 0, maxEntries: 10, order: 'newest' })).entries;
  expect(await read()).toMatchObject([{ audit_id: auditId, outcome: 'running' }]);
  log.append({ kind: 'end', tool: 'run', auditId, outcome: 'done', exitCode: 3 });
  expect(await read()).toMatchObject([{ audit_id: auditId, outcome: 'done', exit_code: 3, classification: 'safe', kind: 'run', ended_at: expect.any(String) as string }]);
  log.append({ kind: 'start', tool: 'task_spawn' });
  const [name = ''] = filesOf(directory);
  await log.close();
  const dead = join(directory, name.replace(/Z-\d+-/, 'Z-999999999-'));
  const { renameSync } = await import('node:fs');
  renameSync(join(directory, name), dead);
  expect((await readAudit({ directory }, { backupIndex: 1, maxEntries: 10, order: 'oldest' })).entries).toMatchObject([{ outcome: 'done' }, { tool: 'task_spawn', outcome: 'interrupted' }]);
});
