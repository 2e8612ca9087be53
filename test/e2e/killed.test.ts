// kill -9 of the server: nothing of it has time to do anything, and still nothing is left of what it started.
import { expect, test } from 'vitest';
import { startServer, withServer, type Harness } from '../support/harness.ts';
import { Home } from '../support/home.ts';
import { removeAtEnd } from '../support/leftovers.ts';
import { liveProcesses, type LiveProcess } from '../support/processes.ts';
import { shells } from '../support/shells.ts';
import { descendants, familyOf, isListed, KINDS, running, serverFiles, tagOf, uniqueSeconds, untilRunning } from './support.ts';

const GONE_MS = 3_000;

/** All kinds of descendants in a session of each shell, a run and a task; how many. */
async function fill(server: Harness, seconds: string): Promise<number> {
  const command = `${descendants('bash', seconds)}; trap "" TERM HUP; wait`;
  const sessions = shells().map(async (shell) => (await server.openSession(shell)).run(descendants(shell, seconds)));
  void server.callTool('run', { command }).catch(() => 'the server is dead');
  await Promise.all([...sessions, server.facts('task_spawn', { command, shell: 'bash' })]);
  await server.facts('run', { command: 'seq 1 100000' }); // has a file
  return (shells().length + 2) * KINDS;
}

function watchdogOf(tag: bigint): LiveProcess | undefined {
  return familyOf(tag).find(({ command }) => command.includes('watchdog-main'));
}

test('T80: after kill -9 of the server all eight kinds of descendants of sessions, a run and a task are gone in 3 s, and every file', async () => {
  const server = await startServer();
  const seconds = uniqueSeconds();
  const tag = await tagOf(server);
  const started = await untilRunning(`sleep ${seconds}`, await fill(server, seconds));
  expect(serverFiles(server.process.home)).toHaveLength(2);
  const from = performance.now();
  server.process.kill('SIGKILL');
  await expect.poll(() => [...running(`sleep ${seconds}`), ...familyOf(tag)], { interval: 20, timeout: GONE_MS }).toEqual([]);
  expect(performance.now() - from).toBeLessThan(GONE_MS);
  expect(serverFiles(server.process.home)).toEqual([]);
  await expect.poll(() => started.filter(isListed), { timeout: 10_000 }).toEqual([]); // zombies are init's by now, which may take its time
});

test('T80: when the watchdog is killed too, the next server of the same user ends what was left, and says so', async () => {
  const home = new Home();
  removeAtEnd(home.root);
  const first = await startServer({ home });
  const [seconds, tag] = [uniqueSeconds(), await tagOf(first)];
  await untilRunning(`sleep ${seconds}`, await fill(first, seconds));
  await expect.poll(() => watchdogOf(tag)).toBeDefined();
  first.process.kill('SIGSTOP'); // or it would start another one
  process.kill(watchdogOf(tag)?.pid ?? Number.NaN, 'SIGKILL');
  first.process.kill('SIGKILL');
  await first.process.ended;
  expect(running(`sleep ${seconds}`).length).toBeGreaterThan(0); // a hang-up ends only some of them
  await withServer({ home }, async (second) => {
    await expect.poll(() => familyOf(tag), { timeout: GONE_MS }).toEqual([]);
    expect(running(`sleep ${seconds}`)).toEqual([]);
    await expect.poll(() => second.process.stderr).toMatch(/ended what an earlier server left: .*\d+ sleep/);
    expect(await second.facts('run', { command: 'echo ok' })).toMatchObject({ stdout: 'ok\n' });
  });
  expect(serverFiles(home)).toEqual([]);
});

test('T07: a command that kills or stops the server leaves nothing behind', async () => {
  for (const blow of ['kill -9 $PPID', 'kill -STOP $PPID; kill -9 $PPID']) {
    const server = await startServer();
    const [seconds, tag] = [uniqueSeconds(), await tagOf(server)];
    await server.facts('task_spawn', { command: `trap "" TERM HUP; sleep ${seconds}; :`, shell: 'bash' });
    await untilRunning(`sleep ${seconds}`, 1);
    await expect(server.facts('run', { command: `${blow}; sleep ${seconds}`, dangerous: true }), blow).rejects.toThrow(/closed/);
    await expect.poll(() => familyOf(tag), { timeout: GONE_MS }).toEqual([]);
    expect(liveProcesses().filter(({ command }) => command.includes(seconds))).toEqual([]);
  }
});

test('two servers of one user do not touch one another: the end of the first leaves the second as it is', async () => {
  const home = new Home();
  removeAtEnd(home.root);
  await withServer({ home }, async (second) => {
    const session = await second.openSession('bash');
    await session.run('cd /tmp; kept=1');
    const first = await startServer({ home });
    const tag = await tagOf(first);
    await first.openSession('bash');
    first.process.kill('SIGKILL');
    await expect.poll(() => familyOf(tag), { timeout: GONE_MS }).toEqual([]);
    expect(await session.run('echo $kept $PWD')).toMatchObject({ output: '1 /tmp\n' });
  });
});
