// The services of runs and tasks, on a kernel of their own.
import { randomBytes } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { join } from 'node:path';
import { createIdMaker } from '../../src/lib/ids.ts';
import { Turns } from '../../src/lib/turns.ts';
import { OutputStore } from '../../src/output/store.ts';
import { approve } from '../support/approved.ts';
import type { PollOptions, RunOptions, RunResult, SpawnedTask, SpawnOptions, TaskReport } from '../../src/task/api.ts';
import { Runner } from '../../src/task/run.ts';
import { TaskTable } from '../../src/task/table.ts';
import { environment, Kernel } from '../process/support.ts';

export const never = new AbortController().signal;
setMaxListeners(0, never); // every call of a test listens to it

export interface Limits {
  readonly maxConcurrent?: number;
  readonly maxTasks?: number;
  readonly retentionS?: number;
}

export class Services {
  readonly kernel = new Kernel();
  readonly store = new OutputStore({ dir: join(this.kernel.root, 'output'), limitBytes: 1_000_000_000 });
  readonly turns: Turns;
  readonly runner: Runner;
  readonly tasks: TaskTable;

  constructor({ maxConcurrent = 8, maxTasks = 64, retentionS = 600 }: Limits = {}) {
    this.turns = new Turns(maxConcurrent);
    const settings = { maxTasks, retentionS, runShell: 'bash', shell: 'bash' } as const;
    const { launcher, tags } = this.kernel;
    const shared = { launcher, tags, store: this.store, turns: this.turns, settings, baseEnvironment: environment, makeId: createIdMaker((count) => randomBytes(count)) };
    this.runner = new Runner(shared);
    this.tasks = new TaskTable(shared);
  }

  run(command: string, options: Partial<RunOptions> = {}, signal = never, owner = 'local'): Promise<RunResult> {
    const defaults = { cwd: this.kernel.root, env: environment, login: false, timeoutMs: 30_000, maxOutputBytes: 50_000 };
    return this.runner.run(owner, approve(command), { ...defaults, ...options }, signal);
  }

  spawn(command: string, options: Partial<SpawnOptions> = {}, owner = 'local'): Promise<SpawnedTask> {
    const defaults = { cwd: this.kernel.root, env: environment, login: false, stdin: 'none' } as const;
    return this.tasks.spawn(owner, approve(command), { ...defaults, ...options });
  }

  poll(taskId: string, options: Partial<PollOptions> = {}, connection = 'c1', signal = never): Promise<TaskReport> {
    return this.tasks.poll('local', connection, taskId, { waitMs: 0, terminate: false, maxOutputBytes: 50_000, ...options }, signal);
  }

  /** Waits for the end of a task and looks at it. */
  finish(taskId: string): Promise<TaskReport> {
    return this.poll(taskId, { waitMs: 20_000 });
  }

  async close(): Promise<void> {
    await this.tasks.shutdown();
    await this.kernel.close();
    this.store.close();
  }
}
