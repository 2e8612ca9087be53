// An audit log in memory, for tests of what speaks to it.
import type { AuditEntry } from '../../src/audit/entry.ts';
import { Redactor } from '../../src/audit/redact.ts';
import { AuditTrail } from '../../src/audit/trail.ts';

/** The id of every entry. */
export const AUDIT_ID = 'a_k3v9x2m7qp4t';

export interface MemoryTrail {
  readonly trail: AuditTrail;
  /** What it was told. */
  readonly entries: readonly AuditEntry[];
}

/** `refuse` throws for entries that cannot be written. */
export function memoryTrail(refuse: (entry: AuditEntry) => void = () => {}): MemoryTrail {
  const entries: AuditEntry[] = [];
  const append = (entry: AuditEntry): string => {
    refuse(entry);
    entries.push(entry);
    return AUDIT_ID;
  };
  const status = { ok: true, directory: '/audit', path: '/audit/1.jsonl', written: 0, failed: 0, dropped: 0, bytes: 0, segmentBytes: 0 };
  return { trail: new AuditTrail({ append, status, close: () => Promise.resolve() }, new Redactor()), entries };
}
