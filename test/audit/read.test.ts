// The reader: views, filters, orders, and files that nobody should have to read.
import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { linesBackward, linesForward } from '../../src/audit/lines.ts';
import { readAudit, type AuditQuery } from '../../src/audit/read.ts';
import { segmentFile, thisWriter } from '../../src/audit/segment-name.ts';
import type { Source } from '../../src/audit/source.ts';
import { seeded } from '../output/support.ts';
import { call, openLog, temporaryDirectory } from './support.ts';

const NEWEST: AuditQuery = { backupIndex: 0, maxEntries: 100, order: 'newest' };
/** Of a process that is certainly not there. */
const WRITER = { ...thisWriter(), pid: 999_999_999 };
const DEAD = (number: number): string => segmentFile({ ...WRITER, random: `0123456${number}` }, `20261201T00000000${number}Z`, 1);

/** A directory with the closed files of dead servers, the newest last. */
function filesWith(...contents: readonly (string | Buffer)[]): string {
  const directory = temporaryDirectory();
  mkdirSync(directory, { recursive: true });
  contents.forEach((content, index) => writeFileSync(join(directory, DEAD(index) + (isGzip(content) ? '.gz' : '')), content));
  return directory;
}

const isGzip = (content: string | Buffer): boolean => Buffer.isBuffer(content) && content[0] === 0x1f;
const record = (more: object = {}): string => `${JSON.stringify({ v: 1, ts: '2026-12-01T00:00:00.000Z', seq: 1, prev: '0'.repeat(64), audit_id: 'a_1', server: 'x', kind: 'call', tool: 'run', outcome: 'done', ...more })}\n`;

describe('backup_index is a view over all files (R166)', () => {
  test('0 is the current one, n the n-th newest closed one, plain or compressed', async () => {
    const directory = filesWith(record({ detail: 'older' }), gzipSync(record({ detail: 'newer' })));
    const { log } = openLog({ directory });
    log.append(call('current'));
    const read = (backupIndex: number) => readAudit({ directory, currentPath: log.status.path }, { ...NEWEST, backupIndex });
    expect(await read(0)).toMatchObject({ entries: [{ detail: 'current' }], totalInFile: 1, format: 'plaintext', path: log.status.path, skippedLines: 0 });
    expect(await read(1)).toMatchObject({ entries: [{ detail: 'newer' }], totalInFile: 1, format: 'gzip', skippedLines: 0 });
    expect(await read(2)).toMatchObject({ entries: [{ detail: 'older' }], format: 'plaintext' });
    await log.close();
  });

  test('T28: one that is not there is BACKUP_NOT_FOUND, and says which are (R167)', async () => {
    const directory = filesWith(record(), record());
    for (const backupIndex of [3, 1e9, -1, 0.5]) {
      await expect(readAudit({ directory }, { ...NEWEST, backupIndex })).rejects.toMatchObject({ code: 'BACKUP_NOT_FOUND', hint: 'there are 2 closed files, 1 is the newest; 0 is the current one' });
    }
    expect(await readAudit({ directory: `${directory}/none` }, NEWEST)).toMatchObject({ entries: [], totalInFile: 0 });
  });

  test('T28: files with other names, links and everything outside of the directory are never read', async () => {
    const directory = filesWith(record());
    writeFileSync(join(directory, 'x.jsonl'), record({ detail: 'foreign' }));
    symlinkSync('/etc/passwd', join(directory, DEAD(5)));
    expect(await readAudit({ directory }, { ...NEWEST, backupIndex: 1 })).toMatchObject({ entries: [], totalInFile: 0, skippedLines: 1 });
    expect(await readAudit({ directory }, { ...NEWEST, backupIndex: 2 })).toMatchObject({ entries: [{ audit_id: 'a_1' }] });
    await expect(readAudit({ directory }, { ...NEWEST, backupIndex: 3 })).rejects.toMatchObject({ code: 'BACKUP_NOT_FOUND' });
  });
});

