// The tool that tells how this server is: what it holds, its limits, its settings.
import { z } from 'zod';
import type { StatusFacts } from '../discovery/server-status.ts';
import { defined } from '../lib/defined.ts';
import { unlessDefault, unlessEmpty } from './output-facts.ts';
import { inLine, statusLine } from './render.ts';
import type { Services } from './services.ts';
import { defineTool } from './tool.ts';

const shipped = z.object({ to: z.string(), ok: z.boolean(), problem: z.string().optional(), shipped: z.int(), dropped: z.int(), lag_entries: z.int(), retry_at: z.string().optional() });

const status = z.object({
  service: z.string(),
  version: z.string(),
  uptime_ms: z.int(),
  pid: z.int(),
  rss_bytes: z.int(),
  busy_percent: z.number(),
  descriptors: z.object({ open: z.int(), limit: z.int().optional() }).optional(),
  audit: z.object({
    ok: z.boolean(),
    problem: z.string().optional(),
    path: z.string().optional(),
    directory: z.string(),
    written: z.int(),
    failed: z.int(),
    dropped: z.int(),
    bytes: z.int(),
    segment_bytes: z.int(),
    max_bytes: z.int(),
    backups: z.int(),
    backups_present: z.int(),
    size_bytes: z.int(),
    gzip_bytes: z.int(),
    ship: z.array(shipped).optional(),
  }),
  concurrency: z.object({ max: z.int(), active: z.int(), queued: z.int(), total: z.int().optional() }),
  sessions: z.object({ active: z.int(), total: z.int().optional(), max: z.int(), idle_timeout_s: z.int(), reaped: z.int().optional() }),
  tasks: z.object({ running: z.int(), queued: z.int(), total: z.int().optional(), max: z.int() }),
  output: z.object({ bytes_on_disk: z.int(), limit_bytes: z.int(), disk_free_bytes: z.int().optional() }),
  containment: z.array(z.string()),
  config: z.record(z.string(), z.object({ value: z.unknown().optional(), origin: z.string() })),
  tools: z.array(z.string()),
});
type Status = z.input<typeof status>;

/** The tool, for a catalogue of these tools and itself. */
export function statusOf(others: readonly string[]) {
  return defineTool({
    name: 'status',
    title: 'Describe this server',
    description: 'Describe this server: load and limits, memory, disk, audit log, every setting with its origin.',
    effect: 'reads',
    input: () => z.strictObject({}),
    output: status,
    handle: async (_, services, { owner }) => structuredStatus(await services.status(owner), services, [...others, 'status']),
    text,
  });
}

function structuredStatus(facts: StatusFacts, { settings }: Pick<Services, 'settings'>, tools: string[]): Status {
  const { descriptors, output, containment } = facts;
  return {
    service: 'shellkeep',
    version: facts.version,
    uptime_ms: Math.round(facts.uptimeMs),
    pid: facts.pid,
    rss_bytes: facts.rssBytes,
    busy_percent: Math.round(facts.busyPercent * 10) / 10,
    descriptors: descriptors && defined(descriptors),
    audit: structuredAudit(facts.audit, settings),
    concurrency: structuredRuns(facts.concurrency),
    sessions: defined({ active: facts.sessions.own, total: unlessDefault(facts.sessions.all, facts.sessions.own), max: settings.maxSessions, idle_timeout_s: settings.idleTimeoutS, reaped: unlessDefault(facts.sessions.reaped, 0) }),
    tasks: defined({ ...facts.tasks.own, total: unlessDefault(totalOf(facts.tasks.all), totalOf(facts.tasks.own)), max: settings.maxTasks }),
    output: defined({ bytes_on_disk: output.bytesOnDisk, limit_bytes: settings.outputDiskBytes, disk_free_bytes: output.diskFreeBytes }),
    containment: ['process groups', ...(containment.hasTags ? ['tags'] : []), ...(containment.watchdogPid === undefined ? [] : [`watchdog ${containment.watchdogPid}`])],
    config: Object.fromEntries(facts.config.map(({ key, value, origin }) => [key, { value, origin }])),
    tools,
  };
}

