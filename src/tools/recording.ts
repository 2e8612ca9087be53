// What the audit log keeps of a call's answer, and how the answer names its entry.
import type { Facts, Outcome } from '../audit/entry.ts';
import type { ExpectedError } from '../errors.ts';
import { statusLine } from './render.ts';

type Answer = Readonly<Record<string, unknown>>;

/** Fields of results as they are named in an entry. */
const NUMBERS = { exit_code: 'exitCode', duration_ms: 'durationMs', queue_ms: 'queueMs', stdout_bytes: 'stdoutBytes', stderr_bytes: 'stderrBytes', output_bytes: 'outputBytes' } as const;
const TEXTS = { signal: 'signal', session_id: 'sessionId', command_id: 'commandId', task_id: 'taskId', cwd: 'cwd' } as const;
const FLAGS = { timed_out: 'timedOut', truncated: 'truncated' } as const;

/** Tools whose answers say something else than that they are done. */
const OUTCOMES: Readonly<Record<string, Outcome>> = { session_create: 'created', session_destroy: 'destroyed', classify: 'classified', task_poll: 'read' };
const REFUSALS = new Set(['FORBIDDEN_COMMAND', 'DANGEROUS_COMMAND_REQUIRES_OVERRIDE', 'CONFIRMATION_DECLINED']);

export function outcomeOf(tool: string, isReading: boolean): Outcome {
  return OUTCOMES[tool] ?? (isReading ? 'read' : 'done');
}

/** What was refused was judged; what failed, was not. */
export function outcomeOfError({ code }: ExpectedError, isCancelled: boolean): Outcome {
  if (isCancelled) return 'cancelled';
  return REFUSALS.has(code) ? 'refused' : 'failed';
}

/** The facts of a result that its entry keeps: numbers, ids and places, never output. */
export function factsOf(answer: Answer): Facts {
  const facts: Record<string, unknown> = {};
  const take = (fields: Readonly<Record<string, string>>, type: string): void => {
    for (const [field, name] of Object.entries(fields)) if (typeof answer[field] === type) facts[name] = answer[field];
  };
  take(NUMBERS, 'number');
  take(TEXTS, 'string');
  take(FLAGS, 'boolean');
  return { ...facts, classification: classOf(answer) };
}

/** Of the command that was given, or that classify was asked about. */
function classOf({ classification, class: asked }: Answer): Facts['classification'] {
  const found = typeof classification === 'object' && classification !== null && 'class' in classification ? classification.class : asked;
  return found === 'safe' || found === 'dangerous' || found === 'reject' ? found : undefined;
}

/** The text of a result with the id of its entry, in the status line that every one begins with. */
export function withAuditId(text: string, auditId: string): string {
  const end = text.indexOf('\n') === -1 ? text.length : text.indexOf('\n');
  const status = text.slice(0, end);
  if (!status.startsWith('[') || !status.endsWith(']')) return `${text}\n${statusLine(auditId)}`;
  return `${status.slice(0, -1)} · ${auditId}]${text.slice(end)}`;
}
