// Sessions and tasks as resources, and the prompts: for clients that show them to a person, or keep them in view.
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  CompleteRequestSchema, ErrorCode, GetPromptRequestSchema, ListPromptsRequestSchema, ListResourcesRequestSchema, ListResourceTemplatesRequestSchema, McpError,
  ReadResourceRequestSchema, SubscribeRequestSchema, UnsubscribeRequestSchema, type ReadResourceResult, type Resource,
} from '@modelcontextprotocol/sdk/types.js';
import { ExpectedError } from '../errors.ts';
import { shorten } from '../lib/shorten.ts';
import type { Services } from '../tools/services.ts';
import { getPrompt, listPrompts } from './prompts.ts';
import { addressOf, TEMPLATES, uriOf, type ResourceAddress } from './resource-uri.ts';
import { Debounced, Subscriptions } from './subscriptions.ts';

export const RESOURCE_CAPABILITIES = { resources: { subscribe: true, listChanged: true }, prompts: {}, completions: {} };

/** MCP's own code for a resource that is not there. */
const RESOURCE_NOT_FOUND = -32_002;
const MAX_BYTES = 50_000;
/** The most that a completion may offer, by the protocol. */
const MAX_COMPLETIONS = 100;

export interface ResourceOptions {
  readonly owner: string;
  services(): Promise<Services>;
}

/** Adds the handlers of resources, prompts and completions to a server of one connection. */
export function serveResources(server: Server, { owner, services }: ResourceOptions): void {
  let loaded: Services | undefined;
  let subscriptions: Subscriptions | undefined;
  const stops: (() => void)[] = [];
  const load = async (): Promise<Services> => {
    if (loaded !== undefined) return loaded;
    const { sessions, tasks } = (loaded = await services());
    const listChanged = new Debounced(() => void server.sendResourceListChanged().catch(() => {})); // the client is gone
    stops.push(sessions.onListChange(() => listChanged.note()), tasks.onListChange(() => listChanged.note()), () => listChanged.stop());
    return loaded;
  };
  const subscribed = ({ sessions, tasks }: Services): Subscriptions => {
    subscriptions ??= new Subscriptions({
      watch: ({ kind, id }, listener) => (kind === 'output' ? tasks.watch(owner, id, listener) : sessions.watch(owner, id, listener)),
      updated: (uri) => void server.sendResourceUpdated({ uri }).catch(() => {}),
    });
    return subscriptions;
  };
  server.onclose = () => {
    subscriptions?.clear();
    for (const stop of stops) stop();
  };
  server.setRequestHandler(ListResourcesRequestSchema, async () => ({ resources: listed(await load(), owner) }));
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({ resourceTemplates: Object.values(TEMPLATES).map((template) => ({ ...template, mimeType: 'text/plain' })) }));
  server.setRequestHandler(ReadResourceRequestSchema, async ({ params: { uri } }, { signal }) => asProtocol(uri, async () => read(await load(), owner, uri, signal)));
  server.setRequestHandler(SubscribeRequestSchema, async ({ params: { uri } }) => asProtocol(uri, async () => {
    subscribed(await load()).add(uri, known(uri));
    return {};
  }));
  server.setRequestHandler(UnsubscribeRequestSchema, ({ params: { uri } }) => {
    subscriptions?.remove(uri);
    return {};
  });
  server.setRequestHandler(ListPromptsRequestSchema, () => listPrompts());
  server.setRequestHandler(GetPromptRequestSchema, ({ params }) => getPrompt(params.name, params.arguments));
  server.setRequestHandler(CompleteRequestSchema, async ({ params: { ref, argument } }) => {
    const ids = idsFor(await load(), owner, ref.type === 'ref/resource' ? ref.uri : `${ref.name} ${argument.name}`);
    const values = ids.filter((id) => id.startsWith(argument.value));
    return { completion: { values: values.slice(0, MAX_COMPLETIONS), total: values.length, hasMore: values.length > MAX_COMPLETIONS } };
  });
}

function listed({ sessions, tasks }: Services, owner: string): Resource[] {
  const ofSessions = sessions.list(owner).flatMap(({ sessionId, name, state, shell }) => [
    resource({ kind: 'transcript', id: sessionId }, `transcript of ${name}`, `${shell} session, ${state}`),
    resource({ kind: 'screen', id: sessionId }, `screen of ${name}`, `${shell} session, ${state}`),
  ]);
  const ofTasks = tasks.list(owner, true).map(({ taskId, name, command, state }) => resource({ kind: 'output', id: taskId }, `output of ${name ?? taskId}`, `${shorten(command)}, ${state}`));
  return [...ofSessions, ...ofTasks];
}

function resource(address: ResourceAddress, name: string, description: string): Resource {
  return { uri: uriOf(address), name, description, mimeType: 'text/plain' };
}

async function read({ sessions, tasks }: Services, owner: string, uri: string, signal: AbortSignal): Promise<ReadResourceResult> {
  const { kind, id } = known(uri);
  const text = async (): Promise<string> => {
    if (kind === 'output') return tasks.output(owner, id, MAX_BYTES);
    const report = await sessions.read(owner, id, { view: kind, timeoutMs: 0, maxOutputBytes: MAX_BYTES }, signal);
    return kind === 'screen' ? (report.screen?.text ?? '') : report.output.text;
  };
  return { contents: [{ uri, mimeType: 'text/plain', text: await text() }] };
}

function known(uri: string): ResourceAddress {
  const address = addressOf(uri);
  if (address !== undefined) return address;
  const templates = Object.values(TEMPLATES).map(({ uriTemplate }) => uriTemplate).join(', ');
  throw new McpError(RESOURCE_NOT_FOUND, `no resource ${shorten(uri)}; resources are ${templates}`, { uri });
}

/** Ids that can stand in a template or in an argument of a prompt. */
function idsFor({ sessions, tasks }: Services, owner: string, what: string): string[] {
  if (what === TEMPLATES.output.uriTemplate) return tasks.list(owner, true).map(({ taskId }) => taskId);
  const takesSession = what === TEMPLATES.transcript.uriTemplate || what === TEMPLATES.screen.uriTemplate || what.endsWith(' session_id');
  return takesSession ? sessions.list(owner).map(({ sessionId }) => sessionId) : [];
}

/** An unknown id is MCP's "resource not found", with our hint. */
async function asProtocol<Result>(uri: string, handle: () => Promise<Result>): Promise<Result> {
  try {
    return await handle();
  } catch (error) {
    if (!(error instanceof ExpectedError)) throw error;
    const code = error.code.endsWith('_NOT_FOUND') ? RESOURCE_NOT_FOUND : ErrorCode.InternalError;
    throw new McpError(code, `${error.message}. ${error.hint}`, { uri });
  }
}
