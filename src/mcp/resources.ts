// Sessions and tasks as resources: for clients that show them to a person, or keep them in view.
import {
  ListResourcesRequestSchema, ListResourceTemplatesRequestSchema, ReadResourceRequestSchema, SubscribeRequestSchema, UnsubscribeRequestSchema,
  type ReadResourceResult, type Resource,
} from '@modelcontextprotocol/sdk/types.js';
import { shorten } from '../lib/shorten.ts';
import type { Services } from '../tools/services.ts';
import { handler, ProtocolError, RESOURCE_NOT_FOUND, type Handler } from './handler.ts';
import { addressOf, TEMPLATES, uriOf, type ResourceAddress } from './resource-uri.ts';

const MAX_BYTES = 50_000;
const MIME_TYPE = 'text/plain';

export const RESOURCE_HANDLERS: readonly Handler[] = [
  handler(ListResourcesRequestSchema, async (_, { owner, services }) => ({ resources: listed(await services(), owner) })),
  handler(ListResourceTemplatesRequestSchema, () => ({ resourceTemplates: Object.values(TEMPLATES).map((template) => ({ ...template, mimeType: MIME_TYPE })) })),
  handler(ReadResourceRequestSchema, async ({ params: { uri } }, { owner, services }) => read(await services(), owner, known(uri))),
  handler(SubscribeRequestSchema, async ({ params: { uri } }, { services, subscriptions }) => {
    subscriptions.add(await services(), known(uri));
    return {};
  }),
  handler(UnsubscribeRequestSchema, ({ params: { uri } }, { subscriptions }) => {
    subscriptions.remove(uri);
    return {};
  }),
];

/** What changes with every command is not in it: clients are told of a change of the list, not of its texts. */
function listed({ sessions, tasks }: Services, owner: string): Resource[] {
  const ofSessions = sessions.list(owner).flatMap(({ sessionId, name, shell, createdAt }) => {
    const description = `${shell} session, opened ${createdAt}`;
    return [resource({ kind: 'transcript', id: sessionId }, `transcript of ${name}`, description), resource({ kind: 'screen', id: sessionId }, `screen of ${name}`, description)];
  });
  const ofTasks = tasks.list(owner, true).map(({ taskId, name, command, state }) => resource({ kind: 'output', id: taskId }, `output of ${name ?? taskId}`, `${state}: ${shorten(command)}`));
  return [...ofSessions, ...ofTasks];
}

function resource(address: ResourceAddress, name: string, description: string): Resource {
  return { uri: uriOf(address), name, description, mimeType: MIME_TYPE };
}

async function read({ sessions, tasks }: Services, owner: string, address: ResourceAddress): Promise<ReadResourceResult> {
  const { kind, id } = address;
  const text = kind === 'output' ? tasks.output(owner, id, MAX_BYTES) : await sessions.look(owner, id, kind, MAX_BYTES);
  return { contents: [{ uri: uriOf(address), mimeType: MIME_TYPE, text }] };
}

function known(uri: string): ResourceAddress {
  const address = addressOf(uri);
  if (address !== undefined) return address;
  const templates = Object.values(TEMPLATES).map(({ uriTemplate }) => uriTemplate).join(', ');
  throw new ProtocolError(RESOURCE_NOT_FOUND, `no resource ${shorten(uri)}; resources are ${templates}`);
}
