// How long a call about a command waits: until its end, until somebody has to type, or until what the caller waits for has come.
import { lastLine } from '../output/last-line.ts';
import { UntilWatch } from '../waiting/until.ts';
import type { Until } from '../waiting/until.ts';
import type { Waiting } from './api.ts';
import type { Command } from './command.ts';
import { waitUntil } from './notifier.ts';
import type { Session } from './session.ts';

/** While a call waits, the shell's process is looked at so often, to see an `exec`. */
const REPLACED_POLL_MS = 100;
/** A program that has taken the shell's place shows within this time whether it waits for input. */
const REPLACED_GRACE_MS = 400;
/** A call that does not wait still says whether the program does, or a port is open: finding that out takes a moment. */
const LOOK_MS = { input: 40, until: 250 };

export interface CommandWait extends Waiting {
  /** Raw offset in the output from which on a pattern is looked for. */
  readonly from: number;
  /** Even a call that does not wait takes the time for a look. */
  readonly looks: boolean;
  /** Comes back when another program has taken the shell's place. */
  readonly endsWhenReplaced?: boolean;
}

/** Why a wait is over. `asks`: nothing goes on until somebody types or looks. */
export type WaitEnd = 'ended' | 'matched' | 'asks' | 'replaced' | 'timeout';

/** Waits as long as the call may. */
export async function waitForCommand(session: Session, command: Command, options: CommandWait, signal: AbortSignal): Promise<WaitEnd> {
  const { until, from, onProgress } = options;
  const timeoutMs = options.looks ? Math.max(until === undefined ? LOOK_MS.input : LOOK_MS.until, options.timeoutMs) : options.timeoutMs;
  if (!command.isRunning) return 'ended';
  if (timeoutMs === 0) return 'timeout';
  const leave = session.terminal.watch();
  const exec = options.endsWhenReplaced === true ? watchForExec(session) : undefined;
  const watched = until === undefined ? undefined : await watchUntil(session, command, until, from);
  const end = (): WaitEnd | undefined => {
    if (watched?.isMet() === true) return 'matched';
    if (!command.isRunning) return 'ended';
    if (asks(session, until)) return 'asks';
    return exec?.isMet() === true ? 'replaced' : undefined;
  };
  const onTick = onProgress && ((elapsedMs: number): void => onProgress(lastLine(command.log), elapsedMs));
  try {
    await waitUntil(session.changes, () => end() !== undefined, { timeoutMs, signal, ...(onTick && { onTick }) });
    return end() ?? 'timeout';
  } finally {
    leave();
    exec?.stop();
    watched?.stop();
  }
}

/**
 * Whether nothing goes on until somebody types or looks. A caller who waits for something else is only called back for a question: a
 * server that also listens to keys asks none.
 */
function asks({ terminal }: Session, until: Until | undefined): boolean {
  if (until === undefined) return terminal.awaiting !== undefined || terminal.hasDrawn;
  return terminal.awaiting !== undefined && terminal.awaiting.prompt !== '';
}

/** Something that ends a wait. */
interface Condition {
  isMet(): boolean;
  stop(): void;
}

async function watchUntil(session: Session, command: Command, until: Until, from: number): Promise<Condition> {
  const errors = command.stderr === undefined ? [] : [{ log: command.stderr, from: from === 0 ? 0 : command.stderr.length }];
  const target = { outputs: [{ log: command.log, from }, ...errors], isFinished: () => !command.isRunning };
  const watch = await UntilWatch.start(until, target, () => session.changes.notify());
  let seenBytes = command.outputBytes;
  const stopListening = session.changes.listen(() => { // of all that changes, only output is no quiet
    if (command.outputBytes === seenBytes) return;
    seenBytes = command.outputBytes;
    watch.outputArrived();
  });
  return {
    isMet: () => watch.isSatisfied,
    stop: () => {
      stopListening();
      watch.stop();
    },
  };
}

/** After `exec` another program is the shell's process: the call comes back, once it is clear whether that program waits for input. */
function watchForExec(session: Session): Condition {
  let replacedAt: number | undefined;
  const look = (): void => {
    if (session.live?.replacement() === undefined) return;
    replacedAt ??= performance.now();
    session.changes.notify();
  };
  const timer = setInterval(look, REPLACED_POLL_MS);
  return { isMet: () => replacedAt !== undefined && performance.now() - replacedAt >= REPLACED_GRACE_MS, stop: () => clearInterval(timer) };
}
