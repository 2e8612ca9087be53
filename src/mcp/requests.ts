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

/** Answers a request. Throws nothing but errors of the protocol, which say what to do next. */
export async function answerRequest(request: { readonly method: string }, context: RequestContext, log: Log): Promise<ServerResult> {
  const handler = HANDLERS.get(request.method);
  if (handler === undefined) throw new ProtocolError(ErrorCode.MethodNotFound, 'Method not found');
  try {
    return await handler.handle(request, context);
  } catch (error) {
    if (error instanceof ProtocolError) throw error;
    throw told(error instanceof ExpectedError ? error : incident(error, request.method, log));
  }
}

function told({ code, message, hint }: ExpectedError): ProtocolError {
  const isUnknown = code === 'SESSION_NOT_FOUND' || code === 'TASK_NOT_FOUND';
  return new ProtocolError(isUnknown ? RESOURCE_NOT_FOUND : ErrorCode.InternalError, `${message}. ${hint}`, { code, hint });
}