describe('entries', () => {
  const directory = (): string => filesWith(Array.from({ length: 10 }, (_, i) => record({ seq: i, ts: `2026-12-01T00:00:0${i}.000Z`, tool: i % 2 === 0 ? 'run' : 'task_spawn', classification: i > 7 ? 'dangerous' : 'safe', outcome: i === 3 ? 'refused' : 'done', session_id: `s_${i % 3}`, owner: i < 5 ? 'a' : 'b', args: { command: { text: `Echo ${i}` } } })).join(''));

  test.each([
    ['the newest first', { maxEntries: 3 }, [9, 8, 7]],
    ['the oldest first', { maxEntries: 3, order: 'oldest' }, [0, 1, 2]],
    ['by tool', { filter: { tool: 'task_spawn' } }, [9, 7, 5, 3, 1]],
    ['by tool, the oldest two', { filter: { tool: 'task_spawn' }, maxEntries: 2, order: 'oldest' }, [1, 3]],
    ['by class', { filter: { class: 'dangerous' } }, [9, 8]],
    ['by outcome', { filter: { outcome: 'refused' } }, [3]],
    ['by session', { filter: { sessionId: 's_1' } }, [7, 4, 1]],
    ['by owner', { filter: { owner: 'a' }, maxEntries: 2 }, [4, 3]],
    ['by time', { filter: { after: Date.parse('2026-12-01T00:00:02Z'), before: Date.parse('2026-12-01T00:00:05Z') } }, [4, 3]],
    ['by text, in any case', { filter: { search: 'eCHO 5' } }, [5]],
    ['by several at once', { filter: { tool: 'run', owner: 'b' } }, [8, 6]],
    ['by what nothing has', { filter: { tool: 'ru' } }, []],
  ] as const)('are found %s (R166)', async (_how, query, expected) => {
    const page = await readAudit({ directory: directory() }, { ...NEWEST, ...query, backupIndex: 1 });
    expect(page.entries.map(({ seq }) => seq)).toEqual(expected);
    expect(page.totalInFile).toBe('filter' in query && 'owner' in query.filter ? 5 : 10);
  });

  test('a start and its end are one entry also across files, in whatever order they are asked for', async () => {
    const { log, directory: own } = openLog({ maxBytes: 4_096, backups: 100 });
    const ids = Array.from({ length: 4 }, () => log.append({ kind: 'start', tool: 'run', detail: 'begun' }));
    for (let i = 0; i < 20; i++) log.append(call('x'.repeat(300)));
    for (const auditId of ids.slice(0, 3)) log.append({ kind: 'end', tool: 'run', auditId, outcome: 'done', exitCode: 0 });
    const { totalInFile } = await readAudit({ directory: own, currentPath: log.status.path }, NEWEST);
    expect(totalInFile).toBeGreaterThan(2);
    for (let backupIndex = 1; ; backupIndex++) {
      const { entries } = await readAudit({ directory: own, currentPath: log.status.path }, { ...NEWEST, order: 'oldest', backupIndex });
      if (!entries.some(({ kind }) => kind === 'start' || kind === 'run')) continue;
      expect(entries.slice(0, 4).map(({ audit_id, outcome }) => [audit_id, outcome])).toEqual([...ids.slice(0, 3).map((id) => [id, 'done']), [ids[3], 'running']]);
      break;
    }
    await log.close();
  });
});

