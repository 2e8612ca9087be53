// What a call is told about a command: its facts, and its output as text.
import { renderForward, renderWhole } from '../output/render.ts';
import type { Rendered } from '../output/render.ts';
import type { CommandReport } from './api.ts';
import type { Command } from './command.ts';
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

/** The whole output so far, cut to head and tail. Marks it as told. */
export function reportWhole(command: Command, context: ReportContext): CommandReport {
  const output = renderWhole(command.log, { maxBytes: context.maxOutputBytes, terminal: true, finished: !command.isRunning, readOn: READ_ON, to: command.drawn.openFrom, hidden: command.drawn.ranges });
  command.answered = command.drawn.openFrom === undefined ? output.cursor : command.log.length;
  return report(command, context, output, command.answered);
}

/** The output from a raw byte offset on, as much as fits. Marks it as told up to where it ends. */
export function reportFrom(command: Command, from: number, context: ReportContext): CommandReport {
  const output = renderForward(command.log, from, { maxBytes: context.maxOutputBytes, terminal: true, finished: !command.isRunning, readOn: READ_ON, to: command.drawn.openFrom, hidden: command.drawn.ranges });
  const told = command.drawn.openFrom === undefined || output.truncated ? output.cursor : command.log.length;
  command.answered = Math.max(command.answered, told);
  return report(command, context, output, told);
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

function report(command: Command, context: ReportContext, output: Rendered, cursor: number): CommandReport {
  const stderr = command.stderr && renderWhole(command.stderr, { maxBytes: context.maxOutputBytes, terminal: false, finished: !command.isRunning });
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

/** What is gone of the output, and why: a full disk, or our own limit. */
function missingOutput({ log, stderr }: Command): string[] {
  return Object.entries({ output: log, stderr }).flatMap(([name, stream]) => (stream?.failure === undefined ? [] : [`${name}: ${stream.failure}`]));
}
