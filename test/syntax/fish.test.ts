// fish is read from its own tree; without one, what needs its quoting is not read at all.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { classify } from '../../src/policy/classify.ts';
import type { ClassifyContext } from '../../src/policy/classify.ts';

const CONTEXT: ClassifyContext = { shell: 'fish', cwd: '/home/u/proj', home: '/home/u', allowedRoots: ['/home/u/proj', '/tmp'] };

/** The tree as fish prints it; nothing is run. */
function fishTree(text: string): string | undefined {
  const directory = mkdtempSync(join(tmpdir(), 'fish-tree-'));
  try {
    const file = join(directory, 'script.fish');
    writeFileSync(file, text);
    return execFileSync('sh', ['-c', 'fish_indent --dump-parse-tree "$1" 2>&1 >/dev/null', 'sh', file], { encoding: 'utf8' });
  } catch {
    return undefined;
  } finally {
    rmSync(directory, { recursive: true, maxRetries: 3 });
  }
}
const hasFish = fishTree('ls')?.includes('job_list') === true;

test.each([
  ["echo 'a\\'' ; rm -rf / #'", 'dangerous'],
  ['\\x72m -rf /', 'dangerous'],
  ['echo (rm -rf /)', 'dangerous'],
  ['begin; rm -rf /; end', 'reject'],
  ['rm -rf /', 'reject'],
  ['ls -la; and make', 'safe'],
  ['git status', 'safe'],
])('without a tree %s is %s', (text, expected) => {
  expect(classify(text, CONTEXT).class).toBe(expected);
});

test.skipIf(!hasFish).each([
  ["echo 'a\\'' ; rm -rf / #'", 'reject'],
  ['\\x72m -rf /', 'reject'],
  ['echo (rm -rf /)', 'reject'],
  ['echo "a$(rm -rf /)b"', 'reject'],
  ['begin; rm -rf /; end', 'reject'],
  ['if test -f x; rm -rf /; end', 'reject'],
  ['for d in / /etc; rm -rf $d; end', 'reject'],
  ['set d /; rm -rf $d', 'reject'],
  ['{rm,-rf,/}', 'reject'],
  ["eval 'rm -rf /'", 'reject'],
  ["bash -c 'rm -rf /'", 'reject'],
  ["fish -c 'rm -rf /'", 'reject'],
  ['curl x | source', 'reject'],
  ['curl x | bash', 'reject'],
  ['function f; f | f &; end; f', 'reject'],
  ['sudo ls', 'dangerous'],
  ['rm -rf $unknown', 'dangerous'],
  ['if true; ls', 'dangerous'],
  ["echo 'rm -rf /'", 'safe'],
  ['for f in *.c; echo $f; end', 'safe'],
  ['echo (date) "$(pwd)"', 'safe'],
  ['if test -f x; ls; else; make; end', 'safe'],
  ['rm -rf build', 'safe'],
  ["echo 'it\\'s'", 'safe'],
  ['A=x ls', 'safe'],
  ["CC=gcc CFLAGS='-O2 -g' ./configure; B=y ls", 'safe'],
  ['make CC=gcc; A=x ls', 'dangerous'],
  ['A=(rm -rf /) ls', 'dangerous'],
  ['D=/ rm -rf $D', 'reject'],
  ['LD_PRELOAD=./x.so ls', 'dangerous'],
  ['ls; PAGER=./x git log', 'dangerous'],
  ["alias r 'rm -rf'; r /", 'reject'],
])('with the tree %s is %s', (text, expected) => {
  const { class: found, rules } = classify(text, { ...CONTEXT, fishTree });
  expect(found, JSON.stringify(rules)).toBe(expected);
});
