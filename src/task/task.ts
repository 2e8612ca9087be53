// One background task, from the queue to its end, and the only writer of its state.
import type { Facts } from '../audit/entry.ts';
import { ExpectedError } from '../errors.ts';
import { defined } from '../lib/defined.ts';
import { shorten } from '../lib/shorten.ts';
import type { WatchedOutput } from '../output/matcher.ts';
import type { OutputLog } from '../output/log.ts';
import { renderWhole } from '../output/render.ts';
import type { Rendered } from '../output/render.ts';
import type { ApprovedCommand } from '../policy/gate.ts';
import { TypedInput } from '../policy/typed-input.ts';
import type { Target } from '../process/members.ts';
import type { Termination } from '../process/terminate.ts';
import type { Shell } from '../shell/shell.ts';
import type { EndedBy, PollOptions, SpawnOptions, TaskReport, TaskState, TaskSummary } from './api.ts';
import { Ending } from './ending.ts';
import { Execution } from './execution.ts';
import type { ExecutionServices } from './execution.ts';
import { StreamReader } from './reader.ts';
import { searchStreams } from './search.ts';
import type { Streams, TaskSearch } from './search.ts';

export interface TaskOptions extends Omit<SpawnOptions, 'shell'> {
  readonly id: string;
  readonly owner: string;
  readonly command: ApprovedCommand;
  readonly shell: Shell;
}

/** Between SIGTERM and SIGKILL. */
const GRACE_MS = 5_000;
const NOTHING: Rendered = { text: '', folded: 0, suspicious: 0, truncated: false, bytes: 0, cursor: 0, binary: false, lostBytes: 0 };

/** A started task: its process, and what was read of it. */
interface Started extends Streams {
  readonly execution: Execution;
}

export class Task {
  readonly options: TaskOptions;
  /** What was written to a shell that runs in it. */
  readonly written = new TypedInput();
  readonly spawnedAt = new Date();
  /** It has left the queue and runs. */
  readonly started = new Ending();
  readonly ended = new Ending();
  readonly #forgotten = new Ending();
  readonly #leavesQueue = new AbortController();
  #started: Started | undefined;
  /** How a task ended that never ran: taken out of the queue, or its shell could not be started. */
  #unstarted: { readonly endedBy?: EndedBy; readonly warning?: string } | undefined;
  #isCollected = false;

  constructor(options: TaskOptions) {
    this.options = options;
  }

