// The log as it is read: `backup_index` is a view over all segments, entries come from either end, whatever the files contain.
import * as nodeFs from 'node:fs';
import { setImmediate as pause } from 'node:timers/promises';
import { ExpectedError } from '../errors.ts';
import { listSegments, type Segment } from './directory.ts';
import type { AuditFileSystem } from './file-system.ts';
import { createFilter, type AuditFilter } from './filter.ts';
import { countLines, linesBackward, linesForward } from './lines.ts';
import { joined, Pairing } from './pairing.ts';
import { parseRecord, othersThan, type AuditRecord } from './record.ts';
import { openSource, type Source } from './source.ts';

export interface AuditPlace {
  readonly directory: string;
  /** The segment that this server writes; undefined when it has written none, or where there is no server. */
  readonly currentPath?: string | undefined;
  readonly fs?: AuditFileSystem;
}

export interface AuditQuery {
  /** 0 is the current segment, n the n-th newest closed one. */
  readonly backupIndex: number;
  readonly maxEntries: number;
  readonly order: 'newest' | 'oldest';
  readonly filter?: AuditFilter;
}

export interface AuditPage {
  /** The newest, or the oldest, that pass the filter, in the order that was asked for. By the time of their start. */
  readonly entries: readonly AuditRecord[];
  /** Lines of the whole file; for an owner those that it may know of: its own, and what belongs to nobody. */
  readonly totalInFile: number;
  readonly path: string;
  readonly format: Segment['format'];
  /** Lines that were looked at and are no records: damaged, too long, of a later version. The rest of a damaged gzip file counts as one. Damage belongs to nobody. */
  readonly skippedLines: number;
}

/** Lines between two turns of others. */
const LINES_A_TURN = 2_000;

/** Reads one segment. Throws BACKUP_NOT_FOUND. */
export async function readAudit(place: AuditPlace, { backupIndex, ...query }: AuditQuery): Promise<AuditPage> {
  const { directory, currentPath, fs = nodeFs } = place;
  const segments = listSegments(fs, directory);
  const current = currentPath === undefined ? segments.find(({ isClosed }) => !isClosed) : segments.find(({ path }) => path === currentPath);
  const closed = segments.filter((segment) => segment.isClosed && segment !== current);
  const segment = backupIndex === 0 ? current : closed[backupIndex - 1];
  if (segment !== undefined) return readSegment(fs, segment, { ...query, segments });
  if (backupIndex === 0) return { entries: [], totalInFile: 0, path: currentPath ?? directory, format: 'plaintext', skippedLines: 0 };
  const there = closed.length === 0 ? 'there is no closed file' : `there are ${closed.length} closed files, 1 is the newest`;
  throw new ExpectedError('BACKUP_NOT_FOUND', `the audit log has no file ${backupIndex}`, { hint: `${there}; 0 is the current one` });
}

export interface SegmentQuery extends Omit<AuditQuery, 'backupIndex'> {
  /** All there are: an end may stand in a later one than its start. */
  readonly segments: readonly Segment[];
}

/** Reads one of the segments. */
export async function readSegment(fs: AuditFileSystem, segment: Segment, query: SegmentQuery): Promise<AuditPage> {
  const source = await openSource(fs, segment);
  try {
    const totalInFile = await countKnown(source, query.filter?.owner);
    const { entries, skipped } = await new SegmentReader(fs, segment, query).read(source);
    return { entries, totalInFile, path: segment.path, format: segment.format, skippedLines: skipped + (source.isIncomplete ? 1 : 0) };
  } finally {
    source.close();
  }
}

/** How much others do is theirs to know. */
async function countKnown(source: Source, owner: string | undefined): Promise<number> {
  if (owner === undefined) return countLines(source, pause);
  const isOfOther = othersThan(owner);
  let [lines, others] = [0, 0];
  for (const { bytes, isTorn } of linesForward(source)) {
    if (isTorn) return lines - others;
    if ((lines += 1) % LINES_A_TURN === 0) await pause();
    if (bytes !== undefined && isOfOther(bytes)) others += 1;
  }
  return lines - others;
}

class SegmentReader {
  readonly #fs: AuditFileSystem;
  readonly #segment: Segment;
  readonly #query: SegmentQuery;
  readonly #isWanted: (entry: AuditRecord) => boolean;
  readonly #found: AuditRecord[] = [];
  #laterEnds: ReadonlyMap<string, AuditRecord> | undefined;

  constructor(fs: AuditFileSystem, segment: Segment, query: SegmentQuery) {
    this.#fs = fs;
    this.#segment = segment;
    this.#query = query;
    this.#isWanted = createFilter(query.filter ?? {});
  }

  /** Always from the end: of the oldest entries it keeps the last that it has seen. */
  async read(source: Source): Promise<{ entries: AuditRecord[]; skipped: number }> {
    const pairing = new Pairing();
    let [lines, skipped] = [0, 0];
    for (const { bytes, isTorn } of linesBackward(source)) {
      if ((lines += 1) % LINES_A_TURN === 0) await pause();
      const record = bytes === undefined || isTorn ? undefined : parseRecord(bytes);
      const entry = record === undefined ? undefined : pairing.take(record);
      if (record === undefined) skipped += 1;
      if (entry !== undefined) this.#take(entry.kind === 'start' ? await this.#unpaired(entry) : entry);
      if (this.#isEnough()) return { entries: this.#found, skipped };
    }
    for (const end of pairing.rest()) if (!this.#isEnough()) this.#take(end);
    return { entries: this.#query.order === 'oldest' ? this.#found.reverse() : this.#found, skipped };
  }

  #take(entry: AuditRecord): void {
    if (!this.#isWanted(entry)) return;
    this.#found.push(entry);
    if (this.#found.length > this.#query.maxEntries) this.#found.shift(); // only of the oldest: the others stop
  }

  #isEnough(): boolean {
    return this.#query.order === 'newest' && this.#found.length >= this.#query.maxEntries;
  }

  /** A start whose end is not in its file: it may be in a later one of the same server. Without any its server was killed, or it still runs. */
  async #unpaired(start: AuditRecord): Promise<AuditRecord> {
    this.#laterEnds ??= await this.#readLaterEnds();
    const end = this.#laterEnds.get(start.audit_id);
    return end === undefined ? { ...start, outcome: this.#segment.isOfDead ? 'interrupted' : 'running' } : joined(start, end);
  }

  async #readLaterEnds(): Promise<Map<string, AuditRecord>> {
    const { server, number } = this.#segment;
    const later = this.#query.segments.filter((other) => other.server === server && other.number > number);
    const ends = new Map<string, AuditRecord>();
    for (const segment of later) for (const end of await endsWithoutStart(this.#fs, segment)) ends.set(end.audit_id, end);
    return ends;
  }
}

async function endsWithoutStart(fs: AuditFileSystem, segment: Segment): Promise<AuditRecord[]> {
  const source = await openSource(fs, segment);
  try {
    const pairing = new Pairing();
    let lines = 0;
    for (const { bytes, isTorn } of linesBackward(source)) {
      if ((lines += 1) % LINES_A_TURN === 0) await pause();
      const record = bytes === undefined || isTorn ? undefined : parseRecord(bytes);
      if (record !== undefined) pairing.take(record);
    }
    return pairing.rest();
  } finally {
    source.close();
  }
}
