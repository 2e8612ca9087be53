// One session: one live shell, the commands it ran, and the only writer of its state. A session outlives its shell.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ExpectedError } from '../errors.ts';
import type { OutputLog } from '../output/log.ts';
import type { ApprovedCommand } from '../policy/gate.ts';
import { exitCodeOf, type ExitStatus } from '../process/exit-status.ts';
import { Fifo } from '../process/fifo.ts';
import type { Target } from '../process/members.ts';
import { terminate, type Termination } from '../process/terminate.ts';
import type { ShellReport } from '../shell/report.ts';
import type { Integration, SessionState } from './api.ts';
import { CodeVariables, surroundingsOf } from './code-variables.ts';
import { Command } from './command.ts';
import { CommandHistory } from './history.ts';
import type { LiveShell } from './live-shell.ts';
import { Notifier } from '../lib/notifier.ts';
import { TypedInput } from '../policy/typed-input.ts';
import { waitUntil } from './notifier.ts';
import { prepareTakeOver, type Outgoing } from './restore.ts';
import type { SessionOptions } from './options.ts';
import { ShellState, withUmask } from './shell-state.ts';
import { startShell, type StartedShell } from './start.ts';
import { submissionOf, type Submit } from './submission.ts';
import { SessionTerminal } from './terminal.ts';
import { Transcript } from './transcript.ts';
import { jobsWritingTo, mixedOutput, refusedExit, stoppedJobs } from './warnings.ts';

const HANG_UP_GRACE_MS = 1_000;

export class Session {
  readonly options: SessionOptions;
  /** Every change of state, and every piece of output. */
  readonly changes = new Notifier();
  readonly transcript = new Transcript();
  readonly createdAt = new Date();
  readonly terminal: SessionTerminal;
  readonly history = new CommandHistory((command) => this.transcript.forget(command.log));
  readonly code: CodeVariables;
  /** What was typed into a shell that runs in it. */
  readonly typed = new TypedInput();
  lastUsedAt = new Date();
  commandsRun = 0;
  integration: Integration = 'full';
  readonly #between: OutputLog;
  #live: LiveShell | undefined;
  #state: ShellState | undefined;
  /** What was exported when the shell had started: what is missing later was unset. */
  #exportedAtStart: ReadonlyMap<string, string> = new Map();
  #current: Command | undefined;
  #lastExitCode = 0;
  #outgoing: Outgoing | undefined;
  #stderr: Fifo | undefined;
  /** The shell is being ended because nothing can be run in it. */
  #hasLost = false;
  #isReserved = false;
  #isStarting = false;
  readonly #closing = new AbortController();

