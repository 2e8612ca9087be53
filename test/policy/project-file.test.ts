// What a project file does to the allowed roots, with real files.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import type { ExpectedError } from '../../src/errors.ts';
import { Roots } from '../../src/policy/roots.ts';
import type { AllowedDirectory } from '../../src/policy/roots.ts';

const base = realpathSync(mkdtempSync(join(tmpdir(), 'project-file-')));
const home = join(base, 'home');
const proj = join(home, 'proj');
const outside = join(base, 'outside');
const trusted = new Map<string, string>();
let roots: Roots;

beforeEach(() => {
  for (const folder of [home, outside]) rmSync(folder, { recursive: true, force: true });
  for (const folder of [join(proj, 'src', 'deep'), join(proj, 'docs'), join(home, 'other'), join(outside, 'lib')]) mkdirSync(folder, { recursive: true });
  trusted.clear();
  const trust = (path: string, sha256: string) => (trusted.has(path) ? (trusted.get(path) === sha256 ? 'trusted' : 'changed') : 'unknown');
  roots = new Roots({ roots: [home], home, startDirectory: home, trust });
});
afterAll(() => rmSync(base, { recursive: true }));

function write(text: string | Buffer, path = join(proj, '.shellkeep.toml')): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

function trust(path: string): void {
  trusted.set(path, createHash('sha256').update(readFileSync(path)).digest('hex'));
}

async function refusal(cwd: string): Promise<ExpectedError> {
  return roots.resolve(cwd).then(
    ({ path }) => Promise.reject(new Error(`"${path}" is allowed`)),
    (error: ExpectedError) => error,
  );
}

/** Where a session that began in the project may be. */
async function fromProject(cwd: string): Promise<boolean> {
  return (await roots.standing({ cwd, startedIn: join(proj, 'src') })).isAllowed;
}

describe('a project file', () => {
  test('that is not there changes nothing (R121)', async () => {
    expect(await roots.resolve(proj)).toEqual({ path: proj, roots: [home], warnings: [] });
  });

  test('is found in the directory and above it, the nearest alone (R115)', async () => {
    write('mode = "replace"\nallowed_roots = ["src"]');
    expect(await roots.resolve(join(proj, 'src', 'deep'))).toEqual({ path: join(proj, 'src', 'deep'), roots: [join(proj, 'src')], warnings: [] });
    expect(await refusal(join(proj, 'docs'))).toMatchObject({ code: 'INVALID_CWD' });
    write('mode = "replace"\nallowed_roots = ["."]', join(proj, 'docs', '.shellkeep.toml'));
    expect((await roots.resolve(join(proj, 'docs'))).roots).toEqual([join(proj, 'docs')]);
    expect((await roots.resolve(join(home, 'other'))).roots).toEqual([home]);
  });

  test('is the one of ours where there are both; the other name is as good (R115)', async () => {
    write('mode = "replace"\nallowed_roots = ["docs"]', join(proj, '.bash-mcp.toml'));
    expect((await roots.resolve(join(proj, 'docs'))).roots).toEqual([join(proj, 'docs')]);
    write('mode = "replace"\nallowed_roots = ["src"]');
    await refusal(join(proj, 'docs'));
  });

  test('counts in the home directory, and above it only for those who are not below it (R115)', async () => {
    write('mode = "replace"\nallowed_roots = []', join(base, '.shellkeep.toml'));
    expect((await roots.resolve(proj)).path).toBe(proj);
    const wide = new Roots({ roots: [base], home, startDirectory: home });
    await expect(wide.resolve(outside)).rejects.toMatchObject({ code: 'INVALID_CWD' });
    rmSync(join(base, '.shellkeep.toml'));
    write('mode = "replace"\nallowed_roots = ["other"]', join(home, '.shellkeep.toml'));
    expect((await refusal(proj)).hint).toContain(join(home, '.shellkeep.toml'));
  });

  test('is looked for 32 levels up and no further (R115)', async () => {
    write('mode = "replace"\nallowed_roots = []');
    const levels = (count: number): string => join(proj, ...Array.from({ length: count }, () => 'd'));
    mkdirSync(levels(33), { recursive: true });
    await refusal(levels(32));
    expect((await roots.resolve(levels(33))).path).toBe(levels(33));
  });

  test('names roots from its own directory, from ~, absolute, blank ones not at all, and they need not exist (R116)', async () => {
    write(`mode = "replace"\nallowed_roots = ["./src/", " ", "", "~/other", "${join(proj, 'docs')}", "later/on"]`);
    expect((await roots.resolve(join(proj, 'src'))).roots).toEqual([join(proj, 'src'), join(home, 'other'), join(proj, 'docs'), join(proj, 'later/on')]);
    mkdirSync(join(proj, 'later', 'on'), { recursive: true });
    expect((await roots.resolve(join(proj, 'later', 'on'))).path).toBe(join(proj, 'later', 'on'));
    rmSync(join(proj, 'later', 'on'), { recursive: true });
    symlinkSync(outside, join(proj, 'later', 'on'));
    await refusal(join(proj, 'later', 'on'));
  });

  test('names roots as Windows writes them, too; one that leads nowhere is told of, and the others count (R112, R116)', async () => {
    const file = write("mode = \"replace\"\nallowed_roots = ['C:\\work', \"src\", '\\\\server\\share', 'D:x']");
    const drives = new Roots({ roots: [home, '/mnt/c'], home, startDirectory: home, windows: { mountRoot: '/mnt/', distribution: 'Ubuntu' } });
    const { roots: allowed, warnings } = await drives.resolve(join(proj, 'src'));
    expect(allowed).toEqual(['/mnt/c/work', join(proj, 'src')]);
    expect(warnings).toEqual([
      expect.stringContaining(`"${file}": the root "\\\\\\\\server\\\\share" is a network path of Windows; mount it first`),
      `"${file}": the root "D:x" is relative to a drive of Windows; write "/mnt/d/x"`,
    ]);
  });

  test('with an empty list locks the project, and the hint says which file does (R114, R118)', async () => {
    const file = write('mode = "replace"\nallowed_roots = []');
    for (const cwd of [proj, join(proj, 'src')]) expect((await refusal(cwd)).hint).toBe(`no directory is allowed by "${file}"; nothing was run`);
  });

  test('that is in effect is named in the hint with what it leaves (R114)', async () => {
    const file = write('mode = "replace"\nallowed_roots = ["src"]');
    expect((await refusal(proj)).hint).toBe(`allowed roots: "${join(proj, 'src')}" (setting allowed_roots and project file "${file}"); nothing was run`);
  });
});

