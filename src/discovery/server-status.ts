// What this server holds and how near it is to its limits: everything that lets a problem be seen coming.
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { AuditStatus } from '../audit/log.ts';
import { Redactor } from '../audit/redact.ts';
import type { ShipStatus } from '../audit/ship/shipper.ts';
import type { AuditTrail } from '../audit/trail.ts';
import type { Origins } from '../config/load.ts';
import type { Settings } from '../config/schema.ts';
import { packageVersion } from '../config/version.ts';
import type { Load, Turns } from '../lib/turns.ts';
import { descriptorUse, type DescriptorUse } from '../process/descriptors.ts';
import type { TagSpace } from '../process/tag.ts';
import { auditFiles, type AuditFiles } from './audit-files.ts';
import { shownSettings, type ShownSetting } from './shown-settings.ts';

interface TaskLoad {
  readonly running: number;
  readonly queued: number;
}

/** The parts of a server that are looked at. */
export interface ServerParts {
  readonly settings: Settings;
  readonly origins: Origins;
  readonly turns: Pick<Turns, 'load' | 'max' | 'of'>;
  readonly sessions: { readonly count: number; readonly reaped: number; countOf(owner: string): number };
  readonly tasks: { readonly load: TaskLoad; loadOf(owner: string): TaskLoad };
  readonly store: { readonly bytesOnDisk: number };
  /** Where spilled output goes; made when the first is spilled. */
  readonly outputPath: string;
  readonly watchdog: { readonly pid: number | undefined };
  readonly tags: Pick<TagSpace, 'applyToServer'>;
  readonly audit: Pick<AuditTrail, 'status' | 'shipStatus'>;
}

export interface StatusFacts {
  readonly version: string;
  readonly uptimeMs: number;
  readonly pid: number;
  readonly rssBytes: number;
  /** Since the start, which part of the time the server was busy; a wait of a caller is none. */
  readonly busyPercent: number;
  readonly descriptors: DescriptorUse | undefined;
  readonly audit: AuditStatus & AuditFiles & { readonly ship: readonly ShipStatus[] };
  readonly concurrency: { readonly max: number; readonly own: Load; readonly all: Load };
  readonly sessions: { readonly own: number; readonly all: number; readonly reaped: number };
  readonly tasks: { readonly own: TaskLoad; readonly all: TaskLoad };
  readonly output: { readonly bytesOnDisk: number; readonly diskFreeBytes: number | undefined };
  /** How what was started is found and ended: by its process group always; by its tag; by a watchdog when the server is killed. */
  readonly containment: { readonly hasTags: boolean; readonly watchdogPid: number | undefined };
  readonly config: readonly ShownSetting[];
}

/** As one owner may see it. */
export async function serverStatus(parts: ServerParts, owner: string): Promise<StatusFacts> {
  const { settings, origins, turns, sessions, tasks, store, outputPath, watchdog, tags, audit } = parts;
  const [redactor, diskFreeBytes, hasTags] = await Promise.all([Redactor.create(settings.redact), freeBytes(outputPath), tags.applyToServer()]);
  return {
    version: packageVersion(),
    uptimeMs: process.uptime() * 1_000,
    pid: process.pid,
    rssBytes: process.memoryUsage.rss(),
    busyPercent: performance.eventLoopUtilization().utilization * 100,
    descriptors: descriptorUse(),
    audit: { ...audit.status, ...auditFiles(audit.status.directory), ship: audit.shipStatus },
    concurrency: { max: turns.max, own: turns.of(owner).load, all: turns.load },
    sessions: { own: sessions.countOf(owner), all: sessions.count, reaped: sessions.reaped },
    tasks: { own: tasks.loadOf(owner), all: tasks.load },
    output: { bytesOnDisk: store.bytesOnDisk, diskFreeBytes },
    containment: { hasTags, watchdogPid: watchdog.pid },
    config: shownSettings(settings, origins, redactor),
  };
}

/** For this user, of the disk that a folder is on or will be on; undefined when that cannot be known. */
async function freeBytes(folder: string): Promise<number | undefined> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch {
    return dirname(folder) === folder ? undefined : freeBytes(dirname(folder));
  }
}
