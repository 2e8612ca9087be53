// What a command changed in its shell, by name.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Changes } from '../../src/session/api.ts';
import { TestTable } from '../support/session-table.ts';
import { forShell, type TestedShell } from '../support/shells.ts';

const table = new TestTable();
afterAll(() => table.close());
mkdirSync(path.join(table.work, 'sub'));
writeFileSync(path.join(table.work, 'defs'), 'sourced() { :; }\nexport SOURCED=1\n');
writeFileSync(path.join(table.work, 'defs.fish'), 'function sourced; end\nset -gx SOURCED 1\n');

const SUB: Changes = { cwd: path.join(table.work, 'sub') };
type Row = readonly [string, Changes | undefined];

/** One after another in one session, so that each line also shows that the one before is not told again. */
const ROWS: Readonly<Record<TestedShell, readonly Row[]>> = {
  bash: [
    ['true', undefined],
    ['cd sub', SUB],
    ['cd .', undefined],
    ['(cd /; export A=1); (f() { :; })', undefined],
    ['cd ..; cd sub', undefined],
    ['cd ..', { cwd: table.work }],
    ['export A=1 B="x\ny"', { envSet: ['A', 'B'] }],
    ['export A=1', undefined],
    ['A=2', { envSet: ['A'] }],
    ['export -n A; unset B', { envUnset: ['A', 'B'] }],
    ['PLAIN=1', undefined],
    ['export PLAIN', { envSet: ['PLAIN'] }],
    ["alias a='x' b=\"y 'z'\"", { aliases: ['a', 'b'] }],
    ['unalias a', { aliases: ['a'] }],
    ['f() { :; }; g-h() { :; }', { functions: ['f', 'g-h'] }],
    ['unset -f f', { functions: ['f'] }],
    ['. ./defs', { envSet: ['SOURCED'], functions: ['sourced'] }],
    ['shopt -s nullglob; set -o noclobber', { options: ['noclobber', 'nullglob'] }],
    ['shopt -u nullglob; set +C', { options: ['noclobber', 'nullglob'] }],
    ['cd sub; export Z=1; alias z=1; z() { :; }; set -u; false', { ...SUB, envSet: ['Z'], aliases: ['z'], functions: ['z'], options: ['nounset'] }],
    ['set +u; cd ..; ${none:?}', { cwd: table.work, options: ['nounset'] }],
    ['export Y=1\ncat <<', { envSet: ['Y'] }],
    ['export X=1; cat <<', undefined],
  ],
  zsh: [
    ['true', undefined],
    ['cd sub', SUB],
    ['(cd /; export A=1); (f() { :; })', undefined],
    ['cd ..', { cwd: table.work }],
    ['export A=1 B="x\ny"', { envSet: ['A', 'B'] }],
    ['export A=1', undefined],
    ['A=2', { envSet: ['A'] }],
    ['typeset +x A; unset B', { envUnset: ['A', 'B'] }],
    ['PLAIN=1; array=(1 2)', undefined],
    ['typeset -x PLAIN', { envSet: ['PLAIN'] }],
    ["alias a='x' b=\"y 'z'\"", { aliases: ['a', 'b'] }],
    ['unalias a', { aliases: ['a'] }],
    ['f() { :; }; g-h() { :; }', { functions: ['f', 'g-h'] }],
    ['unfunction f', { functions: ['f'] }],
    ['. ./defs', { envSet: ['SOURCED'], functions: ['sourced'] }],
    ['setopt nullglob noclobber', { options: ['clobber', 'nullglob'] }],
    ['cd sub; export Z=1; alias z=1; function z { :; }; set -u; false', { ...SUB, envSet: ['Z'], aliases: ['z'], functions: ['z'], options: ['unset'] }],
    ['set +u; cd ..; : ${none:?}', { cwd: table.work, options: ['unset'] }],
  ],
  fish: [
    ['true', undefined],
    ['cd sub', SUB],
    ['begin; cd ..; cd sub; end', undefined],
    ['cd ..', { cwd: table.work }],
    ['set -gx A 1; set -gx B "x\ny"', { envSet: ['A', 'B'] }],
    ['set -gx A 1', undefined],
    ['set A 2', { envSet: ['A'] }],
    ['set -gx A 1 2', { envSet: ['A'] }],
    ['set -gu A; set -e B', { envUnset: ['A', 'B'] }],
    ['set -g PLAIN 1', undefined],
    ['set -gx PLAIN $PLAIN', { envSet: ['PLAIN'] }],
    ['function f; end; function g-h; end', { functions: ['f', 'g-h'] }],
    ['functions -e f', { functions: ['f'] }],
    ["alias a 'echo x'", { functions: ['a'] }],
    ['. ./defs.fish', { envSet: ['SOURCED'], functions: ['sourced'] }],
    ['cd sub; set -gx Z 1; function z; end; false', { ...SUB, envSet: ['Z'], functions: ['z'] }],
  ],
};

for (const shell of ['bash', 'zsh', 'fish'] as const) {
  forShell(shell, () => {
    test('a command tells what it changed, once', async () => {
      const session = await table.open(shell);
      for (const [text, changes] of ROWS[shell]) expect((await session.run(text)).changes, text).toEqual(changes);
      await session.destroy();
    });

    test('variables that were given for a command only are no change', async () => {
      const session = await table.open(shell);
      expect((await session.run('true', { env: { A: '1', HOME: '/' } })).changes).toBeUndefined();
      await session.destroy();
    });

    test('a command that is interrupted tells what it had changed', async () => {
      const session = await table.open(shell);
      const text = shell === 'fish' ? 'set -gx A 1; cd sub; echo go; sleep 30' : 'export A=1; cd sub; echo go; sleep 30';
      const waiting = session.run(text);
      await expect.poll(async () => (await session.read()).output.text, { timeout: 8_000, interval: 10 }).toBe('go\n');
      await session.interrupt();
      expect(await waiting).toMatchObject({ state: 'done', exitCode: 130, changes: { ...SUB, envSet: ['A'] }, cwd: SUB.cwd });
      await session.destroy();
    });

    test('what the startup files set is no change, and counts as before', async () => {
      table.home.writeRc(shell, shell === 'fish' ? 'set -gx RC 1\nfunction rc; end\n' : 'export RC=1\nalias rc=x\nrcf() { :; }\n');
      const session = await table.open(shell, { env: { GIVEN: '1' } });
      expect((await session.run('true')).changes).toBeUndefined();
      expect((await session.run(shell === 'fish' ? 'set -e RC; set -e GIVEN; functions -e rc' : 'unset RC GIVEN; unalias rc; unset -f rcf')).changes)
        .toEqual({ envUnset: ['GIVEN', 'RC'], ...(shell === 'fish' ? { functions: ['rc'] } : { aliases: ['rc'], functions: ['rcf'] }) });
      await session.run('exit');
      expect((await session.run('true')).changes, 'a new shell is a new beginning').toBeUndefined();
      await session.destroy();
    });
  });
}
