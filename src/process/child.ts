// A command on pipes, in a process group and POSIX session of its own: no terminal, nothing inherited but its three
// descriptors. For runs and tasks.
import { spawn } from 'node:child_process';
import type { ChildProcess, StdioOptions } from 'node:child_process';
import { constants } from 'node:os';
import { ExpectedError } from '../errors.ts';
import type { StartPlan } from './command-line.ts';
import { statusOf } from './exit-status.ts';
import type { ExitStatus } from './exit-status.ts';
import { PipeReader } from './pipe-reader.ts';
import { PipeWriter } from './pipe-writer.ts';
import type { PipeEnds } from './pipes.ts';
import { readProcess } from './proc.ts';
import type { ProcessIdentity } from './proc.ts';
import { exhausted, startObstacle } from './start-check.ts';

export interface ChildEvents {
  onStdout(chunk: Buffer): void;
  onStderr(chunk: Buffer): void;
  /**
   * Exactly once: the shell is dead, and all that it wrote was delivered. What it left in the background may go on
   * writing; that is read and dropped.
   */
  onEnd(status: ExitStatus): void;
}

/** The descriptors of a child. Our ends of pipes are the child's from the start on, the others are closed by who opened them. */
export interface ChildDescriptors {
  readonly stdin: 'ignore' | number;
  /** Our end of stdin, when it is a pipe. */
  readonly ownStdin: number | undefined;
  readonly stdout: PipeEnds;
  readonly stderr: PipeEnds;
}

export interface ChildStart extends StartPlan {
  readonly cwd: string;
  /** A path of it that cannot be led elsewhere. */
  readonly directory: string;
  /** A file that the shell reads as descriptor 3, and closes. */
  readonly prologue: number | undefined;
}

/** A pipe that is still open when the shell has died is given this long without a byte: `exec > >(tee log)` ends a moment later. */
const STRAGGLER_QUIET_MS = 50;
const STRAGGLER_LIMIT_MS = 200;

export class Child {
  /** Leader of the process group and POSIX session of its number. */
  readonly leader: ProcessIdentity;
  readonly #events: ChildEvents;
  readonly #readers: readonly PipeReader[];
  readonly #input: PipeWriter | undefined;
  #status: ExitStatus | undefined;
  #hasEnded = false;
  #isLingering = false;
  #quietTimer: NodeJS.Timeout | undefined;
  #limitTimer: NodeJS.Timeout | undefined;

  /** Starts it at once. Throws INVALID_CWD, SHELL_NOT_FOUND, INVALID_ARGUMENT or RESOURCE_EXHAUSTED; our ends are still open then. */
  constructor(start: ChildStart, fds: ChildDescriptors, events: ChildEvents) {
    const child = spawnChild(start, fds);
    this.leader = identify(child, start);
    this.#events = events;
    this.#readers = [
      this.#read(fds.stdout.own, (chunk) => events.onStdout(chunk)),
      this.#read(fds.stderr.own, (chunk) => events.onStderr(chunk)),
    ];
    this.#input = fds.ownStdin === undefined ? undefined : new PipeWriter(fds.ownStdin);
    child.on('exit', (code, signal) => this.#shellDied(statusOf(code ?? 0, signal === null ? 0 : constants.signals[signal])));
  }

  get pid(): number {
    return this.leader.pid;
  }

  /** Writes to its standard input; false when that is refused as a whole: no pipe, closed, or more than 1 MiB would wait. */
  write(bytes: Buffer): boolean {
    return this.#input?.write(bytes) ?? false;
  }

  /** Closes its standard input when all that was written has been taken. */
  endInput(): void {
    this.#input?.end();
  }

  /**
   * What the shell leaves behind is listened to until it is all gone or `until` is fulfilled, instead of for a moment:
   * for a command that is being ended, whose servers say goodbye after their shell.
   */
  linger(until: Promise<unknown>): void {
    this.#isLingering = true;
    const stop = (): void => {
      if (this.#status !== undefined) this.#drainAndEnd(this.#status);
      this.#isLingering = false;
    };
    until.then(stop, stop);
  }

  /** Stops reading: whoever writes waits when the pipe is full. */
  pause(): void {
    for (const reader of this.#readers) reader.pause();
  }

  resume(): void {
    for (const reader of this.#readers) reader.resume();
  }

  #read(fd: number, deliver: (chunk: Buffer) => void): PipeReader {
    const onData = (chunk: Buffer): void => {
      this.#quietTimer?.refresh();
      deliver(chunk);
    };
    return new PipeReader(fd, onData, () => this.#endIfComplete());
  }

  #shellDied(status: ExitStatus): void {
    this.#status = status;
    this.#input?.close();
    for (const reader of this.#readers) reader.drain();
    if (this.#endIfComplete()) return;
    for (const reader of this.#readers) reader.resume();
    if (this.#isLingering) return;
    this.#quietTimer = setTimeout(() => this.#end(status), STRAGGLER_QUIET_MS);
    this.#limitTimer = setTimeout(() => this.#end(status), STRAGGLER_LIMIT_MS);
  }

  #endIfComplete(): boolean {
    if (this.#status === undefined || !this.#readers.every((reader) => reader.hasEnded)) return false;
    this.#end(this.#status);
    return true;
  }

  #drainAndEnd(status: ExitStatus): void {
    if (this.#hasEnded) return;
    for (const reader of this.#readers) reader.drain();
    this.#end(status);
  }

  #end(status: ExitStatus): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    clearTimeout(this.#quietTimer);
    clearTimeout(this.#limitTimer);
    for (const reader of this.#readers) reader.discard();
    this.#events.onEnd(status);
  }
}

function spawnChild({ file, args, env, cwd, directory, prologue }: ChildStart, { stdin, stdout, stderr }: ChildDescriptors): ChildProcess {
  const stdio: StdioOptions = [stdin, stdout.child, stderr.child, ...(prologue === undefined ? [] : [prologue])];
  try {
    return spawn(file, args, { cwd: directory, env: { ...env, PWD: cwd }, stdio, detached: true }); // node resets all signals for it
  } catch (error) {
    throw startError(error);
  }
}

function startError(error: unknown): unknown {
  if (!(error instanceof Error && 'code' in error && 'errno' in error)) return error; // a fault of ours
  if (error.code !== 'E2BIG') return exhausted('process', error);
  const hint = 'Linux takes 128 KB a variable and about 2 MB for all; put large values in a file';
  return new ExpectedError('INVALID_ARGUMENT', 'the environment is larger than a program can be given', { hint, cause: error });
}

/** Who was started. A child that could not be started has no pid; the reason comes too late for us. */
function identify(child: ChildProcess, { file, cwd }: ChildStart): ProcessIdentity {
  child.on('error', () => undefined);
  if (child.pid === undefined) throw startObstacle(file, cwd) ?? exhausted('process', undefined);
  return readProcess(child.pid) ?? { pid: child.pid, startTime: 0 };
}
