// Which entries somebody wants to see.
import type { AuditRecord } from './record.ts';

/** What is absent does not restrict. */
export interface AuditFilter {
  /** Also passes what belongs to nobody: events of the server. */
  readonly owner?: string | undefined;
  readonly tool?: string | undefined;
  readonly class?: string | undefined;
  readonly outcome?: string | undefined;
  readonly sessionId?: string | undefined;
  /** Milliseconds since 1970; both exclusive. */
  readonly after?: number | undefined;
  readonly before?: number | undefined;
  /** In any text of the entry, in whatever case. */
  readonly search?: string | undefined;
}

/** The filter as a question to one entry. */
export function createFilter(filter: AuditFilter): (entry: AuditRecord) => boolean {
  const wanted = Object.entries({
    tool: filter.tool,
    classification: filter.class,
    outcome: filter.outcome,
    session_id: filter.sessionId,
  }).filter(([, value]) => value !== undefined);
  const { owner, after = -Infinity, before = Infinity } = filter;
  const isTimed = filter.after !== undefined || filter.before !== undefined;
  const needle = filter.search?.toLowerCase();
  return (entry) => {
    if (owner !== undefined && entry['owner'] !== undefined && entry['owner'] !== owner) return false;
    if (wanted.some(([field, value]) => entry[field] !== value)) return false;
    if (isTimed && !isWithin(Date.parse(entry.ts), after, before)) return false;
    return needle === undefined || hasText(entry, needle);
  };
}

/** A time that cannot be read is in no range. */
function isWithin(time: number, after: number, before: number): boolean {
  return time > after && time < before;
}

function hasText(value: unknown, needle: string): boolean {
  if (typeof value === 'string') return value.toLowerCase().includes(needle);
  if (typeof value === 'object' && value !== null) return Object.values(value).some((part) => hasText(part, needle));
  return typeof value === 'number' && String(value) === needle;
}