  get state(): TaskState {
    if (this.#unstarted !== undefined) return 'terminated';
    if (this.#started === undefined) return 'queued';
    const { finished } = this.#started.execution;
    if (finished === undefined) return 'running';
    return finished.endedBy === 'itself' ? 'exited' : 'terminated';
  }

  get isFinished(): boolean {
    return this.state === 'exited' || this.state === 'terminated';
  }

  /** A client has seen its end. */
  get isCollected(): boolean {
    return this.#isCollected;
  }

  get pid(): number | undefined {
    return this.#started?.execution.pid;
  }

  /** Fires when a queued task is not to be started any more. */
  get leavesQueue(): AbortSignal {
    return this.#leavesQueue.signal;
  }

  /** What to end with it; undefined when it does not run. */
  get target(): Target | undefined {
    return this.state === 'running' ? this.#started?.execution.target : undefined;
  }

  get lastLine(): string {
    return this.#started?.execution.lastLine ?? '';
  }

  /** Calls back with how it ended, if anybody wants to know. */
  reportEnd(onEnd: ((end: Facts) => void) | undefined): void {
    if (onEnd !== undefined) this.ended.listen(() => onEnd({ taskId: this.options.id, detail: this.#unstarted?.warning, ...this.#started?.execution.endFacts }));
  }

  /** Starts it. Throws what Execution.start throws. */
  async start(services: ExecutionServices): Promise<void> {
    const { id, command, name: _, owner: __, codeEnvironment: ___, onRunning: ____, ...options } = this.options;
    const execution = await Execution.start(services, command, { ...options, name: id, graceMs: GRACE_MS });
    if (this.#unstarted !== undefined) return execution.end('request', GRACE_MS); // it was ended while it was being started
    this.#started = { execution, stdout: new StreamReader(execution.stdout, 'stdout'), stderr: new StreamReader(execution.stderr, 'stderr') };
    execution.ended.listen(() => this.ended.come());
    this.started.come();
  }

  /** Notes that it could not be started when its turn came. */
  fail(error: unknown): void {
    this.#endUnstarted({ warning: `it could not be started: ${error instanceof Error ? error.message : String(error)}` });
  }

  /** Ends it and all that it started: SIGTERM, SIGKILL after 5 s. Whether there was anything to end. */
  terminate(): boolean {
    if (this.isFinished) return false;
    if (this.#started === undefined) this.#endUnstarted({ endedBy: 'request' });
    else this.#started.execution.end('request', GRACE_MS);
    return true;
  }

  /** Notes that the end of the server ends it, together with others. */
  endWithServer(termination: Promise<Termination>): void {
    if (this.#started !== undefined) this.#started.execution.endWith('shutdown', termination);
    else this.#endUnstarted({ endedBy: 'shutdown' });
  }

  /** Sends a signal to its process group; false when there is none to get it. */
  signal(signal: NodeJS.Signals): boolean {
    return this.#started?.execution.signal(signal) ?? false;
  }

  /** Writes to its standard input; how many bytes. Throws NOT_WRITABLE. */
  write(text: string, eof: boolean): number {
    const bytes = Buffer.from(text);
    this.#refuseUnlessRunning();
    if (bytes.length > 0 && this.#started?.execution.write(bytes) !== true) throw this.#refused(bytes.length);
    if (eof) this.#started?.execution.endInput();
    return bytes.length;
  }

  /** A look at it: what is new for the connection, and its end. Throws INVALID_ARGUMENT for a cursor behind the end. */
  report(connection: string, options: Pick<PollOptions, 'stdoutCursor' | 'stderrCursor' | 'maxOutputBytes'>): TaskReport {
    const finished = this.isFinished;
    const read = (reader: StreamReader | undefined, cursor: number | undefined): Rendered =>
      reader?.read({ connection, cursor, maxBytes: options.maxOutputBytes, finished }) ?? NOTHING;
    const stdout = read(this.#started?.stdout, options.stdoutCursor);
    const stderr = read(this.#started?.stderr, options.stderrCursor);
    if (finished) this.#isCollected = true;
    return {
      ...this.#facts(),
      finished,
      stdout,
      stderr,
      stdoutCursor: stdout.cursor,
      stderrCursor: stderr.cursor,
      lostBytes: stdout.lostBytes + stderr.lostBytes,
      warnings: this.#warnings(),
    };
  }

  /** The lines that match, and how it is; nothing counts as read. Throws as report does, or the signal's reason. */
  async search(connection: string, search: TaskSearch, signal: AbortSignal): Promise<TaskReport> {
    const [started, finished, facts] = [this.#started, this.isFinished, this.#facts()];
    const found = started && (await searchStreams(started, search, { finished, signal }));
    if (finished) this.#isCollected = true;
    const unread = (stream: 'stdout' | 'stderr'): Rendered => ({ ...NOTHING, truncated: found?.truncated[stream] ?? false });
    return {
      ...facts,
      finished,
      stdout: unread('stdout'),
      stderr: unread('stderr'),
      stdoutCursor: started?.stdout.placeOf(connection) ?? 0,
      stderrCursor: started?.stderr.placeOf(connection) ?? 0,
      lostBytes: 0,
      matches: found?.matches ?? [],
      matchesTotal: found?.matchesTotal ?? 0,
      warnings: this.#warnings(),
    };
  }

  /** Both streams from where the connection has read to. */
  unreadOutputs(connection: string): WatchedOutput[] {
    if (this.#started === undefined) return [];
    const { stdout, stderr } = this.#started;
    return [stdout, stderr].map((reader) => ({ log: reader.log, from: reader.placeOf(connection) }));
  }

  /** Calls the listener with each piece of output that has come, until the returned function is called. */
  listenOutput(listener: () => void): () => void {
    return this.#started?.execution.listenOutput(listener) ?? (() => undefined);
  }

  /** Calls the listener at every output, at its end and when it is forgotten, until the returned function is called. */
  watch(listener: () => void): () => void {
    const stops: (() => void)[] = [this.#forgotten.listen(listener)];
    if (this.isFinished) return () => stops.forEach((stop) => stop());
    stops.push(this.ended.listen(listener));
    stops.push(this.started.listen(() => stops.push(this.listenOutput(listener))));
    return () => stops.forEach((stop) => stop());
  }

  /** Both streams as text, the second behind a line that names it. Nothing counts as read. */
  outputText(maxBytes: number): string {
    if (this.#started === undefined) return '';
    const { stdout, stderr } = this.#started.execution;
    const text = (log: OutputLog): string => renderWhole(log, { maxBytes, terminal: false, finished: this.isFinished }).text;
    const first = text(stdout);
    return stderr.length === 0 ? first : `${first}${first === '' || first.endsWith('\n') ? '' : '\n'}[stderr]\n${text(stderr)}`;
  }

  /** A connection is over. */
  forget(connection: string): void {
    this.#started?.stdout.forget(connection);
    this.#started?.stderr.forget(connection);
  }

  summary(): TaskSummary {
    const { name, command } = this.options;
    const unreadBytes = (this.#started?.stdout.unreadBytes ?? 0) + (this.#started?.stderr.unreadBytes ?? 0);
    const { taskId, state, exitCode, signal, elapsedMs } = this.#facts();
    return defined({ taskId, name, command: command.text, state, done: this.isFinished, exitCode, signal, elapsedMs, unreadBytes });
  }

  /** Drops its output. */
  dispose(): void {
    this.#started?.execution.dispose();
    this.#forgotten.come();
  }

  #facts(): Pick<TaskReport, 'taskId' | 'state' | 'exitCode' | 'signal' | 'endedBy' | 'elapsedMs'> {
    const outcome = this.#started?.execution.finished;
    const { exitCode, signal, endedBy = this.#unstarted?.endedBy } = outcome ?? {};
    const elapsedMs = this.#started?.execution.elapsedMs ?? 0;
    return defined({ taskId: this.options.id, state: this.state, exitCode, signal, endedBy, elapsedMs });
  }

  #warnings(): string[] {
    const execution = this.#started?.execution;
    const { backgroundPids = [] } = execution?.finished ?? {};
    const left = backgroundPids.length === 0 ? [] : [`left running in the background: ${backgroundPids.join(', ')}`];
    const why = this.#unstarted?.warning === undefined ? [] : [this.#unstarted.warning];
    return [...why, ...left, ...(execution?.warnings ?? [])];
  }

  #endUnstarted(how: { readonly endedBy?: EndedBy; readonly warning?: string }): void {
    if (this.isFinished) return;
    this.#unstarted = how;
    this.#leavesQueue.abort();
    this.ended.come();
  }

  #refuseUnlessRunning(): void {
    const { id, stdin } = this.options;
    const exitCode = this.#started?.execution.finished?.exitCode;
    const refuse = (why: string, hint?: string): never => {
      throw new ExpectedError('NOT_WRITABLE', `task "${id}" ${why}`, hint === undefined ? {} : { hint });
    };
    if (stdin === 'none') refuse('has no pipe as standard input');
    if (this.state === 'queued') refuse('has not been started yet', 'nothing was written; write when task_poll shows it running');
    if (this.isFinished) refuse(`has already ended${exitCode === undefined ? '' : `, with exit code ${exitCode}`}`, 'nothing was written; task_poll shows its output');
  }

  #refused(bytes: number): ExpectedError {
    return new ExpectedError('NOT_WRITABLE', `task "${this.options.id}" takes no ${bytes} bytes: ${shorten(this.options.command.text)} has closed its input, or leaves too much unread`, {
      hint: 'nothing of this was written; look at the task with task_poll, and write at most 1 MiB beyond what it reads',
    });
  }
}
