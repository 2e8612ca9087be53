// The catalogue as a server of the MCP SDK: one for each connection.
import { Server, type ServerOptions as ServerSettings } from '@modelcontextprotocol/sdk/server/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { CallToolRequestSchema, ListToolsRequestSchema, type CallToolResult, type ListToolsResult } from '@modelcontextprotocol/sdk/types.js';
import type { AuditTrail } from '../audit/trail.ts';
import type { Log } from '../lib/logger.ts';
import { callTool, type CallResult } from '../tools/call.ts';
import type { Services } from '../tools/services.ts';
import type { Tool } from '../tools/tool.ts';
import { askerOf, type Related } from './ask.ts';
import { ClientRoots } from './client-roots.ts';
import { INSTRUCTIONS } from './instructions.ts';
import { PlainCalls, type PlainCall } from './plain-calls.ts';
import { progressReporter } from './progress.ts';
import { Subscriptions } from './subscriptions.ts';

export interface ServerOptions {
  readonly tools: readonly Tool[];
  /** `text` leaves structured content and output schemas out. */
  readonly results: 'structured' | 'text';
  /** The package's. */
  readonly version: string;
  /** Whom sessions and tasks of this connection belong to. */
  readonly owner: string;
  readonly connection: string;
  /** The highest class of command that the owner may run, where the setting would allow more. */
  readonly maxClass?: 'safe' | 'dangerous' | undefined;
  /** `answers`: the client hears nothing but answers, so that it cannot be asked. `streams`: each call has a stream that its answer ends. */
  readonly channel?: 'lines' | 'streams' | 'answers' | undefined;
  /** Where the client works, if it has no roots that say so. */
  readonly cwd?: string | undefined;
  services(): Promise<Services>;
  audit(): Promise<AuditTrail>;
  readonly log: Log;
  /** The connection is over. The server's own `onclose` is taken. */
  onClose?(): void;
}

const CAPABILITIES = { tools: {}, resources: { subscribe: true, listChanged: true }, prompts: {}, completions: {} };

/** The SDK would make a compiler of schemas for each connection, 25 KB, to check answers to questions; ours have no fields. */
const NOTHING_TO_VALIDATE: NonNullable<ServerSettings['jsonSchemaValidator']> = { getValidator: () => (data) => ({ valid: true, data: data as never, errorMessage: undefined }) };

/** A server for one connection, to be connected to a transport. A call that is cancelled gets no reply; what it started goes on. */
export function createServer(options: ServerOptions): Server {
  const { tools, results, version, owner, connection, maxClass, channel = 'lines', log } = options;
  const server = new ToolServer({ name: 'shellkeep', title: 'shellkeep', version }, { capabilities: CAPABILITIES, instructions: INSTRUCTIONS, jsonSchemaValidator: NOTHING_TO_VALIDATE });
  const clientRoots = new ClientRoots(server);
  const subscriptions = subscriptionsOf(server, owner);
  let tasks: Services['tasks'] | undefined;
  /** With whatever call they are loaded, the client is told of changes from then on. */
  const services = async (): Promise<Services> => {
    const loaded = await options.services();
    subscriptions.follow(loaded);
    tasks = loaded.tasks;
    return loaded;
  };
  const call = async ({ id, name, arguments: given, progressToken, signal }: PlainCall): Promise<CallToolResult> => {
    const related = { relatedRequestId: id }; // over HTTP it belongs on the stream of the call's answer
    const progress = progressToken === undefined ? undefined : progressReporter({ progressToken, send: (notification) => server.notification(notification, related) });
    const context = { owner, connection, maxClass, signal, progress, ask: channel === 'answers' ? undefined : askerOf(server, signal, related), roots: () => rootsOf(options, clientRoots, related) };
    return toolResult(await callTool({ tools, name, arguments: given, context, client: server.getClientVersion(), audit: options.audit, services, log }), results);
  };
  server.calls = new PlainCalls(call, { repliesToCancelled: channel !== 'lines' });
  server.onclose = () => {
    server.calls?.close();
    subscriptions.close();
    tasks?.forget(connection);
    options.onClose?.();
  };
  server.setRequestHandler(ListToolsRequestSchema, () => {
    setImmediate(() => void services().catch(() => {})); // ready before the first call, which reports what is wrong
    return toolList(options);
  });
  server.setRequestHandler(CallToolRequestSchema, ({ params }, { signal, _meta, requestId: id }) => call({ id, name: params.name, arguments: params.arguments ?? {}, progressToken: _meta?.progressToken, signal }));
  server.fallbackRequestHandler = async (request) => {
    const { answerRequest } = await import('./requests.ts');
    return answerRequest(request, { owner, client: server.getClientVersion(), subscriptions, audit: options.audit, services }, log);
  };
  return server;
}

async function rootsOf({ cwd, channel }: ServerOptions, clientRoots: ClientRoots, related: Related): Promise<readonly string[]> {
  const paths = channel === 'answers' ? [] : await clientRoots.paths(related);
  return paths.length === 0 && cwd !== undefined ? [cwd] : paths;
}

/** The SDK's server, with a way of its own for plain tool calls. */
class ToolServer extends Server {
  calls: PlainCalls | undefined;

  override async connect(transport: Transport): Promise<void> {
    await super.connect(transport);
    this.calls?.attach(transport);
  }
}

function subscriptionsOf(server: Server, owner: string): Subscriptions {
  const ignore = (): void => {}; // the client is gone; the end of the connection is noticed elsewhere
  return new Subscriptions(owner, {
    listChanged: () => void server.sendResourceListChanged().catch(ignore),
    updated: (uri) => void server.sendResourceUpdated({ uri }).catch(ignore),
  });
}

/** It is the same for every connection of a server. */
const lists = { structured: new WeakMap<readonly Tool[], ListToolsResult>(), text: new WeakMap<readonly Tool[], ListToolsResult>() };

function toolList({ tools, results }: ServerOptions): ListToolsResult {
  const known = lists[results].get(tools);
  if (known !== undefined) return known;
  const made = {
    tools: tools.map(({ name, title, description, inputSchema, outputSchema, annotations }) => ({
      name,
      title,
      description,
      inputSchema: { ...inputSchema },
      ...(results === 'text' ? {} : { outputSchema: { ...outputSchema } }),
      annotations,
    })),
  };
  lists[results].set(tools, made);
  return made;
}

function toolResult({ structured, text, isError }: CallResult, results: ServerOptions['results']): CallToolResult {
  const content: CallToolResult['content'] = [{ type: 'text', text }];
  return { content, ...(results === 'text' ? {} : { structuredContent: structured }), ...(isError ? { isError } : {}) };
}
