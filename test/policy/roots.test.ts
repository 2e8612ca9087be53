import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { ExpectedError } from '../../src/errors.ts';
import { Roots } from '../../src/policy/roots.ts';
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

function refusal(cwd: string, beside?: string): ExpectedError {
  try {
    roots.resolve(cwd, beside);
  } catch (error) {
    if (error instanceof ExpectedError) return error;
    throw error;
  }
  throw new Error(`"${cwd}" is allowed`);
}

test.each([
  [root, root],
  [`${root}/`, root],
  [`${root}/src/deep`, `${root}/src/deep`],
  [`${root}/src/../src`, `${root}/src`],
  [`${root}/link-in/deep`, `${root}/src/deep`],
  ['~', root],
  ['~/src', `${root}/src`],
])('%s is allowed, as the real path', (cwd, real) => {
  expect(roots.resolve(cwd)).toBe(real);
});

test('quotes, substitutions, newlines and a leading dash in a name mean nothing', () => {
  const odd = join(root, `it's "$(x)"\n-dir`);
  expect(roots.resolve(odd)).toBe(odd);
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
])('%s is outside, whether it exists or not', (cwd) => {
  const { code, message } = refusal(cwd);
  expect(code).toBe('INVALID_CWD');
  expect(message).toMatch(/is outside the allowed roots$/);
});

test.each([
  ['nowhere', 'does not exist'],
  ['file', 'is a file, not a directory'],
  ['file/x', 'leads through a file'],
  ['loop', 'cannot be used (ELOOP)'],
])('%s %s', (name, fault) => {
  expect(refusal(`~/${name}`).message).toBe(`cwd "~/${name}" ${fault}`);
});

test('a directory that may not be entered is not readable', () => {
  expect(refusalWithoutPrivileges('~/closed')).toBe('cwd "~/closed" is not readable for this user');
});

/** Root may enter every directory, by two capabilities: then the built code is asked in a process without them. */
function refusalWithoutPrivileges(cwd: string): string {
  if (process.getuid?.() !== 0) return refusal(cwd).message;
  const script = `
    const { Roots } = await import(${JSON.stringify(pathToFileURL(join(ROOT, 'dist/policy/roots.js')).href)});
    const options = ${JSON.stringify({ roots: [root], home: root, startDirectory: root })};
    try { new Roots(options).resolve(${JSON.stringify(cwd)}); } catch (error) { process.stdout.write(error.message); }`;
  const node = [process.execPath, '--input-type=module', '-e', script];
  return execFileSync('setpriv', ['--bounding-set', '-dac_override,-dac_read_search', ...node], { encoding: 'utf8' });
}

test.each(['src', './src', '.', '..', '~other', 'C:\\Users\\a', 'C:/Users/a', '\\\\server\\share'])('%s is relative, which only a session allows', (cwd) => {
  expect(refusal(cwd).message).toContain('is relative');
});

test.each(['', '  ', '\n'])('a blank cwd is named as such', (cwd) => {
  expect(refusal(cwd).message).toBe('cwd is empty');
});

test('beside a session a relative path starts at its cwd, and cannot leave the roots either', () => {
  expect(roots.resolve('deep', join(root, 'src'))).toBe(join(root, 'src', 'deep'));
  expect(roots.resolve('..', join(root, 'src'))).toBe(root);
  expect(refusal('../..', join(root, 'src')).message).toContain('outside');
  expect(refusal('..', join(root, 'link-out')).message).toContain('outside'); // the kernel's "..", not that of the text
});

test('the hint lists the roots and their setting', () => {
  expect(refusal('/etc').hint).toBe(`allowed roots: "${root}" (setting allowed_roots); nothing was run`);
});

test('a root that is a symbolic link allows what it points to', () => {
  const linked = new Roots({ roots: [join(base, 'root-link')], home: undefined, startDirectory: '/' });
  expect(linked.resolve(join(base, 'root-link', 'src'))).toBe(join(root, 'src'));
  expect(linked.resolve(join(root, 'src'))).toBe(join(root, 'src'));
});

test('the root "/" allows everything', () => {
  expect(new Roots({ roots: ['/'], home: undefined, startDirectory: '/' }).resolve(outside)).toBe(outside);
});

test('an empty list allows nothing, and says so', () => {
  const locked = new Roots({ roots: [], home: root, startDirectory: root });
  expect(() => locked.resolve(root)).toThrow('outside the allowed roots');
  expect(() => locked.defaultDirectory(undefined)).toThrow('none of the usual ones is allowed');
});

test.each([
  [{ client: join(root, 'src'), startDirectory: root, home: undefined }, join(root, 'src')],
  [{ client: outside, startDirectory: join(root, 'src'), home: undefined }, join(root, 'src')],
  [{ client: join(root, 'nowhere'), startDirectory: outside, home: join(root, 'src') }, join(root, 'src')],
  [{ client: undefined, startDirectory: outside, home: undefined }, root],
  [{ client: 'src', startDirectory: outside, home: outside }, root],
])('without a cwd: the client\'s root, the start directory, home, a root: the first that is allowed and there (%#)', ({ client, ...places }, directory) => {
  expect(new Roots({ roots: [root], ...places }).defaultDirectory(client)).toBe(directory);
});
