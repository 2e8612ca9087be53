// What reading a script gives: words as the shell would see them, wrappers, origins, pipelines.
import { expect, test } from 'vitest';
import { readScript } from '../../src/syntax/commands.ts';
import { printable } from '../../src/syntax/marks.ts';

const OPTIONS = { shell: 'bash', cwd: '/home/u/proj', home: '/home/u' } as const;
const commandsOf = (text: string): string[] => readScript(text, OPTIONS).commands.map(({ path, args }) => printable([path, ...args].join(' ')));

test.each([
  ["r''m -r'f' /", 'rm -rf /'],
  ['r\\\nm \\-rf "/"', 'rm -rf /'],
  ["$'\\x72m' $\"-rf\" ~/x", 'rm -rf /home/u/x'],
  ['{rm,-rf,{a,b}}', 'rm -rf a b'],
  ['rm${IFS}-rf${IFS}/', 'rm -rf /'],
  ['a=r b=m; $a$b /', 'rm /'],
  ['for d in / /etc; do rm "$d"; done', 'rm /etc'],
  ['read x <<< "/ a"; rm $x', 'rm / a'],
  ['$(printf "\\x72m") x', 'rm x'],
  ['rm "${x:-/}"', 'rm /'],
  ['x=a.c; rm "${x%.c}.o"', 'rm a.o'],
  ['rm "$PWD/a" $unknown', 'rm /home/u/proj/a …'],
  ['set -- rm -rf /; "$@"', 'rm -rf /'],
  ['eval r"m" -rf x', 'rm -rf x'],
  ['bash -c \'rm "$1"\' _ x', 'rm x'],
  ['env -S "rm x"', 'rm x'],
  ['find . -exec rm {} +', 'rm ./…'],
  ['echo / | xargs -I{} rm {}', 'rm /'],
  ['trap "rm x" EXIT', 'rm x'],
  ['cat <<E | sh\nrm x\nE', 'rm x'],
])('%s runs %s', (text, expected) => {
  expect(commandsOf(text)).toContain(expected);
});

test.each(['echo "rm x"', "echo 'rm x'", '# rm x', "cat <<'E'\n$(rm x)\nE", 'echo rm x', 'case rm in x) ;; esac', 'for rm in x; do :; done', 'command -v rm'])('%s runs no rm', (text) => {
  expect(readScript(text, OPTIONS).commands.map(({ program }) => program)).not.toContain('rm');
});

test('a command knows what was looked through, where it came from, and what stands before it in its pipeline', () => {
  const found = readScript("ls | sudo env A=1 bash -c 'tee x'", OPTIONS).commands.find(({ program }) => program === 'tee');
  expect(found?.wrappers).toEqual(['sudo', 'env', 'bash']);
  expect(found?.origin).toEqual(['bash -c']);
  const piped = readScript('ls -l | sort > out', OPTIONS).commands.find(({ program }) => program === 'sort');
  expect(piped?.upstream.map(({ program }) => program)).toEqual(['ls']);
  expect(piped?.redirections).toMatchObject([{ operator: '>', targets: ['out'] }]);
});

test.each([
  ['if true; then ls', 'syntax-error'],
  ['ls\r', 'control-bytes'],
  ['eval "$x"', 'unknown-code'],
  ['bash <(curl x)', 'network-code'],
  ['echo aWQ= | base64 -d | sh', 'decoded-code'],
  ['f() { f | f & }; f', 'fork-bomb'],
])('%s is noted as %s', (text, kind) => {
  expect(readScript(text, OPTIONS).facts.map((fact) => fact.kind)).toContain(kind);
});
