// What one call waits for of one task: its end, or before that what `until` says.
import { checkUntil, UntilWatch } from '../waiting/until.ts';
import type { Until } from '../waiting/until.ts';
import { Ending } from './ending.ts';
import type { Task } from './task.ts';

export class TaskWatch {
  /** The task has ended, or what was waited for is there. */
  readonly over = new Ending();
  readonly #task: Task;
  readonly #connection: string;
  readonly #stops: (() => void)[] = [];
  /** Resolves when the watch has begun; undefined as long as the end is all that is waited for. */
  #begun: Promise<void> | undefined;
  #watch: UntilWatch | undefined;
  #isStopped = false;

  private constructor(task: Task, connection: string) {
    this.#task = task;
    this.#connection = connection;
  }

  /** Starts to watch; of a task in the queue from its start on. Throws BAD_PATTERN. */
  static async start(task: Task, connection: string, until: Until | undefined): Promise<TaskWatch> {
    const watch = new TaskWatch(task, connection);
    if (until !== undefined) await watch.#begin(until);
    watch.#stops.push(task.ended.listen(() => watch.#end()));
    return watch;
  }

  /** Whether `until` was satisfied. */
  get hasMatched(): boolean {
    return this.#watch?.isSatisfied ?? false;
  }

  /** Leaves nothing behind at the task, nor any timer or socket. */
  stop(): void {
    this.#isStopped = true;
    for (const stop of this.#stops) stop();
    this.#watch?.stop();
  }

  async #begin(until: Until): Promise<void> {
    await checkUntil(until);
    this.#stops.push(this.#task.started.listen(() => { this.#begun = this.#watchFor(until); }));
    await this.#begun;
  }

  async #watchFor(until: Until): Promise<void> {
    const task = this.#task;
    const target = { outputs: task.unreadOutputs(this.#connection), isFinished: () => task.isFinished };
    const watch = await UntilWatch.start(until, target, () => this.over.come());
    if (this.#isStopped) return watch.stop();
    this.#watch = watch;
    this.#stops.push(task.listenOutput(() => watch.outputArrived()));
  }

  #end(): void {
    if (this.#begun === undefined) this.over.come();
    else void this.#begun.then(() => this.#watch?.finish()).then(() => this.over.come());
  }
}
