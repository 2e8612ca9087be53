// What runs in one session, run or task cannot reach another, and hundreds of them leave the server as it was.
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { withServer, type Facts, type Harness } from '../support/harness.ts';
import { shells, type TestedShell } from '../support/shells.ts';
import { descriptorsOf, zombiesOf } from './support.ts';

const RUN_SHELLS = ['sh', ...shells()];
/** What a program of a session, run or task sees of descriptors: its three, and the one that ls reads the folder with. */
const LIST = 'ls /proc/self/fd | tr "\\n" " "';
/** Writes a command line to every descriptor that is open, as a child and as the shell itself. */
const ATTACK = `sh -c 'for n in $(seq 3 255); do eval "echo touch pwned >&$n"; done' 2>/dev/null; true`;
const ATTACK_BY_SHELL = 'for n in $(seq 3 255); do eval "echo touch pwned >&$n"; done 2>/dev/null; true';

test('T01: a second session, runs in each shell and tasks have three descriptors, and the first session hears nothing of what they write', async () => {
  await withServer({}, async (server) => {
    const first = await server.openSession('bash');
    await first.run('echo quiet');
    const { cursor } = await first.read({ view: 'transcript' });
    for (const shell of shells()) {
      const session = await server.openSession(shell);
      expect(await session.run(LIST), shell).toMatchObject({ output: '0 1 2 3 ' });
      await session.run(ATTACK);
      if (shell !== 'fish') await session.run(ATTACK_BY_SHELL);
    }
    for (const [shell, login] of [...RUN_SHELLS.map((name) => [name, false] as const), ['bash', true] as const]) {
      for (const command of [LIST, ATTACK]) {
        expect(await server.facts('run', { command, shell, login }), `${shell} ${login}`).toMatchObject({ stdout: command === LIST ? '0 1 2 3 ' : '', exit_code: 0 });
        expect(await inTask(server, { command, shell, login })).toMatchObject({ stdout: command === LIST ? '0 1 2 3 ' : '', exit_code: 0 });
      }
    }
    expect(await inTask(server, { command: LIST, stdin: 'pipe' })).toMatchObject({ stdout: '0 1 2 3 ' });
    expect(await first.read({ view: 'transcript' })).toMatchObject({ cursor });
    expect(await first.run('echo still quiet')).toMatchObject({ output: 'still quiet\n', exit_code: 0 });
    expect(existsSync(path.join(server.process.home.dir, 'pwned'))).toBe(false);
  });
});

async function inTask(server: Harness, args: object): Promise<Facts> {
  const { task_id } = await server.facts('task_spawn', { ...args });
  return server.facts('task_poll', { task_id, wait_ms: 10_000 });
}

test('500 KB that wait for a killed session which does not read them reach none of 30 sessions opened after it', async () => {
  await withServer({}, async (server) => {
    const deaf = await Promise.all(shells().map((shell) => server.openSession(shell)));
    for (const session of deaf) {
      await session.run('sleep 600', { timeout_ms: 1 });
      await session.send({ text: 'touch pwned\n'.repeat(42_000), timeout_ms: 0 });
    }
    const [killed, ...others] = deaf;
    process.kill(killed?.created.pid ?? 0, 'SIGKILL');
    await Promise.all([...others.map((session) => session.destroy()), inParallel(10, 30, (index) => findsNothing(server, shells()[index % shells().length] ?? 'bash'))]);
    expect(existsSync(path.join(server.process.home.dir, 'pwned'))).toBe(false);
  });
});

async function findsNothing(server: Harness, shell: TestedShell): Promise<void> {
  const session = await server.openSession(shell);
  expect(await session.run('echo mine')).toMatchObject({ output: 'mine\n', exit_code: 0 });
  expect((await session.read({ view: 'transcript' })).output).not.toContain('pwned');
}

/** Works through the jobs, so many at a time. */
async function inParallel(count: number, jobs: number, job: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  await Promise.all(Array.from({ length: count }, async () => {
    while (next < jobs) await job(next++);
  }));
}

interface Holdings {
  readonly descriptors: number;
  readonly terminals: number;
  readonly zombies: readonly string[];
}

function holdings(server: Harness): Holdings {
  const open = descriptorsOf(server.pid);
  return { descriptors: open.length, terminals: open.filter((target) => target.startsWith('/dev/pt')).length, zombies: zombiesOf(server.pid) };
}

test('B89, T83: 60 sessions opened and ended and 60 killed runs leave descriptors, terminals and processes as they were (300 of each would take too long here)', { timeout: 60_000 }, async () => {
  await withServer({ args: ['--max-concurrent', '16'] }, async (server) => {
    const openAndEnd = async (index: number): Promise<void> => {
      const session = await server.openSession('bash');
      if (index % 3 === 0) await session.run('sleep 600 &');
      await session.destroy({ grace_ms: 0 });
    };
    const runAndKill = async (): Promise<void> => {
      expect(await server.facts('run', { command: 'sleep 600', timeout_ms: 1 })).toMatchObject({ exit_code: 124 });
    };
    await inParallel(16, 16, openAndEnd); // until now something may have been made that stays
    await inParallel(16, 16, runAndKill);
    await inParallel(1, 4, openAndEnd); // behind these, nothing of the others is on its way any more, and the policy is loaded
    await inParallel(1, 4, runAndKill);
    const [before, allBefore] = [holdings(server), readdirSync('/dev/pts').length];
    await inParallel(16, 60, openAndEnd);
    await inParallel(16, 60, runAndKill);
    expect(before).toMatchObject({ terminals: 0, zombies: [] });
    await expect.poll(() => holdings(server), { timeout: 10_000 }).toEqual(before);
    expect(readdirSync('/dev/pts').length).toBeLessThan(allBefore + 100); // other tests have some, too
    expect(await server.facts('session_list')).toMatchObject({ count: 0 });
  });
});
