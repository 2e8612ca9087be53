// One line of the log: JSON with a version, a place in the order, and the hash of the line before.
import { isUtf8 } from 'node:buffer';
import { hash } from 'node:crypto';
import type { AuditEntry } from './entry.ts';

export const RECORD_VERSION = 1;
/** A longer line is none of ours; it is skipped and never held. */
export const MAX_LINE_BYTES = 64 * 1024;
/** `prev` of the first line of a server. */
export const NO_LINE = '0'.repeat(64);

/** What the log itself knows about an entry. */
export interface Position {
  readonly ts: string;
  readonly seq: number;
  readonly prev: string;
  readonly auditId: string;
  readonly server: string;
}

/** A record as it was read. What it must have was checked, the rest is as it stands in the file. */
export interface AuditRecord {
  readonly v: number;
  readonly ts: string;
  readonly seq: number;
  readonly prev: string;
  readonly audit_id: string;
  readonly server: string;
  readonly kind: string;
  readonly [field: string]: unknown;
}

const OWNER_FIELD = Buffer.from('"owner":');
const MAX_FIELD_CHARACTERS = 4_096;
/** A call may name a tool that is none. */
const MAX_NAME_CHARACTERS = 64;
/** JSON leaves them as they are. A terminal or a viewer takes them for commands, line ends, or nothing to be seen. */
const UNSEEN = /[\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;

/** The line without its newline. It has no control character, whatever the entry has. */
export function encodeRecord(position: Position, entry: AuditEntry): string {
  const line = lineOf(position, entry);
  if (Buffer.byteLength(line) < MAX_LINE_BYTES) return line;
  return lineOf(position, { ...entry, args: undefined, detail: 'its arguments were too large to be kept' });
}

/** The record of a line; undefined when it is damaged, of a later version, or none of ours. */
export function parseRecord(line: Uint8Array): AuditRecord | undefined {
  if (line.length === 0 || line[0] !== 0x7b || !isUtf8(line)) return undefined;
  try {
    const value: unknown = JSON.parse(Buffer.from(line.buffer, line.byteOffset, line.length).toString());
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Whether a line belongs to another owner, without parsing it: its owner stands before its arguments, and what a caller has written before
 * that, the name of a tool, has its quotes escaped.
 */
export function othersThan(owner: string): (line: Buffer) => boolean {
  const own = Buffer.from(JSON.stringify(owner));
  return (line) => {
    const at = line.indexOf(OWNER_FIELD);
    const start = at + OWNER_FIELD.length;
    return at !== -1 && !line.subarray(start, start + own.length).equals(own);
  };
}

/** What the next line says about this one. */
export function hashOf(line: string | Uint8Array): string {
  return hash('sha256', line);
}

function lineOf({ ts, seq, prev, auditId, server }: Position, entry: AuditEntry): string {
  const line = JSON.stringify({
    v: RECORD_VERSION,
    ts,
    seq,
    prev,
    audit_id: auditId,
    server,
    kind: entry.kind,
    tool: 'tool' in entry ? short(entry.tool, MAX_NAME_CHARACTERS) : undefined,
    event: 'event' in entry ? entry.event : undefined,
    owner: short(entry.owner),
    client: entry.client === undefined ? undefined : { name: short(entry.client.name, 100), version: short(entry.client.version, 100) },
    args: entry.args?.values,
    redacted: entry.args === undefined || entry.args.redacted === 0 ? undefined : entry.args.redacted,
    classification: entry.classification,
    outcome: entry.kind === 'start' ? 'started' : entry.outcome,
    error: entry.error,
    exit_code: entry.exitCode,
    signal: entry.signal,
    timed_out: entry.timedOut,
    duration_ms: entry.durationMs,
    queue_ms: entry.queueMs,
    stdout_bytes: entry.stdoutBytes,
    stderr_bytes: entry.stderrBytes,
    output_bytes: entry.outputBytes,
    truncated: entry.truncated,
    session_id: entry.sessionId,
    command_id: entry.commandId,
    task_id: entry.taskId,
    cwd: short(entry.cwd),
    detail: short(entry.detail, 500),
  });
  return line.search(UNSEEN) === -1 ? line : escaped(line);
}

/** With an escape for each character that JSON leaves as it is and that should not be seen as itself. */
function escaped(line: string): string {
  return line.replaceAll(UNSEEN, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function short(text: string | undefined, most = MAX_FIELD_CHARACTERS): string | undefined {
  return text !== undefined && text.length > most ? text.slice(0, most) : text;
}

const TEXTS = ['ts', 'prev', 'audit_id', 'server', 'kind'] as const;

function isRecord(value: unknown): value is AuditRecord {
  if (typeof value !== 'object' || value === null) return false;
  const { v, seq, ...fields } = value as Record<string, unknown>;
  return v === RECORD_VERSION && Number.isSafeInteger(seq) && TEXTS.every((name) => typeof fields[name] === 'string');
}
