// What the session tools do with one session: run, send, read, interrupt. Each ends in a report.
import { ExpectedError } from '../errors.ts';
import type { ApprovedCommand } from '../policy/gate.ts';
import { isShellInForeground } from '../process/foreground.ts';
import { readProcess } from '../process/proc.ts';
import { isWaitingForInput } from '../process/reads-terminal.ts';
import { readTerminalMode } from '../process/terminal-mode.ts';
import { isOwnedByShell, isVariableName } from '../shell/environment-script.ts';
import { nearest } from '../lib/nearest.ts';
import { shorten } from '../lib/shorten.ts';
import { KEY_NAMES, KEY_NAMES_IN_SHORT, bytesOfKey } from '../terminal/keys.ts';
import { checkUntil } from '../waiting/until.ts';
import { contextOf, withTerminal } from './answer.ts';
import type { CommandReport, InterruptOptions, Ladder, RunInSession, SendOptions } from './api.ts';
import type { Command } from './command.ts';
import { interrupt } from './interrupt.ts';
import type { LiveShell } from './live-shell.ts';
import { waitUntil } from './notifier.ts';
import { reportFrom, reportIdle, reportWhole } from './report-of.ts';
import type { Session } from './session.ts';
import { asksForSecret } from './secret-input.ts';
import { withLinesDropped } from './signal-keys.ts';
import { approveTyped } from './typed-input.ts';
import { waitForCommand } from './wait.ts';

const INTERRUPT_GRACE_MS = 2_000;
/** A shell takes some milliseconds from the typed line to the command, if its prompt does not hold it up. */
const START_WAIT_MS = 2_000;
const MAX_CANONICAL_BYTES = 4_095;
const OTHER_SHELLS = /(?:^|[/-])(?:bash|zsh|fish|sh|dash|ksh)$/;

/** Runs a command and waits for its end, as long as the call may wait. */
export async function runInSession(session: Session, approved: ApprovedCommand, options: RunInSession & { readonly commandId: string; readonly admit?: (() => Promise<void>) | undefined }, signal: AbortSignal): Promise<CommandReport> {
  refuseOwnedNames(session, options.env);
  if (options.until !== undefined) await checkUntil(options.until); // before anything is run
  const warnings = await becomeIdle(session, options.queueMs, signal);
  const command = await session.submit(approved, { ...options, id: options.commandId });
  command.onEnd = options.onRunning?.();
  const end = await waitForCommand(session, command, { ...options, from: 0, looks: false, endsWhenReplaced: true }, signal);
  if (end === 'timeout' && options.onTimeout === 'interrupt' && !signal.aborted) {
    const ladder = await climb(session, command, INTERRUPT_GRACE_MS);
    return { ...reportWhole(command, contextOf(session, options, command, [...warnings, `interrupted after ${options.timeoutMs} ms`, ...deafShell(ladder)])), ladder };
  }
  return withTerminal(session, command, end, reportWhole(command, contextOf(session, options, command, warnings)));
}

/** Types text and keys for the program in the foreground, then waits for the end of the command. */
export async function sendToSession(session: Session, options: SendOptions, signal: AbortSignal): Promise<CommandReport> {
  const command = session.current;
  const live = session.live;
  const hasSize = options.cols !== undefined || options.rows !== undefined;
  if (live !== undefined && hasSize) session.terminal.resize(options.cols, options.rows);
  const bytes = inputBytes(options, session.terminal.hasApplicationCursor);
  if (options.until !== undefined) await checkUntil(options.until);
  if (live === undefined || command === undefined) {
    if (bytes.length > 0 || !hasSize) throw notListening(session);
    return reportIdle(contextOf(session, options, undefined));
  }
  if (bytes.length > 0) await type(session, command, live, { ...options, bytes }, signal);
  session.lastUsedAt = new Date();
  const from = command.answered;
  const end = await waitForCommand(session, command, { ...options, from: from.output, looks: false }, signal);
  return withTerminal(session, command, end, reportFrom(command, from, contextOf(session, options, command)));
}

async function type(session: Session, command: Command, live: LiveShell, { bytes, ...options }: SendOptions & { readonly bytes: Buffer }, signal: AbortSignal): Promise<void> {
  await untilStarted(session, command, live, signal);
  await refuseLongLine(live, bytes);
  const keys = await withLinesDropped(live.terminalPath, bytes);
  await approveTyped(session, command, live, options);
  options.onSend?.({ isSecret: options.text !== undefined && (await asksForSecret(session, command, live)) });
  session.terminal.sent(bytes);
  command.noteInput();
  if (live.send(keys)) return;
  throw new ExpectedError('RESOURCE_EXHAUSTED', 'more than 1 MiB of input already waits for the program to read it; nothing of this was sent', { hint: 'wait until the program reads, or interrupt it with session_interrupt' });
}

