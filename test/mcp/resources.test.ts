// Resources of real sessions and tasks, over a connection in memory: what a client lists, reads and is told, and what it is not.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { ResourceListChangedNotificationSchema, ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createServer } from '../../src/mcp/server.ts';
import type { Services as ToolServices } from '../../src/tools/services.ts';
import { memoryTrail } from '../support/memory-trail.ts';
import { TestTable } from '../support/session-table.ts';
import { Services } from '../task/support.ts';
import { tools } from '../tools/double.ts';

let table: TestTable;
let kept: Services;
let services: ToolServices;
beforeAll(() => {
  table = new TestTable();
  kept = new Services();
  services = { sessions: table.table, tasks: kept.tasks } as unknown as ToolServices;
});
afterAll(async () => {
  await table.close();
  await kept.close();
});

interface More {
  readonly owner?: string;
  services?(): Promise<ToolServices>;
}

async function connected({ owner = 'local', services: given = () => Promise.resolve(services) }: More = {}) {
  const audit = memoryTrail();
  const logged: string[] = [];
  let closed = 0;
  const server = createServer({ tools, results: 'structured', version: '0', owner, connection: owner, services: given, audit: () => Promise.resolve(audit.trail), log: (message) => logged.push(message), onClose: () => closed++ });
  const client = new Client({ name: 'test', version: '0' });
  const told: string[] = [];
  client.setNotificationHandler(ResourceListChangedNotificationSchema, () => void told.push('list'));
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void told.push(params.uri));
  const [near, far] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(far), client.connect(near)]);
  const until = (what: string): Promise<void> => expect.poll(() => told, { interval: 10, timeout: 5_000 }).toContain(what);
  const text = async (uri: string): Promise<unknown> => {
    const { contents } = await client.readResource({ uri });
    expect(contents).toMatchObject([{ uri, mimeType: 'text/plain' }]);
    return contents[0] !== undefined && 'text' in contents[0] ? contents[0].text : undefined;
  };
  return { client, audit, logged, told, until, text, closed: () => closed };
}

const transcript = (id: string): string => `shellkeep://sessions/${id}/transcript`;
const screen = (id: string): string => `shellkeep://sessions/${id}/screen`;
const output = (id: string): string => `shellkeep://tasks/${id}/output`;

test('T02: a client lists and reads what is its own, and no more', async () => {
  const [own, other] = [await connected(), await connected({ owner: 'stranger' })];
  const session = await table.open('bash', { name: 'work' });
  const { taskId } = await kept.spawn('echo listed', { name: 'build' });
  await session.text('echo "in the session"');
  const { resources } = await own.client.listResources();
  expect(resources).toEqual(expect.arrayContaining([
    { uri: transcript(session.id), name: 'transcript of work', description: expect.stringMatching(/^bash session, opened \d{4}-/) as string, mimeType: 'text/plain' },
    { uri: screen(session.id), name: 'screen of work', description: expect.any(String) as string, mimeType: 'text/plain' },
    { uri: output(taskId), name: 'output of build', description: expect.stringMatching(/^(running|exited): "echo listed"$/) as string, mimeType: 'text/plain' },
  ]));
  expect(await own.text(transcript(session.id))).toContain('in the session\n');
  expect(await own.text(screen(session.id))).toContain('in the session\n');
  await expect.poll(() => own.text(output(taskId))).toBe('listed\n');
  expect((await other.client.listResources()).resources).toEqual([]);
});

test('T02 T03: a resource of another owner is answered exactly as one that never was, also in a subscription', async () => {
  const { client } = await connected({ owner: 'stranger' });
  const session = await table.open('bash');
  const { taskId } = await kept.spawn('true');
  await kept.spawn('sleep 60', {}, 'stranger');
  for (const [address, foreign, unknown] of [[transcript, session.id, 's_222222222222'], [screen, session.id, 's_222222222222'], [output, taskId, 't_222222222222']] as const) {
    for (const request of [(uri: string) => client.readResource({ uri }), (uri: string) => client.subscribeResource({ uri })]) {
      const told = async (id: string): Promise<string> => JSON.stringify(await request(address(id)).catch((error: Error) => [error.message, error])).replaceAll(id, 'ID');
      const answer = await told(foreign);
      expect(answer).toBe(await told(unknown));
      expect(answer).toContain('-32002');
    }
  }
});

