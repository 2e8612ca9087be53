// The newest entries of all servers together, for people.
import * as nodeFs from 'node:fs';
import type { Segment } from './directory.ts';
import { systemCode, type AuditFileSystem } from './file-system.ts';
import type { AuditFilter } from './filter.ts';
import { readSegment } from './read.ts';
import type { AuditRecord } from './record.ts';

export interface NewestQuery {
  readonly limit: number;
  readonly filter: AuditFilter;
  readonly fs?: AuditFileSystem;
}

/** In the order of time, the newest last. Files that were last written before the oldest entry that is wanted are not read. */
export async function readNewest(segments: readonly Segment[], { limit, filter, fs = nodeFs }: NewestQuery): Promise<{ entries: AuditRecord[]; skippedLines: number }> {
  const byLastWrite = segments.map((segment) => ({ segment, writtenMs: lastWrite(fs, segment) })).sort((one, other) => other.writtenMs - one.writtenMs);
  let entries: AuditRecord[] = [];
  let skippedLines = 0;
  for (const { segment, writtenMs } of byLastWrite) {
    const oldest = entries[0];
    if (entries.length === limit && oldest !== undefined && Date.parse(oldest.ts) > writtenMs) break;
    const page = await readSegment(fs, segment, { maxEntries: limit, order: 'newest', filter, segments });
    skippedLines += page.skippedLines;
    entries = [...entries, ...page.entries].sort(byTime).slice(-limit);
  }
  return { entries, skippedLines };
}

function byTime(one: AuditRecord, other: AuditRecord): number {
  return one.ts === other.ts ? one.seq - other.seq : one.ts < other.ts ? -1 : 1;
}

function lastWrite(fs: AuditFileSystem, { path }: Segment): number {
  try {
    return fs.lstatSync(path).mtimeMs;
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return 0;
  }
}
