import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { ExpectedError } from '../../src/errors.ts';
import { Roots } from '../../src/policy/roots.ts';
import type { SessionPlace } from '../../src/policy/roots.ts';
import { ROOT } from '../support/paths.ts';

const base = realpathSync(mkdtempSync(join(tmpdir(), 'roots-')));
const root = join(base, 'proj');
const outside = join(base, 'outside');
mkdirSync(join(root, 'src', 'deep'), { recursive: true });
mkdirSync(join(root, 'closed'));
mkdirSync(join(base, 'proj2'));
mkdirSync(outside);
mkdirSync(join(root, `it's "$(x)"\n-dir`));
writeFileSync(join(root, 'file'), '');
symlinkSync(outside, join(root, 'link-out'));
symlinkSync(join(root, 'src'), join(root, 'link-in'));
symlinkSync('loop', join(root, 'loop'));
symlinkSync(root, join(base, 'root-link'));
chmodSync(join(root, 'closed'), 0o000);
afterAll(() => rmSync(base, { recursive: true }));

const roots = new Roots({ roots: [root], home: root, startDirectory: outside });

async function refusal(cwd: string, beside?: string): Promise<ExpectedError> {
  try {
    await roots.resolve(cwd, placeOf(beside));
  } catch (error) {
    if (error instanceof ExpectedError) return error;
    throw error;
  }
  throw new Error(`"${cwd}" is allowed`);
}

/** A session that began in the root and went on to `cwd`. */
function placeOf(cwd: string | undefined): SessionPlace | undefined {
  return cwd === undefined ? undefined : { cwd, startedIn: root };
}

async function resolved(cwd: string, beside?: string): Promise<string> {
  return (await roots.resolve(cwd, placeOf(beside))).path;
}

test.each([
  [root, root],
  [`${root}/`, root],
  [`${root}/src/deep`, `${root}/src/deep`],
  [`${root}/src/../src`, `${root}/src`],
  [`${root}/link-in/deep`, `${root}/src/deep`],
  ['~', root],
  ['~/src', `${root}/src`],
])('%s is allowed, as the real path (R109, R113)', async (cwd, real) => {
  expect(await resolved(cwd)).toBe(real);
});

test('quotes, substitutions, newlines and a leading dash in a name mean nothing', async () => {
  const odd = join(root, `it's "$(x)"\n-dir`);
  expect(await resolved(odd)).toBe(odd);
});

test.each([
  `${base}/proj2`,
  `${root}/../proj2`,
  `${root}/./../..`,
  `${root}/link-out`,
  `${root}/link-out/..`,
  `${root}/nowhere/../../outside`,
  '/etc',
  '/',
  `${base}/does-not-exist`,
  root.toUpperCase(),
  `/proc/self/root${base}/outside`,
  `/${root}/../outside`,
  'C:\\Users\\a',
])('%s is outside, by whole components of the real path, whether it exists or not (R110, R111, R113)', async (cwd) => {
  const { code, message } = await refusal(cwd);
  expect(code).toBe('INVALID_CWD');
  expect(message).toMatch(/is outside the allowed roots$/);
});

test.each([
  ['nowhere', 'does not exist'],
  ['file', 'is a file, not a directory'],
  ['file/x', 'leads through a file'],
  ['loop', 'cannot be used (ELOOP)'],
])('%s %s', async (name, fault) => {
  expect((await refusal(`~/${name}`)).message).toBe(`cwd "~/${name}" ${fault}`);
});

test('a directory that may not be entered is not readable', async () => {
  expect(await refusalWithoutPrivileges('~/closed')).toBe('cwd "~/closed" is not readable for this user');
});

/** Root may enter every directory, by two capabilities: then the built code is asked in a process without them. */
async function refusalWithoutPrivileges(cwd: string): Promise<string> {
  if (process.getuid?.() !== 0) return (await refusal(cwd)).message;
  const script = `
    const { Roots } = await import(${JSON.stringify(pathToFileURL(join(ROOT, 'dist/policy/roots.js')).href)});
    const options = ${JSON.stringify({ roots: [root], home: root, startDirectory: root })};
    try { await new Roots(options).resolve(${JSON.stringify(cwd)}); } catch (error) { process.stdout.write(error.message); }`;
  const node = [process.execPath, '--input-type=module', '-e', script];
  return execFileSync('setpriv', ['--bounding-set', '-dac_override,-dac_read_search', ...node], { encoding: 'utf8' });
}

test.each(['src', './src', '.', '..', '~other'])('%s is relative, which only a session allows', async (cwd) => {
  expect((await refusal(cwd)).message).toContain('is relative');
});

test.each(['', '  ', '\n'])('a blank cwd is named as such', async (cwd) => {
  expect((await refusal(cwd)).message).toBe('cwd is empty');
});

