// Descriptors run out: who asks for more is told so, what is there goes on working, can be ended, and makes room for others.
import { expect, test } from 'vitest';
import { withServer } from '../support/harness.ts';
import { descriptorsOf, uniqueSeconds, untilRunning } from './support.ts';

/** Node raises the soft limit to the hard one, so it is the hard one here. */
const FEW = ['bash', '-c', 'ulimit -n 100; exec "$@"', 'bash'];

test('T85: with too few descriptors what is new is RESOURCE_EXHAUSTED, and sessions and tasks that are there work and end', { timeout: 60_000 }, async () => {
  await withServer({ through: FEW }, async (server) => {
    const exhausted = (result: { facts: object }): void => expect(result.facts).toMatchObject({ error: { code: 'RESOURCE_EXHAUSTED', hint: expect.stringContaining('end sessions or tasks') as string } });
    const seconds = uniqueSeconds();
    const { task_id } = await server.facts('task_spawn', { command: `echo up; sleep ${seconds}` });
    const first = await server.openSession('bash');
    await first.run('echo used; sleep 600 &');
    const others = [];
    for (;;) {
      const created = await server.callTool('session_create', { shell: 'bash' });
      if (created.isError) break;
      others.push(created.facts.session_id);
    }
    expect(others.length).toBeGreaterThan(5);
    for (const [name, args] of [['session_create', {}], ['run', { command: 'true' }], ['task_spawn', { command: 'true' }]] as const) exhausted(await server.callTool(name, args));
    expect(await first.run('echo still; false')).toMatchObject({ state: 'done', output: 'still\n', exit_code: 1 });
    expect(await first.run('sleep 600', { timeout_ms: 100, on_timeout: 'interrupt' })).toMatchObject({ state: 'done', exit_code: 130 });
    exhausted(await server.callTool('session_run', { session_id: others[0], command: 'true' })); // it has not run anything yet
    expect(await server.facts('task_poll', { task_id })).toMatchObject({ state: 'running', stdout: 'up\n' });
    for (const session_id of others.splice(0, 3)) expect(await server.facts('session_destroy', { session_id })).toMatchObject({ ok: true });
    expect(await server.facts('run', { command: 'echo room' })).toMatchObject({ stdout: 'room\n' });
    expect(await server.facts('session_run', { session_id: others[0], command: 'echo room' })).toMatchObject({ output: 'room\n' });
    for (const session_id of others) expect(await server.facts('session_destroy', { session_id })).toMatchObject({ ok: true });
    expect(await first.destroy()).toMatchObject({ ok: true });
    await server.facts('task_poll', { task_id, terminate: true });
    await untilRunning(`sleep ${seconds}`, 0);
    expect(descriptorsOf(server.pid).filter((target) => target.startsWith('/dev/pt'))).toEqual([]);
    expect(server.process.stderr).toBe('');
  });
});
