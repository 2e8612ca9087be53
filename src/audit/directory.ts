// The directory of the log and the segments in it: one of this user alone, or none.
import { uptime } from 'node:os';
import { dirname, join } from 'node:path';
import { systemCode, type AuditFileSystem } from './file-system.ts';
import { hasEnded, parseSegmentName, type SegmentName } from './segment-name.ts';

export interface Segment extends SegmentName {
  readonly path: string;
  readonly format: 'plaintext' | 'gzip';
  /** A closed one is complete: its server has gone on to the next, or has ended. */
  readonly isClosed: boolean;
  /** Whether its server has certainly ended. */
  readonly isOfDead: boolean;
  /** Its server has written none after it. */
  readonly isLast: boolean;
}

/** The directory is not one that the log may use. The message says why, as the end of a sentence. */
export class UnsafeDirectory extends Error {}

/** Makes the directory, or checks the one that is there. Throws UnsafeDirectory or what the disk throws. */
export function makeDirectory(fs: AuditFileSystem, path: string): void {
  const missing = (): boolean => fs.lstatSync(path, { throwIfNoEntry: false }) === undefined;
  if (missing()) {
    makeParents(fs, dirname(path));
    makeOne(fs, path);
  }
  const fault = faultOf(fs, path);
  if (fault !== undefined) throw new UnsafeDirectory(`"${path}" ${fault}`);
}

/** With `recursive`, mkdir of Node never returns where even what exists takes no directory: in /proc that is ENOENT. */
function makeParents(fs: AuditFileSystem, path: string): void {
  if (path === dirname(path) || fs.lstatSync(path, { throwIfNoEntry: false }) !== undefined) return;
  makeParents(fs, dirname(path));
  makeOne(fs, path);
}

function makeOne(fs: AuditFileSystem, path: string): void {
  try {
    fs.mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error; // another server was faster
  }
}

/** What speaks against a directory that is there; one that others may enter is closed to them. */
function faultOf(fs: AuditFileSystem, path: string): string | undefined {
  const stats = fs.lstatSync(path);
  if (stats.isSymbolicLink()) return 'is a symbolic link';
  if (!stats.isDirectory()) return 'is not a directory';
  if (stats.uid !== (process.geteuid?.() ?? stats.uid)) return `belongs to another user (uid ${stats.uid})`;
  if ((stats.mode & 0o777) !== 0o700) fs.chmodSync(path, 0o700);
  return undefined;
}

/** All segments, the newest first. Where both forms of one are there, it is being compressed or was: the compressed one is complete. */
export function listSegments(fs: AuditFileSystem, directory: string): Segment[] {
  const names = namesIn(fs, directory);
  const all = new Set(names);
  const found = names.flatMap((name) => {
    const parsed = name.endsWith('.jsonl') && all.has(`${name}.gz`) ? undefined : parseSegmentName(name);
    return parsed === undefined ? [] : [{ name, parsed }];
  });
  const last = new Map<string, number>();
  for (const { parsed: { server, number } } of found) last.set(server, Math.max(number, last.get(server) ?? 0));
  const ended = new Map<string, boolean>();
  const segments = found.map(({ name, parsed }): Segment => {
    const path = join(directory, name);
    const isOfDead = ended.get(parsed.server) ?? hasEnded(parsed.writer, () => isUntouched(fs, path));
    ended.set(parsed.server, isOfDead);
    const format = name.endsWith('.gz') ? 'gzip' : 'plaintext';
    const isLast = parsed.number === last.get(parsed.server);
    return { ...parsed, path, format, isOfDead, isLast, isClosed: isOfDead || format === 'gzip' || !isLast };
  });
  return segments.sort(newestFirst);
}

/** Names in the directory; none when it cannot be read, or leads somewhere else. */
export function namesIn(fs: AuditFileSystem, directory: string): string[] {
  try {
    return fs.lstatSync(directory).isDirectory() ? fs.readdirSync(directory) : [];
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return [];
  }
}

function newestFirst(one: Segment, other: Segment): number {
  if (one.stamp !== other.stamp) return one.stamp < other.stamp ? 1 : -1;
  return one.server === other.server ? other.number - one.number : one.server < other.server ? 1 : -1;
}

/** Whether a file has not changed since this machine started. */
export function isUntouched(fs: Pick<AuditFileSystem, 'lstatSync'>, path: string): boolean {
  try {
    return fs.lstatSync(path).mtimeMs < Date.now() - uptime() * 1_000;
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return false;
  }
}
