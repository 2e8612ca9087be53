// What servers left that were killed together with their watchdog: processes are ended by their tags, folders removed.
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { isLiving } from './proc.ts';
import { readRecord, removeServerFiles, serverFolders, thisPlace } from './runtime-dir.ts';
import type { RuntimeDir, ServerRecord } from './runtime-dir.ts';
import { TagSpace } from './tag.ts';
import { terminate } from './terminate.ts';
import type { NamedProcess } from './terminate.ts';

/** Time for what an abandoned server left to end by itself. */
const GRACE_MS = 500;
/** A folder without a record may belong to a server that is just starting. */
const UNRECORDED_AGE_MS = 60_000;

/**
 * Ends and removes what dead servers of this user left. Servers in other PID namespaces cannot be judged from here (their
 * pids mean nothing to us), so theirs stays. Returns what was ended.
 */
export async function sweepStale(own: RuntimeDir): Promise<readonly NamedProcess[]> {
  if (own.shared === undefined) return [];
  const ended: NamedProcess[] = [];
  for (const name of serverFolders(own.shared)) {
    const dir = join(own.shared, name);
    if (dir === own.path || !isAbandoned(dir)) continue;
    const record = readRecord(dir);
    if (record !== undefined && isHere(record)) ended.push(...(await endProcesses(record)));
    removeServerFiles(dir);
  }
  return ended;
}

async function endProcesses({ serverBits }: ServerRecord): Promise<readonly NamedProcess[]> {
  const { killed } = await terminate({ tag: new TagSpace(BigInt(serverBits)) }, { graceMs: GRACE_MS, first: ['SIGHUP', 'SIGTERM'] });
  return killed;
}

function isAbandoned(dir: string): boolean {
  const record = readRecord(dir);
  if (record === undefined) return isOld(dir);
  if (record.place.boot !== thisPlace().boot) return true;
  return isHere(record) && !isLiving(record);
}

function isHere({ place }: ServerRecord): boolean {
  const here = thisPlace();
  return place.boot === here.boot && place.pidNamespace === here.pidNamespace;
}

function isOld(dir: string): boolean {
  const entry = lstatSync(dir, { throwIfNoEntry: false });
  return entry !== undefined && Date.now() - entry.mtimeMs > UNRECORDED_AGE_MS;
}
