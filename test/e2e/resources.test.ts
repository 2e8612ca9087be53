// Resources, prompts and completion of the built server, as a client sees them.
import { ResourceListChangedNotificationSchema, ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { expect, test } from 'vitest';
import { withServer, type Harness } from '../support/harness.ts';
import { forEachShell } from '../support/shells.ts';
import { FULL_SCREEN } from './full-screen.ts';

/** Keeps what the server tells by itself. */
function listen({ client }: Harness) {
  const told: string[] = [];
  client.setNotificationHandler(ResourceListChangedNotificationSchema, () => void told.push('list'));
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void told.push(params.uri));
  const until = (what: string): Promise<void> => expect.poll(() => told, { interval: 10, timeout: 10_000 }).toContain(what);
  return { told, until };
}

async function read({ client }: Harness, uri: string): Promise<string> {
  const { contents } = await client.readResource({ uri });
  const [content] = contents;
  return content !== undefined && 'text' in content ? content.text : '';
}

forEachShell((shell) => {
  test('a session is listed, read, watched, and gone', async () => {
    await withServer({}, async (server) => {
      const { told, until } = listen(server);
      expect(await server.client.listResources()).toEqual({ resources: [] });
      const session = await server.openSession(shell, { name: 'work' });
      await until('list');
      const { resources } = await server.client.listResources();
      expect(resources.map(({ name }) => name)).toEqual(['transcript of work', 'screen of work']);
      const [transcript = '', screen = ''] = resources.map(({ uri }) => uri);
      await server.client.subscribeResource({ uri: transcript });
      await session.run('echo "hello from $(expr 20 + 22)"');
      await until(transcript);
      expect(await read(server, transcript)).toMatch(/echo "hello from \$\(expr 20 \+ 22\)"\nhello from 42\n/);
      expect(await read(server, screen)).toContain('\nhello from 42');
      told.length = 0;
      await session.destroy();
      await until(transcript);
      await until('list');
      expect(await server.client.listResources()).toEqual({ resources: [] });
      await expect(read(server, transcript)).rejects.toMatchObject({ code: -32_002, message: expect.stringContaining('no session is open: session_create opens one') as string });
      expect(server.stray).toEqual([]);
    });
  });
});

test('the screen of a program that has all of it is what a person would see, and looking does not touch it', async () => {
  await withServer({}, async (server) => {
    const { told, until } = listen(server);
    const session = await server.openSession('bash', { cols: 80, rows: 24 });
    const uri = `shellkeep://sessions/${session.id}/screen`;
    const { state } = await session.run(FULL_SCREEN.command);
    expect(state).toBe('full_screen');
    await server.client.subscribeResource({ uri });
    for (let round = 0; round < 5; round++) expect(await read(server, uri)).toMatch(FULL_SCREEN.first);
    await session.read({ view: 'screen', timeout_ms: 700 });
    expect(told.filter((each) => each === uri)).toEqual([]); // nothing has changed, whoever looked
    await session.send({ text: FULL_SCREEN.typed, enter: false });
    await until(uri);
    expect(await read(server, uri)).toMatch(FULL_SCREEN.then);
  });
});

test('the output of a task is read without collecting it, and its templates and ids are found', async () => {
  await withServer({}, async (server) => {
    const { until } = listen(server);
    const { task_id = '' } = await server.facts('task_spawn', { command: 'read -r line; echo "got $line"; echo bad >&2; exit 3', stdin: 'pipe', name: 'asks' });
    const uri = `shellkeep://tasks/${task_id}/output`;
    await server.client.subscribeResource({ uri });
    await server.facts('task_write', { task_id, text: 'it', eof: true });
    await until(uri);
    await expect.poll(() => read(server, uri)).toBe('got it\n[stderr]\nbad\n');
    expect(await server.facts('task_list')).toMatchObject({ tasks: [{ task_id, done: true, unread_bytes: 11 }] });
    expect(await server.facts('task_poll', { task_id })).toMatchObject({ stdout: 'got it\n', stderr: 'bad\n', exit_code: 3 });
    const { resourceTemplates } = await server.client.listResourceTemplates();
    const [template = ''] = resourceTemplates.map(({ uriTemplate }) => uriTemplate).filter((each) => each.includes('/tasks/'));
    expect((await server.client.complete({ ref: { type: 'ref/resource', uri: template }, argument: { name: 'id', value: 't_' } })).completion.values).toEqual([task_id]);
  });
});

test('a flood of output is two notices a second, and the server answers meanwhile', async () => {
  await withServer({}, async (server) => {
    const { told, until } = listen(server);
    const session = await server.openSession('bash');
    const uris = ['transcript', 'screen'].map((view) => `shellkeep://sessions/${session.id}/${view}`);
    for (const uri of uris) await server.client.subscribeResource({ uri });
    await session.run('yes', { timeout_ms: 1 });
    const [first = '', second = ''] = uris;
    await until(first);
    const [startedAt, before] = [performance.now(), told.length];
    const waits: number[] = [];
    while (performance.now() - startedAt < 3_000) {
      const askedAt = performance.now();
      await server.client.ping();
      waits.push(performance.now() - askedAt);
      expect(await read(server, waits.length % 2 === 0 ? first : second)).toContain('y\ny\n');
    }
    const seconds = (performance.now() - startedAt) / 1_000;
    for (const uri of uris) {
      const count = told.slice(before).filter((each) => each === uri).length;
      expect(count).toBeLessThanOrEqual(2 * seconds + 1);
      expect(count).toBeGreaterThan(0);
    }
    expect(waits.sort((a, b) => a - b)[Math.floor(waits.length / 2)]).toBeLessThan(500);
    expect(await session.interrupt()).toMatchObject({ state: 'done', exit_code: 130 });
  });
});

test('a client that goes away with subscriptions lets the server end at once', async () => {
  await withServer({}, async (server) => {
    const session = await server.openSession('bash');
    await server.client.subscribeResource({ uri: `shellkeep://sessions/${session.id}/screen` });
    await session.run('yes', { timeout_ms: 300 });
    expect(await server.close()).toEqual({ code: 0, signal: null });
    expect(server.process.stderr).toBe('');
  });
});

test('a person picks a prompt, fills in what it takes with offered ids, and is told what is missing', async () => {
  await withServer({}, async ({ client, ...server }) => {
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name, arguments: taken = [] }) => [name, ...taken.map((argument) => `${argument.name}${argument.required === true ? '' : '?'}`)])).toEqual([
      ['start_server', 'command', 'port?', 'cwd?'],
      ['explain_session', 'session_id'],
    ]);
    const { completion } = await client.complete({ ref: { type: 'ref/prompt', name: 'explain_session' }, argument: { name: 'session_id', value: '' } });
    expect(completion.values).toEqual([]);
    expect(await client.getPrompt({ name: 'start_server', arguments: { command: 'npm run dev', port: '3000' } })).toMatchObject({ messages: [{ role: 'user', content: { type: 'text', text: expect.stringContaining('"npm run dev"') as string } }] });
    await expect(client.getPrompt({ name: 'start_server' })).rejects.toMatchObject({ code: -32_602, message: expect.stringContaining('needs "command"') as string });
    await expect(client.getPrompt({ name: 'start_server', arguments: { command: 'x', port: '99999' } })).rejects.toMatchObject({ code: -32_602 });
    expect(server.stray).toEqual([]);
  });
});
