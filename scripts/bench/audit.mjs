// What the audit log costs: an entry, its share of a call, and reading the newest entries of a full file.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from '../lib/steps.mjs';
import { compare, median } from './measure.mjs';
import { withServer } from './own-server.mjs';

const COMMANDS = ['cd /home/me/project && npm test -- --run src', 'git log --oneline -5 | head', "curl -H 'Authorization: Bearer abcdefgh1234' https://x", 'ls -la'];
const FILE_BYTES = 26_214_400;
const ROUNDS = 5;
const ENTRIES = 10_000;

export const audit = { audit: { measure } };

async function measure(report) {
  const entryUs = await withLog(async ({ log, write, readAudit }) => {
    write(ENTRIES); // warm
    const taken = [];
    for (let round = 0; round < ROUNDS; round++) taken.push((await milliseconds(() => write(ENTRIES))) * 1_000 / ENTRIES);
    report('audit_entries', { value: 1e6 / median(taken), unit: '1/s', atLeast: 20_000 });
    while (log.status.segmentBytes < FILE_BYTES - 200_000) write(500);
    const reads = [];
    for (let round = 0; round < ROUNDS; round++) {
      reads.push(await milliseconds(async () => {
        const { entries } = await readAudit({ directory: log.status.directory, currentPath: log.status.path }, { backupIndex: 0, maxEntries: 100, order: 'newest' });
        if (entries.length !== 100) throw new Error(`${entries.length} entries instead of 100`);
      }));
    }
    report('audit_newest_100_of_25mb', { value: median(reads), unit: 'ms', atMost: 50 });
    return median(taken);
  });
  await share(report, entryUs);
}

/** A call writes a start and an end while its caller waits. */
async function share(report, entryUs) {
  await withServer(async ({ server }) => {
    const { session_id } = await server.facts('session_create', { shell: 'bash' });
    const times = await compare(4, 50, {
      session: () => server.call('session_run', { session_id, command: 'echo hi' }),
      run: () => server.call('run', { command: 'echo hi', shell: 'bash' }),
    });
    for (const [name, ms] of Object.entries(times)) report(`audit_share_of_${name}`, { value: (2 * entryUs) / ms / 10, unit: '%', atMost: 5 });
  });
}

/** A log of the built program in a directory of its own. */
async function withLog(use) {
  const built = (file) => import(pathToFileURL(path.join(ROOT, 'dist', 'audit', file)).href);
  const [{ AuditLog }, { recordedArguments }, { readAudit }, { Redactor }] = await Promise.all(['log.js', 'arguments.js', 'read.js', 'redact.js'].map(built));
  const base = mkdtempSync(path.join(tmpdir(), 'shellkeep-bench-'));
  const redactor = new Redactor();
  const log = new AuditLog({ directory: path.join(base, 'audit'), maxBytes: FILE_BYTES, backups: 5, gzipBytes: 0, sync: 'interval', isRequired: false, makeId: () => `a_${randomBytes(6).toString('hex')}`, log: console.error });
  const write = (count) => {
    for (let i = 0; i < count; i += 2) {
      const args = recordedArguments({ command: COMMANDS[(i / 2) % COMMANDS.length], timeout_ms: 1_000 }, { redactor });
      const auditId = log.append({ kind: 'start', tool: 'run', classification: 'safe', owner: 'local', cwd: '/home/me/project', args });
      log.append({ kind: 'end', tool: 'run', auditId, outcome: 'done', exitCode: 0, durationMs: 3, stdoutBytes: 100, stderrBytes: 0 });
    }
  };
  try {
    return await use({ log, write, readAudit });
  } finally {
    await log.close();
    rmSync(base, { recursive: true, force: true });
  }
}

async function milliseconds(work) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
