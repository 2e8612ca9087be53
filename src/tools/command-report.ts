// The result that every call about a command in a session has.
import { z } from 'zod';
import type { CommandReport } from '../session/api.ts';
import { classification, classificationLines } from './approval.ts';
import { matchCount, matchFields, matchLines, structuredMatches } from './matches.ts';
import { outputWarnings, sizePart, unlessDefault, unlessEmpty } from './output-facts.ts';
import { inLine, page, processLine, statusLine, streams, warningLines } from './render.ts';

const names = z.array(z.string()).optional();

/** Processes by pid and name. */
export const processList = z.array(z.object({ pid: z.int(), name: z.string() }));

export const commandReport = z.object({
  session_id: z.string(),
  command_id: z.string().optional(),
  state: z.enum(['done', 'running', 'ended', 'awaiting_input', 'full_screen', 'matched']),
  output: z.string(),
  stderr: z.string().optional(),
  exit_code: z.int().optional(),
  signal: z.string().optional(),
  duration_ms: z.int(),
  cwd: z.string(),
  awaiting: z.object({ kind: z.enum(['line', 'secret', 'keys', 'unknown']), program: z.string(), pid: z.int(), prompt: z.string(), proof: z.enum(['kernel', 'quiet']) }).optional(),
  screen: z.string().optional(),
  screen_cursor: z.object({ row: z.int(), column: z.int() }).optional(),
  changes: z.object({ cwd: z.string().optional(), env_set: names, env_unset: names, aliases: names, functions: names, options: names }).optional(),
  background: z.array(z.object({ job: z.int(), pid: z.int(), state: z.string(), command: z.string() })).optional(),
  ...matchFields,
  output_bytes: z.int(),
  truncated: z.boolean().optional(),
  output_path: z.string().optional(),
  cursor: z.int(),
  usage: z.object({ cpu_ms: z.int() }).optional(),
  ladder: z.object({ worked: z.string().optional(), tried: z.array(z.string()), alive: processList.optional() }).optional(),
  warnings: names,
});

/** The same of a command that the call gave. */
export const ranReport = commandReport.extend({ classification });
type Output = z.input<typeof commandReport> & { readonly classification?: z.input<typeof classification> };

/** The report of a session in the form of the wire. */
export function structuredReport(report: CommandReport): Output {
  const { output, stderr, changes, ladder } = report;
  return {
    session_id: report.sessionId,
    command_id: report.commandId,
    state: report.state,
    output: output.text,
    stderr: stderr?.text,
    exit_code: report.exitCode,
    signal: report.signal,
    duration_ms: Math.round(report.durationMs),
    cwd: report.cwd,
    awaiting: report.awaiting && { ...report.awaiting },
    screen: report.screen?.text,
    screen_cursor: report.screen && { row: report.screen.row, column: report.screen.column },
    changes: changes === undefined ? undefined : changesOf(changes),
    background: unlessEmpty(report.background),
    ...structuredMatches(report.found?.matches, report.found?.total),
    output_bytes: output.bytes,
    truncated: unlessDefault(output.truncated || stderr?.truncated === true, false),
    output_path: output.path,
    cursor: report.cursor,
    usage: report.cpuMs === undefined ? undefined : { cpu_ms: Math.round(report.cpuMs) },
    ladder: ladder && { worked: ladder.worked, tried: [...ladder.tried], alive: unlessEmpty(ladder.alive) },
    warnings: unlessEmpty([
      ...outputWarnings('output', output),
      ...(stderr === undefined ? [] : outputWarnings('stderr', stderr)),
      ...report.warnings,
    ]),
  };
}

function changesOf({ cwd, envSet, envUnset, aliases, functions, options }: NonNullable<CommandReport['changes']>): Output['changes'] {
  const changes = {
    cwd,
    env_set: unlessEmpty(envSet),
    env_unset: unlessEmpty(envUnset),
    aliases: unlessEmpty(aliases),
    functions: unlessEmpty(functions),
    options: unlessEmpty(options),
  };
  return Object.values(changes).every((value) => value === undefined) ? undefined : changes;
}

/** The same as text. */
export function reportText(report: Output): string {
  const status = statusLine(
    report.state !== 'done' && report.state,
    report.exit_code !== undefined && `exit ${report.exit_code}`,
    report.signal,
    `${report.duration_ms} ms`,
    inLine(report.cwd),
    report.session_id,
    report.command_id,
    report.truncated === true && 'truncated',
    sizePart('', report.output_bytes, report.output),
    `cursor ${report.cursor}`,
    report.classification?.class,
    report.usage && `cpu ${report.usage.cpu_ms} ms`,
  );
  const notes = [...classificationLines(report.classification), ...awaitingLines(report), ...matchCount(report), ...changeLines(report.changes), ...jobLines(report.background), ...ladderLines(report.ladder)];
  const whole = report.output_path === undefined ? [] : [statusLine(`whole output: ${inLine(report.output_path)}`)];
  return page([status, ...notes, ...whole, ...warningLines(report.warnings)], streams(report.output, report.stderr ?? '') + matchLines(report) + screenText(report));
}

/** What can be typed, and to whom; the prompt is also the end of the output. */
function awaitingLines({ awaiting }: Output): string[] {
  if (awaiting === undefined) return [];
  const { kind, program, pid, prompt, proof } = awaiting;
  return [statusLine(`waits for ${kind === 'unknown' ? 'input' : kind}`, inLine(program), `pid ${pid}`, prompt !== '' && `prompt ${JSON.stringify(prompt)}`, `proof ${proof}`)];
}

function screenText({ screen, screen_cursor: cursor, output, stderr }: Output): string {
  if (screen === undefined || cursor === undefined) return '';
  const separator = output === '' && (stderr ?? '') === '' ? '' : '\n';
  return `${separator}${statusLine('screen', `cursor at row ${cursor.row}, column ${cursor.column}`)}\n${screen}`;
}

function changeLines(changes: Output['changes']): string[] {
  if (changes === undefined) return [];
  const { cwd, ...lists } = changes;
  const parts = Object.entries(lists).map(([kind, list]) => list !== undefined && `${kind} ${list.map(inLine).join(', ')}`);
  return [`[changed: ${[cwd !== undefined && `cwd ${inLine(cwd)}`, ...parts].filter((part) => part !== false).join('; ')}]`];
}

function jobLines(jobs: Output['background'] = []): string[] {
  return jobs.map(({ job, pid, state, command }) => statusLine(`job ${job}`, `pid ${pid}`, state, inLine(command)));
}

function ladderLines(ladder: Output['ladder']): string[] {
  if (ladder === undefined) return [];
  const { worked, tried, alive } = ladder;
  const outcome = worked === undefined ? 'nothing worked' : `${worked} worked`;
  return [statusLine(`interrupt: ${outcome}`, tried.length > 0 && `tried ${tried.join(', ')}`), ...processLine('still alive', alive)];
}
