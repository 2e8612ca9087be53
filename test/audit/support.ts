// What the tests of the audit log share: logs in directories of their own, and their files as records.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { onTestFinished } from 'vitest';
import type { AuditEntry } from '../../src/audit/entry.ts';
import { AuditLog, type AuditLogOptions } from '../../src/audit/log.ts';
import { createIdMaker } from '../../src/lib/ids.ts';

export interface TestRecord {
  readonly seq: number;
  readonly prev: string;
  readonly server: string;
  readonly kind: string;
  readonly [field: string]: unknown;
}

/** The directory of a log that is not there yet. */
export function temporaryDirectory(): string {
  const base = mkdtempSync(join(tmpdir(), 'shellkeep-audit-'));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  return join(base, 'share', 'audit');
}

export interface TestLog {
  readonly log: AuditLog;
  readonly directory: string;
  /** What was told on standard error. */
  readonly told: string[];
}

export function openLog(options: Partial<AuditLogOptions> = {}): TestLog {
  const directory = options.directory ?? temporaryDirectory();
  const told: string[] = [];
  const log = new AuditLog({
    directory,
    maxBytes: 1_000_000,
    backups: 5,
    gzipBytes: 0,
    sync: 'never',
    isRequired: false,
    makeId: createIdMaker(randomBytes),
    log: (message) => told.push(message),
    ...options,
  });
  return { log, directory, told };
}

export function call(detail: string, more: Partial<AuditEntry> = {}): AuditEntry {
  return { kind: 'call', tool: 'run', outcome: 'done', classification: 'safe', detail, ...more } as AuditEntry;
}

/** Names of the segments, the oldest first. */
export function filesOf(directory: string): string[] {
  return readdirSync(directory).sort();
}

/** Every record of every file; throws for a line that is none. */
export function recordsOf(directory: string): TestRecord[] {
  return filesOf(directory).flatMap((name) => linesOf(join(directory, name)).map((line) => JSON.parse(line) as TestRecord));
}

export function linesOf(path: string): string[] {
  const bytes = readFileSync(path);
  return (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString().split('\n').filter((line) => line !== '');
}

export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
