// The names of the log's files. A name says when the file was begun and by which process, so that whether its writer lives can be told without
// opening it, and whatever it contains.
import { createHash, randomBytes } from 'node:crypto';
import { isLiving, readProcess, type ProcessIdentity } from '../process/proc.ts';
import { thisPlace } from '../process/runtime-dir.ts';

/** One server process: the writer of one or more segments. */
export interface Writer extends ProcessIdentity {
  /** Hash of the boot: on another boot the same number is another process. */
  readonly boot: string;
  /** Hash of the PID namespace, where numbers mean something else, too. */
  readonly pidNamespace: string;
  readonly random: string;
}

export interface SegmentName {
  readonly writer: Writer;
  /** The same for all segments of a server, and only for these. */
  readonly server: string;
  /** When it was begun, such that texts sort as times do. */
  readonly stamp: string;
  /** Counts the segments of its server from 1. */
  readonly number: number;
}

const SHAPE = /^(\d{8}T\d{9}Z)-(.{1,60})-(\d{6})\.jsonl(?:\.gz)?$/;
const WRITER_SHAPE = /^(\d{1,10})-(\d{1,16})-([0-9a-f]{6})([0-9a-f]{6})-([0-9a-f]{8})$/;

/** This process as a writer. */
export function thisWriter(): Writer {
  const { boot, pidNamespace } = here();
  const { pid, startTime } = readProcess(process.pid) ?? { pid: process.pid, startTime: 0 };
  return { pid, startTime, boot, pidNamespace, random: randomBytes(4).toString('hex') };
}

/** What the records of a server carry. */
export function serverOf({ pid, random }: Writer): string {
  return `${pid}-${random}`;
}

/** The writer as a part of a name. */
export function writerName({ pid, startTime, boot, pidNamespace, random }: Writer): string {
  return `${pid}-${startTime}-${boot}${pidNamespace}-${random}`;
}

/** The writer that a part of a name stands for; undefined for one that is none of ours. */
export function parseWriterName(name: string): Writer | undefined {
  const match = WRITER_SHAPE.exec(name);
  if (match === null) return undefined;
  const [, pid = '', startTime = '', boot = '', pidNamespace = '', random = ''] = match;
  return { pid: Number(pid), startTime: Number(startTime), boot, pidNamespace, random };
}

export function segmentFile(writer: Writer, stamp: string, number: number): string {
  return `${stamp}-${writerName(writer)}-${String(number).padStart(6, '0')}.jsonl`;
}

/** `2026-12-01T02:34:57.123Z` as part of a name. */
export function stampOf(ts: string): string {
  return ts.replaceAll(/[-:.]/g, '');
}

/** What a name says; undefined for files that are none of ours. */
export function parseSegmentName(name: string): SegmentName | undefined {
  const match = SHAPE.exec(name);
  const [, stamp = '', who = '', number = ''] = match ?? [];
  const writer = parseWriterName(who);
  return writer === undefined ? undefined : { writer, server: serverOf(writer), stamp, number: Number(number) };
}

/**
 * Whether a writer has certainly ended. One of an earlier boot has, unless the directory is shared with another machine: `isUntouched` says whether its
 * file has not changed since this machine started. Nothing can be said about one in another PID namespace (a container): it counts as living.
 */
export function hasEnded(writer: Writer, isUntouched: () => boolean): boolean {
  const { boot, pidNamespace } = here();
  if (writer.boot !== boot) return isUntouched();
  return writer.pidNamespace === pidNamespace && !isLiving(writer);
}

let place: { readonly boot: string; readonly pidNamespace: string } | undefined;

function here(): { readonly boot: string; readonly pidNamespace: string } {
  if (place === undefined) {
    const { boot, pidNamespace } = thisPlace();
    place = { boot: shortHash(boot), pidNamespace: shortHash(pidNamespace) };
  }
  return place;
}

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 6);
}
