// The audit log of this server: entries in, lines on the disk before `append` returns. A disk that fails is counted and told, and never fails
// the caller, unless the log is required.
import * as nodeFs from 'node:fs';
import { join } from 'node:path';
import { ExpectedError } from '../errors.ts';
import type { MakeId } from '../lib/ids.ts';
import type { Log } from '../lib/logger.ts';
import { makeDirectory } from './directory.ts';
import type { AuditEntry } from './entry.ts';
import type { AuditFileSystem } from './file-system.ts';
import { healSegments, type Healed } from './heal.ts';
import { Health } from './health.ts';
import type { Problem } from './problem.ts';
import { encodeRecord, hashOf, NO_LINE } from './record.ts';
import { SegmentFile } from './segment-file.ts';
import { segmentFile, serverOf, stampOf, thisWriter, type Writer } from './segment-name.ts';
import { Upkeep } from './upkeep.ts';

export interface AuditLogOptions {
  readonly directory: string;
  /** A segment that would grow beyond this is closed and the next one begun. */
  readonly maxBytes: number;
  readonly backups: number;
  readonly gzipBytes: number;
  readonly sync: 'interval' | 'always' | 'never';
  /** No command may run without its record. */
  readonly isRequired: boolean;
  readonly makeId: MakeId;
  /** Told once when the disk begins to fail, and once when it works again. */
  readonly log: Log;
  /** Told the number of each record when it is written. */
  readonly onWritten?: ((seq: number) => void) | undefined;
  readonly fs?: AuditFileSystem;
  readonly now?: () => Date;
}

export interface AuditStatus {
  readonly ok: boolean;
  /** What is wrong now: the code of the system, and in words. */
  readonly problem?: Problem | undefined;
  readonly directory: string;
  /** The current segment; undefined before the first entry. */
  readonly path: string | undefined;
  readonly written: number;
  /** Operations that the disk refused. */
  readonly failed: number;
  /** Entries that are in no file. */
  readonly dropped: number;
  /** Bytes written in all, and to the current segment. */
  readonly bytes: number;
  readonly segmentBytes: number;
}

const SYNC_MS = 1_000;
/** How often it is looked whether the file was removed under us. */
const LOOK_MS = 1_000;

export class AuditLog {
  readonly #options: AuditLogOptions;
  readonly #fs: AuditFileSystem;
  readonly #writer = thisWriter();
  readonly #server = serverOf(this.#writer);
  readonly #upkeep: Upkeep;
  #segment: SegmentFile | undefined;
  #number = 0;
  #stamp = '';
  #seq = 0;
  #prev = NO_LINE;
  #lookedAt = 0;
  #syncTimer: NodeJS.Timeout | undefined;
  readonly #health: Health;
  #counts = { written: 0, dropped: 0, bytes: 0 };
  /** Dropped since the last entry that was written. */
  #gap = 0;
  readonly #closing = new Set<Promise<void>>();

  constructor(options: AuditLogOptions) {
    this.#options = options;
    this.#fs = options.fs ?? nodeFs;
    this.#health = new Health((message) => options.log(`${message} (${options.directory})`));
    const { directory, backups, maxBytes, gzipBytes } = options;
    const onFailure = (error: unknown): void => void this.#health.onFailure('upkeep', error);
    this.#upkeep = new Upkeep(segmentFile(this.#writer, stampOf(this.#now()), 0), { fs: this.#fs, directory, backups, maxBytes, gzipBytes, onFailure });
  }

