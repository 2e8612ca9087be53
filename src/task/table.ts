// All tasks: whose they are, how many run, how long their results are kept.
import { ExpectedError } from '../errors.ts';
import type { MakeId } from '../lib/ids.ts';
import { Notifier } from '../lib/notifier.ts';
import { Semaphore } from '../lib/semaphore.ts';
import { asksForSecret } from '../lib/secret-prompt.ts';
import { shorten } from '../lib/shorten.ts';
import { compilePattern } from '../output/compile-pattern.ts';
import type { ApprovedCommand } from '../policy/gate.ts';
import { findShell, userShell } from '../process/find-shell.ts';
import { terminate } from '../process/terminate.ts';
import type { SessionShellName, Shell, ShellName } from '../shell/shell.ts';
import type { PollOptions, SpawnedTask, SpawnOptions, TaskInput, TaskReport, TaskSummary, WaitOptions } from './api.ts';
import { toTimerMs, waitFor } from './ending.ts';
import type { WaitLimits } from './ending.ts';
import type { ExecutionServices } from './execution.ts';
import { Task } from './task.ts';
import { approveWritten } from './written-input.ts';
import { TaskWatch } from './watch.ts';

export interface TaskSettings {
  readonly maxTasks: number;
  readonly retentionS: number;
  /** Of sessions and tasks; the user's own when absent. */
  readonly shell?: SessionShellName | undefined;
}

export interface TaskServices extends ExecutionServices {
  readonly settings: TaskSettings;
  readonly makeId: MakeId;
  /** Where shells are looked for. */
  readonly baseEnvironment: Readonly<Record<string, string>>;
}

export interface TaskLoad {
  readonly running: number;
  readonly queued: number;
}

/** Of one owner: more than an agent ever means to have waiting. */
const MAX_QUEUE = 1_000;
/** Everything has to be over in two seconds. */
const SHUTDOWN_GRACE_MS = 700;
/** SIGTERM, five seconds, SIGKILL, one second for that; what lives then is another user's. */
const TERMINATION_LIMIT_MS = 7_000;
/** A look at what `until` names takes a moment, also for a call that does not want to wait. */
const LOOK_MS = 250;
/** A hint is no list. */
const MOST_IN_HINT = 10;

export class TaskTable {
  readonly #services: TaskServices;
  /** Of each owner: one cannot take what is another's. */
  readonly #slots = new Map<string, Semaphore>();
  readonly #tasks = new Map<string, Task>();
  /** Tasks come, start, end and go; whose, is told. */
  readonly #listChanges = new Notifier<[owner: string]>();
  #isShuttingDown = false;

  constructor(services: TaskServices) {
    this.#services = services;
  }

