// What the session tools do with one session: run, send, read, interrupt. Each ends in a report.
import { ExpectedError } from '../errors.ts';
import { lastLine } from '../output/last-line.ts';
import type { ApprovedCommand } from '../policy/gate.ts';
import { isShellInForeground } from '../process/foreground.ts';
import { readProcess } from '../process/proc.ts';
import { isOwnedByShell, isVariableName } from '../shell/environment-script.ts';
import { nearest } from '../lib/nearest.ts';
import { shorten } from '../lib/shorten.ts';
import { KEY_NAMES, KEY_NAMES_IN_SHORT, bytesOfKey } from '../terminal/keys.ts';
import type { CommandReport, InterruptOptions, Ladder, ReadOptions, RunInSession, SendOptions, Waiting } from './api.ts';
import type { Command } from './command.ts';
import { interrupt } from './interrupt.ts';
import type { LiveShell } from './live-shell.ts';
import { waitUntil } from './notifier.ts';
import { reportFrom, reportIdle, reportTranscript, reportWhole } from './report-of.ts';
import type { ReportContext } from './report-of.ts';
import type { Session } from './session.ts';

const INTERRUPT_GRACE_MS = 2_000;
/** A shell takes some milliseconds from the typed line to the command, if its prompt does not hold it up. */
const START_WAIT_MS = 2_000;
/** While a call waits, the shell's process is looked at so often, to see an `exec`. */
const REPLACED_POLL_MS = 100;
const OTHER_SHELLS = /(?:^|[/-])(?:bash|zsh|fish|sh|dash|ksh)$/;

/** Runs a command and waits for its end, as long as the call may wait. */
export async function runInSession(session: Session, approved: ApprovedCommand, options: RunInSession & { readonly commandId: string }, signal: AbortSignal): Promise<CommandReport> {
  refuseOwnedNames(session, options.env);
  const warnings = await becomeIdle(session, options.queueMs, signal);
  const command = await session.submit(approved, { id: options.commandId, env: options.env, stderr: options.stderr });
  await waitForEnd(session, command, { ...options, endsWhenReplaced: true }, signal);
  if (command.isRunning && options.onTimeout === 'interrupt' && !signal.aborted) {
    const ladder = await climb(session, command, INTERRUPT_GRACE_MS);
    return { ...reportWhole(command, contextOf(session, options, [...warnings, `interrupted after ${options.timeoutMs} ms`])), ladder };
  }
  return reportWhole(command, contextOf(session, options, [...warnings, ...replacementWarning(session, command)]));
}

/** Types text and keys for the program in the foreground, then waits for the end of the command. */
export async function sendToSession(session: Session, options: SendOptions, signal: AbortSignal): Promise<CommandReport> {
  const command = session.current;
  const live = session.live;
  const size = options.cols ?? options.rows;
  if (live !== undefined && size !== undefined) session.resize(options.cols, options.rows);
  const bytes = inputBytes(options);
  if (live === undefined || command === undefined) {
    if (bytes.length > 0 || size === undefined) throw notListening(session);
    return reportIdle(contextOf(session, options));
  }
  if (bytes.length > 0) await untilStarted(session, command, live, signal);
  if (bytes.length > 0 && !live.send(bytes)) throw new ExpectedError('RESOURCE_EXHAUSTED', 'more than 1 MiB of input already waits for the program to read it; nothing of this was sent', { hint: 'wait until the program reads, or interrupt it with session_interrupt' });
  session.lastUsedAt = new Date();
  const from = command.answered;
  await waitForEnd(session, command, options, signal);
  return reportFrom(command, from, contextOf(session, options, replacementWarning(session, command)));
}

/** Until the command's text runs, it is the shell that would read what is sent. */
async function untilStarted(session: Session, command: Command, live: LiveShell, signal: AbortSignal): Promise<void> {
  await waitUntil(session.changes, () => !command.isRunning || live.isRunningCommand, { timeoutMs: START_WAIT_MS, signal });
  if (command.isRunning && live.isRunningCommand) return;
  if (!command.isRunning) throw notListening(session);
  throw new ExpectedError('SESSION_BUSY', `the shell of session "${session.options.id}" is still at its prompt and has not begun ${shorten(command.text)}; nothing was sent`, { hint: 'send it again in a moment, or interrupt what holds the prompt up with session_interrupt' });
}

