// How a request that is no tool call is handled: its parameters are checked, and what is wrong is an error of the protocol.
import { ErrorCode, type ServerResult } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { Caller } from '../audit/call-record.ts';
import type { AuditTrail } from '../audit/trail.ts';
import type { Services } from '../tools/services.ts';
import type { Subscriptions } from './subscriptions.ts';

/** MCP's own code for a resource that is not there. */
export const RESOURCE_NOT_FOUND = -32_002;

const MAX_MESSAGE_CHARACTERS = 1_000;

/** An error as it is sent. The SDK's McpError has its code in the message, where clients put it once more. */
export class ProtocolError extends Error {
  readonly code: number;
  readonly data: Readonly<Record<string, unknown>> | undefined;

  constructor(code: number, message: string, data?: Readonly<Record<string, unknown>>) {
    super(message);
    this.name = 'ProtocolError';
    this.code = code;
    this.data = data;
  }
}

/** What handlers work with: of one connection. */
export interface RequestContext {
  readonly owner: string;
  readonly client: Caller['client'];
  readonly subscriptions: Subscriptions;
  audit(): Promise<Pick<AuditTrail, 'begin'>>;
  services(): Promise<Services>;
}

export interface Handler {
  readonly method: string;
  handle(request: unknown, context: RequestContext): ServerResult | Promise<ServerResult>;
}

/** Handles the requests of a schema. The SDK itself would answer bad parameters with "internal error" and a dump of them. */
export function handler<Schema extends z.ZodObject<{ method: z.ZodLiteral<string> }>>(
  schema: Schema,
  handle: (request: z.output<Schema>, context: RequestContext) => ServerResult | Promise<ServerResult>,
): Handler {
  return {
    method: schema.shape.method.value,
    handle: (request, context) => {
      const parsed = schema.safeParse(request);
      if (!parsed.success) throw new ProtocolError(ErrorCode.InvalidParams, z.prettifyError(parsed.error).slice(0, MAX_MESSAGE_CHARACTERS));
      return handle(parsed.data, context);
    },
  };
}
