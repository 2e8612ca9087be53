// What the log has of one call: one entry, or a start before anything runs and its end, which may come long after the call was answered.
import type { CommandClass } from '../policy/verdict.ts';
import { recordedArguments, type RecordedArguments } from './arguments.ts';
import type { AuditEntry, Facts, Outcome } from './entry.ts';
import type { Redactor } from './redact.ts';

/** Whose call it is. */
export interface Caller {
  readonly owner: string;
  /** As the client introduced itself. */
  readonly client?: { readonly name: string; readonly version: string } | undefined;
}

export interface CallRecordOptions {
  readonly append: (entry: AuditEntry) => string;
  readonly redactor: Redactor;
  readonly tool: string;
  readonly args: unknown;
  readonly caller: Caller;
}

export interface StartFacts {
  readonly classification?: CommandClass | undefined;
  readonly sessionId?: string | undefined;
  readonly taskId?: string | undefined;
  readonly cwd?: string | undefined;
  /** What is typed answers a question for a secret: only its length is kept. */
  readonly isSecret?: boolean;
}

const MAX_ID_CHARACTERS = 64;

export class CallRecord {
  readonly #options: CallRecordOptions;
  readonly #calledAt = performance.now();
  /** Of the start. */
  #auditId: string | undefined;
  #isRunning = false;
  /** What the call started has ended. */
  #end: Facts | undefined;
  /** How the call itself was answered; undefined while it is not. */
  #answer: { readonly outcome: Outcome; readonly facts: Facts } | undefined;

  constructor(options: CallRecordOptions) {
    this.#options = options;
  }

  /** Written before anything of the call reaches a shell or a program. Throws DISK_FULL while the log is required and cannot be written. */
  start({ isSecret = false, ...facts }: StartFacts): void {
    const { append, tool, caller } = this.#options;
    this.#auditId ??= append({ kind: 'start', tool, ...caller, args: this.#args(isSecret), ...facts });
  }

  /** Something runs now, whether the call waits for it or not; the function is to be called with how it ended. */
  runs(): (end: Facts) => void {
    this.#isRunning = true;
    return (end) => {
      this.#end = end;
      if (this.#answer !== undefined) this.#writeEnd(this.#answer.outcome, { error: this.#answer.facts.error, ...end });
    };
  }

  /** The call is answered. Gives the id for the answer, and never throws. */
  close(outcome: Outcome, facts: Facts): string {
    this.#answer = { outcome, facts };
    if (this.#auditId === undefined) return this.#writeCall(outcome, facts);
    if (!this.#isRunning) this.#writeEnd(outcome, { durationMs: this.#durationMs, ...facts });
    else if (this.#end !== undefined) this.#writeEnd(outcome, { ...facts, ...this.#end });
    return this.#auditId;
  }

  /** What was typed and reached nobody may have been meant for a question that is over: only its length is kept, unless it was judged as a command. */
  #writeCall(outcome: Outcome, facts: Facts): string {
    const { append, tool, caller } = this.#options;
    const isUnheard = facts.error !== undefined && facts.classification === undefined;
    return append({ kind: 'call', tool, ...caller, args: this.#args(isUnheard), ...this.#ids(), durationMs: this.#durationMs, ...facts, outcome });
  }

  #writeEnd(outcome: Outcome, facts: Facts): void {
    const { append, tool, caller } = this.#options;
    if (this.#auditId !== undefined) append({ kind: 'end', tool, auditId: this.#auditId, owner: caller.owner, ...facts, outcome });
  }

  /** Whom the call asked about; a failed one says so nowhere else. */
  #ids(): Facts {
    const { session_id: sessionId, task_id: taskId } = { ...(this.#options.args as Record<string, unknown> | undefined) };
    return { sessionId: idOf(sessionId), taskId: idOf(taskId) };
  }

  #args(isSecret: boolean): RecordedArguments {
    const { args, redactor } = this.#options;
    return recordedArguments(typeof args === 'object' && args !== null ? { ...args } : {}, { redactor, isSecret });
  }

  get #durationMs(): number {
    return Math.round(performance.now() - this.#calledAt);
  }
}

function idOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value.slice(0, MAX_ID_CHARACTERS) : undefined;
}
