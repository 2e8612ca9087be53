// Starts and ends put together again: what a reader sees is one entry for everything that ran. Fed from the newest record to the oldest.
import type { AuditRecord } from './record.ts';

/** Ends that wait for their starts: as many as ran at one time. Many more are in no file that a server wrote. */
const MAX_WAITING = 2_000;

export class Pairing {
  readonly #ends = new Map<string, AuditRecord>();

  /** The entry that is complete with this record, or a start whose end is not in this file; undefined for an end, whose start is still to come. */
  take(record: AuditRecord): AuditRecord | undefined {
    if (record.kind === 'end') return this.#wait(record);
    const end = record.kind === 'start' ? this.#ends.get(record.audit_id) : undefined;
    if (end === undefined) return record;
    this.#ends.delete(record.audit_id);
    return joined(record, end);
  }

  /** At the beginning of the file: ends of starts that stand in an earlier one, the newest first. */
  rest(): AuditRecord[] {
    return [...this.#ends.values()];
  }

  #wait(end: AuditRecord): AuditRecord | undefined {
    this.#ends.set(end.audit_id, end);
    if (this.#ends.size <= MAX_WAITING) return undefined;
    const [longest] = this.#ends.values();
    if (longest !== undefined) this.#ends.delete(longest.audit_id);
    return longest;
  }
}

/** When and where it began, and how it ended. */
export function joined(start: AuditRecord, end: AuditRecord): AuditRecord {
  const { v, ts, seq, prev, audit_id, server } = start;
  return { ...start, ...end, v, ts, seq, prev, audit_id, server, kind: 'run', ended_at: end.ts };
}
