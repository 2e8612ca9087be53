// The one path of every call: validate, handle (which has commands approved), render. Whatever is thrown on it becomes a result here.
import type { CallRecord, Caller } from '../audit/call-record.ts';
import type { AuditTrail } from '../audit/trail.ts';
import { ExpectedError } from '../errors.ts';
import type { Log } from '../lib/logger.ts';
import { nearest } from '../lib/nearest.ts';
import { shorten } from '../lib/shorten.ts';
import { incident } from './incident.ts';
import { factsOf, outcomeOf, outcomeOfError, withAuditId } from './recording.ts';
import { statusLine } from './render.ts';
import type { CallContext, Services } from './services.ts';
import type { Tool } from './tool.ts';

/** What a client gets, in both forms. */
export interface CallResult {
  readonly structured: Readonly<Record<string, unknown>>;
  readonly text: string;
  readonly isError: boolean;
}

export interface Call {
  readonly tools: readonly Tool[];
  readonly name: string;
  readonly arguments: unknown;
  readonly context: Omit<CallContext, 'record'>;
  readonly client?: Caller['client'];
  audit(): Promise<Pick<AuditTrail, 'begin'>>;
  /** Given when the arguments are right; a server loads its services with the first call. */
  services(): Promise<Services>;
  readonly log: Log;
}

/** Does one call, of which the audit log has an entry whatever becomes of it. Never throws. */
export async function callTool(call: Call): Promise<CallResult> {
  const { name, context, client } = call;
  let record: CallRecord | undefined;
  try {
    record = (await call.audit()).begin(name, call.arguments, { owner: context.owner, client });
    const tool = toolNamed(call);
    const { structured, text } = await tool.prepare(call.arguments)(await call.services(), { ...context, record });
    const auditId = record.close(outcomeOf(name, tool.annotations.readOnlyHint), factsOf(structured));
    return { structured: { ...structured, audit_id: auditId }, text: withAuditId(text, auditId), isError: false };
  } catch (error) {
    return errorResult(call, error instanceof ExpectedError ? error : unexpected(error, call), record);
  }
}

function toolNamed({ tools, name }: Call): Tool {
  const tool = tools.find((candidate) => candidate.name === name);
  if (tool !== undefined) return tool;
  const names = tools.map((known) => known.name);
  const meant = nearest(name, names);
  throw new ExpectedError('INVALID_ARGUMENT', `there is no tool ${shorten(name)}`, {
    hint: `${meant === undefined ? '' : `did you mean "${meant}"? `}tools: ${names.join(', ')}`,
  });
}

/** A bug, or the end of a call that was cancelled: nobody waits for that answer. */
function unexpected(error: unknown, { name, context, log }: Call): ExpectedError {
  if (context.signal.aborted) return new ExpectedError('INTERNAL', 'the call was cancelled', { hint: 'what it started goes on' });
  return incident(error, name, log);
}

function errorResult({ tools, name, context }: Call, error: ExpectedError, record: CallRecord | undefined): CallResult {
  const { code, message, hint, classification } = error;
  const auditId = record?.close(outcomeOfError(error, context.signal.aborted), { error: code, classification: classification?.class });
  const isKnown = tools.some((tool) => tool.name === name);
  const documentation = isKnown ? `docs/tools.md#${name}` : 'docs/tools.md'; // in the package
  return {
    structured: {
      error: { code, message, hint, documentation, ...(classification?.matched === undefined ? {} : { matched: classification.matched }) },
      ...(classification === undefined ? {} : { classification }),
      ...(auditId === undefined ? {} : { audit_id: auditId }),
    },
    text: `${code}: ${message}${message.endsWith('?') ? '' : '.'}\n${hint}${auditId === undefined ? '' : `\n${statusLine(auditId)}`}`,
    isError: true,
  };
}
