// Opens the audit log of a server as its settings say, and what sends it to other places, if there are any.
import { packageVersion } from '../config/version.ts';
import type { Settings } from '../config/schema.ts';
import type { MakeId } from '../lib/ids.ts';
import type { Log } from '../lib/logger.ts';
import { AuditLog } from './log.ts';
import { NoLog } from './no-log.ts';
import { Redactor } from './redact.ts';
import type { Shipping } from './ship/shipping.ts';
import { AuditTrail } from './trail.ts';

export interface TrailOptions {
  readonly settings: Settings;
  /** undefined where there is no place for it. */
  readonly directory: string | undefined;
  /** Where secrets for other places are. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly makeId: MakeId;
  readonly log: Log;
}

/** The log, with the start of the server in it. */
export async function openTrail({ settings, directory, env, makeId, log }: TrailOptions): Promise<AuditTrail> {
  const shared = { makeId, isRequired: settings.auditRequired };
  const redactor = await Redactor.create(settings.redact);
  if (directory === undefined) return new AuditTrail(new NoLog(shared), redactor);
  const { auditMaxBytes: maxBytes, auditBackups: backups, auditGzipBytes: gzipBytes, auditSync: sync, ship } = settings;
  let shipping: Shipping | undefined;
  const auditLog = new AuditLog({ ...shared, directory, maxBytes, backups, gzipBytes, sync, log, onWritten: (seq) => shipping?.onWritten(seq) });
  auditLog.open();
  if (ship.length > 0) {
    const { Shipping } = await import('./ship/shipping.ts');
    shipping = await Shipping.start({ directory, sinks: ship, writer: auditLog.writer, env, log });
  }
  const trail = new AuditTrail(auditLog, redactor, shipping);
  trail.event('server_started', { detail: `shellkeep ${packageVersion()}, pid ${process.pid}` });
  return trail;
}
