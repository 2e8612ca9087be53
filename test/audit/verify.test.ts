// What was changed afterwards is found, by file and line.
import { readFileSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { verifyAudit } from '../../src/audit/verify.ts';
import { call, filesOf, openLog } from './support.ts';

/** A log of several files, of which the first are compressed. */
async function sample(): Promise<{ directory: string; files: string[] }> {
  const { log, directory } = openLog({ maxBytes: 4_096, backups: 100, gzipBytes: 1 });
  for (let i = 0; i < 60; i++) log.append(call(`entry ${i}`));
  await log.close();
  return { directory, files: filesOf(directory).map((name) => join(directory, name)) };
}

function change(path: string, edit: (lines: string[]) => readonly string[]): void {
  const isGzip = path.endsWith('.gz');
  const lines = (isGzip ? gunzipSync(readFileSync(path)) : readFileSync(path)).toString().trimEnd().split('\n');
  const changed = `${edit(lines).join('\n')}\n`;
  writeFileSync(path, isGzip ? gzipSync(changed) : changed);
}

test('a log as it was written has no fault', async () => {
  const { directory, files } = await sample();
  expect(files.length).toBeGreaterThan(3);
  expect(await verifyAudit(directory)).toEqual({ segments: files.length, records: 60, findings: [] });
});

test.each([
  ['a word in a record', (lines: string[]) => lines.map((line, index) => (index === 2 ? line.replace('entry', 'other') : line)), 4, 'does not fit the line before it'],
  ['a record that was removed', (lines: string[]) => lines.filter((_, index) => index !== 2), 3, '1 lines before it are missing'],
  ['two records in the other order', (lines: string[]) => [lines[0], lines[2], lines[1], ...lines.slice(3)], 2, '1 lines before it are missing'],
  ['a record twice', (lines: string[]) => [lines[0], lines[0], ...lines.slice(1)], 2, 'has the number'],
  ['a record that was put in', (lines: string[]) => [lines[0], (lines[0] ?? '').replace('done', 'failed'), ...lines.slice(1)], 2, 'has the number'],
  ['damage', (lines: string[]) => lines.map((line, index) => (index === 2 ? line.slice(0, 20) : line)), 3, 'is no record of this version'],
  ['the first record removed', (lines: string[]) => lines.slice(1), 1, 'lines before it are missing'],
  ['the last record removed', (lines: string[]) => lines.slice(0, -1), 0, 'lines before it are missing'],
])('%s is found where it is, in a plain and in a compressed file', async (_what, edit, line, what) => {
  for (const index of [1, -1]) {
    const { directory, files } = await sample();
    const path = files.at(index) ?? '';
    change(path, (lines) => edit(lines).map(String));
    const { findings } = await verifyAudit(directory);
    if (line === 0 && index === -1) {
      expect(findings).toEqual([]); // nothing comes after it that could tell
      continue;
    }
    expect(findings[0]).toMatchObject(line === 0 ? { path: files[2], line: 1 } : { path, line });
    expect(findings[0]?.what).toContain(what);
  }
});

test('a file that is missing between two others is found; the oldest ones may go', async () => {
  const { directory, files } = await sample();
  unlinkSync(files[0] ?? '');
  expect((await verifyAudit(directory)).findings).toEqual([]);
  unlinkSync(files[2] ?? '');
  expect((await verifyAudit(directory)).findings).toEqual([{ path: files[3], line: 1, what: expect.stringMatching(/lines before it are missing/) as string }]);
});

test('a file of another server under the name of this one is found', async () => {
  const { directory, files } = await sample();
  const other = await sample();
  writeFileSync(files[0] ?? '', readFileSync(other.files[0] ?? ''));
  expect((await verifyAudit(directory)).findings[0]).toMatchObject({ path: files[0], line: 1, what: expect.stringContaining('is of server') as string });
  rmSync(other.directory, { recursive: true });
});
