// Prompts: texts that a person picks in a client, with what they fill in.
import { ErrorCode, GetPromptRequestSchema, ListPromptsRequestSchema, type GetPromptResult, type Prompt as ListedPrompt } from '@modelcontextprotocol/sdk/types.js';
import { nearest } from '../lib/nearest.ts';
import { shorten } from '../lib/shorten.ts';
import { handler, ProtocolError, type Handler } from './handler.ts';

interface PromptArgument {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
}

interface Prompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly PromptArgument[];
  text(values: Readonly<Record<string, string>>): string;
}

const PROMPTS: readonly Prompt[] = [
  {
    name: 'start_server',
    title: 'Start a server and wait until it answers',
    description: 'Start a development server in the background, wait until it accepts connections, and leave it running.',
    arguments: [
      { name: 'command', description: 'the command that starts it, e.g. npm run dev', required: true },
      { name: 'port', description: 'the port on which it will listen; found in its output when left out', required: false },
      { name: 'cwd', description: 'the directory in which to start it', required: false },
    ],
    text: ({ command, port, cwd }) =>
      `Start ${JSON.stringify(command)} with task_spawn${cwd === undefined ? '' : ` in the directory ${JSON.stringify(cwd)}`}. ` +
      (port === undefined
        ? 'Find its port in its output (task_poll), then wait with task_wait and until {"port": …}. '
        : `Wait with task_wait and until {"port": ${JSON.stringify(Number(port))}}. `) +
      'If it ends instead, tell me its exit code and the end of its output, and what is wrong. Otherwise tell me the address and the task_id, and leave it running.',
  },
  {
    name: 'explain_session',
    title: 'Explain what happened in a session',
    description: 'Read what a session has shown, and say what was done, what failed, and what it waits for.',
    arguments: [{ name: 'session_id', description: 'the id of the session; session_list shows those that are open', required: true }],
    text: ({ session_id: id }) =>
      `Read the transcript of session ${JSON.stringify(id)} (session_read with view "transcript"), and its screen if a program has it. ` +
      'Tell me in a few sentences what was done there, which commands failed and why, and whether something runs or waits for input now. Run nothing and send nothing.',
  },
];

export const PROMPT_HANDLERS: readonly Handler[] = [
  handler(ListPromptsRequestSchema, () => ({ prompts: PROMPTS.map(listed) })),
  handler(GetPromptRequestSchema, ({ params }) => filledIn(promptNamed(params.name), params.arguments ?? {})),
];

/** Throws the protocol's "invalid params" for a prompt that is not there. */
export function promptNamed(name: string): Prompt {
  const prompt = PROMPTS.find((candidate) => candidate.name === name);
  if (prompt === undefined) throw unknown('prompt', name, PROMPTS);
  return prompt;
}

function listed({ name, title, description, arguments: taken }: Prompt): ListedPrompt {
  return { name, title, description, arguments: taken.map((argument) => ({ ...argument })) };
}

/** Throws "invalid params" that says what to give. What a person leaves empty in a form is left out. */
function filledIn(prompt: Prompt, given: Readonly<Record<string, string>>): GetPromptResult {
  const values = Object.fromEntries(Object.entries(given).filter(([, value]) => value.trim() !== ''));
  const odd = Object.keys(given).find((name) => !prompt.arguments.some((argument) => argument.name === name));
  if (odd !== undefined) throw unknown(`argument of ${prompt.name}`, odd, prompt.arguments);
  const missing = prompt.arguments.find(({ name, required }) => required && values[name] === undefined);
  if (missing !== undefined) throw new ProtocolError(ErrorCode.InvalidParams, `the prompt ${prompt.name} needs "${missing.name}": ${missing.description}`);
  if (values['port'] !== undefined && !isPort(values['port'])) throw new ProtocolError(ErrorCode.InvalidParams, `"port" is ${shorten(values['port'])}; it must be a number from 1 to 65535`);
  return { description: prompt.description, messages: [{ role: 'user', content: { type: 'text', text: prompt.text(values) } }] };
}

function isPort(text: string): boolean {
  return /^\d{1,5}$/.test(text.trim()) && Number(text) >= 1 && Number(text) <= 65_535;
}

function unknown(what: string, name: string, known: readonly { readonly name: string }[]): ProtocolError {
  const names = known.map((each) => each.name);
  const meant = nearest(name, names);
  return new ProtocolError(ErrorCode.InvalidParams, `there is no ${what} ${shorten(name)}; ${meant === undefined ? '' : `did you mean "${meant}"? `}known: ${names.join(', ')}`);
}
