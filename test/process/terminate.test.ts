import { spawn } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { livingMembers } from '../../src/process/members.ts';
import { groupMembers, isLiving, readProcess, taggedProcesses } from '../../src/process/proc.ts';
import { signalGroup, terminate } from '../../src/process/terminate.ts';
import { eventually, Kernel, openPty, type Started } from './support.ts';
import type { Tag } from '../../src/process/tag.ts';

let kernel: Kernel;
beforeAll(() => {
  kernel = new Kernel();
});
afterAll(() => kernel.close());

/** Starts a command and waits until it has printed "up". */
async function startUp(command: string, tag: Tag): Promise<Started> {
  const started = await kernel.start(command, { tag });
  await eventually(() => started.output().includes('up'));
  return started;
}

function tagged(tag: Tag): number {
  return taggedProcesses((limit) => limit === tag.value).length;
}

test('a command that knows SIGTERM ends by it, long before its grace is over', async () => {
  const tag = kernel.tags.next();
  const { child, ended } = await startUp('echo up; sleep 60; :', tag);
  const startedAt = performance.now();
  const { signal, killed, survivors } = await terminate({ leader: child.leader, tag }, { graceMs: 5_000 });
  expect(signal).toBe('SIGTERM');
  expect(killed.map(({ name }) => name).sort()).toEqual(['bash', 'sleep']);
  expect(survivors).toEqual([]);
  expect(performance.now() - startedAt).toBeLessThan(1_000);
  expect((await ended).status).toEqual({ kind: 'signaled', signal: 'SIGTERM' });
});

test('B83: a command that ignores every polite signal is killed when its grace is over', async () => {
  const tag = kernel.tags.next();
  const { child } = await startUp('trap "" INT TERM HUP; echo up; while :; do sleep 1; done', tag);
  const startedAt = performance.now();
  const { signal, survivors } = await terminate({ leader: child.leader, tag }, { graceMs: 300 });
  expect(signal).toBe('SIGKILL');
  expect(survivors).toEqual([]);
  expect(performance.now() - startedAt).toBeGreaterThan(290);
  expect(performance.now() - startedAt).toBeLessThan(1_500);
  expect(livingMembers({ leader: child.leader, tag })).toEqual([]);
});

test('a command that cleans up on SIGTERM is given its time', async () => {
  const tag = kernel.tags.next();
  const { child, ended } = await startUp('trap "sleep 0.3; echo clean; exit 9" TERM; echo up; while :; do sleep 0.05; done', tag);
  expect((await terminate({ leader: child.leader, tag }, { graceMs: 5_000 })).signal).toBe('SIGTERM');
  expect(await ended).toMatchObject({ stdout: 'up\nclean\n', status: { kind: 'exited', code: 9 } });
});

test('a stopped command sees SIGTERM all the same', async () => {
  const tag = kernel.tags.next();
  const { child } = await startUp('trap "exit 9" TERM; echo up; while :; do sleep 0.05; done', tag);
  process.kill(-child.pid, 'SIGSTOP');
  await eventually(() => readProcess(child.pid)?.state === 'T');
  expect((await terminate({ leader: child.leader, tag }, { graceMs: 5_000 })).signal).toBe('SIGTERM');
});

test.each([
  ['plain', 'sleep 60 &'],
  ['nohup', 'nohup sleep 60 >/dev/null 2>&1 &'],
  ['setsid', 'setsid sleep 60 &'],
  ['setsid -f', 'setsid -f sleep 60'],
  ['ignoring hang-ups', '(trap "" HUP TERM; exec sleep 60) &'],
  ['env -i', 'env -i setsid sleep 60 &'],
  ['a double fork', '(setsid sh -c "sleep 60 & exit" &)'],
  ['disown', 'sleep 60 & disown'],
])('what a dead shell left by %s is found by its tag, and ended', async (_, command) => {
  const tag = kernel.tags.next();
  const { child, ended } = await kernel.start(`${command}\nsleep 0.05; exit 3`, { tag });
  await ended;
  expect(livingMembers({ leader: child.leader, tag }).map(({ comm }) => comm)).toEqual(['sleep']);
  const { killed, survivors } = await terminate({ leader: child.leader, tag }, { graceMs: 200 });
  expect(killed.map(({ name }) => name)).toEqual(['sleep']);
  expect(survivors).toEqual([]);
  expect(tagged(tag)).toBe(0);
});

