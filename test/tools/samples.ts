// One result of each service with every field in it, and small ones where a test varies a field.
import type { AuditPage } from '../../src/audit/read.ts';
import type { Located, MachineFacts } from '../../src/discovery/discovery.ts';
import type { StatusFacts } from '../../src/discovery/server-status.ts';
import type { Rendered } from '../../src/output/render.ts';
import type { Foretold } from '../../src/policy/gate.ts';
import { requiresOverride } from '../../src/policy/refusal.ts';
import type { Verdict } from '../../src/policy/verdict.ts';
import type { CommandReport, CreatedSession, Destroyed, SessionSummary } from '../../src/session/api.ts';
import type { RunResult, SpawnedTask, TaskReport, TaskSummary } from '../../src/task/api.ts';

export function rendered(text: string, more: Partial<Rendered> = {}): Rendered {
  return { text, truncated: false, bytes: Buffer.byteLength(text), cursor: Buffer.byteLength(text), folded: 0, binary: false, lostBytes: 0, suspicious: 0, ...more };
}

export const AUDIT_PAGE: AuditPage = {
  entries: [
    { v: 1, ts: '2026-12-01T08:00:00.123Z', seq: 7, prev: 'ab'.repeat(32), audit_id: 'a_7wq2k4m6n8p2', server: '81-5e', kind: 'run', tool: 'run', owner: 'local', args: { command: { text: 'make', bytes: 4, sha256: 'cd'.repeat(32) } }, outcome: 'done', exit_code: 2, duration_ms: 8_123 },
  ],
  totalInFile: 8_213,
  path: '/home/u/.local/share/shellkeep/audit/1.jsonl.gz',
  format: 'gzip',
  skippedLines: 3,
};

const VERDICT: Verdict = { class: 'dangerous', rules: [{ rule: 'kill-hard', matched: 'kill -9 4711', reason: 'SIGKILL leaves a program no chance' }], remember: {} };
const TERMS = { confirm: 'token', maxClass: 'dangerous' } as const;
export const FORETOLD: Foretold = { verdict: VERDICT, refusal: requiresOverride(VERDICT, TERMS, false), refusalWithDangerous: undefined, confirmToken: 'k7m2p9' };

export const RUN_RESULT: RunResult = {
  stdout: rendered('out\n', { truncated: true, bytes: 61_234, path: '/run/o.log', folded: 31 }),
  stderr: rendered('err\n', { bytes: 71_234, path: '/run/e.log', suspicious: 41 }),
  exitCode: 124,
  signal: 'SIGKILL',
  durationMs: 1234.4,
  queueMs: 57.2,
  timedOut: true,
  cwd: '/home/u/app',
  shell: 'bash',
  backgroundPids: [4711, 4712],
  warnings: ['a job was writing'],
};

export const COMMAND_REPORT: CommandReport = {
  sessionId: 's_k3v9x2m7qp4t',
  commandId: 'c_9d2k4m6n8p2q',
  state: 'ended',
  output: rendered('out\n', { truncated: true, bytes: 61_234, path: '/run/o.log', lostBytes: 51 }),
  stderr: rendered('err\n'),
  exitCode: 137,
  signal: 'SIGKILL',
  durationMs: 1234.4,
  cwd: '/home/u/app',
  changes: { cwd: '/home/u/app', envSet: ['A', 'B'], envUnset: ['C'], aliases: ['ll'], functions: ['f'], options: ['pipefail'] },
  background: [{ job: 1, pid: 4713, state: 'running', command: 'sleep 300' }],
  cpuMs: 81.2,
  cursor: 61_235,
  ladder: { worked: 'SIGTERM', tried: ['interrupt key', 'SIGINT', 'SIGTERM'], alive: [{ pid: 4714, name: 'stubborn' }] },
  warnings: ['aliases are gone'],
};

export const CREATED: CreatedSession = {
  sessionId: 's_k3v9x2m7qp4t',
  name: 'build',
  shell: 'zsh',
  shellPath: '/usr/bin/zsh',
  shellVersion: '5.9',
  integration: 'no_theme',
  pid: 4715,
  cwd: '/home/u/app',
  cols: 121,
  rows: 41,
  startupMs: 85.6,
  startupOutput: 'welcome\n',
  createdAt: '2026-01-02T03:04:05.000Z',
  warnings: ['the prompt hooks of the rc files were removed'],
};

