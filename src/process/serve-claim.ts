// Which process serves: one for a state directory. A claim is a file with a number; the newest one counts, is made at once with its whole content and by
// one process only, and is never removed while it is the newest. So two that start at the same moment cannot both believe that they serve.
import { linkSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { makeFolder } from './make-folder.ts';
import { isLiving, readProcess, type ProcessIdentity } from './proc.ts';
import { thisPlace, type Place } from './runtime-dir.ts';

/** What a serving process says about itself, for those who look for it. */
export interface ServeRecord extends ProcessIdentity {
  readonly place: Place;
  /** Absolute path of its Unix socket. */
  readonly socket: string;
  /** Of its Streamable HTTP endpoint; absent when it listens on the Unix socket only. */
  readonly url?: string | undefined;
  readonly version: string;
  /** ISO 8601. */
  readonly startedAt: string;
}

const SHAPE = /^serve\.(\d{1,9})\.json$/;
/** A socket of this machine answers at once or not at all. */
const ANSWER_MS = 1_000;

/** The process that serves for a state directory; undefined when none does. */
export async function servingProcess(directory: string): Promise<ServeRecord | undefined> {
  const record = newestClaim(directory)?.record;
  return record !== undefined && (await isServing(record)) ? record : undefined;
}

export type Claimed = { readonly holder: ServeRecord; readonly publish?: never } | { readonly holder?: never; readonly publish: (facts: { readonly url: string }) => void };

/**
 * Claims to be the one that serves, until this process ends; or tells who does already. `publish` adds what is known only once it listens.
 * @throws what the file system says
 */
export async function claimServing(directory: string, facts: Pick<ServeRecord, 'socket' | 'version' | 'startedAt'>): Promise<Claimed> {
  makeFolder(directory);
  const { pid, startTime } = readProcess(process.pid) ?? { pid: process.pid, startTime: 0 };
  const own: ServeRecord = { pid, startTime, place: thisPlace(), ...facts };
  for (;;) {
    const newest = newestClaim(directory);
    if (newest?.record !== undefined && (await isServing(newest.record))) return { holder: newest.record };
    const number = (newest?.number ?? 0) + 1;
    if (!make(directory, number, own)) continue; // another was faster: it is looked at
    for (const { path } of claims(directory).filter((claim) => claim.number < number)) rmSync(path, { force: true });
    return { publish: (more) => replace(directory, number, { ...own, ...more }) };
  }
}

interface Claim {
  readonly number: number;
  readonly path: string;
}

function newestClaim(directory: string): (Claim & { readonly record: ServeRecord | undefined }) | undefined {
  const [newest] = claims(directory).sort((one, other) => other.number - one.number);
  return newest && { ...newest, record: readRecord(newest.path) };
}

function claims(directory: string): Claim[] {
  return listed(directory).flatMap((name) => {
    const number = SHAPE.exec(name)?.[1];
    return number === undefined ? [] : [{ number: Number(number), path: join(directory, name) }];
  });
}

function listed(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return []; // not made yet
  }
}

/** Makes the claim if its number is free; whether it did. */
function make(directory: string, number: number, record: ServeRecord): boolean {
  const draft = draftOf(directory, record);
  try {
    linkSync(draft, pathOf(directory, number)); // with its content or not at all
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

function replace(directory: string, number: number, record: ServeRecord): void {
  renameSync(draftOf(directory, record), pathOf(directory, number));
}

function draftOf(directory: string, record: ServeRecord): string {
  const draft = join(directory, `serve.${record.pid}.draft`);
  writeFileSync(draft, JSON.stringify(record), { mode: 0o600 });
  return draft;
}

function pathOf(directory: string, number: number): string {
  return join(directory, `serve.${number}.json`);
}

/** In another PID namespace numbers mean something else: there its socket tells. */
async function isServing(record: ServeRecord): Promise<boolean> {
  const here = thisPlace();
  if (record.place.boot !== here.boot) return false;
  return record.place.pidNamespace === here.pidNamespace ? isLiving(record) : answers(record.socket);
}

/** Whether somebody listens on a Unix socket. */
export function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    const settle = (does: boolean) => (): void => {
      socket.destroy();
      resolve(does);
    };
    socket.setTimeout(ANSWER_MS, settle(false));
    socket.once('connect', settle(true));
    socket.once('error', settle(false));
  });
}

function readRecord(path: string): ServeRecord | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined; // damaged: nobody's
  }
}

function isRecord(value: unknown): value is ServeRecord {
  if (typeof value !== 'object' || value === null) return false;
  const { pid, startTime, place, socket, version } = value as Partial<Record<keyof ServeRecord, unknown>>;
  return typeof pid === 'number' && typeof startTime === 'number' && typeof place === 'object' && place !== null && typeof socket === 'string' && typeof version === 'string';
}
