// Where programs are found: as `command -v` of sh finds them, whatever else has the name.
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { inOrder, MAX_NAMES, WELL_KNOWN } from '../../src/discovery/binaries.ts';
import { prettyNameIn } from '../../src/discovery/host.ts';
import { entriesOf, findOnPath } from '../../src/discovery/search-path.ts';
import { Machine } from './support.ts';

const root = mkdtempSync(join(tmpdir(), 'shellkeep-test-'));
afterAll(() => rmSync(root, { recursive: true }));

for (const folder of ['one', 'two', 'two/folder', 'here']) mkdirSync(join(root, folder));
program('one/plain', 0o644);
program('two/plain');
program('two/second');
program('here/relative');
program('two/-dash');
program('two/new\nline');
program('two/none', 0o000);
symlinkSync('nowhere', join(root, 'one/second'));
symlinkSync('loop', join(root, 'one/loop'));
symlinkSync('../two/second', join(root, 'one/linked'));
mkdirSync(join(root, 'one/-dash'));

function program(name: string, mode = 0o755): void {
  writeFileSync(join(root, name), '#!/bin/sh\n');
  chmodSync(join(root, name), mode);
}

test.each([
  ['a file that is not executable is passed over', 'plain', 'one:two', 'two/plain'],
  ['a link to nothing is passed over', 'second', 'one:two', 'two/second'],
  ['a link is found as itself', 'linked', 'one:two', 'one/linked'],
  ['a folder is passed over', '-dash', 'one:two', 'two/-dash'],
  ['a folder alone is nothing', 'folder', 'two', undefined],
  ['a link in a ring is nothing', 'loop', 'one', undefined],
  ['what nobody may execute is nothing', 'none', 'two', undefined],
  ['a name that is nowhere is nothing', 'nowhere', 'one:two', undefined],
  ['a name with a newline is a name', 'new\nline', 'one:two', 'two/new\nline'],
  ['no folder is a program', '..', 'one:two', undefined],
  ['a missing folder and a file in the path do no harm', 'second', 'missing:two/second:two', 'two/second'],
])('%s (R176)', async (_, name, folders, expected) => {
  const path = folders.split(':').map((folder) => join(root, folder)).join(':');
  const found = await findOnPath(name, { entries: entriesOf(path), cwd: '/' });
  expect(found?.path).toBe(expected === undefined ? undefined : join(root, expected));
  expect(found?.path ?? '').toBe(commandV(name, path));
});

test.each([
  ['an empty entry at the front', ':/bin'],
  ['an empty entry at the end', '/bin:'],
  ['an empty entry between', '/usr/bin::/bin'],
  ['nothing at all', ''],
  ['a dot', '.:/bin'],
  ['a relative folder', '../here'],
])('%s of a search path is taken from the current folder, and what is found there is not asked for a version', async (_, path) => {
  const cwd = join(root, 'here');
  const found = await findOnPath('relative', { entries: entriesOf(path), cwd });
  expect(found).toMatchObject({ path: join(cwd, 'relative'), isFixed: false });
  expect(commandV('relative', path, cwd)).not.toBe('');
});

/** As sh says; the same whether it shows the path as absolute or not. */
function commandV(name: string, path: string, cwd = '/'): string {
  try {
    return execFileSync('/bin/sh', ['-c', 'PATH=$2; command -v -- "$1"', 'sh', name, path], { cwd, encoding: 'utf8' }).slice(0, -1);
  } catch {
    return '';
  }
}

test('a program in the current folder is found and never started', async () => {
  const machine = new Machine({ baseEnvironment: { PATH: '.:/usr/bin:/bin' } });
  const file = machine.program('local', 'echo 1.0');
  expect(await machine.discovery.which('local', machine.bin)).toEqual({ name: 'local', kind: 'file', path: file });
  expect(machine.asked(file)).toEqual([]);
  await machine.close();
});

test('another time stamp is another program', async () => {
  const place = { entries: [join(root, 'two')], cwd: '/' };
  const before = await findOnPath('second', place);
  utimesSync(join(root, 'two/second'), 1, 1);
  const after = await findOnPath('second', place);
  expect([before?.path, before?.identity === after?.identity]).toEqual([after?.path, false]);
});

test('the well-known programs are those of bash-mcp and more, each once (R175)', () => {
  const promised = 'rg fd bat eza broot jq sqlite3 git docker node python3 uv fnm zoxide starship curl wget ssh scp tar gzip make gcc ffmpeg vim nano htop tree xargs sed awk grep find trash-put mavis opencode';
  expect(promised.split(' ').filter((name) => !WELL_KNOWN.includes(name))).toEqual([]);
  expect([new Set(WELL_KNOWN).size, WELL_KNOWN.length < MAX_NAMES]).toEqual([WELL_KNOWN.length, true]);
});

test('what is installed comes first, then the alphabet decides (R175)', () => {
  const names = inOrder([{ name: 'b' }, { name: 'z', path: '/z' }, { name: 'a' }, { name: 'c', path: '/c', version: '1' }]).map(({ name }) => name);
  expect(names).toEqual(['c', 'z', 'a', 'b']);
});

test.each([
  ['NAME="Debian"\nPRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\n', 'Debian GNU/Linux 12 (bookworm)'],
  ["PRETTY_NAME='Arch Linux'", 'Arch Linux'],
  ['PRETTY_NAME=Alpine\r\nX=1', 'Alpine'],
  ['PRETTY_NAME="A \\"B\\" \\$C"', 'A "B" $C'],
  ['PRETTY_NAME=""', undefined],
  ['MY_PRETTY_NAME=x', undefined],
])('the name of the system in %j is %j', (text, name) => {
  expect(prettyNameIn(text)).toBe(name);
});