test('beside a session a relative path starts at its cwd, and cannot leave the roots either', async () => {
  expect(await resolved('deep', join(root, 'src'))).toBe(join(root, 'src', 'deep'));
  expect(await resolved('..', join(root, 'src'))).toBe(root);
  expect((await refusal('../..', join(root, 'src'))).message).toContain('outside');
  expect((await refusal('..', join(root, 'link-out'))).message).toContain('outside'); // the kernel's "..", not that of the text
});

test('the hint lists the roots and their setting (R114)', async () => {
  expect((await refusal('/etc')).hint).toBe(`allowed roots: "${root}" (setting allowed_roots); nothing was run`);
});

test('a root that is a symbolic link allows what it points to', async () => {
  const linked = new Roots({ roots: [join(base, 'root-link')], home: undefined, startDirectory: '/' });
  expect((await linked.resolve(join(base, 'root-link', 'src'))).path).toBe(join(root, 'src'));
  expect((await linked.resolve(join(root, 'src'))).path).toBe(join(root, 'src'));
});

test.each([
  ['C:\\projects\\x', '/mnt/c/projects/x'],
  ['D:/x', '/mnt/d/x'],
  ['d:\\', '/mnt/d/'],
])('the Windows path %s means %s (R112)', async (cwd, path) => {
  const drives = new Roots({ roots: ['/mnt/c/projects', '/mnt/d'], home: undefined, startDirectory: '/' });
  await expect(drives.resolve(cwd)).rejects.toThrow(/does not exist$/); // allowed, which comes first
  await expect(roots.resolve(cwd)).rejects.toThrow(/is outside/);
  await expect(drives.resolve(path)).rejects.toThrow(/does not exist$/);
});

test.each([
  ['C:Users\\a', 'is relative to a drive of Windows', 'write "/mnt/c/Users/a"; nothing was run'],
  ['file:///C:/Users/a', 'is a URL, not a path', 'write "/mnt/c/Users/a"; nothing was run'],
  ['\\\\server\\share', 'is a network path of Windows', 'mount it first, in WSL with sudo mount -t drvfs "\\\\\\\\server\\\\share" /mnt/NAME, and give that directory; nothing was run'],
])('%s is refused, beside a session, too, and the hint says what to write (R112, B113)', async (cwd, why, hint) => {
  for (const beside of [undefined, root]) expect(await refusal(cwd, beside)).toMatchObject({ code: 'INVALID_CWD', message: `cwd ${JSON.stringify(cwd)} ${why}`, hint });
});

test('a drive is where WSL mounts it, and the message says where that is (R112)', async () => {
  const windows = { mountRoot: `${base}/`, distribution: 'Ubuntu' };
  mkdirSync(join(base, 'c', 'work'), { recursive: true });
  const drives = new Roots({ roots: [join(base, 'c')], home: undefined, startDirectory: '/', windows });
  expect((await drives.resolve('C:\\work')).path).toBe(join(base, 'c', 'work'));
  await expect(drives.resolve('C:/none')).rejects.toThrow(`cwd "C:/none" (here "${base}/c/none") does not exist`);
  expect(drives.absolute('D:\\x')).toBe(`${base}/d/x`);
  for (const root of ['C:/work', `//wsl.localhost/Ubuntu${base}/c/work`]) expect((await drives.defaultDirectory(root)).path).toBe(join(base, 'c', 'work'));
  expect((await drives.defaultDirectory('\\\\wsl$\\Debian\\home')).path).toBe(join(base, 'c')); // where a client is elsewhere, the other defaults count
});

test('the root "/" allows everything', async () => {
  expect((await new Roots({ roots: ['/'], home: undefined, startDirectory: '/' }).resolve(outside)).path).toBe(outside);
});

test('an empty list allows nothing, and says so', async () => {
  const locked = new Roots({ roots: [], home: root, startDirectory: root });
  await expect(locked.resolve(root)).rejects.toThrow('outside the allowed roots');
  await expect(locked.defaultDirectory(undefined)).rejects.toThrow('none of the usual ones is allowed');
});

test.each([
  [{ client: join(root, 'src'), startDirectory: root, home: undefined }, join(root, 'src')],
  [{ client: outside, startDirectory: join(root, 'src'), home: undefined }, join(root, 'src')],
  [{ client: join(root, 'nowhere'), startDirectory: outside, home: join(root, 'src') }, join(root, 'src')],
  [{ client: undefined, startDirectory: outside, home: undefined }, root],
  [{ client: 'src', startDirectory: outside, home: outside }, root],
])('without a cwd: the client\'s root, the start directory, home, a root: the first that is allowed and there (%#)', async ({ client, ...places }, directory) => {
  expect((await new Roots({ roots: [root], ...places }).defaultDirectory(client)).path).toBe(directory);
});
