import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { Roots } from '../../src/policy/roots.ts';
import { isWayBack } from '../../src/policy/way-back.ts';

const base = realpathSync(mkdtempSync(join(tmpdir(), 'back-')));
const root = join(base, 'root');
mkdirSync(join(root, 'a b'), { recursive: true });
symlinkSync('/etc', join(root, 'out'));
afterAll(() => rmSync(base, { recursive: true }));

const roots = new Roots({ roots: [root], home: root, startDirectory: root });
const isBack = (text: string, home?: string) => isWayBack(text, { cwd: '/etc', startedIn: root }, { roots, home });

test.each([`cd ${root}`, `  cd  -- ${root}/ ;\n`, `builtin cd '${root}/a b'`, `cd "${root}/a b"`, 'cd ~', 'cd ~/'])('%j only goes back', async (text) => {
  expect(await isBack(text)).toBe(true);
});

test.each([
  'cd', 'cd -', 'cd .', 'cd ..', 'cd root', 'cd /', 'cd /etc', 'cd ~root', `cd ${root}/../..`, `cd ${root}/out`, `cd '${root}/out'`, `cd ${root}/nowhere`,
  `cd ${root} && ls`, `cd ${root}; ls`, `cd ${root}\nls`, `cd ${root} &`, `cd ${root} >/etc/x`, `X=1 cd ${root}`, `cd ${root} x`, `cd ${root}/$(ls)`, `cd "${root}/$(ls)"`,
  `cd "${root}/\`ls\`"`, `cd '${root}'$(ls)`, `cd '${root}'\n'ls'`, `cd ${root}/a*`, `cd ${root}/{a,b}`, `pushd ${root}`, `(cd ${root})`, `cd ${root} # x`, '', 'ls',
])('%j is not allowed out there', async (text) => {
  expect(await isBack(text)).toBe(false);
});

test('`~` is what the shell of the session means by it', async () => {
  expect(await isBack('cd ~', '/usr')).toBe(false);
  expect(await isBack('cd ~/a', '/')).toBe(false);
  expect(await isBack('cd ~/root', base)).toBe(true);
});