  /** How many run and how many wait, of all owners. */
  get load(): TaskLoad {
    const loads = [...this.#slots.keys()].map((owner) => this.loadOf(owner));
    return { running: sum(loads.map(({ running }) => running)), queued: sum(loads.map(({ queued }) => queued)) };
  }

  /** The same of one owner. */
  loadOf(owner: string): TaskLoad {
    const { active, waiting } = this.#slotsOf(owner);
    return { running: active, queued: waiting };
  }

  /**
   * Starts a task, or puts it in the queue when max_tasks run: it then starts by itself, in order.
   * Throws SHUTTING_DOWN, QUEUE_FULL, SHELL_NOT_FOUND, and when it starts at once also INVALID_CWD, INVALID_ARGUMENT,
   * RESOURCE_EXHAUSTED or DISK_FULL.
   */
  async spawn(owner: string, command: ApprovedCommand, options: SpawnOptions): Promise<SpawnedTask> {
    if (this.#isShuttingDown) throw new ExpectedError('SHUTTING_DOWN', 'the server is ending');
    const task = new Task({ ...options, id: this.#services.makeId('t'), owner, command, shell: this.shell(options.shell) });
    if (this.#slotsOf(owner).tryAcquire()) await this.#startInTurn(task);
    else this.#queue(task);
    this.#keep(task);
    task.reportEnd(options.onRunning?.());
    const { pid, spawnedAt, state } = task;
    return {
      taskId: task.options.id,
      ...(options.name === undefined ? {} : { name: options.name }),
      state: state === 'queued' ? 'queued' : 'running',
      ...(pid === undefined ? {} : { pid }),
      command: command.text,
      cwd: options.cwd,
      startedAt: spawnedAt.toISOString(),
    };
  }

  /** The owner's tasks in the order of their start; without those whose end was collected, unless asked for. */
  list(owner: string, includeCollected: boolean): TaskSummary[] {
    return this.#of(owner).filter((task) => includeCollected || !task.isCollected).map((task) => task.summary());
  }

  /**
   * Looks at a task, after ending or signalling it and after waiting for its end, or for `until`, if that is asked for.
   * Throws TASK_NOT_FOUND, BAD_PATTERN before anything is done, INVALID_ARGUMENT for a cursor behind the end, or the signal's reason:
   * then nothing counts as read.
   */
  async poll(owner: string, connection: string, taskId: string, options: PollOptions, signal: AbortSignal): Promise<TaskReport> {
    const task = this.#get(owner, taskId);
    const pattern = options.search && (await compilePattern(options.search.pattern));
    const watch = await TaskWatch.start(task, connection, options.until);
    try {
      const warnings = act(task, options);
      if (options.terminate) await waitFor([task.ended], { signal, timeoutMs: TERMINATION_LIMIT_MS });
      else await waitFor([watch.over], limits([task], { ...options, timeoutMs: options.waitMs }, signal));
      signal.throwIfAborted();
      const search = pattern && { ...options, pattern, contextLines: options.search?.contextLines ?? 0 };
      const report = search === undefined ? task.report(connection, options) : await task.search(connection, search, signal);
      return { ...withMatched(report, watch), warnings: [...warnings, ...report.warnings] };
    } finally {
      watch.stop();
    }
  }

  /** Waits until the first or all of the tasks have ended or matched `until`, then looks at each. Throws as poll does. */
  async wait(owner: string, connection: string, taskIds: readonly string[], options: WaitOptions, signal: AbortSignal): Promise<{ tasks: TaskReport[]; timedOut: boolean }> {
    const tasks = [...new Set(taskIds)].map((id) => this.#get(owner, id));
    const watches = new Map<Task, TaskWatch>();
    try {
      for (const task of tasks) watches.set(task, await TaskWatch.start(task, connection, options.until));
      const overs = [...watches.values()].map((watch) => watch.over);
      await waitFor(overs, limits(tasks, options, signal), options.all ? 'all' : 'first');
      signal.throwIfAborted();
      const timedOut = options.all ? !overs.every((over) => over.hasCome) : !overs.some((over) => over.hasCome);
      return { tasks: [...watches].map(([task, watch]) => withMatched(task.report(connection, options), watch)), timedOut };
    } finally {
      for (const watch of watches.values()) watch.stop();
    }
  }

  /** What a task has written, as text: head and tail of each stream. Nothing counts as read. Throws TASK_NOT_FOUND. */
  output(owner: string, taskId: string, maxBytes: number): string {
    return this.#get(owner, taskId).outputText(maxBytes);
  }

  /** Calls the listener at every output, at the end of a task and when it is forgotten, until the returned function is called. Throws TASK_NOT_FOUND. */
  watch(owner: string, taskId: string, listener: () => void): () => void {
    return this.#get(owner, taskId).watch(listener);
  }

  /** Whether the owner has this task: until its results are forgotten. */
  has(owner: string, taskId: string): boolean {
    return this.#tasks.get(taskId)?.options.owner === owner;
  }

  /** Calls the listener when a task of the owner was spawned, has started or ended, or is forgotten, until the returned function is called. */
  onListChange(owner: string, listener: () => void): () => void {
    return this.#listChanges.listen((changed) => changed === owner && listener());
  }

  /** A connection is over: what it had read is of no further use. */
  forget(connection: string): void {
    for (const task of this.#tasks.values()) task.forget(connection);
  }

  /** Writes to the input of a task; how many bytes. Throws TASK_NOT_FOUND, NOT_WRITABLE, and what `approveInput` throws. */
  async write(owner: string, taskId: string, input: TaskInput, signal: AbortSignal): Promise<{ bytes: number }> {
    signal.throwIfAborted();
    const task = this.#get(owner, taskId);
    await approveWritten(task, input);
    input.onWrite?.({ isSecret: asksForSecret(task.lastLine) });
    return { bytes: task.write(input.text, input.eof) };
  }

  /** The shell that a task gets which names this one, or none. Throws SHELL_NOT_FOUND. */
  shell(name: ShellName | undefined): Shell {
    const { baseEnvironment, settings } = this.#services;
    const wanted = name ?? settings.shell;
    return wanted === undefined ? userShell(baseEnvironment) : findShell(wanted, baseEnvironment);
  }

  /** Ends all tasks and all that they started. None can be started afterwards. */
  async shutdown(): Promise<void> {
    this.#isShuttingDown = true;
    const tasks = [...this.#tasks.values()].filter((task) => !task.isFinished);
    if (tasks.length === 0) return;
    const termination = terminate(tasks.flatMap(({ target }) => target ?? []), { graceMs: SHUTDOWN_GRACE_MS });
    for (const task of tasks) task.endWithServer(termination);
    await waitFor(tasks.map((task) => task.ended), {});
  }

  #queue(task: Task): void {
    const slots = this.#slotsOf(task.options.owner);
    if (slots.waiting >= MAX_QUEUE) {
      const hint = 'wait for tasks to end, terminate some with task_poll, or raise the setting max_tasks';
      throw new ExpectedError('QUEUE_FULL', `${slots.active} tasks run (max_tasks) and ${slots.waiting} wait for their turn`, { hint });
    }
    slots.acquire(task.leavesQueue).then(
      () => this.#startInTurn(task).catch((error: unknown) => task.fail(error)),
      () => undefined, // it was ended in the queue
    );
  }

  /** Starts it in the turn that was taken, which is over when it ends. */
  async #startInTurn(task: Task): Promise<void> {
    const slots = this.#slotsOf(task.options.owner);
    try {
      await task.start(this.#services);
      task.ended.listen(() => slots.release());
    } catch (error) {
      slots.release();
      throw error;
    }
  }

  #slotsOf(owner: string): Semaphore {
    const slots = this.#slots.get(owner) ?? new Semaphore(this.#services.settings.maxTasks);
    this.#slots.set(owner, slots);
    return slots;
  }

  #keep(task: Task): void {
    const { id, owner } = task.options;
    this.#tasks.set(id, task);
    this.#listChanges.notify(owner);
    task.started.listen(() => this.#listChanges.notify(owner));
    task.ended.listen(() => {
      this.#listChanges.notify(owner);
      setTimeout(() => this.#forget(task), toTimerMs(this.#services.settings.retentionS * 1_000)).unref();
    });
  }

  #forget(task: Task): void {
    this.#tasks.delete(task.options.id);
    task.dispose();
    this.#listChanges.notify(task.options.owner);
  }

  /** Says the same for a task of another owner as for one that never was. */
  #get(owner: string, taskId: string): Task {
    const task = this.#tasks.get(taskId);
    if (task !== undefined && task.options.owner === owner) return task;
    const own = this.#of(owner).slice(-MOST_IN_HINT).map(({ options, state }) => `${options.id} (${state}, ${shorten(options.command.text)})`);
    const hint = own.length === 0 ? 'there are no tasks; task_spawn starts one' : `tasks: ${own.join(', ')}`;
    throw new ExpectedError('TASK_NOT_FOUND', `no task ${shorten(taskId)}`, { hint });
  }

  #of(owner: string): Task[] {
    return [...this.#tasks.values()].filter((task) => task.options.owner === owner);
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function withMatched(report: TaskReport, { hasMatched }: TaskWatch): TaskReport {
  return hasMatched ? { ...report, matched: true } : report;
}

/** The limits of a wait for tasks; progress is the last line of the latest one that runs. */
function limits(tasks: readonly Task[], options: Pick<WaitOptions, 'timeoutMs' | 'until' | 'onProgress'>, signal: AbortSignal): WaitLimits {
  const { onProgress, until } = options;
  const timeoutMs = until === undefined ? options.timeoutMs : Math.max(LOOK_MS, options.timeoutMs);
  const lastLine = (): string => tasks.findLast((task) => !task.isFinished)?.lastLine ?? '';
  return { timeoutMs, signal, onTick: onProgress && ((elapsedMs) => onProgress(lastLine(), elapsedMs)) };
}

/** Ends or signals the task before the look; says so when there was nothing to end. */
function act(task: Task, { terminate: isToEnd, signal }: PollOptions): string[] {
  if (isToEnd && !task.terminate()) return ['it had already ended: there was nothing to terminate'];
  if (!isToEnd && signal !== undefined && !task.signal(signal)) return [`it does not run: there was nothing to send ${signal} to`];
  return [];
}