/** The output of a command, or everything the terminal has shown. */
export async function readSession(session: Session, options: ReadOptions, signal: AbortSignal): Promise<CommandReport> {
  if (options.view === 'transcript') return reportTranscript(session.transcript, offsetOf(options.cursor ?? -options.maxOutputBytes, session.transcript.length, 'transcript'), session.current, contextOf(session, options));
  const command = options.commandId === undefined ? session.history.latest : commandOf(session, options.commandId);
  if (command === undefined) return reportIdle(contextOf(session, options));
  const from = options.cursor === undefined ? undefined : offsetOf(options.cursor, command.log.length, 'output of that command');
  await waitForEnd(session, command, options, signal);
  const context = contextOf(session, options, replacementWarning(session, command));
  return from === undefined ? reportWhole(command, context) : reportFrom(command, from, context);
}

/** Takes the steps of the ladder until the command is over. Without a command there is nothing to do. */
export async function interruptCommand(session: Session, options: InterruptOptions, signal: AbortSignal): Promise<CommandReport> {
  const command = session.current;
  if (command === undefined) {
    const latest = session.history.latest;
    const warning = ['nothing was running'];
    return latest === undefined ? { ...reportIdle(contextOf(session, options)), warnings: warning } : reportFrom(latest, latest.answered, contextOf(session, options, warning));
  }
  const from = command.answered;
  const ladder = signal.aborted ? undefined : await climb(session, command, options.graceMs);
  return { ...reportFrom(command, from, contextOf(session, options)), ...(ladder === undefined ? {} : { ladder }) };
}

/** Waits until no command runs and takes the session for the next one; starts a new shell if the last one has ended. */
async function becomeIdle(session: Session, queueMs: number, signal: AbortSignal): Promise<readonly string[]> {
  const deadline = performance.now() + queueMs;
  if (session.current !== undefined && isLeftToAnotherShell(session)) await session.hangUp();
  while (!session.isClosed && !session.reserve()) {
    const timeoutMs = deadline - performance.now();
    const isFree = await waitUntil(session.changes, () => session.isFree || session.isClosed, { timeoutMs, signal });
    if (!isFree) throw busy(session);
  }
  if (session.isClosed) throw new ExpectedError('SESSION_NOT_FOUND', `session "${session.options.id}" was ended meanwhile`);
  return session.state === 'ended' ? (await session.start()).warnings : [];
}

/** A cursor as an offset; negative ones count from the end. Throws INVALID_ARGUMENT beyond the end. */
function offsetOf(cursor: number, length: number, what: string): number {
  if (cursor > length) throw new ExpectedError('INVALID_ARGUMENT', `cursor ${cursor} is beyond the end (${length}) of the ${what}`, { hint: 'use the cursor of an earlier answer about the same command, or leave it out' });
  return cursor < 0 ? Math.max(0, length + cursor) : cursor;
}

/** After `exec bash` the new shell waits at a prompt that is not ours: nothing can be framed in it, and it has no work to lose. */
function isLeftToAnotherShell({ live }: Session): boolean {
  const program = live?.replacement();
  if (live === undefined || program === undefined || !OTHER_SHELLS.test(program)) return false;
  return isShellInForeground(live.leader) && readProcess(live.leader.pid)?.state === 'S';
}

function busy(session: Session): ExpectedError {
  const { current } = session;
  const what = current === undefined ? 'its shell is starting' : `${shorten(current.text)} has been running in it for ${Math.round(current.durationMs / 1_000)} s (${current.id})`;
  return new ExpectedError('SESSION_BUSY', `session "${session.options.id}" is busy: ${what}`, {
    hint: 'wait with session_read and timeout_ms, send input with session_send, end it with session_interrupt, or give queue_ms to wait for the session',
  });
}

