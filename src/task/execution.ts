// One command on pipes from its start to its end: its output, its deadline, and who ended it. Runs and tasks are made of it.
import type { Facts } from '../audit/entry.ts';
import { lastLine } from '../output/last-line.ts';
import type { OutputLog } from '../output/log.ts';
import type { OutputStore } from '../output/store.ts';
import type { ApprovedCommand } from '../policy/gate.ts';
import type { Child } from '../process/child.ts';
import { exitCodeOf } from '../process/exit-status.ts';
import type { ExitStatus } from '../process/exit-status.ts';
import type { Launcher } from '../process/launcher.ts';
import type { Target } from '../process/members.ts';
import { groupMembers } from '../process/proc.ts';
import type { TagSpace } from '../process/tag.ts';
import { signalGroup, terminate } from '../process/terminate.ts';
import type { Termination } from '../process/terminate.ts';
import type { Shell } from '../shell/shell.ts';
import type { EndedBy, Place } from './api.ts';
import { Ending, toTimerMs } from './ending.ts';

/** What timeout(1) gives, and what a shell never gives for a signal. */
const TIMEOUT_EXIT_CODE = 124;

export interface ExecutionServices {
  readonly launcher: Launcher;
  readonly tags: TagSpace;
  readonly store: OutputStore;
}

export interface ExecutionOptions extends Place {
  /** Of its logs; unique in the server. */
  readonly name: string;
  readonly shell: Shell;
  readonly login: boolean;
  readonly stdin: 'none' | 'pipe' | Buffer;
  /** Lifetime; none when absent. */
  readonly timeoutMs?: number | undefined;
  /** Between SIGTERM and SIGKILL when the lifetime is over. */
  readonly graceMs: number;
}

export interface Outcome {
  /** As the shell shows it; 124 after a timeout, whatever it took. */
  readonly exitCode: number;
  readonly signal?: string;
  readonly endedBy: EndedBy;
  /** Members of its group that were alive when the shell had ended by itself. */
  readonly backgroundPids: readonly number[];
  readonly durationMs: number;
}

export class Execution {
  readonly stdout: OutputLog;
  readonly stderr: OutputLog;
  /** The shell is dead, and if it was ended, all that it started. */
  readonly ended = new Ending();
  readonly #startedAt = performance.now();
  readonly #requested = new Set<NodeJS.Signals>();
  #child: Child | undefined;
  #target: Target = {};
  #latest: OutputLog;
  #endedBy: EndedBy | undefined;
  #termination: Promise<Termination | undefined> | undefined;
  readonly #warnings: string[] = [];
  readonly #outputListeners = new Set<() => void>();
  #finished: Outcome | undefined;
  #timer: NodeJS.Timeout | undefined;

  private constructor(stdout: OutputLog, stderr: OutputLog) {
    this.stdout = stdout;
    this.stderr = stderr;
    this.#latest = stdout;
  }

  /** Starts a command. Throws INVALID_CWD, SHELL_NOT_FOUND, INVALID_ARGUMENT, RESOURCE_EXHAUSTED or DISK_FULL. */
  static async start(services: ExecutionServices, command: ApprovedCommand, options: ExecutionOptions): Promise<Execution> {
    const { launcher, store, tags } = services;
    const { name, graceMs, timeoutMs, ...child } = options;
    const execution = new Execution(store.createLog(`${name}-stdout`), store.createLog(`${name}-stderr`));
    try {
      await execution.#launch(launcher, { ...child, command: command.text, tag: tags.next() });
    } catch (error) {
      execution.dispose();
      throw error;
    }
    if (timeoutMs !== undefined) execution.#limit(timeoutMs, graceMs);
    return execution;
  }

  get pid(): number | undefined {
    return this.#target.leader?.pid;
  }

  /** What to end with it. */
  get target(): Target {
    return this.#target;
  }

  /** How it ended; undefined while it runs. */
  get finished(): Outcome | undefined {
    return this.#finished;
  }

  /** How it ended, for those who keep only that. */
  get endFacts(): Facts {
    const { exitCode, signal, endedBy } = this.#finished ?? {};
    const timedOut = endedBy === 'timeout' || undefined;
    return { exitCode, signal, timedOut, durationMs: Math.round(this.elapsedMs), stdoutBytes: this.stdout.length, stderrBytes: this.stderr.length };
  }

  /** Since its start; stops at its end. */
  get elapsedMs(): number {
    return this.#finished?.durationMs ?? performance.now() - this.#startedAt;
  }

