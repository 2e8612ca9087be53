import { spawn } from 'node:child_process';
import { expect, test } from 'vitest';
import { softRealtimeLimit, taggedProcesses } from '../../src/process/proc.ts';
import { applyTag, randomServerBits, TagSpace } from '../../src/process/tag.ts';
import { eventually } from './support.ts';

test('tags of a server are its own, and all different', () => {
  const bits = randomServerBits();
  expect(bits).toBeLessThan(1n << 39n);
  const space = new TagSpace(bits);
  const tags = [space.server, space.next(), space.next(), space.next()];
  expect(new Set(tags.map(({ value }) => value)).size).toBe(4);
  expect(space.server.value).toBe((1n << 62n) + (bits << 22n));
  expect(tags.every(({ value }) => space.owns(value))).toBe(true);
  for (const other of [new TagSpace(bits + 1n), new TagSpace(bits - 1n)]) expect(tags.some(({ value }) => other.owns(value))).toBe(false);
  expect(space.owns(1_000_000n)).toBe(false);
});

test('the greatest tag fits the limit, and is not "unlimited"', () => {
  const space = new TagSpace((1n << 39n) - 1n);
  expect(space.next().value).toBeLessThan(1n << 63n);
});

test('after four million tags the indices start over, without that of the server', () => {
  const space = new TagSpace(5n);
  const first = space.next().value;
  for (let index = 2n; index < 1n << 22n; index++) space.next();
  expect(space.next().value).toBe(first);
});

test('a running process is tagged, and what it starts from then on', async () => {
  const tag = new TagSpace(randomServerBits()).next();
  const shell = spawn('sh', ['-c', 'read x; sleep 60'], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  const pid = shell.pid ?? 0;
  expect(await applyTag(pid, tag)).toBe(true);
  expect(softRealtimeLimit(pid)).toBe(tag.value);
  shell.stdin?.write('go\n');
  await eventually(() => taggedProcesses((limit) => limit === tag.value).some(({ comm }) => comm === 'sleep'));
  process.kill(-pid, 'SIGKILL');
  await new Promise((resolve) => shell.once('exit', resolve));
  expect(await applyTag(pid, tag)).toBe(false);
});

test('the server is tagged once', async () => {
  const space = new TagSpace(randomServerBits());
  const first = space.applyToServer();
  expect(space.applyToServer()).toBe(first);
  expect(await first).toBe(true);
  expect(softRealtimeLimit(process.pid)).toBe(space.server.value);
});