describe('nobody has trusted it', () => {
  test.each([
    ['extend without a mode (R116, R117)', 'allowed_roots = ["/"]'],
    ['extend', 'mode = "extend"\nallowed_roots = ["../../../outside"]'],
    ['replace', 'mode = "replace"\nallowed_roots = ["/"]'],
    ['a link that leads out', 'allowed_roots = ["link"]'],
  ])('so %s adds nothing, and the warning says what a person can do', async (_, text) => {
    const file = write(text);
    symlinkSync(outside, join(proj, 'link'));
    const { roots: allowed, warnings } = await roots.resolve(proj);
    expect(allowed).toEqual([home]);
    expect(warnings).toEqual([`"${file}" is not trusted, so it adds no roots; a person who has read it can allow that on the command line: shellkeep trust '${file}'`]);
    expect(await fromProject(outside)).toBe(false);
  });

  test('and what it names is allowed anyway: then there is nothing to say', async () => {
    write('allowed_roots = ["src", "~/other"]');
    expect(await roots.resolve(proj)).toEqual({ path: proj, roots: [home], warnings: [] });
  });

  test('and it stands outside: then it allows nothing there, and is not even told of', async () => {
    write('allowed_roots = ["."]', join(outside, '.shellkeep.toml'));
    expect((await refusal(outside)).hint).toBe(`allowed roots: "${home}" (setting allowed_roots); nothing was run`);
  });
});

describe('a person has trusted it', () => {
  test('so extend adds its roots behind the others, no path twice (R117)', async () => {
    const file = write(`allowed_roots = [".", "${home}", "."]`, join(outside, '.shellkeep.toml'));
    trust(file);
    expect(await roots.resolve(join(outside, 'lib'))).toEqual({ path: join(outside, 'lib'), roots: [home, outside], warnings: [] });
    write('allowed_roots = ["../../outside"]');
    trust(join(proj, '.shellkeep.toml'));
    expect(await fromProject(outside)).toBe(true); // a session of the project may go there
  });

  test('so replace means only its roots (R118)', async () => {
    trust(write('mode = "replace"\nallowed_roots = ["../../outside", "src"]'));
    expect(await fromProject(outside)).toBe(true);
    expect((await roots.resolve(join(proj, 'src'))).roots).toEqual([outside, join(proj, 'src')]);
    await refusal(proj);
  });

  test('and it has changed since, by a byte: then it adds nothing', async () => {
    const file = write('allowed_roots = ["."]', join(outside, '.shellkeep.toml'));
    trust(file);
    await roots.resolve(outside);
    write('allowed_roots = ["."] ', file);
    expect((await refusal(outside)).hint).toContain(`"${file}" has changed since it was trusted`);
  });
});

