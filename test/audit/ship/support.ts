// What the tests of shipping share: a log with a shipper beside it, and a clock for its waits that the test moves.
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import { Shipping, type ShippingOptions } from '../../../src/audit/ship/shipping.ts';
import type { AuditLog, AuditLogOptions } from '../../../src/audit/log.ts';
import { sinksSchema, type SinkSettings } from '../../../src/config/ship-schema.ts';
import { filesOf, openLog } from '../support.ts';

export interface Shipped {
  readonly log: AuditLog;
  readonly directory: string;
  readonly shipping: Shipping;
  /** What was told on standard error. */
  readonly told: string[];
  /** The waits between attempts and for more entries, in their order; each is over at once. */
  readonly waits: number[];
  /** Ends the wait for the next look at what dead servers have left. */
  readonly aMinuteLater: () => void;
}

export interface ShippedOptions extends Partial<Pick<ShippingOptions, 'env' | 'wait'>> {
  readonly log?: Partial<AuditLogOptions>;
  /** Before the shipper starts. */
  readonly before?: (log: AuditLog) => void;
}

/** The look at dead servers; with `random` at 0 no other wait has this length. */
const LOOK_MS = 60_000;

export async function ship(sinks: readonly object[], { log: logOptions = {}, before, env = {}, wait }: ShippedOptions = {}): Promise<Shipped> {
  let shipping: Shipping | undefined;
  const { log, directory } = openLog({ ...logOptions, onWritten: (seq) => shipping?.onWritten(seq) });
  before?.(log);
  const [told, waits, looks]: [string[], number[], Set<() => void>] = [[], [], new Set()];
  const instantly = (ms: number, signal: AbortSignal): Promise<void> => new Promise((resolve) => {
    if (ms !== LOOK_MS) waits.push(ms);
    if (ms !== LOOK_MS) setImmediate(resolve);
    looks.add(resolve);
    signal.addEventListener('abort', () => resolve());
  });
  shipping = await Shipping.start({ directory, sinks: settings(sinks), writer: log.writer, env, log: (message) => told.push(message), wait: wait ?? instantly, random: () => 0 });
  const started = shipping;
  onTestFinished(async () => {
    await started.stop(0);
    await log.close();
  });
  return { log, directory, shipping, told, waits, aMinuteLater: () => looks.forEach((resolve) => resolve()) };
}

export function settings(sinks: readonly object[]): SinkSettings[] {
  return sinksSchema.parse(sinks);
}

/** Makes the files that are there those of a server that has ended. */
export function bury(directory: string): void {
  for (const name of filesOf(directory).filter((file) => file.includes('.jsonl'))) renameSync(join(directory, name), join(directory, name.replace(/Z-\d+-/, 'Z-999999999-')));
}

/** A wait after which nothing happens any more. */
export function untilStopped(_ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve()));
}

/** When the check passes, which may take a while on a busy machine. */
export function eventually(check: () => void, interval = 20): Promise<void> {
  return vi.waitFor(check, { timeout: 15_000, interval });
}
