import { spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isLiving, readProcess, taggedProcesses } from '../../src/process/proc.ts';
import type { ProcessInfo } from '../../src/process/proc.ts';
import { randomServerBits, TagSpace } from '../../src/process/tag.ts';
import { ROOT } from '../support/paths.ts';
import { environment, eventually } from './support.ts';

const NOBODY = 65_534;

/** The kinds of descendants that hang-ups, groups and marks in the environment leave behind. */
const KINDS = `
sleep 601 &
nohup sleep 602 >/dev/null 2>&1 &
setsid sleep 603 &
(trap "" HUP TERM INT; exec sleep 604) &
setsid -f sleep 605
env -i setsid sleep 606 &
(setsid sh -c "sleep 607 & exit" &)
sleep 608 & disown
`;

/** A server of the built program's parts: a session and a command, each with all kinds of descendants, in a process of its own. */
const SERVER = `
import { Launcher } from './launcher.js'; import { Pty } from './pty.js'; import { RuntimeDir } from './runtime-dir.js';
import { applyTag, TagSpace } from './tag.js'; import { Watchdog } from './watchdog.js';
const [bits, kinds] = process.argv.slice(1), tags = new TagSpace(BigInt(bits)), env = process.env;
const runtimeDir = new RuntimeDir({ serverBits: BigInt(bits), env }), watchdog = Watchdog.start({ tags, runtimeDir }), launcher = new Launcher({ tags, runtimeDir, env });
await launcher.prepare();
const nothing = { onStdout() {}, onStderr() {}, onData() {}, onEnd() {} }, bash = '/bin/bash', size = { cols: 80, rows: 24 };
const pty = new Pty({ file: bash, args: ['--norc', '-i'], env, cwd: '/', ...size }, nothing);
await applyTag(pty.pid, tags.next());
pty.write(Buffer.from(kinds));
await launcher.start({ shell: { name: 'bash', path: bash }, command: kinds + 'trap "" TERM HUP; wait; sleep 609', login: false, cwd: '/', env, stdin: 'none', tag: tags.next() }, nothing);
process.stdin.on('data', (order) => { if (String(order) === 'stop') { watchdog.stop(); process.exit(); } });
console.log(watchdog.pid);
`;

let root: string;
let server: ChildProcess;
let tags: TagSpace;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'shellkeep-test-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true, maxRetries: 3 }));

/** Starts the server and waits for all descendants; gives the process of its watchdog. */
async function start(user: number | undefined): Promise<ProcessInfo> {
  const bits = randomServerBits();
  tags = new TagSpace(bits);
  const base = pathToFileURL(join(ROOT, 'dist/process/')).href;
  const code = SERVER.replaceAll("'./", `'${base}`);
  const as = user === undefined ? [] : ['setpriv', `--reuid=${user}`, `--regid=${user}`, '--clear-groups'];
  if (user !== undefined) chownSync(root, user, user);
  chmodSync(root, 0o700);
  const [file = '', ...args] = [...as, process.execPath, '--input-type=module', '-e', code, String(bits), KINDS];
  server = spawn(file, args, { env: { ...environment, XDG_RUNTIME_DIR: root }, stdio: ['pipe', 'pipe', 'inherit'] });
  const [pid] = await new Promise<string[]>((resolve) => server.stdout?.once('data', (text) => resolve(String(text).split('\n'))));
  await eventually(() => sleepers() === 16);
  const watchdog = readProcess(Number(pid));
  if (watchdog === undefined) throw new Error('there is no watchdog');
  return watchdog;
}

function living(): ProcessInfo[] {
  return taggedProcesses((limit) => tags.owns(limit));
}

function sleepers(): number {
  return living().filter(({ comm }) => comm === 'sleep').length;
}

async function endServer(end: () => void): Promise<number> {
  const exited = new Promise((resolve) => server.once('exit', resolve));
  const startedAt = performance.now();
  end();
  await exited;
  return startedAt;
}

describe.each([
  ['this user', undefined],
  ['nobody', NOBODY],
] as const)('as %s', (_, user) => {
  test.runIf(user === undefined || process.getuid?.() === 0)('T80: when the server is killed, all eight kinds of descendants of a session and a command are gone within 3 s', async () => {
    const watchdog = await start(user);
    expect(watchdog).toMatchObject({ comm: 'sh', session: watchdog.pid, tpgid: -1 });
    expect(readdirSync(`/proc/${watchdog.pid}/fd`)).toEqual(['0', '1', '2']);
    const startedAt = await endServer(() => server.kill('SIGKILL'));
    await eventually(() => living().length === 0);
    expect(performance.now() - startedAt).toBeLessThan(3_000);
    await eventually(() => !isLiving(watchdog));
    expect(readdirSync(join(root, `shellkeep-${user ?? process.getuid?.()}`))).toEqual([]);
  });
});

test('signals to the group of the server do not reach the watchdog, nor do those that would end it', async () => {
  const watchdog = await start(undefined);
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'] as const) process.kill(watchdog.pid, signal);
  await endServer(() => server.kill('SIGKILL'));
  await eventually(() => living().length === 0);
});

test('a watchdog that is killed is replaced by one that has no terminal of a session in its hands', async () => {
  const first = await start(undefined);
  process.kill(first.pid, 'SIGKILL');
  const second = (): ProcessInfo | undefined => living().find(({ comm, session, pid }) => comm === 'sh' && session === pid);
  await eventually(() => !isLiving(first) && second() !== undefined);
  expect(readdirSync(`/proc/${second()?.pid}/fd`)).toEqual(['0', '1', '2']);
  await endServer(() => server.kill('SIGKILL'));
  await eventually(() => living().length === 0);
});

test('a server that ends in order takes its watchdog along, which touches nothing', async () => {
  const watchdog = await start(undefined);
  await endServer(() => server.stdin?.write('stop'));
  await eventually(() => !isLiving(watchdog));
  expect(sleepers()).toBeGreaterThan(0); // ending those is the server's own part, which this one has left out
  for (const { pid } of living()) process.kill(pid, 'SIGKILL');
  await eventually(() => living().length === 0);
  expect(existsSync(join(root, `shellkeep-${process.getuid?.()}`))).toBe(true);
});
