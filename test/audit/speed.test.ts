// What the log costs, measured in a process of its own with the built code: processor time, so that others on this machine do not count.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { ROOT } from '../support/paths.ts';

const built = (file: string): string => JSON.stringify(pathToFileURL(path.join(ROOT, 'dist', file)).href);

const PROGRAM = `
import { randomBytes } from 'node:crypto';
import { AuditLog } from ${built('audit/log.js')};
import { recordedArguments } from ${built('audit/arguments.js')};
import { readAudit } from ${built('audit/read.js')};
import { Redactor } from ${built('audit/redact.js')};
import { createIdMaker } from ${built('lib/ids.js')};
const directory = process.argv[1];
const redactor = new Redactor();
const log = new AuditLog({ directory, maxBytes: 26_214_400, backups: 5, gzipBytes: 0, sync: 'interval', isRequired: false, makeId: createIdMaker(randomBytes), log: console.error });
const commands = ['cd /home/me/project && npm test -- --run src', 'git log --oneline -5 | head', "curl -H 'Authorization: Bearer abcdefgh1234' https://x", 'ls -la'];
const write = (count) => {
  for (let i = 0; i < count; i += 2) {
    const auditId = log.append({ kind: 'start', tool: 'run', classification: 'safe', owner: 'local', cwd: '/home/me/project', args: recordedArguments({ command: commands[(i / 2) % 4], timeout_ms: 1_000 }, { redactor }) });
    log.append({ kind: 'end', tool: 'run', auditId, outcome: 'done', exitCode: 0, durationMs: 3, stdoutBytes: 100, stderrBytes: 0 });
  }
};
const timed = async (action) => {
  const start = process.cpuUsage();
  await action();
  const { user, system } = process.cpuUsage(start);
  return user + system;
};
write(10_000);
const entryUs = [];
for (let round = 0; round < 5; round++) entryUs.push((await timed(() => write(10_000))) / 10_000);
while (log.status.segmentBytes < 25_000_000) write(1_000);
const readMs = [];
for (let round = 0; round < 5; round++) {
  readMs.push((await timed(async () => {
    const { entries } = await readAudit({ directory, currentPath: log.status.path }, { backupIndex: 0, maxEntries: 100, order: 'newest' });
    if (entries.length !== 100) throw new Error('not 100');
  })) / 1_000);
}
await log.close();
console.log(JSON.stringify({ entryUs, readMs }));
`;

test('an entry costs less than 30 µs with its redaction, and the last 100 of 25 MB are there in less than 50 ms', () => {
  const base = mkdtempSync(path.join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'shellkeep-audit-'));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', PROGRAM, path.join(base, 'audit')], { encoding: 'utf8' });
  expect(stderr).toBe('');
  const { entryUs, readMs } = JSON.parse(stdout) as { entryUs: number[]; readMs: number[] };
  console.log(`one entry: ${entryUs.map((us) => us.toFixed(1)).join(' ')} µs; the last 100 of 25 MB: ${readMs.map((ms) => ms.toFixed(1)).join(' ')} ms`);
  expect(Math.min(...entryUs)).toBeLessThan(30);
  expect(Math.min(...readMs)).toBeLessThan(50);
});
