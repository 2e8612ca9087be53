// `shellkeep audit`: the audit log for people, over the files of all servers, whether one runs or not.
import * as nodeFs from 'node:fs';
import { parseArgs } from 'node:util';
import { listSegments } from '../audit/directory.ts';
import { followAudit } from '../audit/follow.ts';
import type { AuditFilter } from '../audit/filter.ts';
import { readNewest } from '../audit/newest.ts';
import type { AuditRecord } from '../audit/record.ts';
import { verifyAudit } from '../audit/verify.ts';
import { auditDirectory } from '../config/paths.ts';
import { StartError } from '../config/start-error.ts';
import { counted } from '../lib/counted.ts';
import { shorten } from '../lib/shorten.ts';
import { columnsOf, HEADING } from './audit-columns.ts';
import { flagFault } from './flag-fault.ts';

export interface AuditCommandOptions {
  /** The command line after "audit". */
  readonly words: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly write: (text: string) => void;
  /** Ends --follow. */
  readonly signal?: AbortSignal;
}

const USAGE = `shellkeep audit [FILTERS]    the newest entries, the last one at the bottom
shellkeep audit verify       check that no line is missing or was changed; exit status 1 if one was

  --follow, -f         wait for more
  --json               one entry a line, as JSON
  --limit N            at most N entries (100)
  --tool NAME          of this tool
  --class CLASS        safe, dangerous or reject
  --outcome OUTCOME    done, failed, refused, cancelled, interrupted, running, …
  --session-id ID      of this session
  --after, --before T  by the time of the start: 2026-12-01T08:00:00Z
  --search TEXT        with this text
`;

const OPTIONS = {
  follow: { type: 'boolean', short: 'f' },
  json: { type: 'boolean' },
  limit: { type: 'string' },
  tool: { type: 'string' },
  class: { type: 'string' },
  outcome: { type: 'string' },
  'session-id': { type: 'string' },
  after: { type: 'string' },
  before: { type: 'string' },
  search: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 100_000;

/** Prints what was asked for. Resolves to the exit status; throws StartError. */
export async function auditCommand({ words, env, write, signal }: AuditCommandOptions): Promise<number> {
  const { values, positionals } = parsed(words);
  if (values.help === true) return printed(write, USAGE);
  const directory = auditDirectory(env);
  if (directory === undefined) throw new StartError('there is no home directory, so there is no audit log: set HOME or XDG_DATA_HOME');
  const [word, ...more] = positionals;
  if (word === 'verify' && more.length === 0) return verify(directory, write);
  if (word !== undefined) throw new StartError(`audit takes no argument ${shorten(word === 'verify' ? more[0] : word)}; shellkeep audit --help shows what it takes`);
  const filter = filterOf(values);
  const lineOf = values.json === true ? (entry: AuditRecord) => `${JSON.stringify(entry)}\n` : columnsOf;
  const segments = listSegments(nodeFs, directory); // before the reading: what is written meanwhile is followed
  const following = values.follow === true ? followAudit({ directory, filter, signal }) : undefined;
  const { entries, skippedLines } = await readNewest(segments, { limit: limitOf(values.limit), filter });
  if (values.json !== true) write(HEADING);
  for (const entry of entries) write(lineOf(entry));
  if (skippedLines > 0 && values.json !== true) write(`${skippedLines} damaged or unknown lines were skipped; shellkeep audit verify names them\n`);
  if (following !== undefined) for await (const entry of following) write(lineOf(entry));
  return 0;
}

async function verify(directory: string, write: (text: string) => void): Promise<number> {
  const { segments, records, findings } = await verifyAudit(directory);
  for (const { path, line, what } of findings) write(line === 0 ? `${path}: ${what}\n` : `${path}:${line}: ${what}\n`);
  write(`${counted(records, 'record')} in ${counted(segments, 'file')}: ${findings.length === 0 ? 'as they were written' : counted(findings.length, 'fault')}\n`);
  return findings.length === 0 ? 0 : 1;
}

function printed(write: (text: string) => void, text: string): number {
  write(text);
  return 0;
}

function parsed(words: readonly string[]) {
  try {
    return parseArgs({ args: [...words], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new StartError(`audit: ${flagFault(error)}; shellkeep audit --help shows what it takes`);
  }
}

function filterOf(values: ReturnType<typeof parsed>['values']): AuditFilter {
  const { tool, outcome, search } = values;
  return { tool, outcome, search, class: values.class, sessionId: values['session-id'], after: timeOf('--after', values.after), before: timeOf('--before', values.before) };
}

function timeOf(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const time = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : NaN;
  if (Number.isNaN(time)) throw new StartError(`${flag} ${shorten(text)}: must be a time like 2026-12-01 or 2026-12-01T08:00:00Z`);
  return time;
}

function limitOf(text: string | undefined): number {
  const limit = text === undefined ? DEFAULT_LIMIT : /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > MAX_LIMIT) throw new StartError(`--limit ${shorten(text)}: must be a whole number from 1 to ${MAX_LIMIT}`);
  return limit;
}
