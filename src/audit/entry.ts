// What is told to the audit log: a call, the start or end of what it runs, or an event without a call.
import type { CommandClass } from '../policy/verdict.ts';
import type { RecordedArguments } from './arguments.ts';

/** How it went. `started` is that of a start; the others are those of an end, or of a call that runs nothing. */
export type Outcome = 'started' | 'done' | 'failed' | 'refused' | 'cancelled' | 'created' | 'destroyed' | 'classified' | 'read';

/** What happens without a call; the end of a task is the end of the call that spawned it. The log itself adds `healed`, a torn line that was cut off, and `gap`, entries that could not be written. */
export type EventName = 'server_started' | 'server_ended' | 'session_ended' | 'session_reaped' | 'healed' | 'gap';

/** What an entry may have beside its kind. */
export interface Facts {
  readonly owner?: string | undefined;
  /** As the client introduced itself. */
  readonly client?: { readonly name: string; readonly version: string } | undefined;
  readonly args?: RecordedArguments | undefined;
  readonly classification?: CommandClass | undefined;
  readonly outcome?: Outcome | undefined;
  /** Code of the error, of calls that failed or were refused. */
  readonly error?: string | undefined;
  readonly exitCode?: number | undefined;
  readonly signal?: string | undefined;
  readonly timedOut?: boolean | undefined;
  readonly durationMs?: number | undefined;
  readonly queueMs?: number | undefined;
  readonly stdoutBytes?: number | undefined;
  readonly stderrBytes?: number | undefined;
  readonly outputBytes?: number | undefined;
  readonly truncated?: boolean | undefined;
  readonly sessionId?: string | undefined;
  readonly commandId?: string | undefined;
  readonly taskId?: string | undefined;
  readonly cwd?: string | undefined;
  /** Of `healed` and `gap`: what was lost. */
  readonly detail?: string | undefined;
}

/** A call that runs nothing, or was refused: one record. */
export interface CallEntry extends Facts {
  readonly kind: 'call';
  readonly tool: string;
  readonly outcome: Outcome;
}

/** Written before the first byte reaches a shell. */
export interface StartEntry extends Facts {
  readonly kind: 'start';
  readonly tool: string;
}

/** The rest of what a start began: it need not repeat what the start has said. */
export interface EndEntry extends Facts {
  readonly kind: 'end';
  readonly tool: string;
  /** That of the start. */
  readonly auditId: string;
  readonly outcome: Outcome;
}

export interface EventEntry extends Facts {
  readonly kind: 'event';
  readonly event: EventName;
}

export type AuditEntry = CallEntry | StartEntry | EndEntry | EventEntry;