test('the templates are the addresses, and their ids are completed', async () => {
  const { client } = await connected();
  const session = await table.open('bash');
  const { taskId } = await kept.spawn('true');
  const { resourceTemplates } = await client.listResourceTemplates();
  expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([transcript('{id}'), screen('{id}'), output('{id}')]);
  for (const { title, description, mimeType } of resourceTemplates) expect([title?.length, description?.length, mimeType].every(Boolean)).toBe(true);
  const complete = async (ref: { type: 'ref/resource'; uri: string } | { type: 'ref/prompt'; name: string }, name: string, value: string) =>
    (await client.complete({ ref, argument: { name, value } })).completion;
  for (const uri of [transcript('{id}'), screen('{id}')]) expect((await complete({ type: 'ref/resource', uri }, 'id', session.id.slice(0, 6))).values).toEqual([session.id]);
  expect(await complete({ type: 'ref/resource', uri: output('{id}') }, 'id', taskId)).toEqual({ values: [taskId], total: 1, hasMore: false });
  expect((await complete({ type: 'ref/resource', uri: output('{id}') }, 'id', '')).values[0]).toBe(taskId);
  expect((await complete({ type: 'ref/prompt', name: 'explain_session' }, 'session_id', '')).values).toContain(session.id);
  expect((await complete({ type: 'ref/prompt', name: 'start_server' }, 'command', '')).values).toEqual([]);
  expect((await complete({ type: 'ref/prompt', name: 'start_server' }, 'session_id', '')).values).toEqual([]);
  expect((await complete({ type: 'ref/resource', uri: output('{id}') }, 'name', '')).values).toEqual([]);
  await expect(complete({ type: 'ref/resource', uri: 'file:///{id}' }, 'id', '')).rejects.toMatchObject({ code: -32_602 });
  await expect(complete({ type: 'ref/prompt', name: 'explain' }, 'session_id', '')).rejects.toMatchObject({ code: -32_602 });
});

test('a completion of a stranger offers nothing', async () => {
  await table.open('bash');
  const { client } = await connected({ owner: 'stranger' });
  const { completion } = await client.complete({ ref: { type: 'ref/resource', uri: screen('{id}') }, argument: { name: 'id', value: '' } });
  expect(completion).toEqual({ values: [], total: 0, hasMore: false });
});

const UNKNOWN: readonly (readonly [what: string, uri: string, message: RegExp])[] = [
  ['a file', 'file:///etc/passwd', /no resource "file:\/\/\/etc\/passwd"; resources are shellkeep:\/\/sessions\/\{id\}\/transcript/],
  ['an unknown session', transcript('s_222222222222'), /no session "s_222222222222"\. (open sessions: s_|no session is open)/],
  ['an unknown task', output('t_222222222222'), /no task "t_222222222222"\. (tasks: t_|there are no tasks)/],
  ['a name that objects have', screen('__proto__'), /no session "__proto__"/],
  ['another one', output('constructor'), /no task "constructor"/],
  ['a path as an id', screen('../../x'), /no resource/],
  ['no id', screen(''), /no resource/],
  ['an address with a slash behind it', `${screen('s_222222222222')}/`, /no resource/],
  ['an address with a newline behind it', `${screen('s_222222222222')}\n`, /no resource/],
  ['an id that is too long', screen('x'.repeat(65)), /no resource/],
  ['10 KB', `shellkeep://${'x'.repeat(10_000)}`, /no resource "shellkeep:\/\/x{48}"… \(9952 more characters\)/],
  ['nothing', '', /no resource ""/],
];

test.each(UNKNOWN)('%s is said to be no resource', async (_, uri, message) => {
  const { client, logged } = await connected();
  for (const request of [() => client.readResource({ uri }), () => client.subscribeResource({ uri })]) {
    const refused = request();
    await expect(refused).rejects.toMatchObject({ code: -32_002, message: expect.stringMatching(message) as string });
    await expect(refused).rejects.toSatisfy((error: Error) => JSON.stringify([error.message, error]).length < 2_500 && !error.message.slice(10).includes('MCP error'));
  }
  expect(await client.unsubscribeResource({ uri })).toEqual({});
  expect(logged).toEqual([]);
});