async function waitForEnd(session: Session, command: Command, options: Waiting & { readonly endsWhenReplaced?: boolean }, signal: AbortSignal): Promise<void> {
  let isReplaced = false;
  const isOver = (): boolean => !command.isRunning || isReplaced;
  const look = (): void => {
    isReplaced = session.live?.replacement() !== undefined;
    if (isReplaced) session.changes.notify();
  };
  const poll = options.endsWhenReplaced === true ? setInterval(look, REPLACED_POLL_MS) : undefined;
  const onTick = options.onProgress && ((elapsedMs: number): void => options.onProgress?.(lastLine(command.log), elapsedMs));
  try {
    await waitUntil(session.changes, isOver, { timeoutMs: options.timeoutMs, signal, ...(onTick && { onTick }) });
  } finally {
    clearInterval(poll);
  }
}

async function climb(session: Session, command: Command, graceMs: number): Promise<Ladder> {
  const { live } = session;
  if (live === undefined) return { tried: [], alive: [] };
  // before its text runs there is nothing to interrupt: the key would only take the typed line away
  const hasStarted = await waitUntil(session.changes, () => !command.isRunning || live.isRunningCommand, { timeoutMs: graceMs });
  if (!hasStarted && isShellInForeground(live.leader)) return { tried: [], alive: [] };
  if (!command.isRunning) return { tried: [], alive: [] };
  return interrupt(live, graceMs, (timeoutMs) => waitUntil(session.changes, () => !command.isRunning, { timeoutMs }));
}

function contextOf(session: Session, { maxOutputBytes }: { readonly maxOutputBytes: number }, warnings: readonly string[] = []): ReportContext {
  return { sessionId: session.options.id, cwd: session.cwd, maxOutputBytes, warnings };
}

/** After `exec` another program is the shell's process: it lives as long as the command, and there is no prompt after it. */
function replacementWarning(session: Session, command: Command): string[] {
  const program = command.isRunning ? session.live?.replacement() : undefined;
  if (program === undefined) return [];
  return [`"${program}" took the place of the shell (exec): session_send types into it, and when it ends the session starts a new shell at the next session_run`];
}

function inputBytes({ text, enter, keys }: SendOptions): Buffer {
  const typed = text === undefined ? '' : text + (enter ? '\r' : '');
  return Buffer.from(typed + keys.map(keyBytes).join(''));
}

function keyBytes(name: string): string {
  const bytes = bytesOfKey(name, { applicationCursor: false });
  if (bytes !== undefined) return bytes;
  throw new ExpectedError('UNKNOWN_KEY', `no key ${shorten(name)}`, { hint: `nearest: ${nearest(name, KEY_NAMES) ?? 'none'}; keys: ${KEY_NAMES_IN_SHORT}` });
}

/** At its prompt the shell itself would read it: commands go through session_run, which frames them. */
function notListening(session: Session): ExpectedError {
  const why = session.state === 'ended' ? 'its shell has ended' : 'no command is running in it, so the shell itself would read this';
  return new ExpectedError('INVALID_ARGUMENT', `session "${session.options.id}" takes no input: ${why}`, { hint: 'run a command with session_run; session_send is for programs that are running' });
}

function commandOf(session: Session, id: string): Command {
  const command = session.history.get(id);
  if (command !== undefined) return command;
  const known = session.history.ids().slice(-5).join(', ');
  throw new ExpectedError('COMMAND_NOT_FOUND', `no command ${shorten(id)} in session "${session.options.id}"`, { hint: known === '' ? 'nothing has run in it yet' : `its latest commands: ${known}` });
}

function refuseOwnedNames(session: Session, env: Readonly<Record<string, string>>): void {
  const wrong = Object.keys(env).find((name) => !isVariableName(name) || isOwnedByShell(name));
  if (wrong === undefined) return;
  const why = isVariableName(wrong) ? `belongs to ${session.options.shell.name} itself` : 'is no name of a shell variable (letters, digits and _)';
  throw new ExpectedError('INVALID_ARGUMENT', `${shorten(wrong)} ${why} and cannot be set for a command`, { hint: 'leave it out of env; nothing was run' });
}