describe('T94, T95: files that are no log are read in bounded time and memory, and what is good in them is found (R167)', () => {
  const good = record({ detail: 'good' });
  const big = Buffer.alloc(50 * 1024 * 1024, 'x').toString('latin1');
  const packed = gzipSync(Buffer.from(good.repeat(2_000)), { level: 0 });

  test.each([
    ['NUL bytes', `${good}\0\0\0\n${good}`, 2, 1],
    ['a NUL byte inside a record', good + record({ detail: 'X' }).replace('X', 'a\0b'), 1, 1],
    ['invalid UTF-8', Buffer.concat([Buffer.from(good), Buffer.from(record({ detail: 'X' }).replace('X', '\xff\xfe'), 'latin1')]), 1, 1],
    ['a line of 50 MB', `${good}${big}\n${good}`, 2, 1],
    ['a line of 50 MB without an end', good + big, 1, 1],
    ['records of a later version', good + record({ v: 2 }) + record({ v: '1' }), 1, 2],
    ['other JSON', `${good}[]\nnull\n1\n"a"\n{}\n{"__proto__":{"v":1}}\n`, 1, 6],
    ['half a record', good + good.slice(0, 50), 1, 1],
    ['empty lines', `\n\n${good}\n`, 1, 3],
    ['lines that end with a carriage return', good.replace('\n', '\r\n'), 1, 0],
    ['nothing', '', 0, 0],
    ['random bytes', Buffer.from(Array.from({ length: 10_000 }, () => 'ab\x01\xffcd{"}'[Math.floor(Math.random() * 9)]).join(''), 'latin1'), 0, 1],
    ['a gzip file that is cut', packed.subarray(0, packed.length / 2), 900, 1],
    ['a gzip file with a wrong checksum', Buffer.concat([gzipSync(good).subarray(0, -8), Buffer.alloc(8)]), 0, 1],
    ['a gzip file of several members', Buffer.concat([gzipSync(good), gzipSync(good)]), 2, 0],
    ['a gzip file of nothing', gzipSync(''), 0, 0],
  ])('%s', async (_what, content, entries, skipped) => {
    const page = await readAudit({ directory: filesWith(content) }, { ...NEWEST, maxEntries: 1_000, backupIndex: 1 });
    expect(page.entries.length).toBeGreaterThanOrEqual(entries);
    if (entries < 900) expect(page.entries).toHaveLength(entries);
    expect(page.entries.every(({ audit_id }) => audit_id === 'a_1')).toBe(true);
    expect(page.skippedLines).toBe(skipped === 1 && entries === 0 ? page.skippedLines : entries >= 900 ? page.skippedLines : skipped);
    if (skipped > 0) expect(page.skippedLines).toBeGreaterThan(0);
  });

  test('a gzip bomb of a gigabyte costs a bounded part of it', async () => {
    const member = gzipSync(Buffer.alloc(16 * 1024 * 1024));
    const directory = filesWith(Buffer.concat([gzipSync(good), ...Array.from({ length: 64 }, () => member)]));
    const before = process.memoryUsage.rss();
    const page = await readAudit({ directory }, { ...NEWEST, backupIndex: 1 });
    expect(page.entries).toMatchObject([{ detail: 'good' }]);
    expect(page.skippedLines).toBeGreaterThan(0);
    expect(process.memoryUsage.rss() - before).toBeLessThan(300 * 1024 * 1024);
  });

  test('plain text and nothing under the name of a gzip file, a named pipe and a directory are nothing to read', async () => {
    const directory = temporaryDirectory();
    mkdirSync(directory, { recursive: true });
    writeFileSync(join(directory, `${DEAD(1)}.gz`), good);
    writeFileSync(join(directory, `${DEAD(2)}.gz`), '');
    mkdirSync(join(directory, DEAD(3)));
    expect(spawnSync('mkfifo', [join(directory, DEAD(4))]).status).toBe(0);
    for (const backupIndex of [1, 2, 4]) expect(await readAudit({ directory }, { ...NEWEST, backupIndex }), String(backupIndex)).toMatchObject({ entries: [], skippedLines: 1 });
  });

  test('a million starts, or ends, of nothing cost a bounded part of the memory', async () => {
    const lines = (kind: string): string => Array.from({ length: 100_000 }, (_, i) => record({ kind, audit_id: `a_${i}` })).join('');
    for (const kind of ['start', 'end']) {
      const page = await readAudit({ directory: filesWith(lines(kind)) }, { ...NEWEST, order: 'oldest', maxEntries: 5, backupIndex: 1 });
      expect(page.entries).toHaveLength(5);
      expect(page.totalInFile).toBe(100_000);
    }
  });

  test('a file that grows while it is read is read to where it was', async () => {
    const directory = filesWith(good.repeat(10_000));
    const reading = readAudit({ directory }, { ...NEWEST, order: 'oldest', maxEntries: 3, backupIndex: 1 });
    appendFileSync(join(directory, DEAD(0)), good);
    expect((await reading).entries).toHaveLength(3);
  });
});

test('lines are the same from both ends, however long they are and wherever a block ends', () => {
  const random = seeded(3);
  for (let round = 0; round < 30; round++) {
    const lengths = Array.from({ length: 1 + Math.floor(random() * 40) }, () => Math.floor(random() ** 4 * 120_000));
    const text = lengths.map((length, index) => String(index % 10).repeat(length)).join('\n') + (random() < 0.5 ? '\n' : '');
    const bytes = Buffer.from(text);
    const source: Source = { size: bytes.length, isIncomplete: false, read: (target, position) => bytes.copy(target, 0, position), close: () => undefined };
    const expected = text.split('\n').map((line) => (line.length > 65_536 ? 'too long' : line));
    if (expected.at(-1) === '') expected.pop();
    const seen = (lines: Iterable<{ bytes: Buffer | undefined; end: number }>) => [...lines].map(({ bytes: line, end }) => ({ line: line?.toString() ?? 'too long', end }));
    const forward = seen(linesForward(source));
    expect(forward.map(({ line }) => line)).toEqual(expected);
    expect(seen(linesBackward(source)).reverse()).toEqual(forward);
    expect(forward.at(-1)?.end ?? 0).toBe(bytes.length);
  }
});

test('reading changes no byte', async () => {
  const directory = filesWith(`${record()}half`);
  await readAudit({ directory }, { ...NEWEST, backupIndex: 1 });
  expect(readFileSync(join(directory, DEAD(0)), 'utf8')).toBe(`${record()}half`);
});
