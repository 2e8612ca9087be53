// Exported variables: given for one command, given at the creation, as a child of the shell sees them, and as the session knows them.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { fields, NASTY_TEXTS } from '../shell/support.ts';
import { TestTable, type TestSession } from '../support/session-table.ts';
import { forEachShell, type TestedShell } from '../support/shells.ts';

const table = new TestTable();
afterAll(() => table.close());

interface Words {
  readonly exported: string;
  readonly plain: string;
  readonly change: string;
  readonly unset: string;
}

const POSIX: Words = { exported: 'export V=old', plain: 'V=old', change: 'V=mine', unset: 'unset V' };
const WORDS: Readonly<Record<TestedShell, Words>> = {
  bash: POSIX,
  zsh: POSIX,
  fish: { exported: 'set -gx V old', plain: 'set -g V old', change: 'set V mine', unset: 'set -e V' },
};

/** What the shell has in V, and what its children get. */
async function look(session: TestSession, env: Readonly<Record<string, string>> = {}): Promise<string> {
  return session.text(`sh -c 'echo "${'${V-none}'}"'`, { env });
}

/** What a child gets, from its own mouth. */
async function childEnvironment(session: TestSession, options: { readonly env?: Record<string, string> } = {}): Promise<Map<string, string>> {
  const file = path.join(table.work, `env-${session.id}`);
  await session.text(`env -0 > ${file}`, options);
  return new Map(fields(readFileSync(file, 'utf8')).map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]));
}

/** Any text, and names that a careless script may use itself. */
const NASTY: Record<string, string> = {
  ...Object.fromEntries(NASTY_TEXTS.map((text, index) => [`NASTY_${index}`, text])),
  ...Object.fromEntries(['name', 'value', 'listed', 'code', 'old', 'i', 'n', 'reply', 'REPLY', 'line', 'file', 'dir', 'MANPATH', 'LC_TIME'].map((name) => [name, `own ${name}`])),
};

function nastyOf(variables: ReadonlyMap<string, string>): Record<string, string | undefined> {
  return Object.fromEntries(Object.keys(NASTY).map((name) => [name, variables.get(name)]));
}

forEachShell((shell) => {
  describe('a variable for one command', () => {
    test.each<[string, keyof Words | undefined, keyof Words | undefined, string]>([
      ['was not there', undefined, undefined, 'none'],
      ['was exported', 'exported', undefined, 'old'],
      ['was set without being exported', 'plain', undefined, 'none'],
      ['was exported, and the command changes it', 'exported', 'change', 'mine'],
      ['was exported, and the command unsets it', 'exported', 'unset', 'none'],
      ['was not there, and the command changes it', undefined, 'change', 'mine'],
    ])('that %s', async (_, before, command, after) => {
      const session = await table.open(shell);
      await session.text(before === undefined ? 'true' : WORDS[shell][before]);
      const report = await session.run(`sh -c 'echo "[$V]"'${command === undefined ? '' : `; ${WORDS[shell][command]}`}`, { env: { V: 'new' } });
      expect([report.output.text, report.exitCode, report.warnings]).toEqual(['[new]\n', 0, []]);
      expect(await look(session)).toBe(`${after}\n`);
      await session.destroy();
    });

    test('is put back after a command that was interrupted, that fails, that is no command', async () => {
      const session = await table.open(shell);
      await session.text(WORDS[shell].exported);
      const env = { V: 'new' };
      const interrupted = session.run('sleep 30', { env, timeoutMs: 1, onTimeout: 'interrupt' });
      expect((await interrupted).exitCode).toBe(130);
      expect((await session.run('false', { env })).exitCode).toBe(1);
      expect((await session.run('echo "', { env })).exitCode).not.toBe(0);
      expect(await look(session)).toBe('old\n');
      await session.destroy();
    });

    test('takes any text, also a hundred at once', async () => {
      const session = await table.open(shell);
      expect(nastyOf(await childEnvironment(session, { env: NASTY }))).toEqual(NASTY);
      expect(Object.values(nastyOf(await childEnvironment(session))).every((value) => value === undefined)).toBe(true);
      await session.destroy();
    });
  });

  test('what the session knows of the exported variables is what a child gets', async () => {
    const session = await table.open(shell, { env: NASTY });
    const known = new Map(Object.entries(table.table.beside('local', session.id).env));
    const child = await childEnvironment(session);
    expect(nastyOf(child)).toEqual(NASTY);
    expect(nastyOf(known)).toEqual(NASTY);
    const volatile = new Set(['_', 'OLDPWD', 'SHLVL']);
    expect([...child].filter(([name, value]) => known.get(name) !== value && !volatile.has(name))).toEqual([]);
    expect([...known.keys()].filter((name) => !child.has(name) && !volatile.has(name))).toEqual([]);
    await session.destroy();
  });

  test('the exported variables come back in the next shell, those that were unset do not', async () => {
    const session = await table.open(shell, { env: { ...NASTY, GIVEN: 'at first' } });
    await session.text(shell === 'fish' ? 'set -e GIVEN; set -gx LATER "x y"; set -gx NASTY_0 changed' : 'unset GIVEN; export LATER="x y" NASTY_0=changed');
    expect((await session.run('exit 3')).state).toBe('ended');
    const child = await childEnvironment(session);
    expect(nastyOf(child)).toEqual({ ...NASTY, NASTY_0: 'changed' });
    expect([child.get('LATER'), child.get('GIVEN')]).toEqual(['x y', undefined]);
    await session.destroy();
  });
});

