// What stands in for the audit log where there is no place for one: ids without entries, and a required log that lets nothing run.
import { ExpectedError } from '../errors.ts';
import type { MakeId } from '../lib/ids.ts';
import type { AuditEntry } from './entry.ts';
import type { AuditStatus } from './log.ts';

const PROBLEM = { code: 'ENOENT', message: 'there is no home directory for it: set HOME or XDG_DATA_HOME' };

export class NoLog {
  readonly #makeId: MakeId;
  readonly #isRequired: boolean;
  #dropped = 0;

  constructor({ makeId, isRequired }: { readonly makeId: MakeId; readonly isRequired: boolean }) {
    this.#makeId = makeId;
    this.#isRequired = isRequired;
  }

  /** Throws DISK_FULL for a start while the log is required. */
  append(entry: AuditEntry): string {
    this.#dropped += 1;
    if (this.#isRequired && entry.kind === 'start') throw new ExpectedError('DISK_FULL', `the audit log cannot be written: ${PROBLEM.message}`, { hint: 'nothing was run, because audit_required lets nothing run unrecorded' });
    return entry.kind === 'end' ? entry.auditId : this.#makeId('a');
  }

  get status(): AuditStatus {
    return { ok: false, problem: PROBLEM, directory: '', path: undefined, written: 0, failed: 0, dropped: this.#dropped, bytes: 0, segmentBytes: 0 };
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
