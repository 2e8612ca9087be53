// A dev server as a task, waited for by what it opens, answers and prints; and patterns that would stop other servers.
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { withServer } from '../support/harness.ts';
import { freePort } from '../waiting/support.ts';

const serverOn = (port: number): string => `sleep 0.3; exec node -e "
require('http').createServer((request, response) => response.end('hi')).listen(${port}, '127.0.0.1', () => console.log('Listening on http://127.0.0.1:${port}/'))"`;

test('a server is awaited by its port, by its answer and by its words, and then stopped', async () => {
  await withServer({}, async (server) => {
    const port = await freePort(createServer());
    const { task_id } = await server.facts('task_spawn', { command: serverOn(port) });
    const until = (condition: object, more = {}) => server.facts('task_poll', { task_id, until: condition, ...more });
    expect(await until({ port })).toMatchObject({ matched: true, finished: false });
    expect(await until({ http: `http://localhost:${port}/` })).toMatchObject({ matched: true, state: 'running' });
    expect(await server.facts('task_wait', { task_ids: [task_id], until: { exit: true }, timeout_ms: 100 })).toMatchObject({ timed_out: true });
    const { text } = await server.callTool('task_poll', { task_id, search: 'listening|Listening' });
    expect(text).toContain(`stdout 1: Listening on http://127.0.0.1:${port}/`);
    expect(await server.facts('task_poll', { task_id, terminate: true })).toMatchObject({ finished: true, signal: 'SIGTERM' });
    expect(await until({ port }, { wait_ms: 60_000 })).toMatchObject({ finished: true });
    expect(await until({ port }, { wait_ms: 60_000 })).not.toHaveProperty('matched');
  });
});

test('words are waited for in tasks that print fast, and a pattern that backtracks elsewhere holds up no other call', async () => {
  await withServer({}, async (server) => {
    const { task_id } = await server.facts('task_spawn', { command: "yes aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa | head -n 500000; printf 'ready> '; sleep 600" });
    const waiting = server.facts('task_poll', { task_id, until: { output: '(a*)*b|^ready> $' }, max_output_bytes: 1_000 });
    const startedAt = performance.now();
    await server.facts('task_list', {});
    expect(performance.now() - startedAt).toBeLessThan(3_000);
    expect(await waiting).toMatchObject({ matched: true, state: 'running' });
    const { facts } = await server.callTool('task_poll', { task_id, until: { output: '((a{100}){100}){100}' } });
    expect(facts.error).toMatchObject({ code: 'BAD_PATTERN' });
    expect(await server.facts('task_poll', { task_id, search: '^ready' })).toMatchObject({ matches_total: 1 });
  });
});
