// The one path of every call: validate, handle (which has commands approved), render. Whatever is thrown on it becomes a result here.
import { ExpectedError } from '../errors.ts';
import type { Log } from '../lib/logger.ts';
import { nearest } from '../lib/nearest.ts';
import { shorten } from '../lib/shorten.ts';
import { incident } from './incident.ts';
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
  readonly context: CallContext;
  /** Given when the arguments are right; a server loads its services with the first call. */
  services(): Promise<Services>;
  readonly log: Log;
}

/** Does one call. Never throws. */
export async function callTool(call: Call): Promise<CallResult> {
  try {
    const prepared = toolNamed(call).prepare(call.arguments);
    return { ...(await prepared(await call.services(), call.context)), isError: false };
  } catch (error) {
    return errorResult(call, error instanceof ExpectedError ? error : unexpected(error, call));
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

function errorResult({ tools, name }: Call, { code, message, hint, classification }: ExpectedError): CallResult {
  const isKnown = tools.some((tool) => tool.name === name);
  const documentation = isKnown ? `docs/tools.md#${name}` : 'docs/tools.md'; // in the package
  return {
    structured: {
      error: { code, message, hint, documentation, ...(classification?.matched === undefined ? {} : { matched: classification.matched }) },
      ...(classification === undefined ? {} : { classification }),
    },
    text: `${code}: ${message}${message.endsWith('?') ? '' : '.'}\n${hint}`,
    isError: true,
  };
}
