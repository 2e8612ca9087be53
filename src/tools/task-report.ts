// The result that every look at a task has.
import { z } from 'zod';
import type { TaskReport } from '../task/api.ts';
import { matchCount, matchFields, matchLines, structuredMatches } from './matches.ts';
import { outputWarnings, unlessDefault, unlessEmpty } from './output-facts.ts';
import { page, statusLine, streams, warningLines } from './render.ts';

export const taskState = z.enum(['queued', 'running', 'exited', 'terminated']);

export const taskReport = z.object({
  task_id: z.string(),
  state: taskState,
  finished: z.boolean(),
  stdout: z.string(),
  stderr: z.string(),
  exit_code: z.int().optional(),
  signal: z.string().optional(),
  ended_by: z.enum(['itself', 'timeout', 'request', 'shutdown']).optional(),
  elapsed_ms: z.int(),
  stdout_cursor: z.int(),
  stderr_cursor: z.int(),
  lost_bytes: z.int().optional(),
  matched: z.boolean().optional(),
  truncated: z.boolean().optional(),
  ...matchFields,
  warnings: z.array(z.string()).optional(),
});
type Output = z.input<typeof taskReport>;

/** The report of a task in the form of the wire. */
export function structuredReport(report: TaskReport): Output {
  const { stdout, stderr } = report;
  return {
    task_id: report.taskId,
    state: report.state,
    finished: report.finished,
    stdout: stdout.text,
    stderr: stderr.text,
    exit_code: report.exitCode,
    signal: report.signal,
    ended_by: report.endedBy,
    elapsed_ms: Math.round(report.elapsedMs),
    stdout_cursor: report.stdoutCursor,
    stderr_cursor: report.stderrCursor,
    lost_bytes: unlessDefault(report.lostBytes, 0),
    matched: report.matched,
    ...structuredMatches(report.matches, report.matchesTotal),
    truncated: unlessDefault(stdout.truncated || stderr.truncated, false),
    warnings: unlessEmpty([...outputWarnings('stdout', stdout), ...outputWarnings('stderr', stderr), ...report.warnings]),
  };
}

/** The same as text. */
export function reportText(report: Output): string {
  const status = statusLine(
    report.state,
    report.exit_code !== undefined && `exit ${report.exit_code}`,
    report.signal,
    report.ended_by && `ended by ${report.ended_by}`,
    `${report.elapsed_ms} ms`,
    report.task_id,
    report.matched === true && 'matched',
    report.truncated === true && (report.matches === undefined ? 'truncated: poll again for more' : 'truncated'),
    report.lost_bytes !== undefined && `${report.lost_bytes} bytes lost`,
    `stdout cursor ${report.stdout_cursor}`,
    `stderr cursor ${report.stderr_cursor}`,
  );
  const body = report.matches === undefined ? streams(report.stdout, report.stderr) : matchLines(report);
  return page([status, ...matchCount(report), ...warningLines(report.warnings)], body);
}
