// Whether the log is as it was written: every line says its place and the hash of the line before, also from one segment to the next.
// This finds accidents and careless changes; whoever may write the files can also write a whole new chain.
import * as nodeFs from 'node:fs';
import { setImmediate as pause } from 'node:timers/promises';
import { listSegments, type Segment } from './directory.ts';
import type { AuditFileSystem } from './file-system.ts';
import { linesForward } from './lines.ts';
import { hashOf, NO_LINE, parseRecord, type AuditRecord } from './record.ts';
import { openSource } from './source.ts';

/** Something that is not as it was written. */
export interface Finding {
  readonly path: string;
  /** From 1; 0 is the file as a whole. */
  readonly line: number;
  readonly what: string;
}

export interface Verified {
  readonly segments: number;
  readonly records: number;
  readonly findings: readonly Finding[];
}

/** The last line that was seen of a server; undefined where nothing is known about it. */
interface Link {
  readonly seq: number;
  readonly hash: string;
}

const LINES_A_TURN = 2_000;

/** Checks all segments, those of each server in their order. */
export async function verifyAudit(directory: string, fs: AuditFileSystem = nodeFs): Promise<Verified> {
  const segments = listSegments(fs, directory).reverse();
  const findings: Finding[] = [];
  const links = new Map<string, Link | undefined>();
  let records = 0;
  for (const segment of segments) {
    const isFirst = !links.has(segment.server);
    const chain = new Chain(segment, findings, links.get(segment.server), isFirst);
    await chain.check(fs);
    records += chain.records;
    links.set(segment.server, chain.last);
  }
  return { segments: segments.length, records, findings };
}

class Chain {
  records = 0;
  last: Link | undefined;
  readonly #segment: Segment;
  readonly #findings: Finding[];
  /** Earlier segments are not there: retention has removed them, so that the first line may say anything about what was before. */
  #isOpen: boolean;

  constructor(segment: Segment, findings: Finding[], last: Link | undefined, isOpen: boolean) {
    this.#segment = segment;
    this.#findings = findings;
    this.last = last;
    this.#isOpen = isOpen;
  }

  async check(fs: AuditFileSystem): Promise<void> {
    const source = await openSource(fs, this.#segment);
    try {
      let line = 0;
      for (const { bytes, isTorn } of linesForward(source)) {
        if ((line += 1) % LINES_A_TURN === 0) await pause();
        if (isTorn) this.#checkTorn(line);
        else this.#checkLine(line, bytes);
      }
      if (source.isIncomplete) this.#report(0, 'cannot be read to its end: it is damaged, too large, or no regular file');
    } finally {
      source.close();
    }
  }

  /** A living server may just be writing it. */
  #checkTorn(line: number): void {
    if (this.#segment.isClosed) this.#report(line, 'is torn: it has no end');
  }

  #checkLine(line: number, bytes: Buffer | undefined): void {
    const record = bytes === undefined ? undefined : parseRecord(bytes);
    if (bytes === undefined || record === undefined) {
      this.#report(line, 'is no record of this version');
      this.last = bytes === undefined || this.last === undefined ? undefined : { seq: this.last.seq + 1, hash: hashOf(bytes) };
      this.#isOpen = this.last === undefined;
      return;
    }
    const fault = this.#faultOf(record);
    if (fault !== undefined) this.#report(line, fault);
    this.records += 1;
    this.last = { seq: record.seq, hash: hashOf(bytes) };
    this.#isOpen = false;
  }

  #faultOf({ seq, prev, server }: AuditRecord): string | undefined {
    if (server !== this.#segment.server) return `is of server ${JSON.stringify(server)}, not of the one that the file is named after`;
    if (this.#isOpen && this.last === undefined) return seq === 1 && prev !== NO_LINE ? 'says that it is the first and that there was one before it' : undefined;
    const expected = (this.last?.seq ?? 0) + 1;
    if (seq !== expected) return seq > expected ? `has the number ${seq} after ${expected - 1}: ${seq - expected} lines before it are missing` : `has the number ${seq} after ${expected - 1}`;
    return prev === (this.last?.hash ?? NO_LINE) ? undefined : 'does not fit the line before it: one of the two was changed';
  }

  #report(line: number, what: string): void {
    this.#findings.push({ path: this.#segment.path, line, what });
  }
}