/** A terminal that reads by lines keeps 4,095 bytes of one and drops the rest (MAX_CANON, termios(3)). */
async function refuseLongLine(live: LiveShell, bytes: Buffer): Promise<void> {
  const longest = Math.max(...bytes.toString('latin1').split(/[\r\n]/).map(({ length }) => length));
  if (longest <= MAX_CANONICAL_BYTES || (await readTerminalMode(live.terminalPath))?.isCanonical !== true) return;
  throw new ExpectedError('INVALID_ARGUMENT', `a line of ${longest} bytes is too long: the program reads lines, of which a terminal keeps ${MAX_CANONICAL_BYTES} bytes`, { hint: 'send shorter lines, or write the data to a file and have the program read that; nothing was sent' });
}

/** Until the command's text runs, it is the shell that would read what is sent. */
async function untilStarted(session: Session, command: Command, live: LiveShell, signal: AbortSignal): Promise<void> {
  await waitUntil(session.changes, () => !command.isRunning || live.isRunningCommand, { timeoutMs: START_WAIT_MS, signal });
  if (!command.isRunning || (live.isRunningCommand && live.isAtItsEnd)) throw notListening(session); // also while a slow hook of the prompt has the terminal
  if (live.isRunningCommand) return;
  throw new ExpectedError('SESSION_BUSY', `the shell of session "${session.options.id}" is still at its prompt and has not begun ${shorten(command.text)}; nothing was sent`, { hint: 'send it again in a moment, or interrupt what holds the prompt up with session_interrupt' });
}

/** Takes the steps of the ladder until the command is over. Without a command there is nothing to do. */
export async function interruptCommand(session: Session, options: InterruptOptions, signal: AbortSignal): Promise<CommandReport> {
  const command = session.current;
  if (command === undefined) {
    const latest = session.history.latest;
    const warning = ['nothing was running'];
    return latest === undefined ? { ...reportIdle(contextOf(session, options, undefined)), warnings: warning } : reportFrom(latest, latest.answered, contextOf(session, options, latest, warning));
  }
  const from = command.answered;
  const ladder = signal.aborted ? undefined : await climb(session, command, options.graceMs);
  return { ...reportFrom(command, from, contextOf(session, options, command, deafShell(ladder))), ...(ladder === undefined ? {} : { ladder }) };
}

/** What is alive then says little: programs that the shell starts one after another. */
function deafShell(ladder: Ladder | undefined): string[] {
  return ladder?.isShellDeaf === true ? ['the shell itself does not react and goes on with the command; an interruption never kills it: session_destroy ends it'] : [];
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

async function climb(session: Session, command: Command, graceMs: number): Promise<Ladder> {
  const { live } = session;
  if (live === undefined) return { tried: [], alive: [] };
  // before its text runs there is nothing to interrupt: the key would only take the typed line away
  const hasStarted = await waitUntil(session.changes, () => !command.isRunning || live.isRunningCommand, { timeoutMs: graceMs });
  if (!hasStarted && isShellInForeground(live.leader) && isWaitingForInput(live.leader.pid)) return { tried: [], alive: [] };
  if (!command.isRunning) return { tried: [], alive: [] };
  return interrupt(live, graceMs, (timeoutMs) => waitUntil(session.changes, () => !command.isRunning, { timeoutMs }));
}

function inputBytes({ text, enter, keys }: SendOptions, applicationCursor: boolean): Buffer {
  const typed = text === undefined ? '' : text + (enter ? '\r' : '');
  return Buffer.from(typed + keys.map((name) => keyBytes(name, applicationCursor)).join(''));
}

function keyBytes(name: string, applicationCursor: boolean): string {
  const bytes = bytesOfKey(name, { applicationCursor });
  if (bytes !== undefined) return bytes;
  throw new ExpectedError('UNKNOWN_KEY', `no key ${shorten(name)}`, { hint: `nearest: ${nearest(name, KEY_NAMES) ?? 'none'}; keys: ${KEY_NAMES_IN_SHORT}` });
}

/** At its prompt the shell itself would read it: commands go through session_run, which frames them. */
function notListening(session: Session): ExpectedError {
  const why = session.state === 'ended' ? 'its shell has ended' : 'no command is running in it, so the shell itself would read this';
  return new ExpectedError('INVALID_ARGUMENT', `session "${session.options.id}" takes no input: ${why}`, { hint: 'run a command with session_run; session_send is for programs that are running' });
}

function refuseOwnedNames(session: Session, env: Readonly<Record<string, string>>): void {
  const wrong = Object.keys(env).find((name) => !isVariableName(name) || isOwnedByShell(name));
  if (wrong === undefined) return;
  const why = isVariableName(wrong) ? `belongs to ${session.options.shell.name} itself` : 'is no name of a shell variable (letters, digits and _)';
  throw new ExpectedError('INVALID_ARGUMENT', `${shorten(wrong)} ${why} and cannot be set for a command`, { hint: 'leave it out of env; nothing was run' });
}
