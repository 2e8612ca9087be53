// How many files this process has open, and how many it may have.
import { readdirSync } from 'node:fs';
import { readSmallFile } from './proc.ts';

export interface DescriptorUse {
  readonly open: number;
  /** undefined when there is none. */
  readonly limit: number | undefined;
}

/** undefined where the system does not tell. Takes about 50 µs. */
export function descriptorUse(): DescriptorUse | undefined {
  const limits = readSmallFile('/proc/self/limits');
  if (limits === undefined) return undefined;
  const limit = /^Max open files +(\d+)/m.exec(limits)?.[1];
  try {
    return { open: readdirSync('/proc/self/fd').length - 1, limit: limit === undefined ? undefined : Number(limit) }; // one is the look's own
  } catch {
    return undefined; // EMFILE
  }
}
