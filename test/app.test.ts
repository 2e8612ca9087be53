import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { App } from '../src/app.ts';
import { loadSettings } from '../src/config/load.ts';
import { ExpectedError } from '../src/errors.ts';
import { approve } from './support/approved.ts';
import { liveProcesses } from './support/processes.ts';

const root = mkdtempSync(join(tmpdir(), 'app-'));
afterAll(() => rmSync(root, { recursive: true }));

const place = { home: root, startDirectory: root, env: { PATH: process.env['PATH'], HOME: root, XDG_RUNTIME_DIR: root, TMPDIR: root } };

async function newApp(): Promise<App> {
  const loaded = await loadSettings({ ...place, flags: {}, configPath: undefined });
  return new App({ ...place, ...loaded, log: () => {} });
}

function serverFolders(): string[] {
  const shared = join(root, `shellkeep-${process.getuid?.()}`);
  return existsSync(shared) ? readdirSync(shared) : [];
}

test('nothing is made before something is asked for', async () => {
  const app = await newApp();
  await app.shutdown();
  expect(readdirSync(root)).toEqual([]);
});

test('services are made once, output is spilled to the disk, and their end leaves no process and no file', async () => {
  const app = await newApp();
  const [first, second] = await Promise.all([app.services(), app.services()]);
  expect(second).toBe(first);
  expect(serverFolders()).toHaveLength(1);
  const options = { cwd: root, env: first.baseEnvironment, login: false };
  await first.tasks.spawn('local', approve('trap "" TERM HUP; setsid sleep 1618 & sleep 1618; true'), { ...options, stdin: 'none' });
  const run = { ...options, timeoutMs: 10_000, maxOutputBytes: 100 };
  const { stdout } = await first.runner.run('local', approve('seq 1 50000'), run, new AbortController().signal);
  expect(stdout.path).toContain(join(root, '.local', 'state', 'shellkeep'));
  const from = performance.now();
  await app.shutdown();
  expect(performance.now() - from).toBeLessThan(2_000);
  expect(liveProcesses().filter(({ command }) => command === 'sleep 1618')).toEqual([]);
  expect(serverFolders()).toEqual([]);
  expect(readdirSync(join(root, '.local', 'state', 'shellkeep', 'output'))).toEqual([]);
});

test('while it ends and afterwards nothing can be asked for', async () => {
  const app = await newApp();
  await app.services();
  const ending = app.shutdown();
  await expect(app.services()).rejects.toThrow(new ExpectedError('SHUTTING_DOWN', 'the server is ending'));
  await ending;
  await app.shutdown();
  await expect(app.kernel()).rejects.toThrow('the server is ending');
});