test('services that cannot be had are an error of the request; a fault has a number that is in the log, and no stack in the answer', async () => {
  const { client, logged } = await connected({ services: () => Promise.reject(new Error('secret detail')) });
  const ref = { type: 'ref/resource', uri: screen('{id}') } as const;
  for (const request of [() => client.listResources(), () => client.readResource({ uri: screen('s_222222222222') }), () => client.complete({ ref, argument: { name: 'id', value: '' } })]) {
    const error: unknown = await request().then(() => undefined, (reason: unknown) => reason);
    expect(error).toMatchObject({ code: -32_603, message: expect.stringMatching(/an unexpected fault in \S+, incident [0-9a-f]{8}/) as string });
    expect(String(error)).not.toContain('secret detail');
  }
  expect(logged).toHaveLength(3);
  expect(await client.listResourceTemplates()).toMatchObject({ resourceTemplates: expect.any(Array) as unknown[] });
  await expect(client.request({ method: 'resources/read', params: {} }, { parse: (value: unknown) => value } as never)).rejects.toMatchObject({ code: -32_602 });
});

test('a client is told that the list has changed, also if it never listed; a stranger is not', async () => {
  const [own, other] = [await connected(), await connected({ owner: 'stranger' })];
  for (const { client } of [own, other]) await client.callTool({ name: 'task_list', arguments: {} });
  const session = await table.open('bash');
  await own.until('list');
  own.told.length = 0;
  await session.destroy();
  await own.until('list');
  own.told.length = 0;
  await kept.spawn('true');
  await own.until('list');
  expect(other.told).toEqual([]);
});

test('a subscriber is told of what a command prints, not of other sessions, and not any more when it has unsubscribed', async () => {
  const { client, told, until } = await connected();
  const [watched, other] = [await table.open('bash'), await table.open('bash')];
  await other.run('exit'); // no prompt comes late
  await client.subscribeResource({ uri: transcript(watched.id) });
  await client.subscribeResource({ uri: screen(other.id) });
  await watched.text('echo one');
  await until(transcript(watched.id));
  expect(told).not.toContain(screen(other.id));
  await client.unsubscribeResource({ uri: transcript(watched.id) });
  told.length = 0;
  await watched.text('echo two');
  await other.text('echo three');
  await until(screen(other.id));
  expect(told).not.toContain(transcript(watched.id));
});

test('the end of a session is the last that a subscriber is told, and then it is not there', async () => {
  const { client, told, until } = await connected();
  const session = await table.open('bash');
  const [left, right] = [transcript(session.id), screen(session.id)];
  await client.subscribeResource({ uri: left });
  await client.subscribeResource({ uri: right });
  await session.destroy();
  await Promise.all([until(left), until(right)]);
  await expect(client.readResource({ uri: left })).rejects.toMatchObject({ code: -32_002 });
  expect(told.filter((uri) => uri !== 'list').sort()).toEqual([right, left].sort());
});

test('a task is told of while it runs and when it ends, and its end is still to be collected', async () => {
  const { client, told, until, text } = await connected();
  const { taskId } = await kept.spawn('read -r line; echo "got $line"', { stdin: 'pipe' });
  await client.subscribeResource({ uri: output(taskId) });
  await kept.tasks.write('local', taskId, { text: 'this\n', eof: true }, new AbortController().signal);
  await until(output(taskId));
  await expect.poll(() => text(output(taskId))).toBe('got this\n');
  expect(kept.tasks.list('local', false).map((task) => task.taskId)).toContain(taskId);
  expect(told.length).toBeGreaterThan(0);
});

test('the end of the connection is told to whoever made the server, and to the tables', async () => {
  const listeners = new Set<string>();
  const counting = <Table extends object>(real: Table, name: string): Table => new Proxy(real, {
    get: (target, method) => {
      const value: unknown = Reflect.get(target, method);
      if (typeof value !== 'function') return value;
      if (method !== 'watch' && method !== 'onListChange') return value.bind(target) as unknown;
      return (...args: unknown[]) => {
        const key = `${name}.${method} ${listeners.size}`;
        const stop = (value as (...args: unknown[]) => () => void).apply(target, args);
        listeners.add(key);
        return () => {
          listeners.delete(key);
          stop();
        };
      };
    },
  });
  const counted = { sessions: counting(table.table, 'sessions'), tasks: counting(kept.tasks, 'tasks') } as unknown as ToolServices;
  const { client, closed } = await connected({ services: () => Promise.resolve(counted) });
  const session = await table.open('bash');
  const { taskId } = await kept.spawn('sleep 600');
  for (const uri of [transcript(session.id), screen(session.id), output(taskId)]) await client.subscribeResource({ uri });
  expect(listeners.size).toBe(5);
  await client.close();
  expect([listeners.size, closed()]).toEqual([0, 1]);
});
