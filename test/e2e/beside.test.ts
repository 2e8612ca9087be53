// Runs and tasks that start beside a session: they get where it is and what it exports, and can change nothing in it.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { withServer, type Facts, type Harness } from '../support/harness.ts';
import { forEachShell, type TestedShell } from '../support/shells.ts';

/** Sets directory, variables and umask, and unsets one that the session was given. */
const PREPARE: Readonly<Record<TestedShell, string>> = {
  bash: 'cd below && export A="a b\nc" B= && unset GONE && own=no && umask 027',
  zsh: 'cd below && export A="a b\nc" B= && unset GONE && own=no && umask 027',
  fish: 'cd below; set -gx A "a b\nc"; set -gx B ""; set -e GONE; set -g own no; umask 027',
};
const SHOW = 'pwd; printf "%s|" "$A" "${B-unset}" "${GONE-unset}" "${own-unset}"; umask';

/** In both: what a run prints, what a task prints. */
async function bothPrint(server: Harness, args: Record<string, unknown>): Promise<(string | undefined)[]> {
  const run = await server.facts('run', args);
  const { task_id } = await server.facts('task_spawn', args);
  const task: Facts = await server.facts('task_poll', { task_id, wait_ms: 10_000 });
  expect([run.exit_code, task.exit_code]).toEqual([0, 0]);
  return [run.stdout, task.stdout];
}

forEachShell((shell) => {
  test('have its directory, exported variables and umask as of its last prompt, and change none of them', async () => {
    await withServer({}, async (server) => {
      const below = path.join(server.process.home.dir, 'below');
      mkdirSync(path.join(below, 'deeper'), { recursive: true });
      const session = await server.openSession(shell, { env: { GONE: '1', GIVEN: 'yes' } });
      await session.run(PREPARE[shell]);
      const beside = { session_id: session.id, shell: 'bash' };
      const expected = `${below}\na b\nc||unset|unset|0027\n`;
      expect(await bothPrint(server, { ...beside, command: SHOW })).toEqual([expected, expected]);
      expect(await bothPrint(server, { ...beside, command: 'echo $GIVEN $A', env: { A: 'over' } })).toEqual(['yes over\n', 'yes over\n']);
      expect(await bothPrint(server, { ...beside, command: 'pwd', cwd: 'deeper' })).toEqual([`${below}/deeper\n`, `${below}/deeper\n`]);
      expect(await bothPrint(server, { ...beside, command: 'pwd', cwd: '..' })).toEqual([`${server.process.home.dir}\n`, `${server.process.home.dir}\n`]);
      await bothPrint(server, { ...beside, command: 'cd /; export A=changed; unset B; umask 000; f() { :; }' });
      expect(await bothPrint(server, { ...beside, command: SHOW })).toEqual([expected, expected]);
      const { cwd, changes } = await session.run('echo untouched');
      expect({ cwd, changes }).toEqual({ cwd: below, changes: undefined });
      expect((await server.callTool('run', { ...beside, command: 'pwd', cwd: '../../../../etc' })).facts.error).toMatchObject({ code: 'INVALID_CWD' });
      expect((await server.callTool('run', { ...beside, command: 'pwd', cwd: 'missing' })).facts.error).toMatchObject({ code: 'INVALID_CWD', message: expect.stringContaining('does not exist') as string });
    });
  });
});

test('start beside a session that is busy, whose shell has ended, or whose directory is gone', async () => {
  await withServer({}, async (server) => {
    const session = await server.openSession('bash');
    await session.run('mkdir gone; cd gone; export A=1');
    await session.run('sleep 600', { timeout_ms: 1 });
    const run = (command: string): Promise<Facts> => server.callTool('run', { session_id: session.id, command }).then(({ facts }) => facts);
    expect(await run('echo $A; basename "$PWD"')).toMatchObject({ stdout: '1\ngone\n' });
    await session.interrupt();
    await session.run('exit 3');
    expect(await run('echo $A; basename "$PWD"')).toMatchObject({ stdout: '1\ngone\n' });
    expect(await server.facts('run', { command: 'rm -r gone' })).toMatchObject({ exit_code: 0 });
    expect((await run('pwd')).error).toMatchObject({ code: 'INVALID_CWD', message: expect.stringContaining('gone" does not exist') as string });
    expect(await session.run('pwd')).toMatchObject({ output: `${server.process.home.dir}\n` });
    await session.destroy();
    expect((await run('true')).error).toMatchObject({ code: 'SESSION_NOT_FOUND' });
  });
});

test('have no terminal variables of the session that would mislead them, and are not in its job table', async () => {
  await withServer({}, async (server) => {
    const session = await server.openSession('bash');
    const { stdout } = await server.facts('run', { session_id: session.id, command: 'echo "$TERM"; tty; env | grep -c __sk' });
    expect(stdout).toMatch(/^(dumb|xterm-256color)\nnot a tty\n0\n$/);
    await server.facts('task_spawn', { session_id: session.id, command: 'sleep 600' });
    expect(await session.run('jobs')).toMatchObject({ output: '' });
  });
});
