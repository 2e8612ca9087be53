// Questions to the person who uses the client, by elicitation.
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { ErrorCode, McpError, type RequestId } from '@modelcontextprotocol/sdk/types.js';
import type { CallContext } from '../tools/services.ts';

/** A person takes a while; nobody is there after this. */
const ANSWER_MS = 300_000;

/** The call that a question to the client is part of. */
export interface Related {
  readonly relatedRequestId: RequestId;
}

/** Asks through a client that can; undefined for one that cannot. No answer is a no. */
export function askerOf(server: Server, signal: AbortSignal, related: Related): CallContext['ask'] {
  if (server.getClientCapabilities()?.elicitation === undefined) return undefined;
  return async (message) => {
    try {
      const { action } = await server.elicitInput({ message, requestedSchema: { type: 'object', properties: {} } }, { timeout: ANSWER_MS, signal, ...related });
      return action === 'accept' ? 'accepted' : 'declined';
    } catch (error) {
      signal.throwIfAborted();
      return error instanceof McpError && error.code === ErrorCode.RequestTimeout ? 'declined' : 'unable';
    }
  };
}
