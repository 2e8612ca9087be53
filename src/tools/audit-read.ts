// The tool that reads the audit log.
import { z } from 'zod';
import type { AuditRecord } from '../audit/record.ts';
import { ExpectedError } from '../errors.ts';
import { defined } from '../lib/defined.ts';
import { counted } from '../lib/counted.ts';
import { anyId } from './fields.ts';
import { unlessDefault } from './output-facts.ts';
import { inLine, joined, page, statusLine } from './render.ts';
import { defineTool } from './tool.ts';

const output = z.object({
  entries: z.array(z.looseObject({})),
  returned: z.int(),
  total_in_file: z.int(),
  backup_index: z.int(),
  path: z.string(),
  format: z.enum(['plaintext', 'gzip']),
  skipped_lines: z.int().optional(),
});

/** What a reader needs only to check the chain. */
const CHAIN = new Set(['v', 'seq', 'prev']);

export const auditRead = defineTool({
  name: 'audit_read',
  title: 'Read the audit log',
  description:
    'Read what was done here: an entry for each call and each event, without secrets. outcome "running" and "interrupted": no end is known of it. backup_index 0 is the current file, 1 the newest closed one.',
  effect: 'reads',
  input: () =>
    z.strictObject({
      backup_index: z.int().min(0).max(10_000).default(0),
      max_entries: z.int().min(1).max(1_000).default(100),
      order: z.enum(['newest', 'oldest']).default('newest'),
      tool: anyId.optional(),
      class: z.enum(['safe', 'dangerous', 'reject']).optional(),
      outcome: anyId.optional(),
      session_id: anyId.optional(),
      after: anyId.optional().describe('ISO 8601'),
      before: anyId.optional(),
      search: z.string().optional(),
    }),
  output,
  handle: async ({ backup_index: backupIndex, max_entries: maxEntries, order, tool, outcome, search, ...args }, { audit }, { owner }) => {
    const times = { after: timeOf('after', args.after), before: timeOf('before', args.before) };
    const filter = defined({ owner, tool, outcome, search, class: args.class, sessionId: args.session_id, ...times });
    const { entries, totalInFile, path, format, skippedLines } = await audit.read({ backupIndex, maxEntries, order, filter });
    return {
      entries: entries.map(shown),
      returned: entries.length,
      total_in_file: totalInFile,
      backup_index: backupIndex,
      path,
      format,
      skipped_lines: unlessDefault(skippedLines, 0),
    };
  },
  text: ({ entries, returned, total_in_file: total, backup_index: index, path, format, skipped_lines: skipped }) =>
    page([statusLine(`${returned} of ${counted(total, 'line')}`, `file ${index}`, inLine(path), format, skipped !== undefined && `${skipped} lines skipped`)], entries.map(entryLine).join('\n')),
});

function timeOf(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const time = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : NaN;
  if (!Number.isNaN(time)) return time;
  throw new ExpectedError('INVALID_ARGUMENT', `"${name}" is no time: ${JSON.stringify(text)}`, { hint: 'give an ISO 8601 time, as 2026-12-01T08:00:00Z' });
}

function shown(entry: AuditRecord): Record<string, unknown> {
  return Object.fromEntries(Object.entries(entry).filter(([field]) => !CHAIN.has(field)));
}

/** `2026-12-01T08:00:00.000Z · a_… · run · done · {"exit_code":0,…}` */
function entryLine({ ts, audit_id: id, tool, event, outcome, ...rest }: Record<string, unknown>): string {
  const texts = [ts, id, tool ?? event, outcome].filter((part) => typeof part === 'string');
  return joined([...texts, JSON.stringify(rest)]);
}
