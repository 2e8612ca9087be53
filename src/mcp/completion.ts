// Completion of the ids that stand in the address of a resource or in an argument of a prompt.
import { CompleteRequestSchema, ErrorCode } from '@modelcontextprotocol/sdk/types.js';
import { shorten } from '../lib/shorten.ts';
import type { Services } from '../tools/services.ts';
import { handler, ProtocolError } from './handler.ts';
import { promptNamed } from './prompts.ts';
import { TEMPLATES } from './resource-uri.ts';

/** The most that a completion may offer, by the protocol. */
const MAX_COMPLETIONS = 100;

export const COMPLETION_HANDLER = handler(CompleteRequestSchema, async ({ params: { ref, argument } }, { owner, services }) => {
  const kind = ref.type === 'ref/prompt' ? kindInPrompt(ref.name, argument.name) : kindInTemplate(ref.uri, argument.name);
  const ids = kind === undefined ? [] : idsOf(await services(), owner, kind);
  const values = ids.filter((id) => id.startsWith(argument.value));
  return { completion: { values: values.slice(0, MAX_COMPLETIONS), total: values.length, hasMore: values.length > MAX_COMPLETIONS } };
});

/** What an argument is the id of; undefined for one that is no id. */
type IdKind = 'session' | 'task' | undefined;

function kindInPrompt(name: string, argument: string): IdKind {
  const isArgument = promptNamed(name).arguments.some((known) => known.name === argument);
  return isArgument && argument === 'session_id' ? 'session' : undefined;
}

function kindInTemplate(uriTemplate: string, argument: string): IdKind {
  const known = Object.values(TEMPLATES).map((template) => template.uriTemplate);
  if (!known.includes(uriTemplate)) throw new ProtocolError(ErrorCode.InvalidParams, `no resource template ${shorten(uriTemplate)}; templates: ${known.join(', ')}`);
  if (argument !== 'id') return undefined;
  return uriTemplate === TEMPLATES.output.uriTemplate ? 'task' : 'session';
}

/** Those used last come first. */
function idsOf({ sessions, tasks }: Services, owner: string, kind: 'session' | 'task'): string[] {
  return kind === 'session' ? sessions.list(owner).map(({ sessionId }) => sessionId) : tasks.list(owner, true).map(({ taskId }) => taskId).reverse();
}
