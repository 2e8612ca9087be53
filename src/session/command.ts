// One command of a session: what was asked, what it wrote, how it ended.
import type { Facts } from '../audit/entry.ts';
import type { OutputLog } from '../output/log.ts';
import type { ApprovedCommand } from '../policy/gate.ts';
import type { Job } from '../shell/jobs.ts';
import type { Changes, CommandState } from './api.ts';
import { Drawn } from './drawn.ts';

/** Up to where answers have told the streams, as raw byte offsets. */
export interface Told {
  readonly output: number;
  readonly stderr: number;
}

export class Command {
  readonly id: string;
  readonly text: string;
  /** What the terminal showed of it; with separate streams only descriptor 1 and what is written to the terminal itself. */
  readonly log: OutputLog;
  readonly stderr: OutputLog | undefined;
  /** To which of the two something was written last. */
  newest: OutputLog;
  /** Where the streams were when input was sent last: what they held then was asked before. */
  sizesAtInput = new Map<OutputLog, number>();
  readonly warnings: string[] = [];
  /** Background jobs of before that write to the same terminal. */
  writingJobs: readonly Job[] = [];
  readonly drawn = new Drawn();
  answered: Told = { output: 0, stderr: 0 };
  /** What the policy found when it let it through. */
  approved: ApprovedCommand | undefined;
  /** Told how it ended, whoever waits for it. */
  onEnd: ((end: Facts) => void) | undefined;
  state: CommandState = 'running';
  exitCode: number | undefined;
  signal: string | undefined;
  changes: Changes | undefined;
  background: readonly Job[] | undefined;
  cpuMs: number | undefined;
  /** Where the shell was when it was over. */
  cwd: string | undefined;
  readonly #startedAt = performance.now();
  #endedAt: number | undefined;

  constructor(options: { id: string; text: string; log: OutputLog; stderr: OutputLog | undefined }) {
    this.id = options.id;
    this.text = options.text;
    this.log = this.newest = options.log;
    this.stderr = options.stderr;
  }

  /** Raw bytes that it has written so far. */
  get outputBytes(): number {
    return this.log.length + (this.stderr?.length ?? 0);
  }

  get isRunning(): boolean {
    return this.state === 'running';
  }

  /** From its start to its end, or to now. */
  get durationMs(): number {
    return (this.#endedAt ?? performance.now()) - this.#startedAt;
  }

  /** Since when it is over; undefined while it runs. */
  get endedAt(): number | undefined {
    return this.#endedAt;
  }

  /** What was asked so far is answered. */
  noteInput(): void {
    for (const log of [this.log, this.stderr]) if (log !== undefined) this.sizesAtInput.set(log, log.length);
  }

  end(state: 'done' | 'ended'): void {
    this.state = state;
    this.#endedAt = performance.now();
    if (this.drawn.openFrom !== undefined) this.warnings.push(leftOpen(this.log.length - this.drawn.openFrom));
    this.drawn.close(this.log.length);
    this.log.finish();
    this.stderr?.finish();
    this.onEnd?.(this.#endFacts());
  }

  #endFacts(): Facts {
    const { id, exitCode, signal, cwd, stderr } = this;
    return { commandId: id, exitCode, signal, cwd, durationMs: Math.round(this.durationMs), outputBytes: this.log.length, stderrBytes: stderr?.length };
  }

  dispose(): void {
    this.log.dispose();
    this.stderr?.dispose();
  }
}

function leftOpen(bytes: number): string {
  return `the alternate screen was left on: the last ${bytes.toLocaleString('en-US')} bytes of the output were drawn on it; session_read with view "transcript" has them`;
}
