import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { EmptyResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { beforeAll, expect, test } from 'vitest';
import { createServer } from '../../src/mcp/server.ts';
import { memoryTrail } from '../support/memory-trail.ts';

const client = new Client({ name: 'test', version: '0' });
beforeAll(async () => {
  const services = (): Promise<never> => Promise.reject(new Error('prompts need none'));
  const server = createServer({ tools: [], results: 'text', version: '0', owner: 'local', connection: 'c1', services, audit: () => Promise.resolve(memoryTrail().trail), log: () => {} });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(far), client.connect(near)]);
});

async function text(name: string, values: Record<string, string>): Promise<string> {
  const { messages } = await client.getPrompt({ name, arguments: values });
  expect(messages).toMatchObject([{ role: 'user', content: { type: 'text' } }]);
  const [message] = messages;
  return message?.content.type === 'text' ? message.content.text : '';
}

test('each prompt says what it is for, and each argument what belongs there', async () => {
  const { prompts } = await client.listPrompts();
  expect(prompts.map(({ name }) => name)).toEqual(['start_server', 'explain_session']);
  for (const { title, description, arguments: taken = [] } of prompts) {
    expect(title).toMatch(/^[A-Z].{10,60}$/);
    expect(description).toMatch(/^[A-Z].{30,}\.$/);
    expect(taken.length).toBeGreaterThan(0);
    for (const argument of taken) expect(argument.description?.length).toBeGreaterThan(20);
  }
});

test('a prompt has in it what was filled in, and reads well without what is optional', async () => {
  const all = await text('start_server', { command: 'npm run "dev"', port: '3000', cwd: '/srv/app' });
  expect(all).toContain('Start "npm run \\"dev\\"" with task_spawn in the directory "/srv/app".');
  expect(all).toContain('until {"port": 3000}');
  const least = await text('start_server', { command: 'make serve' });
  expect(least).toContain('Start "make serve" with task_spawn. Find its port');
  expect(await text('start_server', { command: 'make serve', port: ' ', cwd: '' })).toBe(least);
  expect(await text('explain_session', { session_id: 's_23456789abcd' })).toContain('session "s_23456789abcd"');
});

const REFUSED: readonly (readonly [string, Record<string, unknown>, string])[] = [
  ['start_server', {}, 'the prompt start_server needs "command": the command that starts it, e.g. npm run dev'],
  ['start_server', { command: '  ' }, 'the prompt start_server needs "command"'],
  ['start_server', { command: 'x', port: '0' }, '"port" is "0"; it must be a number from 1 to 65535'],
  ['start_server', { command: 'x', port: '65536' }, '"port" is "65536"'],
  ['start_server', { command: 'x', port: '80; rm' }, '"port" is "80; rm"'],
  ['start_server', { command: 'x', prot: '80' }, 'there is no argument of start_server "prot"; did you mean "port"? known: command, port, cwd'],
  ['start_server', { command: 'x', port: 80 }, 'expected string, received number'],
  ['explain_session', {}, 'the prompt explain_session needs "session_id"'],
  ['explain_sesion', { session_id: 's' }, 'there is no prompt "explain_sesion"; did you mean "explain_session"? known: start_server, explain_session'],
  ['x'.repeat(10_000), {}, '… (9940 more characters)'],
];

test.each(REFUSED)('%s with %j is refused with words that help', async (name, values, message) => {
  const refused = client.request({ method: 'prompts/get', params: { name, arguments: values } }, EmptyResultSchema);
  await expect(refused).rejects.toMatchObject({ code: -32_602, message: expect.stringContaining(message) as string });
  await expect(refused).rejects.toSatisfy(({ message: whole }: Error) => whole.length < 1_100 && !whole.slice(10).includes('MCP error'));
});