/** Made in the place of the file; what the warning says of it. */
const BAD: readonly (readonly [string, string | ((file: string) => unknown), string])[] = [
  ['malformed TOML (R119)', 'mode = "extend"\nallowed_roots = = 3', ':2:17: '],
  ['a list without its end', 'allowed_roots = ["src"', ':1:'],
  ['no allowed_roots (R119)', 'mode = "replace"', ': allowed_roots is missing'],
  ['an empty file', '', ': allowed_roots is missing'],
  ['roots that are no list (R119)', '\nallowed_roots = "/"', ':2: allowed_roots must be a list of paths'],
  ['roots that are no texts (R119)', 'allowed_roots = ["src", 1979-05-27, inf]', ':1: allowed_roots must be a list of paths'],
  ['roots in a table', '[allowed_roots]\na = 1', ':1: allowed_roots must be a list of paths'],
  ['an unknown mode (R119)', '# ours\n mode = "Replace"\nallowed_roots = []', ':2: mode must be "extend" or "replace"'],
  ['a mode that is no text (R119)', 'allowed_roots = []\nmode = 1', ':2: mode must be'],
  ['a root with a NUL', 'allowed_roots = ["a\\u0000b"]', ':1: allowed_roots has a path with a NUL'],
  ['bytes that are no UTF-8', (file) => writeFileSync(file, Buffer.from([0x61, 0xff, 0xfe])), ': '],
  ['deep nesting', `allowed_roots = ${'['.repeat(20_000)}`, ':1:'],
  ['64 KB and one byte', '#'.repeat(64 * 1024 + 1), ' is larger than 65536 bytes'],
  ['a sparse file of 50 MB', (file) => execFileSync('truncate', ['-s', '50M', file]), ' is larger than 65536 bytes'],
  ['a link to a device', (file) => symlinkSync('/dev/zero', file), ' is a symbolic link, not a regular file'],
  ['a link to a good file', (file) => symlinkSync(write('allowed_roots = []', join(proj, 'real.toml')), file), ' is a symbolic link, not a regular file'],
  ['a link to nothing', (file) => symlinkSync('nowhere', file), ' is a symbolic link, not a regular file'],
  ['a named pipe that nobody writes to', (file) => execFileSync('mkfifo', [file]), ' is a named pipe, not a regular file'],
  ['a directory', (file) => mkdirSync(file), ' is a directory, not a regular file'],
  ['a file that everybody may write', (file) => (writeFileSync(file, 'allowed_roots = []'), chmodSync(file, 0o666)), ' can be changed by other users (mode 0666)'],
];

describe('a bad one leaves what is in its directory, and says what and where it is:', () => {
  test.each(BAD)('%s', async (_, made, said) => {
    const file = join(proj, '.shellkeep.toml');
    if (typeof made === 'string') writeFileSync(file, made);
    else made(file);
    const { roots: allowed, warnings } = await roots.resolve(join(proj, 'src'));
    expect(allowed).toEqual([proj]);
    expect(warnings).toEqual([expect.stringContaining(`"${file}"${said}`)]);
    expect(warnings[0]).toMatch(/until it is corrected or removed only what is in ".*proj" is allowed from here$/);
    expect(warnings[0]).not.toContain('\n');
    expect([await fromProject(join(proj, 'docs')), await fromProject(join(home, 'other'))]).toEqual([true, false]);
  });

  test('a socket', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(join(proj, '.shellkeep.toml'), resolve));
    expect((await roots.resolve(proj)).warnings[0]).toContain(' is a socket, not a regular file');
    await new Promise((resolve) => server.close(resolve));
  });

  test.runIf(process.getuid?.() === 0)('a device, and a file of another user', async () => {
    const file = join(proj, '.shellkeep.toml');
    execFileSync('mknod', [file, 'c', '1', '5']); // /dev/zero
    expect((await roots.resolve(proj)).warnings[0]).toContain(' is a device, not a regular file');
    rmSync(file);
    chownSync(write('mode = "replace"\nallowed_roots = []'), 12_345, 12_345);
    const { roots: allowed, warnings } = await roots.resolve(proj);
    expect([allowed, warnings[0]]).toEqual([[proj], expect.stringContaining(' belongs to another user (uid 12345)')]);
  });

  test('a key that means nothing is named, the others count', async () => {
    write('mode = "replace"\nallowed_roots = ["src"]\nallow = ["/"]');
    const { roots: allowed, warnings } = await roots.resolve(join(proj, 'src'));
    expect(allowed).toEqual([join(proj, 'src')]);
    expect(warnings).toEqual([expect.stringContaining('"allow" means nothing in a project file')]);
  });
});

test('a file is read again when it changes, is removed or comes, also if its time and size stay the same (R120)', async () => {
  const now = async (): Promise<AllowedDirectory['roots']> => (await roots.resolve(join(proj, 'src'))).roots;
  expect(await now()).toEqual([home]);
  const file = write('mode = "replace"\nallowed_roots = ["src"]');
  const time = new Date(1_700_000_000_000);
  utimesSync(file, time, time);
  expect(await now()).toEqual([join(proj, 'src')]);
  write('mode = "replace"\nallowed_roots = ["../"]');
  utimesSync(file, time, time);
  expect(await now()).toEqual([home]);
  rmSync(file);
  write('mode = "replace"\nallowed_roots = ["."]', join(proj, 'src', '.shellkeep.toml'));
  expect(await now()).toEqual([join(proj, 'src')]);
});
