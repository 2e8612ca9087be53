// Addresses of what can be read as a resource: the transcript and the screen of a session, the output of a task.

export type ResourceKind = 'transcript' | 'screen' | 'output';

export interface ResourceAddress {
  readonly kind: ResourceKind;
  /** Of the session or the task. */
  readonly id: string;
}

interface Template {
  readonly name: string;
  readonly title: string;
  readonly uriTemplate: string;
  readonly description: string;
}

export const TEMPLATES: Readonly<Record<ResourceKind, Template>> = {
  transcript: { name: 'session-transcript', title: 'Transcript of a session', uriTemplate: 'shellkeep://sessions/{id}/transcript', description: 'Everything that the terminal of a session has shown, as text; the last 50,000 bytes of it.' },
  screen: { name: 'session-screen', title: 'Screen of a session', uriTemplate: 'shellkeep://sessions/{id}/screen', description: 'What the terminal of a session shows now.' },
  output: { name: 'task-output', title: 'Output of a task', uriTemplate: 'shellkeep://tasks/{id}/output', description: 'What a background task has written, head and tail of it when it is long.' },
};

export function uriOf({ kind, id }: ResourceAddress): string {
  return TEMPLATES[kind].uriTemplate.replace('{id}', id);
}

/** undefined for what is no address of ours. */
export function addressOf(uri: string): ResourceAddress | undefined {
  const [, sessionId, view] = /^shellkeep:\/\/sessions\/([^/?#]{1,64})\/(transcript|screen)$/.exec(uri) ?? [];
  if (sessionId !== undefined) return { kind: view === 'screen' ? 'screen' : 'transcript', id: sessionId };
  const taskId = /^shellkeep:\/\/tasks\/([^/?#]{1,64})\/output$/.exec(uri)?.[1];
  return taskId === undefined ? undefined : { kind: 'output', id: taskId };
}
