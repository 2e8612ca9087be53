// The counts that `serve` shows at /metrics: totals only, nothing of what anybody does.
import type { App } from '../app.ts';
import type { HttpFront } from '../mcp/http/front.ts';
import type { Metric } from '../mcp/http/metrics.ts';

export interface CountedParts {
  readonly app: Pick<App, 'counts'>;
  readonly http: HttpFront['load'];
  /** Clients of the Unix socket that do not speak HTTP. */
  readonly local: number;
}

export function serveMetrics({ app, http, local }: CountedParts): readonly Metric[] {
  const { sessions, reaped, tasks, runs, outputBytes, audit } = app.counts();
  return [
    { name: 'uptime_seconds', help: 'Time since the start of the process.', value: Math.round(process.uptime()) },
    { name: 'resident_memory_bytes', help: 'Resident memory of the server, without its shells.', value: process.memoryUsage.rss() },
    { name: 'sessions', help: 'Open sessions of all owners.', value: sessions },
    { name: 'sessions_reaped_total', help: 'Sessions ended because nobody used them.', value: reaped },
    { name: 'tasks_running', help: 'Running tasks.', value: tasks?.running },
    { name: 'tasks_queued', help: 'Tasks that wait for their turn.', value: tasks?.queued },
    { name: 'runs_active', help: 'Runs and probes at this moment.', value: runs.active },
    { name: 'runs_queued', help: 'Runs and probes that wait for their turn.', value: runs.queued },
    { name: 'output_spilled_bytes', help: 'Output of commands on disk.', value: outputBytes },
    { name: 'audit_written_total', help: 'Records written to the audit log.', value: audit?.written },
    { name: 'audit_dropped_total', help: 'Records that could not be written.', value: audit?.dropped },
    { name: 'connections', help: 'MCP clients over HTTP, whether a stream is open or not.', value: http.connections },
    { name: 'local_connections', help: 'MCP clients on the Unix socket.', value: local },
    { name: 'http_sockets', help: 'Open connections of HTTP.', value: http.sockets },
    { name: 'http_requests_active', help: 'Requests that are being answered, open streams included.', value: http.active },
    { name: 'http_requests_total', help: 'Requests.', value: http.requests },
    { name: 'http_requests_refused_total', help: 'Requests that were refused before they reached MCP.', value: http.refused },
    { name: 'http_tokens_refused_total', help: 'Requests without a token or with a wrong one.', value: http.refusedTokens },
    { name: 'event_store_bytes', help: 'What is kept for clients whose stream broke.', value: http.eventBytes },
  ];
}
