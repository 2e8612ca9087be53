// New records as they are written, by any server. Looks at the directory a few times a second: this is for a person who watches.
import * as nodeFs from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { listSegments, type Segment } from './directory.ts';
import { createFilter, type AuditFilter } from './filter.ts';
import { linesForward } from './lines.ts';
import { parseRecord, type AuditRecord } from './record.ts';
import { openSource } from './source.ts';

export interface FollowOptions {
  readonly directory: string;
  readonly filter: AuditFilter;
  readonly signal?: AbortSignal | undefined;
}

const LOOK_MS = 250;

/** What comes after the call, start and end as records of their own. It ends with the signal. */
export function followAudit({ directory, filter, signal }: FollowOptions): AsyncGenerator<AuditRecord> {
  const positions = new Map<string, number>();
  for (const segment of listSegments(nodeFs, directory)) positions.set(keyOf(segment), segment.format === 'gzip' ? Infinity : sizeOf(segment));
  return follow(directory, { isWanted: createFilter(filter), positions, signal });
}

interface Following {
  readonly isWanted: (record: AuditRecord) => boolean;
  /** How far each segment was read; of one that was compressed meanwhile it is the same. */
  readonly positions: Map<string, number>;
  readonly signal: AbortSignal | undefined;
}

async function* follow(directory: string, { isWanted, positions, signal }: Following): AsyncGenerator<AuditRecord> {
  while (signal?.aborted !== true) {
    for (const segment of listSegments(nodeFs, directory).reverse()) {
      const from = positions.get(keyOf(segment)) ?? 0;
      if (segment.format === 'plaintext' && sizeOf(segment) <= from) continue;
      const { records, position } = await recordsFrom(segment, from);
      positions.set(keyOf(segment), segment.format === 'gzip' ? Infinity : position);
      yield* records.filter(isWanted);
    }
    await sleep(LOOK_MS, undefined, { signal }).catch(() => undefined); // the end of the wait is the end of the loop
  }
}

async function recordsFrom(segment: Segment, from: number): Promise<{ records: AuditRecord[]; position: number }> {
  if (from === Infinity) return { records: [], position: from };
  const source = await openSource(nodeFs, segment);
  const records: AuditRecord[] = [];
  let position = from;
  for (const { bytes, end, isTorn } of linesForward(source, from)) {
    if (isTorn) break; // the rest is still being written
    position = end;
    const record = bytes === undefined ? undefined : parseRecord(bytes);
    if (record !== undefined) records.push(record);
  }
  source.close();
  return { records, position };
}

function keyOf({ server, number }: Segment): string {
  return `${server} ${number}`;
}

function sizeOf({ path }: Segment): number {
  return nodeFs.lstatSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