  /** The last line that it printed. */
  get lastLine(): string {
    return lastLine(this.#latest);
  }

  /** What went wrong beside the command itself: who cannot be ended, what is missing of the output. */
  get warnings(): string[] {
    const { stdout, stderr } = this;
    const missing = Object.entries({ stdout, stderr }).flatMap(([name, { failure }]) => (failure === undefined ? [] : [`${name}: ${failure}`]));
    return [...this.#warnings, ...missing];
  }

  /** Ends it and all that it started: SIGTERM, after the grace SIGKILL. The first reason is the one that counts. */
  end(reason: EndedBy, graceMs: number): void {
    if (this.#finished === undefined && this.#termination === undefined) this.endWith(reason, terminate(this.#target, { graceMs }));
  }

  /** Notes that somebody ends it, maybe together with others. */
  endWith(reason: EndedBy, termination: Promise<Termination>): void {
    if (this.#finished !== undefined) return;
    this.#endedBy ??= reason;
    const over = termination.catch((error: unknown) => this.#killBlindly(error));
    this.#termination ??= over;
    this.#child?.linger(over);
    void over.then((result) => this.#wasTerminated(result));
  }

  /** Sends a signal to its process group; false when that is gone. */
  signal(signal: NodeJS.Signals): boolean {
    if (this.#finished !== undefined || !signalGroup(this.#target.leader, signal)) return false;
    this.#requested.add(signal);
    return true;
  }

  /** Writes to its standard input; false when that is refused as a whole: closed, or more than 1 MiB would wait. */
  write(bytes: Buffer): boolean {
    return this.#child?.write(bytes) ?? false;
  }

  /** Closes its standard input behind what was written. */
  endInput(): void {
    this.#child?.endInput();
  }

  /** Calls the listener with each piece of output that has come, until the returned function is called. */
  listenOutput(listener: () => void): () => void {
    this.#outputListeners.add(listener);
    return () => this.#outputListeners.delete(listener);
  }

  /** Drops its output. */
  dispose(): void {
    this.stdout.dispose();
    this.stderr.dispose();
  }

  async #launch(launcher: Launcher, options: Parameters<Launcher['start']>[0]): Promise<void> {
    this.#child = await launcher.start(options, {
      onStdout: (chunk) => this.#append(this.stdout, chunk),
      onStderr: (chunk) => this.#append(this.stderr, chunk),
      onEnd: (status) => void this.#shellEnded(status),
    });
    this.#target = { leader: this.#child.leader, tag: options.tag };
  }

  /** Without a descriptor to look with, what it started is not known; its group still is, by its number. */
  #killBlindly(error: unknown): undefined {
    this.#warnings.push(`only its process group was ended: ${error instanceof Error ? error.message : String(error)}`);
    if (this.#finished === undefined && this.pid !== undefined) killGroup(this.pid);
  }

  #append(log: OutputLog, chunk: Buffer): void {
    this.#latest = log;
    log.append(chunk);
    for (const listener of this.#outputListeners) listener();
  }

  #limit(timeoutMs: number, graceMs: number): void {
    this.#timer = setTimeout(() => this.end('timeout', graceMs), toTimerMs(timeoutMs));
  }

  async #shellEnded(status: ExitStatus): Promise<void> {
    clearTimeout(this.#timer);
    const endedBy = this.#endedBy ?? (status.kind === 'signaled' && this.#requested.has(status.signal) ? 'request' : 'itself');
    const backgroundPids = endedBy === 'itself' ? groupLeftBy(this.#target.leader) : [];
    const termination = await this.#termination;
    this.#warnings.push(...survivorsOf(termination));
    this.#finish({ ...resultOf(status, endedBy, termination), endedBy, backgroundPids });
  }

  /** A shell that became another user's program (`sudo …`) may have outlived even SIGKILL. A timeout is over all the same. */
  #wasTerminated(termination: Termination | undefined): void {
    if (this.#finished !== undefined || termination?.survivors.every(({ pid }) => pid !== this.pid) !== false) return;
    this.#warnings.push(...survivorsOf(termination));
    if (this.#endedBy === 'timeout') return this.#finish({ exitCode: TIMEOUT_EXIT_CODE, endedBy: 'timeout', backgroundPids: [] });
    this.#endedBy = undefined;
    this.#termination = undefined;
  }

  #finish(result: Pick<Outcome, 'exitCode' | 'signal' | 'endedBy' | 'backgroundPids'>): void {
    if (this.#finished !== undefined) return;
    this.stdout.finish();
    this.stderr.finish();
    this.#finished = { ...result, durationMs: performance.now() - this.#startedAt };
    this.#child = undefined;
    this.ended.come();
  }
}

function resultOf(status: ExitStatus, endedBy: EndedBy, termination: Termination | undefined): Pick<Outcome, 'exitCode' | 'signal'> {
  const own = status.kind === 'signaled' ? status.signal : undefined;
  const signal = endedBy === 'timeout' ? (termination?.signal ?? own) : own;
  const exitCode = endedBy === 'timeout' ? TIMEOUT_EXIT_CODE : exitCodeOf(status);
  return signal === undefined ? { exitCode } : { exitCode, signal };
}

/** Looked for only if the group is still there: that is one call instead of a look at every process. */
function groupLeftBy(leader: Target['leader']): number[] {
  return leader !== undefined && isGroup(leader.pid) ? groupMembers(leader.pid).map(({ pid }) => pid) : [];
}

function killGroup(pgid: number): void {
  try {
    process.kill(-pgid, 'SIGKILL');
  } catch {
    // ESRCH: it has just ended
  }
}

function isGroup(pgid: number): boolean {
  try {
    return process.kill(-pgid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function survivorsOf(termination: Termination | undefined): string[] {
  const survivors = termination?.survivors ?? [];
  if (survivors.length === 0) return [];
  return [`still alive after SIGKILL: ${survivors.map(({ pid, name }) => `${name} (${pid})`).join(', ')}`];
}
