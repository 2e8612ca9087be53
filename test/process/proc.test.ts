import { spawn } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { commandLineOf, directoryOf, executableOf, groupMembers, isDead, isLiving, listProcesses, readProcess } from '../../src/process/proc.ts';
import { listByPs } from '../../src/process/ps.ts';
import { eventually, Kernel } from './support.ts';

let kernel: Kernel;
beforeAll(() => {
  kernel = new Kernel();
});
afterAll(() => kernel.close());

test('a process is read with its family, state and time', async () => {
  const { child, ended } = await kernel.start('read x; :', { stdin: 'pipe' });
  await eventually(() => readProcess(child.pid)?.comm === 'bash' && readProcess(child.pid)?.state === 'S');
  expect(readProcess(child.pid)).toMatchObject({ pid: child.pid, ppid: process.pid, pgrp: child.pid, session: child.pid, tpgid: -1 });
  expect(commandLineOf(child.pid).at(-1)).toBe('read x; :');
  expect(executableOf(child.pid)).toMatch(/\/bash$/);
  expect(directoryOf(child.pid)).toBe(kernel.root);
  child.endInput();
  await ended;
  expect(readProcess(child.pid)).toBeUndefined();
  expect(isLiving(child.leader)).toBe(false);
});

test('a name with blanks, parentheses and a line end is a name', async () => {
  const odd = join(kernel.root, 'a) R 1 (b\n c');
  copyFileSync('/bin/sleep', odd);
  const { child, ended } = await kernel.start(`exec '${odd}' 60`);
  await eventually(() => readProcess(child.pid)?.comm === 'a) R 1 (b\n c');
  expect(readProcess(child.pid)).toMatchObject({ ppid: process.pid, pgrp: child.pid });
  process.kill(child.pid);
  await ended;
});

test('a zombie is seen, is dead, and is no member of its group', async () => {
  const { child, ended } = await kernel.start('sleep 60 & exec sleep 60'); // the first sleep is never waited for
  await eventually(() => groupMembers(child.pid).filter(({ comm }) => comm === 'sleep').length === 2);
  const job = groupMembers(child.pid).find(({ pid }) => pid !== child.pid);
  process.kill(job?.pid ?? 0, 'SIGKILL');
  await eventually(() => groupMembers(child.pid).length === 1);
  const zombie = readProcess(job?.pid ?? 0);
  expect(zombie?.state).toBe('Z');
  expect(zombie !== undefined && isDead(zombie)).toBe(true);
  expect(job !== undefined && isLiving(job)).toBe(false);
  process.kill(child.pid);
  await ended;
});

test('another process with the same number is not the same', () => {
  const own = readProcess(process.pid);
  expect(own !== undefined && isLiving(own)).toBe(true);
  expect(isLiving({ pid: process.pid, startTime: (own?.startTime ?? 0) - 1 })).toBe(false);
});

test('ps tells the same as /proc', async () => {
  const sleeper = spawn('sleep', ['60']);
  const pid = sleeper.pid ?? 0;
  await eventually(() => readProcess(pid)?.comm === 'sleep');
  const byPs = listByPs(pid);
  expect(byPs).toHaveLength(1);
  expect(byPs[0]).toMatchObject({ pid, ppid: process.pid, pgrp: readProcess(pid)?.pgrp, session: readProcess(pid)?.session, tpgid: -1, state: 'S', comm: 'sleep' });
  expect(Math.abs((byPs[0]?.startTime ?? 0) - Date.now())).toBeLessThan(60_000);
  const all = listByPs().map((info) => info.pid);
  expect(all).toEqual(expect.arrayContaining([pid, process.pid]));
  expect(listByPs(999_999_999)).toEqual([]);
  sleeper.kill();
  await new Promise((resolve) => sleeper.once('exit', resolve));
});

test('all processes are listed', () => {
  const pids = listProcesses().map(({ pid }) => pid);
  expect(pids).toContain(process.pid);
  expect(pids).toContain(process.ppid);
});