export const SUMMARY: SessionSummary = {
  sessionId: 's_k3v9x2m7qp4t',
  name: 'build',
  shell: 'zsh',
  state: 'running',
  cwd: '/home/u/app',
  command: 'make\nmake test',
  createdAt: '2026-01-02T03:04:05.000Z',
  lastUsedAt: '2026-01-02T03:05:05.000Z',
  envCount: 43,
  commandsRun: 7,
};

export const DESTROYED: Destroyed = {
  sessionId: 's_k3v9x2m7qp4t',
  killed: [{ pid: 4716, name: 'sleep' }],
  survivors: [{ pid: 4717, name: 'stuck' }],
};

export const SPAWNED: SpawnedTask = {
  taskId: 't_k3v9x2m7qp4t',
  name: 'server',
  state: 'running',
  pid: 4718,
  command: 'npm start',
  cwd: '/home/u/app',
  startedAt: '2026-01-02T03:04:05.000Z',
};

export const TASK_SUMMARY: TaskSummary = {
  taskId: 't_k3v9x2m7qp4t',
  name: 'server',
  command: 'npm start',
  state: 'terminated',
  done: true,
  exitCode: 143,
  signal: 'SIGTERM',
  elapsedMs: 9_876.5,
  unreadBytes: 321,
};

export const TASK_REPORT: TaskReport = {
  taskId: 't_k3v9x2m7qp4t',
  state: 'terminated',
  finished: true,
  stdout: rendered('out\n', { truncated: true }),
  stderr: rendered('err\n', { folded: 31 }),
  exitCode: 143,
  signal: 'SIGTERM',
  endedBy: 'request',
  elapsedMs: 9_876.5,
  stdoutCursor: 1_004,
  stderrCursor: 2_004,
  lostBytes: 501,
  warnings: ['the disk is full'],
};

export const MACHINE: MachineFacts = {
  os: 'Debian GNU/Linux 12 (bookworm)',
  kernel: 'Linux 6.1.0-18-amd64',
  arch: 'x86_64',
  wsl: true,
  node: 'v20.19.0',
  user: 'u',
  locale: 'C.UTF-8',
  shells: [{ name: 'zsh', path: '/usr/bin/zsh', version: '5.9', isDefault: true }, { name: 'sh', path: '/usr/bin/sh', isDefault: false }],
  pathEntries: ['/usr/local/bin', ''],
  envKeys: ['HOME', 'PATH'],
};

export const LOCATED: Located = { name: 'git', kind: 'file', path: '/usr/bin/git', version: 'git version 2.39.5' };

export const STATUS: StatusFacts = {
  version: '0.1.0',
  uptimeMs: 98_765.4,
  pid: 4719,
  rssBytes: 85_368_832,
  busyPercent: 12.34,
  descriptors: { open: 27, limit: 1_024 },
  audit: {
    ok: false,
    problem: { code: 'ENOSPC', message: 'no space left on device' },
    path: '/home/u/.local/share/shellkeep/audit/current.jsonl',
    directory: '/home/u/.local/share/shellkeep/audit',
    written: 1_201,
    failed: 1_202,
    dropped: 1_203,
    bytes: 1_204,
    segmentBytes: 1_205,
    files: 4,
    closed: 3,
    sizeBytes: 1_206,
    ship: [{ to: 'loki at http://127.0.0.1:3100', ok: false, problem: 'HTTP 503', shipped: 1_207, dropped: 1_208, lagEntries: 1_209, retryAt: '2026-12-01T08:00:03.000Z' }],
  },
  concurrency: { max: 8, own: { active: 7, queued: 13 }, all: { active: 8, queued: 29 } },
  sessions: { own: 17, all: 18, reaped: 3 },
  tasks: { own: { running: 19, queued: 23 }, all: { running: 20, queued: 24 } },
  output: { bytesOnDisk: 1_207, diskFreeBytes: 1_208 },
  containment: { hasTags: true, watchdogPid: 4720 },
  config: [
    { key: 'max_tasks', value: 64, origin: 'default' },
    { key: 'allowed_roots', value: ['/home/u', '/tmp'], origin: '--allowed-roots' },
    { key: 'shell', value: undefined, origin: 'default' },
  ],
};
