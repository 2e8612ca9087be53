import { spawnSync } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ROOT } from '../support/paths.ts';
import { environment } from './support.ts';

const NOBODY = 65_534;

/** Tries a command and a terminal without a descriptor or a process to spare, and once more when there are some again. */
const SERVER = `
import { openSync, closeSync, readdirSync } from 'node:fs'; import { spawn } from 'node:child_process';
import { Launcher } from './launcher.js'; import { Pty } from './pty.js'; import { RuntimeDir } from './runtime-dir.js'; import { TagSpace } from './tag.js';
const env = process.env, tags = new TagSpace(7n), runtimeDir = new RuntimeDir({ serverBits: 7n, env }), launcher = new Launcher({ tags, runtimeDir, env }), shell = { name: 'bash', path: '/bin/bash' };
const run = () => new Promise((resolve, reject) => launcher.start({ shell, command: 'exit 3', login: false, cwd: '/', env, stdin: 'pipe', tag: tags.next() }, { onStdout() {}, onStderr() {}, onEnd: resolve }).catch(reject));
const terminal = () => new Promise((resolve, reject) => { try { const pty = new Pty({ file: '/bin/bash', args: ['-c', 'exit 4'], cwd: '/', env, cols: 80, rows: 24 }, { onData() {}, onEnd: (status) => { pty.close(); resolve(status); } }); } catch (error) { reject(error); } });
const outcomes = async () => (await Promise.allSettled([run(), terminal()])).map(({ value, reason }) => value?.code ?? reason.code);
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const first = await outcomes(), hoard = [], count = () => { try { return readdirSync('/proc/self/fd').length; } catch { return 0; } };
const take = process.argv[1] === 'descriptors' ? () => openSync('/dev/null') : () => { const child = spawn('/bin/sleep', ['60']); child.on('error', () => {}); if (child.pid === undefined) throw child; return child; };
const give = (thing) => typeof thing === 'number' ? closeSync(thing) : thing.kill('SIGKILL');
try { for (;;) hoard.push(take()); } catch {}
const results = [];
for (let spare = 0; spare <= 12; spare++) { const before = count(); results.push(await outcomes()); for (let wait = 0; wait < 100 && count() > before; wait++) await sleep(20); if (before > 0 && count() > before) results.push('leak ' + before + ' ' + count()); const last = hoard.pop(); give(last); await new Promise((resolve) => typeof last === 'number' ? resolve() : last.once('exit', resolve)); }
for (const thing of hoard) give(thing);
await sleep(100);
console.log(JSON.stringify({ first, results, last: await outcomes() }));
runtimeDir.remove(); process.exit(0);
`;

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'shellkeep-test-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true, maxRetries: 3 }));

function exhaust(what: string, limit: string, as: readonly string[]): { first: unknown; results: unknown[]; last: unknown } {
  const code = SERVER.replaceAll("'./", `'${pathToFileURL(join(ROOT, 'dist/process/')).href}`);
  const script = `ulimit ${limit}; exec "$@"`;
  const [file = '', ...args] = [...as, 'bash', '-c', script, 'bash', process.execPath, '--input-type=module', '-e', code, what];
  const { stdout, stderr } = spawnSync(file, args, { env: { ...environment, XDG_RUNTIME_DIR: root, HOME: root }, encoding: 'utf8' });
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout) as ReturnType<typeof exhaust>;
}

test('T85: without a descriptor a command and a terminal are refused as RESOURCE_EXHAUSTED, leak nothing, and work again later', () => {
  const { first, results, last } = exhaust('descriptors', '-n 80', []);
  expect(first).toEqual([3, 4]);
  expect(results[0]).toEqual(['RESOURCE_EXHAUSTED', 'RESOURCE_EXHAUSTED']);
  for (const result of results.flat()) expect([3, 4, 'RESOURCE_EXHAUSTED']).toContain(result);
  expect(last).toEqual([3, 4]);
});

test.runIf(process.getuid?.() === 0)('T85: without a process they are refused likewise', () => {
  chownSync(root, NOBODY, NOBODY);
  const { first, results, last } = exhaust('processes', '-u 60', ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups']);
  expect(first).toEqual([3, 4]);
  expect(results[0]).toEqual(['RESOURCE_EXHAUSTED', 'RESOURCE_EXHAUSTED']);
  expect(last).toEqual([3, 4]);
});