  constructor(options: SessionOptions) {
    this.options = options;
    this.code = new CodeVariables(options.givenEnv);
    this.terminal = new SessionTerminal({ transcript: this.transcript, cols: options.cols, rows: options.rows, command: () => this.#current, onChange: () => this.changes.notify() });
    this.#between = options.createLog(`${options.id}-terminal`);
  }

  get state(): SessionState {
    if (this.#isStarting) return 'starting';
    if (this.#live === undefined) return 'ended';
    return this.#current === undefined ? 'idle' : 'running';
  }

  /** Nothing runs in it and nobody has taken it for the next command. */
  get isFree(): boolean {
    return !this.#isReserved && this.#current === undefined && !this.#isStarting;
  }

  /** Takes the session for the next command, which `submit` then runs; false when it is not free. */
  reserve(): boolean {
    if (!this.isFree) return false;
    this.#isReserved = true;
    return true;
  }

  get isClosed(): boolean {
    return this.#closing.signal.aborted;
  }

  get live(): LiveShell | undefined {
    return this.#live;
  }

  get shellState(): ShellState | undefined {
    return this.#state;
  }

  get cwd(): string {
    return this.#state?.cwd ?? this.options.cwd;
  }

  /** The command that runs. */
  get current(): Command | undefined {
    return this.#current;
  }

  /** Starts the first shell, or after `ended` a new one that takes over what can be taken over. */
  async start(): Promise<StartedShell> {
    const { signal } = this.#closing;
    signal.throwIfAborted();
    this.#isStarting = true;
    try {
      this.options.makeDir();
      const { warnings, ...place } = prepareTakeOver(this.options, this.#outgoing);
      const started = await startShell({ ...this.options, ...this.terminal.size, ...place, signal }, {
        onStarted: () => this.#started(),
        onOutput: (bytes) => this.#shown(this.#current?.log ?? this.#between, bytes),
        onBetween: (bytes) => this.#shown(this.#between, bytes),
        onFinished: (exitCode, report, cpuMs) => this.#finished(exitCode, report, cpuMs),
        onLost: (hasRun) => this.#lost(hasRun),
        onEnded: (status) => this.#ended(status),
      });
      return { ...this.#adopt(started), warnings: [...warnings, ...started.warnings] };
    } finally {
      this.#isStarting = false;
      if (this.#live === undefined) this.#isReserved = false;
      rmSync(join(this.options.dir, 'restore'), { force: true });
      this.changes.notify();
    }
  }

  /** Runs a command in the idle shell; it ends by itself, whoever waits or not. */
  async submit(approved: ApprovedCommand, submit: Submit): Promise<Command> {
    try {
      await submit.admit?.();
      await submit.approveAgain?.(surroundingsOf(this, submit.env));
      const separate = submit.stderr === 'separate' ? await this.#openStderr() : undefined;
      return this.#submit(approved, submit, separate);
    } finally {
      this.#isReserved = false;
    }
  }

  #submit(approved: ApprovedCommand, { id, env }: Submit, separate: Fifo | undefined): Command {
    const live = this.#live;
    if (live === undefined) throw new ExpectedError('SESSION_BUSY', `the shell of session "${this.options.id}" has just ended`, { hint: 'call again: a new shell is started' });
    const command = new Command({ id, text: approved.text, log: this.options.createLog(id), stderr: separate && this.options.createLog(`${id}-stderr`) });
    command.approved = approved;
    this.code.note(approved.remember);
    command.writingJobs = jobsWritingTo(live.terminalPath, this.#state?.jobs() ?? []);
    this.#note(command);
    try {
      this.#type(live, command, env, separate);
    } catch (error) {
      this.#current = undefined;
      this.history.forget(command);
      throw error;
    }
    return command;
  }

  /** Hangs up on whatever is the shell's process now; resolves when it is gone and the session has ended. */
  async hangUp(): Promise<void> {
    const live = this.#live;
    if (live === undefined) return;
    await terminate({ leader: live.leader }, { graceMs: HANG_UP_GRACE_MS, first: ['SIGHUP', 'SIGTERM'] });
    await waitUntil(this.changes, () => this.#live !== live, { timeoutMs: HANG_UP_GRACE_MS });
  }

  /** The shell and everything that it started, also what left its process group. */
  get target(): Target {
    const { tag } = this.options;
    return this.#live === undefined ? { tag } : { leader: this.#live.leader, tag };
  }

  /** The session is over: `end` ends its target. */
  async close(end: () => Promise<Termination>): Promise<Termination> {
    this.#closing.abort(new ExpectedError('SESSION_NOT_FOUND', `session "${this.options.id}" was ended meanwhile`));
    this.changes.notify();
    await waitUntil(this.changes, () => !this.#isStarting, { timeoutMs: HANG_UP_GRACE_MS });
    const termination = await end().catch(() => {
      this.#live?.close(); // without a descriptor nobody can be looked for: these are some
      return end();
    });
    await waitUntil(this.changes, () => this.#live === undefined, { timeoutMs: HANG_UP_GRACE_MS });
    this.#live?.close();
    this.#stderr?.close();
    await nextTurn(); // calls that wait for a command take its result first
    rmSync(this.options.dir, { recursive: true, force: true });
    this.history.clear();
    this.terminal.dispose();
    this.#between.dispose();
    return termination;
  }

  #adopt(started: StartedShell): StartedShell {
    this.#live = started.live;
    this.terminal.attach(started.live);
    this.#state = new ShellState(this.options.shell.name, withUmask(started.report, started.live.leader));
    this.#exportedAtStart = this.#state.exported;
    this.integration = started.integration;
    this.#lastExitCode = started.report.exitCode;
    return started;
  }

  #note(command: Command): void {
    this.#current = command;
    this.history.add(command);
    this.commandsRun++;
    this.lastUsedAt = new Date();
  }

  #type(live: LiveShell, command: Command, env: Readonly<Record<string, string>>, separate: Fifo | undefined): void {
    const { shell, makeNonce } = this.options;
    const exported = this.#state?.exported ?? new Map<string, string>();
    live.submit(submissionOf(command, { shell: shell.name, nonce: makeNonce(), previousExitCode: this.#lastExitCode, env, exported, stderrPath: separate?.path }));
  }

  async #openStderr(): Promise<Fifo> {
    if (this.#stderr?.isThere === true) return this.#stderr;
    this.#stderr?.close();
    this.#stderr = await Fifo.open(join(this.options.dir, 'stderr'), (chunk) => this.#separateOutput(chunk));
    return this.#stderr;
  }

  /** In the transcript the command stands where the typed line was. */
  #started(): void {
    this.terminal.noteEvent();
    this.#show(this.#between, Buffer.from(`${this.#current?.text ?? ''}\n`));
  }

  #shown(log: OutputLog, bytes: Buffer): void {
    this.terminal.output(bytes);
    this.#show(log, bytes);
  }

  #separateOutput(bytes: Buffer): void {
    this.terminal.noteEvent();
    this.#show(this.#current?.stderr ?? this.#between, bytes);
  }

  #show(log: OutputLog, bytes: Buffer): void {
    this.transcript.append(log, bytes);
    if (this.#current !== undefined && log !== this.#between) this.#current.newest = log;
    this.changes.notify();
  }

  #finished(exitCode: number, report: ShellReport | undefined, cpuMs: number): void {
    const command = this.#current;
    this.#lastExitCode = exitCode;
    if (command === undefined) return;
    this.#stderr?.drain();
    const before = this.#state;
    if (report !== undefined) this.#learn(command, report);
    else command.warnings.push('the state of the shell could not be read: changes and background jobs are unknown, the directory is that of the last command');
    command.warnings.push(...mixedOutput(command, this.#live?.terminalPath), ...stoppedJobs(before, command), ...refusedExit(command, exitCode));
    command.exitCode = exitCode;
    command.cpuMs = cpuMs;
    this.#end(command, 'done');
  }

  #learn(command: Command, report: ShellReport): void {
    const before = this.#state;
    const state = (this.#state = new ShellState(this.options.shell.name, withUmask(report, this.#live?.leader), before));
    command.changes = before && state.changesSince(before);
    if (state.jobs().length > 0) command.background = state.jobs();
  }

  #end(command: Command, state: 'done' | 'ended'): void {
    command.cwd = this.cwd;
    command.end(state);
    this.#current = undefined;
    this.terminal.commandEnded();
    this.lastUsedAt = new Date();
    this.changes.notify();
  }

  #lost(hasRun: boolean): void {
    const what = hasRun ? 'how the command ended is not known' : 'nothing was run';
    this.#current?.warnings.push(`${what}: shellkeep's functions are gone from the shell (unset -f?), so it was ended; the next session_run starts a new one`);
    this.#hasLost = true;
    void this.hangUp();
  }

  #ended(status: ExitStatus): void {
    this.#outgoing = { status, state: this.#state, exportedAtStart: this.#exportedAtStart };
    const command = this.#current;
    if (command !== undefined) {
      this.#stderr?.drain();
      command.exitCode = this.#hasLost ? undefined : exitCodeOf(status);
      command.signal = status.kind === 'signaled' && !this.#hasLost ? status.signal : undefined;
      this.#end(command, 'ended');
    }
    if (!this.isClosed) this.options.onShellEnded?.(status, this.cwd);
    this.#live = undefined;
    this.terminal.detach();
    this.#hasLost = false;
    this.changes.notify();
  }
}