test('what is forked while the end is on its way is caught', async () => {
  const tag = kernel.tags.next();
  const spread = 'f() { trap "" TERM HUP; for i in 1 2 3 4 5 6; do setsid sleep 60 & sleep 0.01; done; }';
  const { child } = await startUp(`${spread}; f & f & f & echo up; trap "" TERM; wait; sleep 60`, tag);
  const { survivors } = await terminate({ leader: child.leader, tag }, { graceMs: 50 });
  expect(survivors).toEqual([]);
  expect(tagged(tag)).toBe(0);
});

test('nothing alive is no signal at all, and zombies are not alive', async () => {
  const tag = kernel.tags.next();
  const { child, ended } = await kernel.start('exit 0', { tag });
  await ended;
  expect(await terminate({ leader: child.leader, tag }, { graceMs: 1_000 })).toEqual({ signal: undefined, killed: [], survivors: [] });
  const dead = await kernel.start('sleep 60 & exec sleep 60');
  await eventually(() => groupMembers(dead.child.pid).filter(({ comm }) => comm === 'sleep').length === 2);
  for (const { pid } of groupMembers(dead.child.pid)) if (pid !== dead.child.pid) process.kill(pid, 'SIGKILL');
  await eventually(() => groupMembers(dead.child.pid).length === 1);
  expect((await terminate({ leader: dead.child.leader }, { graceMs: 5_000 })).killed.map(({ pid }) => pid)).toEqual([dead.child.pid]);
});

test('T82: a group whose number now belongs to another process is left alone', async () => {
  const bystander = spawn('sleep', ['60'], { detached: true });
  const pid = bystander.pid ?? 0;
  await eventually(() => readProcess(pid)?.comm === 'sleep');
  const leader = { pid, startTime: (readProcess(pid)?.startTime ?? 0) - 100 };
  expect(await terminate({ leader, tag: kernel.tags.next() }, { graceMs: 0 })).toMatchObject({ signal: undefined });
  expect(signalGroup(leader, 'SIGKILL')).toBe(false);
  const own = readProcess(pid);
  expect(own !== undefined && isLiving(own)).toBe(true);
  expect(signalGroup(own, 'SIGKILL')).toBe(true);
  await new Promise((resolve) => bystander.once('exit', resolve));
});

test('a group whose leader is gone is known by its tag only', async () => {
  const { child, ended } = await kernel.start('sleep 60 & exit 0');
  await ended;
  const job = groupMembers(child.pid);
  expect(job).toHaveLength(1);
  expect(livingMembers({ leader: child.leader })).toEqual([]);
  for (const { pid } of job) process.kill(pid, 'SIGKILL');
});

test('many targets end in one sweep: 20 that ignore everything, all they started, within two seconds', async () => {
  const targets = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const tag = kernel.tags.next();
      const { child } = await startUp('trap "" TERM HUP INT; setsid sleep 600 & nohup sleep 600 >/dev/null 2>&1 & echo up; while :; do sleep 600; done', tag);
      return { leader: child.leader, tag };
    }),
  );
  const startedAt = performance.now();
  const { signal, killed, survivors } = await terminate(targets, { graceMs: 500 });
  expect(performance.now() - startedAt).toBeLessThan(2_000);
  expect({ signal, survivors }).toEqual({ signal: 'SIGKILL', survivors: [] });
  expect(killed.length).toBeGreaterThanOrEqual(60);
});

test('a whole server is ended by its tags, but neither itself nor who is spared', async () => {
  const a = await startUp('echo up; sleep 60', kernel.tags.next());
  const b = await startUp('echo up; sleep 60', kernel.tags.next());
  const { killed } = await terminate({ tag: kernel.tags }, { graceMs: 1_000, spared: [b.child.pid] });
  expect(killed.map(({ pid }) => pid)).toContain(a.child.pid);
  expect(isLiving(b.child.leader)).toBe(true);
  await terminate({ tag: kernel.tags }, { graceMs: 1_000 });
  expect(isLiving(b.child.leader)).toBe(false);
});

test('a session ends with its shell, its jobs in their own groups, and its stopped ones', async () => {
  const { pty, ended, until } = openPty({ args: ['--norc', '--noediting', '-i'] });
  pty.write(Buffer.from('sleep 300 &\nsleep 301\n'));
  await eventually(() => livingMembers({ leader: pty.leader }).filter(({ comm }) => comm === 'sleep').length === 2);
  pty.write(Buffer.from('\x1a'));
  await until('Stopped');
  const { killed, survivors } = await terminate({ leader: pty.leader }, { graceMs: 2_000, first: ['SIGHUP', 'SIGTERM'] });
  expect(killed.map(({ name }) => name).sort()).toEqual(['bash', 'sleep', 'sleep']);
  expect(survivors).toEqual([]);
  await ended;
  pty.close();
});
