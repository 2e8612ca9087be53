// The audit log as a server uses it: a record for each call, events without a call, and what can be read of it all.
import type { EventName, Facts } from './entry.ts';
import { CallRecord, type Caller } from './call-record.ts';
import type { AuditLog, AuditStatus } from './log.ts';
import { readAudit, type AuditPage, type AuditQuery } from './read.ts';
import type { Redactor } from './redact.ts';
import type { ShipStatus } from './ship/shipper.ts';
import type { Shipping } from './ship/shipping.ts';

export class AuditTrail {
  readonly #log: Pick<AuditLog, 'append' | 'status' | 'close'>;
  readonly #redactor: Redactor;
  readonly #shipping: Pick<Shipping, 'status' | 'stop'> | undefined;

  constructor(log: Pick<AuditLog, 'append' | 'status' | 'close'>, redactor: Redactor, shipping?: Pick<Shipping, 'status' | 'stop'>) {
    this.#log = log;
    this.#redactor = redactor;
    this.#shipping = shipping;
  }

  /** The record of a call that has just come. */
  begin(tool: string, args: unknown, caller: Caller): CallRecord {
    return new CallRecord({ append: (entry) => this.#log.append(entry), redactor: this.#redactor, tool, args, caller });
  }

  /** Something that no call did. */
  event(event: EventName, facts: Facts = {}): void {
    this.#log.append({ kind: 'event', event, ...facts });
  }

  get status(): AuditStatus {
    return this.#log.status;
  }

  /** Of the places that it is sent to. */
  get shipStatus(): readonly ShipStatus[] {
    return this.#shipping?.status ?? [];
  }

  /** Throws BACKUP_NOT_FOUND. */
  read(query: AuditQuery): Promise<AuditPage> {
    const { directory, path } = this.#log.status;
    return readAudit({ directory, currentPath: path }, query);
  }

  async close(): Promise<void> {
    await this.#shipping?.stop();
    await this.#log.close();
  }
}
