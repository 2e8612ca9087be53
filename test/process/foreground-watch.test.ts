import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as immediately } from 'node:timers/promises';
import { afterAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { ForegroundWatch } from '../../src/process/foreground-watch.ts';
import { findInputWait } from '../../src/process/input-wait.ts';
import { KeptFile, WatchedProcess } from '../../src/process/proc.ts';
import { openDescriptors } from './support.ts';
import { python, testProgram, watch, type TerminalProgram, type Watched } from './terminal-programs.ts';

// the real one, counted
vi.mock('../../src/process/input-wait.ts', async (load) => {
  const real = await load<typeof import('../../src/process/input-wait.ts')>();
  return { ...real, findInputWait: vi.fn(real.findInputWait) };
});

const dir = mkdtempSync(join(tmpdir(), 'shellkeep-test-'));
afterAll(() => rmSync(dir, { recursive: true, maxRetries: 3 }));
beforeEach(() => void vi.mocked(findInputWait).mockClear());

const PATIENCE = { interval: 5, timeout: 10_000 };
/** What another thread than the first begins to do is found after so many looks at most. */
const LOOKS_BETWEEN = 20;
/** One file of each of six processes, and the one of the shell. */
const MOST_KEPT = 7;

/** A terminal, and what looks at it: closed when the test is over. */
function lookAt(command: string): Watched & { readonly foreground: ForegroundWatch; close(): void } {
  const watched = watch(command, { cwd: dir });
  const shell = new WatchedProcess(watched.pty.leader);
  const foreground = new ForegroundWatch(shell, watched.pty.terminalPath);
  const close = (): void => {
    foreground.close();
    shell.close();
  };
  onTestFinished(close);
  return { ...watched, foreground, close };
}

const RESTING: readonly (TerminalProgram & { readonly looks: number })[] = [
  { program: 'sleep', command: 'sleep 60; :', looks: 100 },
  { program: 'python3', command: `${python('import threading, time', 'threading.Thread(target=time.sleep, args=[60], daemon=True).start()', 'time.sleep(60)')}; :`, looks: LOOKS_BETWEEN },
];

testProgram(RESTING, ({ program, looks }) => `while ${program} rests, only one look in ${looks} is a full one, unless a full one is asked for`, async ({ command, program, looks }) => {
  const { foreground, doing } = lookAt(command);
  await expect.poll(() => doing(program), PATIENCE).toBe('other');
  await expect.poll(() => isAtRest(foreground), PATIENCE).toBe(true);
  vi.mocked(findInputWait).mockClear();
  for (let look = 0; look < 200; look++) expect(foreground.look()).toEqual({ kind: 'none' });
  expect(vi.mocked(findInputWait)).toHaveBeenCalledTimes(200 / looks);
  foreground.look({ full: true });
  expect(vi.mocked(findInputWait)).toHaveBeenCalledTimes(200 / looks + 1);
});

/** A full look, and then one that needs nothing. */
function isAtRest(foreground: ForegroundWatch): boolean {
  foreground.look({ full: true });
  vi.mocked(findInputWait).mockClear();
  foreground.look();
  const { length } = vi.mocked(findInputWait).mock.calls;
  foreground.look({ full: true }); // from here on it is counted
  return length === 0;
}

test('who waits is seen again at every look', async () => {
  const { foreground, pty, type } = lookAt('cat');
  await expect.poll(() => foreground.look(), PATIENCE).toMatchObject({ kind: 'waiting', pid: pty.pid, program: 'cat' });
  const first = foreground.look();
  for (let look = 0; look < 20; look++) expect(foreground.look()).toEqual(first);
  type('a\n');
  await expect.poll(() => foreground.look(), PATIENCE).not.toEqual(first);
  await expect.poll(() => foreground.look(), PATIENCE).toMatchObject({ kind: 'waiting', program: 'cat' });
});

const LATE: readonly TerminalProgram[] = [
  { program: 'cat', command: 'mkfifo go0; (read x <go0; cat; :); :' },
  { program: 'cat', command: 'mkfifo go1; sh -c "sh -c \'read x <go1; cat; :\'; :"; :' },
  { program: 'bash', command: 'mkfifo go2; (read x <go2; read y); :' },
  { program: 'python3', command: `mkfifo go3; ${python('import threading', 'def ask():', ' open("go3").read(); input()', 't = threading.Thread(target=ask); t.start(); t.join()')}` },
  { program: 'cat', command: 'mkfifo go4; for n in {1..9}; do sleep 60 & done; (read x <go4; cat; :); :' },
];

testProgram(LATE, ({ command }) => `a program that begins to read late is found within ${LOOKS_BETWEEN} looks: ${command}`, async ({ command, program }) => {
  const { foreground, look, doing } = lookAt(command);
  await expect.poll(() => doing(program === 'cat' ? 'sh' : program) ?? doing('bash'), PATIENCE).toBe('other'); // it opens the named pipe
  for (let count = 0; count < 20; count++) expect(foreground.look()).toEqual({ kind: 'none' });
  writeFileSync(join(dir, /go\d/.exec(command)?.[0] ?? ''), '\n'); // somebody has it open: this does not wait
  await expect.poll(() => look(), PATIENCE).toMatchObject({ kind: 'waiting', program });
  const found = Array.from({ length: LOOKS_BETWEEN }, () => foreground.look().kind);
  expect(found).toContain('waiting');
});

test('no more files are kept than of six processes, whatever comes and goes, and none in the end', async () => {
  const before = openDescriptors();
  const { foreground, close, until, pty } = lookAt('echo up; while :; do for n in {1..5} ; do (sleep 0.01; :) & done; wait; done');
  await until('up');
  const own = openDescriptors() - before; // those of the terminal
  let most = 0;
  const seen = new Set<string>();
  for (let look = 0; look < 200; look++) {
    expect(foreground.look()).toEqual({ kind: 'none' });
    most = Math.max(most, openDescriptors() - before - own);
    seen.add(readFileSync(`/proc/${pty.pid}/task/${pty.pid}/children`, 'latin1'));
    await immediately();
  }
  expect(seen.size).toBeGreaterThan(5);
  expect(most).toBeGreaterThan(2);
  expect(most).toBeLessThanOrEqual(MOST_KEPT);
  close();
  expect(openDescriptors() - before).toBe(own);
});

test('a watch that was closed sees nobody and opens nothing', async () => {
  const { foreground, close } = lookAt('cat');
  await expect.poll(() => foreground.look().kind, PATIENCE).toBe('waiting');
  close();
  const before = openDescriptors();
  expect(foreground.look()).toEqual({ kind: 'none' });
  expect(openDescriptors()).toBe(before);
});

test('a terminal whose shell has ended has nobody who waits', async () => {
  const { foreground, ended, pty } = lookAt('cat');
  await expect.poll(() => foreground.look().kind, PATIENCE).toBe('waiting');
  process.kill(pty.pid, 'SIGKILL');
  await ended;
  expect(foreground.look()).toEqual({ kind: 'none' });
});

test('a kept file is read anew, ends with its process, and stays closed', async () => {
  const path = join(dir, 'kept');
  const file = new KeptFile(path);
  expect(file.read()).toBeUndefined();
  writeFileSync(path, 'one');
  expect(file.read()).toBe('one');
  writeFileSync(path, 'three');
  expect(file.read()).toBe('three');
  const { pty, ended } = watch('exec sleep 60');
  const stat = new KeptFile(`/proc/${pty.pid}/stat`);
  expect(stat.read()).toContain(`${pty.pid} (`);
  process.kill(pty.pid, 'SIGKILL');
  await ended;
  expect(stat.read()).toBeUndefined();
  for (const kept of [file, stat]) {
    kept.close();
    kept.close();
    expect(kept.read()).toBeUndefined();
  }
});

test('a watched process is as it is now, and never a later one with its number', async () => {
  const { pty, ended, type } = watch('read x; exec sleep 60');
  const shell = new WatchedProcess(pty.leader);
  const later = new WatchedProcess({ pid: pty.pid, startTime: pty.leader.startTime - 1 });
  onTestFinished(() => [shell, later].forEach((watched) => watched.close()));
  await expect.poll(() => shell.inputSite(), PATIENCE).toMatch(/^0x[0-9a-f]+$/);
  expect(shell.look()).toMatchObject({ pid: pty.pid, comm: 'bash', tpgid: pty.pid });
  expect(later.look()).toBeUndefined();
  type('\n');
  await expect.poll(() => shell.look()?.comm, PATIENCE).toBe('sleep');
  expect(shell.inputSite()).toBeUndefined(); // it sleeps
  process.kill(pty.pid, 'SIGKILL');
  await ended;
  expect(shell.look()).toBeUndefined();
  expect(shell.inputSite()).toBeUndefined();
});
