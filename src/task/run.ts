// Runs: one command in a fresh process group, waited for. At most so many at once; the others wait in order, the owners in turns.
import { defined } from '../lib/defined.ts';
import type { OwnTurns, Turns } from '../lib/turns.ts';
import type { OutputLog } from '../output/log.ts';
import { renderWhole } from '../output/render.ts';
import type { Rendered } from '../output/render.ts';
import type { ApprovedCommand } from '../policy/gate.ts';
import { findShell } from '../process/find-shell.ts';
import type { Shell, ShellName } from '../shell/shell.ts';
import type { RunOptions, RunResult } from './api.ts';
import { toTimerMs, waitFor } from './ending.ts';
import { Execution } from './execution.ts';
import type { ExecutionServices, Outcome } from './execution.ts';

export interface RunSettings {
  readonly runShell: ShellName;
  readonly retentionS: number;
}

export interface RunServices extends ExecutionServices {
  readonly settings: RunSettings;
  /** Shared with everything else that runs for a moment, and with all owners. */
  readonly turns: Turns;
  /** Where shells are looked for. */
  readonly baseEnvironment: Readonly<Record<string, string>>;
}

/** Between SIGTERM and SIGKILL after a timeout. */
const GRACE_MS = 2_000;

export class Runner {
  readonly #services: RunServices;
  #runsMade = 0;

  constructor(services: RunServices) {
    this.#services = services;
  }

  /** The setting's default is bash, which not every machine has: then it is what there is. Throws SHELL_NOT_FOUND. */
  shell(name: ShellName | undefined): Shell {
    const { runShell } = this.#services.settings;
    return findShell(name ?? (runShell === 'bash' ? undefined : runShell), this.#services.baseEnvironment);
  }

  /**
   * Runs a command and waits for its end. When the signal fires, the call rejects with its reason: a command that waits
   * for its turn never starts, one that runs goes on to its end or its timeout, unheard.
   * Throws QUEUE_FULL, SHELL_NOT_FOUND, INVALID_CWD, INVALID_ARGUMENT, RESOURCE_EXHAUSTED or DISK_FULL.
   */
  async run(owner: string, command: ApprovedCommand, options: RunOptions, signal: AbortSignal): Promise<RunResult> {
    const queuedAt = performance.now();
    const turns = this.#services.turns.of(owner);
    const hasWaited = await turns.take(signal);
    const queueMs = hasWaited ? performance.now() - queuedAt : 0; // a machine that is busy is no queue
    const { execution, shell } = await this.#start(turns, command, options);
    const onEnd = options.onRunning?.();
    if (onEnd !== undefined) execution.ended.listen(() => onEnd(execution.endFacts));
    const { backgroundPids, durationMs, exitCode, signal: endedBySignal, endedBy } = await this.#outcome(execution, options, signal);
    const { warnings } = execution; // of the output, too, before that is dropped
    return {
      ...this.#output(execution, options.maxOutputBytes),
      exitCode,
      ...(endedBySignal === undefined ? {} : { signal: endedBySignal }),
      durationMs,
      queueMs,
      timedOut: endedBy === 'timeout',
      cwd: options.cwd,
      shell: shell.name,
      backgroundPids,
      warnings,
    };
  }

  /** Starts it in the turn that was taken, which is over when it ends. */
  async #start(turns: OwnTurns, command: ApprovedCommand, options: RunOptions): Promise<{ execution: Execution; shell: Shell }> {
    try {
      const { cwd, realCwd, env, login, stdin, timeoutMs, umask } = options;
      const shell = this.shell(options.shell);
      const execution = await Execution.start(this.#services, command, {
        ...defined({ cwd, realCwd, env, umask }),
        name: `run-${++this.#runsMade}`,
        shell,
        login,
        stdin: stdin === undefined ? 'none' : Buffer.from(stdin),
        timeoutMs,
        graceMs: GRACE_MS,
      });
      execution.ended.listen(() => turns.end());
      return { execution, shell };
    } catch (error) {
      turns.end();
      throw error;
    }
  }

  async #outcome(execution: Execution, { onProgress }: RunOptions, signal: AbortSignal): Promise<Outcome> {
    const onTick = onProgress && ((elapsedMs: number): void => onProgress(execution.lastLine, elapsedMs));
    await waitFor([execution.ended], { signal, onTick });
    if (execution.finished !== undefined) return execution.finished;
    execution.ended.listen(() => execution.dispose());
    throw signal.reason;
  }

  /** What is shown of the output. The files of a longer one stay for the retention time, or until the disk is needed. */
  #output(execution: Execution, maxBytes: number): { stdout: Rendered; stderr: Rendered } {
    const render = (log: OutputLog): Rendered => renderWhole(log, { maxBytes, terminal: false, finished: true });
    const [stdout, stderr] = [render(execution.stdout), render(execution.stderr)];
    if (stdout.path === undefined && stderr.path === undefined) execution.dispose();
    else this.#keepFiles(execution);
    return { stdout, stderr };
  }

  #keepFiles(execution: Execution): void {
    execution.stdout.markCollected();
    execution.stderr.markCollected();
    setTimeout(() => execution.dispose(), toTimerMs(this.#services.settings.retentionS * 1_000)).unref();
  }
}
