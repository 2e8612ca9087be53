// Reading a session: the output of a command, everything the terminal has shown, its screen, or the lines that match a pattern.
import { ExpectedError } from '../errors.ts';
import { shorten } from '../lib/shorten.ts';
import { compilePattern } from '../output/compile-pattern.ts';
import { hiding } from '../output/hidden.ts';
import type { RawOutput } from '../output/range.ts';
import { searchOutput } from '../output/search.ts';
import { checkUntil } from '../waiting/until.ts';
import { contextOf, withTerminal } from './answer.ts';
import type { CommandReport, ReadOptions } from './api.ts';
import type { Command, Told } from './command.ts';
import { reportFrom, reportIdle, reportTranscript, reportWhole } from './report-of.ts';
import type { Session } from './session.ts';
import { waitForCommand } from './wait.ts';

/** What is read: a view of a command's output or of the whole session, from where on. */
interface Place {
  readonly command: Command | undefined;
  readonly output: RawOutput | undefined;
  readonly from: number | undefined;
  /** Up to where answers had told the command when it was asked for. */
  readonly told: Told;
}

/** Waits as long as it may, then reads. Throws COMMAND_NOT_FOUND, BAD_PATTERN, INVALID_ARGUMENT for a cursor beyond the end. */
export async function readSession(session: Session, options: ReadOptions, signal: AbortSignal): Promise<CommandReport> {
  const place = placeOf(session, options);
  const { command, from } = place;
  if (options.until !== undefined) await checkUntil(options.until);
  const pattern = options.search && (await compilePattern(options.search.pattern));
  const untilFrom = options.view === 'output' ? from : undefined;
  const end = command && (await waitForCommand(session, command, { ...options, from: untilFrom ?? command.answered.output, looks: true }, signal));
  const read = pattern === undefined ? view(session, place, options) : await search(session, place, options, { pattern, signal });
  const report = command === undefined || end === undefined ? read : await withTerminal(session, command, end, read);
  return options.view === 'screen' && report.screen === undefined ? { ...report, screen: await session.terminal.view() } : report;
}

function placeOf(session: Session, { view, commandId, cursor }: ReadOptions): Place {
  const command = commandOf(session, commandId, view);
  const output = view === 'output' ? command?.log : session.transcript;
  const from = cursor === undefined ? undefined : offsetOf(cursor, output?.length ?? 0, view === 'output' ? 'output of that command' : 'transcript');
  return { command, output, from, told: command?.answered ?? { output: 0, stderr: 0 } };
}

/** The command that is asked for; else the last one for its output, the running one for the others. */
function commandOf(session: Session, id: string | undefined, view: ReadOptions['view']): Command | undefined {
  if (id === undefined) return view === 'output' ? session.history.latest : session.current;
  const command = session.history.get(id);
  if (command !== undefined) return command;
  const known = session.history.ids().slice(-5).join(', ');
  throw new ExpectedError('COMMAND_NOT_FOUND', `no command ${shorten(id)} in session "${session.options.id}"`, { hint: known === '' ? 'nothing has run in it yet' : `its latest commands: ${known}` });
}

/** A cursor as an offset; negative ones count from the end. */
function offsetOf(cursor: number, length: number, what: string): number {
  if (cursor > length) throw new ExpectedError('INVALID_ARGUMENT', `cursor ${cursor} is beyond the end (${length}) of the ${what}`, { hint: 'use the cursor of an earlier answer about the same command, or leave it out' });
  return cursor < 0 ? Math.max(0, length + cursor) : cursor;
}

function view(session: Session, { command, from, told }: Place, options: ReadOptions): CommandReport {
  const context = contextOf(session, options, command);
  if (options.view === 'transcript') return reportTranscript(session.transcript, from ?? Math.max(0, session.transcript.length - options.maxOutputBytes), session.current, context);
  if (command === undefined) return reportIdle(context);
  if (options.view === 'screen') return { ...reportIdle(context), commandId: command.id, state: command.state, durationMs: command.durationMs };
  if (from === undefined) return reportWhole(command, context);
  return reportFrom(command, { output: from, stderr: from === 0 ? 0 : told.stderr }, context); // from the start on it is read again as a whole
}

/** The answer holds the matches instead of the text; nothing counts as told. */
async function search(session: Session, { command, output, from }: Place, options: ReadOptions, { pattern, signal }: { readonly pattern: Awaited<ReturnType<typeof compilePattern>>; readonly signal: AbortSignal }): Promise<CommandReport> {
  const { contextLines = 0 } = options.search ?? {};
  const finished = command?.isRunning !== true;
  const shown = output === command?.log ? output && hiding(output, command?.drawn.ranges ?? []) : output;
  const found = shown && (await searchOutput(shown, pattern, { finished, contextLines, maxBytes: options.maxOutputBytes, signal, ...(from === undefined ? {} : { from }) }));
  const idle = reportIdle(contextOf(session, options, command));
  const facts = command === undefined ? {} : { commandId: command.id, state: command.state, durationMs: command.durationMs, ...(command.exitCode === undefined ? {} : { exitCode: command.exitCode }) };
  const bytes = output?.length ?? 0;
  return { ...idle, ...facts, output: { ...idle.output, bytes, truncated: found?.truncated ?? false }, cursor: from ?? command?.answered.output ?? 0, ...(found === undefined ? {} : { found }) };
}
