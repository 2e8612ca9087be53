// What a call is told about a command: its facts, and its output as text.
import { renderForward, renderWhole } from '../output/render.ts';
import type { Rendered, RenderOptions } from '../output/render.ts';
import type { CommandReport } from './api.ts';
import type { Command, Told } from './command.ts';
import type { Transcript } from './transcript.ts';

/** What reads on behind a cut, for its marker. */
const READ_ON = 'session_read cursor';

export interface ReportContext {
  readonly sessionId: string;
  /** Where the session is now. */
  readonly cwd: string;
  readonly maxOutputBytes: number;
  readonly warnings?: readonly string[];
}

/** The whole of both streams so far, cut to head and tail. Marks it as told. */
export function reportWhole(command: Command, context: ReportContext): CommandReport {
  const output = renderWhole(command.log, shownOf(command, context));
  const told = command.drawn.openFrom === undefined ? output.cursor : command.log.length;
  command.answered = { ...command.answered, output: told };
  return report(command, context, { output, cursor: told, errorsFrom: 0 });
}

/** The output from a raw byte offset on, as much as fits, and the errors from theirs on, cut to head and tail. Marks both as told up to where they end. */
export function reportFrom(command: Command, from: Told, context: ReportContext): CommandReport {
  const output = renderForward(command.log, from.output, shownOf(command, context));
  const told = command.drawn.openFrom === undefined || output.truncated ? output.cursor : command.log.length;
  command.answered = { ...command.answered, output: Math.max(command.answered.output, told) };
  return report(command, context, { output, cursor: told, errorsFrom: from.stderr });
}

/** The text of a command: without what was drawn on the alternate screen, and up to where somebody draws on it now. */
function shownOf(command: Command, { maxOutputBytes }: ReportContext): RenderOptions {
  return { maxBytes: maxOutputBytes, terminal: true, finished: !command.isRunning, readOn: READ_ON, to: command.drawn.openFrom, hidden: command.drawn.ranges };
}

/** A piece of the transcript. */
export function reportTranscript(transcript: Transcript, from: number, current: Command | undefined, context: ReportContext): CommandReport {
  const options = { maxBytes: context.maxOutputBytes, terminal: true, finished: current === undefined, readOn: READ_ON };
  const output = renderForward(transcript, from, options);
  return { ...reportIdle(context), state: current === undefined ? 'done' : 'running', output, cursor: output.cursor };
}

/** For a session in which nothing has run. */
export function reportIdle(context: ReportContext): CommandReport {
  const output: Rendered = { text: '', truncated: false, bytes: 0, folded: 0, cursor: 0, binary: false, lostBytes: 0, suspicious: 0 };
  return { sessionId: context.sessionId, state: 'done', output, durationMs: 0, cwd: context.cwd, cursor: 0, warnings: context.warnings ?? [] };
}

function report(command: Command, context: ReportContext, { output, cursor, errorsFrom }: { readonly output: Rendered; readonly cursor: number; readonly errorsFrom: number }): CommandReport {
  const stderr = errorsOf(command, context, errorsFrom);
  return {
    sessionId: context.sessionId,
    commandId: command.id,
    state: command.state,
    output: command.drawn.openFrom === undefined ? output : { ...output, bytes: command.log.length },
    ...(stderr === undefined ? {} : { stderr }),
    ...(command.exitCode === undefined ? {} : { exitCode: command.exitCode }),
    ...(command.signal === undefined ? {} : { signal: command.signal }),
    durationMs: command.durationMs,
    cwd: command.cwd ?? context.cwd,
    ...(command.changes === undefined ? {} : { changes: command.changes }),
    ...(command.background === undefined ? {} : { background: command.background }),
    ...(command.cpuMs === undefined ? {} : { cpuMs: command.cpuMs }),
    cursor,
    warnings: [...(context.warnings ?? []), ...command.warnings, ...missingOutput(command)],
  };
}

/** There is no cursor to read on in them, so what does not fit is left out of the middle, and all of it is told. */
function errorsOf(command: Command, { maxOutputBytes }: ReportContext, from: number): Rendered | undefined {
  if (command.stderr === undefined) return undefined;
  const errors = renderWhole(command.stderr, { maxBytes: maxOutputBytes, terminal: false, finished: !command.isRunning, from });
  command.answered = { ...command.answered, stderr: Math.max(command.answered.stderr, errors.cursor) };
  return errors;
}

/** What is gone of the output, and why: a full disk, or our own limit. */
function missingOutput({ log, stderr }: Command): string[] {
  return Object.entries({ output: log, stderr }).flatMap(([name, stream]) => (stream?.failure === undefined ? [] : [`${name}: ${stream.failure}`]));
}
