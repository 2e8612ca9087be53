// Prompts: texts that a person picks in a client, with what they fill in.
import { ErrorCode, McpError, type GetPromptResult, type ListPromptsResult } from '@modelcontextprotocol/sdk/types.js';
import { nearest } from '../lib/nearest.ts';
import { shorten } from '../lib/shorten.ts';

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

export function listPrompts(): ListPromptsResult {
  return { prompts: PROMPTS.map(({ name, title, description, arguments: args }) => ({ name, title, description, arguments: args.map((argument) => ({ ...argument })) })) };
}

/** The message of a prompt. Throws the protocol's "invalid params" that says what to give. */
export function getPrompt(name: string, values: Readonly<Record<string, string>> = {}): GetPromptResult {
  const prompt = PROMPTS.find((candidate) => candidate.name === name);
  const names = PROMPTS.map((known) => known.name);
  if (prompt === undefined) throw new McpError(ErrorCode.InvalidParams, `there is no prompt ${shorten(name)}; nearest: ${nearest(name, names) ?? 'none'}; prompts: ${names.join(', ')}`);
  const missing = prompt.arguments.find((argument) => argument.required && (values[argument.name] ?? '').trim() === '');
  if (missing !== undefined) throw new McpError(ErrorCode.InvalidParams, `the prompt ${name} needs "${missing.name}": ${missing.description}`);
  const port = values['port'];
  if (port !== undefined && !/^\d{1,5}$/.test(port)) throw new McpError(ErrorCode.InvalidParams, `"port" is ${shorten(port)}; it must be a number from 1 to 65535`);
  return { description: prompt.description, messages: [{ role: 'user', content: { type: 'text', text: prompt.text(values) } }] };
}
