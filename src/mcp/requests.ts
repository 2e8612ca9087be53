// Requests that are no tool calls: for resources, prompts and completion. Loaded with the first of them, which no start has to wait for.
import { ErrorCode, type ServerResult } from '@modelcontextprotocol/sdk/types.js';
import { ExpectedError } from '../errors.ts';
import type { Log } from '../lib/logger.ts';
import { incident } from '../tools/incident.ts';
import { COMPLETION_HANDLER } from './completion.ts';
import { ProtocolError, RESOURCE_NOT_FOUND, type RequestContext } from './handler.ts';
import { PROMPT_HANDLERS } from './prompts.ts';
import { RESOURCE_HANDLERS } from './resources.ts';

const HANDLERS = new Map([...RESOURCE_HANDLERS, ...PROMPT_HANDLERS, COMPLETION_HANDLER].map((handler) => [handler.method, handler]));

/** Requests that show what sessions and tasks have written: the audit log has an entry of each. */
const RECORDED = new Set(['resources/read', 'resources/subscribe']);

/** Answers a request. Throws nothing but errors of the protocol, which say what to do next. */
export async function answerRequest(request: { readonly method: string; readonly params?: unknown }, context: RequestContext, log: Log): Promise<ServerResult> {
  const handler = HANDLERS.get(request.method);
  if (handler === undefined) throw new ProtocolError(ErrorCode.MethodNotFound, 'Method not found');
  const record = RECORDED.has(request.method) ? (await context.audit()).begin(request.method, request.params, context) : undefined;
  try {
    const result = await handler.handle(request, context);
    record?.close('read', {});
    return result;
  } catch (error) {
    record?.close('failed', { error: error instanceof ExpectedError ? error.code : String((error as { code?: unknown }).code ?? 'INTERNAL') });
    if (error instanceof ProtocolError) throw error;
    throw told(error instanceof ExpectedError ? error : incident(error, request.method, log));
  }
}

function told({ code, message, hint }: ExpectedError): ProtocolError {
  const isUnknown = code === 'SESSION_NOT_FOUND' || code === 'TASK_NOT_FOUND';
  return new ProtocolError(isUnknown ? RESOURCE_NOT_FOUND : ErrorCode.InternalError, `${message}. ${hint}`, { code, hint });
}
