import { afterAll, beforeAll, expect, test } from 'vitest';
import { approve } from '../support/approved.ts';
import { findShell } from '../../src/process/find-shell.ts';
import type { Termination } from '../../src/process/terminate.ts';
import { Ending, waitFor } from '../../src/task/ending.ts';
import { Execution } from '../../src/task/execution.ts';
import { environment } from '../process/support.ts';
import { Services } from './support.ts';

let services: Services;
beforeAll(() => {
  services = new Services();
});
afterAll(() => services.close());

let made = 0;

function start(command: string): Promise<Execution> {
  const { kernel, store } = services;
  const options = { name: `x-${++made}`, shell: findShell('bash', process.env), login: false, stdin: 'none', graceMs: 1_000, cwd: kernel.root, env: environment } as const;
  return Execution.start({ launcher: kernel.launcher, tags: kernel.tags, store }, approve(command), options);
}

/** As of a program of another user (sudo): SIGKILL has not helped. */
function unkillable(execution: Execution): Promise<Termination> {
  return Promise.resolve({ signal: 'SIGKILL', killed: [], survivors: [{ pid: execution.pid ?? 0, name: 'sudo' }] });
}

test('a timeout is over also when the program outlives SIGKILL, and says who lives', async () => {
  const execution = await start('sleep 60');
  execution.endWith('timeout', unkillable(execution));
  await waitFor([execution.ended], {});
  expect(execution.finished).toMatchObject({ exitCode: 124, endedBy: 'timeout' });
  expect(execution.warnings).toEqual([`still alive after SIGKILL: sudo (${execution.pid})`]);
  process.kill(-(execution.pid ?? 0), 'SIGKILL');
});

test('a request that did not help leaves it running, and it can be ended later', async () => {
  const execution = await start('sleep 60');
  execution.endWith('request', unkillable(execution));
  await new Promise((resolve) => setImmediate(resolve));
  expect(execution.finished).toBeUndefined();
  expect(execution.warnings).toHaveLength(1);
  execution.end('timeout', 0);
  await waitFor([execution.ended], {});
  expect(execution.finished).toMatchObject({ exitCode: 124, endedBy: 'timeout' });
});

test('when nobody can be looked for, the group is killed all the same', async () => {
  const execution = await start('trap "" TERM; sleep 60');
  execution.endWith('timeout', Promise.reject(new Error('no descriptor')));
  await waitFor([execution.ended], {});
  expect(execution.finished).toMatchObject({ exitCode: 124, signal: 'SIGKILL' });
  expect(execution.warnings).toEqual(['only its process group was ended: no descriptor']);
});

test('the first reason is the one that counts', async () => {
  const execution = await start('trap "" TERM; echo up; sleep 60');
  execution.end('request', 100);
  execution.end('timeout', 100);
  await waitFor([execution.ended], {});
  expect(execution.finished?.endedBy).toBe('request');
});

test('whoever stops waiting leaves nothing behind', async () => {
  const ending = new Ending();
  const listened: (() => void)[] = [];
  const stop = ending.listen(() => listened.push(() => undefined));
  stop();
  await waitFor([ending], { timeoutMs: 1 });
  await waitFor([ending], { signal: AbortSignal.abort() });
  ending.come();
  ending.come();
  expect(listened).toEqual([]);
  await waitFor([ending, new Ending()], {}, 'first');
});