test('names that belong to the shell or are none are refused, and nothing is run', async () => {
  const session = await table.open('bash');
  for (const name of ['UID', 'IFS', '_', '__sk_dir', '', 'A-B', '1A', 'é', 'A B', 'A[0]', 'A;touch ran', 'A$(touch ran)', 'A\ntouch ran']) {
    await expect(session.run('touch ran', { env: { OK: '1', [name]: 'x' } }), name).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', message: expect.stringContaining(`"${name.split('\n')[0] ?? ''}`) });
  }
  expect(await session.text('ls ran 2>/dev/null || echo none; echo ${OK-none}')).toBe('none\nnone\n');
  await session.destroy();
});

describe('a variable that is read-only', () => {
  test.each<[TestedShell, string, string]>([
    ['bash', 'readonly RO=1; export RO', 'true'],
    ['bash', 'readonly RO=1', 'set -e'],
    ['zsh', 'export RO=1; readonly RO', 'true'],
    ['zsh', 'typeset -r RO=1', 'set -e'],
  ])('in %s by "%s", with "%s", keeps its value, and the command is run', async (shell, declaration, option) => {
    const session = await table.open(shell);
    await session.text(`${declaration}; ${option}`);
    const report = await session.run('echo "$RO $OTHER"', { env: { RO: '2', OTHER: 'x' } });
    expect([report.state, report.exitCode, report.output.text]).toEqual(['done', 0, '1 x\n']);
    expect(await session.text('echo "$RO ${OTHER-none}"')).toBe('1 none\n');
    await session.destroy();
  });

  test.each<[TestedShell, string]>([
    ['bash', 'true'], ['bash', 'RO=before'], ['bash', 'export RO=before'], ['bash', 'RO=before; set -e'],
    ['zsh', 'true'], ['zsh', 'RO=before'], ['zsh', 'export RO=before'], ['zsh', 'RO=before; set -e'],
  ])('in %s after "%s", made so by the command it was given to, stays as it is', async (shell, before) => {
    const session = await table.open(shell);
    await session.text(before);
    const report = await session.run('readonly RO; echo "$RO"', { env: { RO: 'x', OTHER: 'y' }, timeoutMs: 4_000 });
    expect([report.state, report.exitCode, report.output.text]).toEqual(['done', 0, 'x\n']);
    expect(await session.text('echo "$RO ${OTHER-none}"')).toBe('x none\n');
    await session.destroy();
  });
});