function structuredRuns({ max, own, all }: StatusFacts['concurrency']): Status['concurrency'] {
  return defined({ max, ...own, total: unlessDefault(all.active + all.queued, own.active + own.queued) });
}

function structuredAudit(audit: StatusFacts['audit'], { auditMaxBytes, auditBackups, auditGzipBytes }: Services['settings']): Status['audit'] {
  const { segmentBytes, files: _, closed, sizeBytes, problem, path, ship, ...same } = audit;
  return {
    ...same,
    ...defined({ path, problem: problem?.message }),
    segment_bytes: segmentBytes,
    max_bytes: auditMaxBytes,
    backups: auditBackups,
    backups_present: closed,
    size_bytes: sizeBytes,
    gzip_bytes: auditGzipBytes,
    ship: unlessEmpty(ship.map(({ lagEntries, retryAt, problem: why, ...facts }) => ({ ...facts, ...defined({ problem: why, retry_at: retryAt }), lag_entries: lagEntries }))),
  };
}

function text(facts: Status): string {
  const { descriptors, concurrency, sessions, tasks, output, containment } = facts;
  return [
    statusLine(facts.service, facts.version, `pid ${facts.pid}`, `up ${facts.uptime_ms} ms`, `memory ${facts.rss_bytes} bytes`, `busy ${facts.busy_percent} %`),
    ...(descriptors === undefined ? [] : [statusLine(`descriptors ${descriptors.open} of ${descriptors.limit ?? 'any number'}`)]),
    statusLine(`runs ${concurrency.active} of ${concurrency.max}`, `queued ${concurrency.queued}`, ofAll(concurrency.total)),
    statusLine(`sessions ${sessions.active} of ${sessions.max}`, ofAll(sessions.total), `idle timeout ${sessions.idle_timeout_s} s`, sessions.reaped !== undefined && `${sessions.reaped} ended by it`),
    statusLine(`tasks ${tasks.running} of ${tasks.max}`, `queued ${tasks.queued}`, ofAll(tasks.total)),
    statusLine(`output ${output.bytes_on_disk} of ${output.limit_bytes} bytes`, output.disk_free_bytes !== undefined && `disk free ${output.disk_free_bytes} bytes`),
    ...auditLines(facts.audit),
    statusLine(`what was started is ended by: ${containment.join(', ')}`),
    statusLine(`tools: ${facts.tools.join(', ')}`),
    '',
    ...Object.entries(facts.config).map(([key, { value, origin }]) => `${key} = ${value === undefined ? 'not set' : JSON.stringify(value)} (${inLine(origin)})`),
  ].join('\n');
}

/** Of other owners no more than how much there is in all. */
function ofAll(total: number | undefined): string | false {
  return total !== undefined && `${total} of all owners`;
}

function totalOf({ running, queued }: { readonly running: number; readonly queued: number }): number {
  return running + queued;
}

function auditLines(audit: Status['audit']): string[] {
  return [
    statusLine(
      audit.ok ? 'audit ok' : 'audit not ok',
      audit.problem !== undefined && inLine(audit.problem),
      `${audit.written} written`,
      `${audit.failed} failed`,
      `${audit.dropped} dropped`,
      `${audit.bytes} bytes`,
      `file ${audit.segment_bytes} of ${audit.max_bytes} bytes`,
      `backups ${audit.backups_present} of ${audit.backups}`,
      `all files ${audit.size_bytes} bytes`,
      `gzip above ${audit.gzip_bytes} bytes`,
    ),
    statusLine(`audit in ${inLine(audit.directory)}`, audit.path !== undefined && inLine(audit.path)),
    ...(audit.ship ?? []).map((place) =>
      statusLine(
        `sent to ${inLine(place.to)}`,
        place.ok ? 'ok' : 'not ok',
        place.problem !== undefined && inLine(place.problem),
        `${place.shipped} sent`,
        `${place.dropped} dropped`,
        `${place.lag_entries} waiting`,
        place.retry_at !== undefined && `next try ${place.retry_at}`,
      ),
    ),
  ];
}