  /** Heals what dead servers left, records that, and looks after closed segments in the background. */
  open(): readonly Healed[] {
    const healed = healSegments(this.#fs, this.#options.directory);
    for (const { file, bytes } of healed) this.append({ kind: 'event', event: 'healed', detail: `${bytes} bytes of a torn line were cut off from ${file}` });
    void this.#upkeep.run();
    return healed;
  }

  /**
   * Writes an entry and gives its id. The bytes are with the system when it returns, so that they survive the end of this process, and on
   * the disk if `sync` says so. Throws DISK_FULL for a start that cannot be written while the log is required; otherwise it does not throw.
   */
  append(entry: AuditEntry): string {
    const auditId = entry.kind === 'end' ? entry.auditId : this.#options.makeId('a');
    try {
      this.#record(entry, auditId);
    } catch (error) {
      const problem = this.#health.onFailure('write', error);
      this.#counts.dropped += 1;
      this.#gap += 1;
      this.#refuseIfRequired(entry, problem, error);
    }
    try {
      this.#sync(entry);
    } catch (error) {
      const problem = this.#health.onFailure('sync', error);
      this.#noteIfRefused(entry, auditId);
      this.#refuseIfRequired(entry, problem, error);
    }
    return auditId;
  }

  /** Who writes here. */
  get writer(): Writer {
    return this.#writer;
  }

  get status(): AuditStatus {
    const { directory } = this.#options;
    const { problem, failed } = this.#health;
    return { ok: problem === undefined, problem, directory, path: this.#segment?.path, failed, ...this.#counts, segmentBytes: this.#segment?.size ?? 0 };
  }

  /** Closes the file, and waits for what is being done in the background. */
  async close(): Promise<void> {
    clearTimeout(this.#syncTimer);
    const segment = this.#segment;
    this.#segment = undefined;
    if (segment !== undefined) this.#closeSegment(segment);
    await Promise.all([...this.#closing]);
    await this.#upkeep.run();
  }

  /** With what was lost before it, if something was. */
  #record(entry: AuditEntry, auditId: string): void {
    const { failed } = this.#health;
    this.#leaveRemovedFile();
    if (this.#gap > 0) this.#write({ kind: 'event', event: 'gap', detail: `${this.#gap} entries before this one could not be written` }, this.#options.makeId('a'));
    this.#gap = 0;
    this.#write(entry, auditId);
    if (this.#health.failed === failed) this.#health.onSuccess('write');
  }

  #write(entry: AuditEntry, auditId: string): void {
    const position = { ts: this.#now(), seq: this.#seq + 1, prev: this.#prev, auditId, server: this.#server };
    const line = Buffer.from(`${encodeRecord(position, entry)}\n`);
    this.#segmentFor(line.length).append(line);
    this.#seq += 1;
    this.#prev = hashOf(line.subarray(0, -1));
    this.#counts.written += 1;
    this.#counts.bytes += line.length;
    this.#options.onWritten?.(this.#seq);
  }

  /** The segment that the next line goes to. */
  #segmentFor(bytes: number): SegmentFile {
    const current = this.#segment;
    if (current !== undefined && !current.isTorn && (current.size === 0 || current.size + bytes <= this.#options.maxBytes)) return current;
    try {
      this.#segment = this.#nextSegment();
    } catch (error) {
      if (current === undefined || current.isTorn) throw error;
      this.#health.onFailure('write', error);
      return current; // a file that grows too large is better than an entry that is lost
    }
    if (current !== undefined) this.#closeSegment(current);
    if (current !== undefined) void this.#upkeep.run();
    return this.#segment;
  }

  #nextSegment(): SegmentFile {
    const { directory } = this.#options;
    makeDirectory(this.#fs, directory);
    this.#number += 1;
    const stamp = stampOf(this.#now());
    if (stamp > this.#stamp) this.#stamp = stamp; // a clock that is set back does not change the order
    return new SegmentFile(this.#fs, join(directory, segmentFile(this.#writer, this.#stamp, this.#number)));
  }

  #closeSegment(segment: SegmentFile): void {
    const isToSync = segment.isDirty && this.#options.sync !== 'never';
    const closing = (isToSync ? segment.sync() : Promise.resolve())
      .finally(() => segment.close())
      .catch((error: unknown) => void this.#health.onFailure('sync', error))
      .finally(() => this.#closing.delete(closing));
    this.#closing.add(closing);
  }

  #sync(entry: AuditEntry): void {
    const { sync } = this.#options;
    if (sync === 'never') return;
    if (sync === 'always' || isUrgent(entry)) this.#syncNow();
    else this.#syncTimer ??= setTimeout(() => this.#syncLater(), SYNC_MS).unref();
  }

  #syncNow(): void {
    if (this.#segment?.isDirty !== true) return;
    this.#segment.syncNow();
    this.#health.onSuccess('sync');
  }

  #syncLater(): void {
    this.#syncTimer = undefined;
    if (this.#segment?.isDirty !== true) return;
    this.#segment.sync().then(() => this.#health.onSuccess('sync'), (error: unknown) => void this.#health.onFailure('sync', error));
  }

  #leaveRemovedFile(): void {
    const now = Date.now();
    if (this.#segment === undefined || Math.abs(now - this.#lookedAt) < LOOK_MS) return;
    this.#lookedAt = now;
    if (this.#isSegmentThere(this.#segment)) return;
    this.#closeSegment(this.#segment);
    this.#segment = undefined;
  }

  #isSegmentThere(segment: SegmentFile): boolean {
    try {
      return segment.isStillThere();
    } catch (error) {
      this.#health.onFailure('write', error);
      return true; // the write will tell
    }
  }

  #isRefused({ kind }: AuditEntry): boolean {
    return this.#options.isRequired && kind === 'start';
  }

  /** Its start stands in the file, and yet nothing will run. */
  #noteIfRefused(entry: AuditEntry, auditId: string): void {
    if (this.#isRefused(entry) && 'tool' in entry) this.append({ kind: 'end', tool: entry.tool, auditId, outcome: 'refused', error: 'DISK_FULL' });
  }

  #refuseIfRequired(entry: AuditEntry, problem: Problem, cause: unknown): void {
    if (this.#isRefused(entry)) throw unrecorded(problem, this.#options.directory, cause);
  }

  #now(): string {
    return (this.#options.now?.() ?? new Date()).toISOString();
  }
}

/** What somebody will want to know of even if the machine goes down in the next second. */
function isUrgent({ classification, outcome }: AuditEntry): boolean {
  return outcome === 'refused' || (classification !== undefined && classification !== 'safe');
}

function unrecorded({ message }: Problem, directory: string, cause: unknown): ExpectedError {
  const hint = `make room in "${directory}" or make it writable, and call again; nothing was run, because audit_required lets nothing run unrecorded`;
  return new ExpectedError('DISK_FULL', `the audit log cannot be written: ${message}`, { hint, cause });
}
