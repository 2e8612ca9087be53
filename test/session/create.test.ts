// How sessions open, and what is said when they cannot.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { withTable } from '../support/session-table.ts';
import { forEachShell } from '../support/shells.ts';

forEachShell((shell) => {
  test('B26 a directory that is not there, or is a file, is named in an error, and no session stays', async () => {
    await withTable({}, async (table) => {
      const file = path.join(table.work, 'file');
      writeFileSync(file, '');
      for (const cwd of ['/nonexistent/folder', file]) {
        await expect(table.open(shell, { cwd })).rejects.toMatchObject({ code: 'INVALID_CWD', message: expect.stringContaining(cwd) });
      }
      expect(table.table.list('local')).toEqual([]);
    });
  });

  test('a session says what it is', async () => {
    await withTable({}, async (table) => {
      const { created, id } = await table.open(shell, { name: 'build', cols: 100, rows: 30 });
      expect(created).toMatchObject({ sessionId: expect.stringMatching(/^s_[2-9a-z]{12}$/), name: 'build', shell, integration: 'full', cwd: table.work, cols: 100, rows: 30, warnings: [] });
      expect(created.shellPath).toMatch(new RegExp(`^/.*/${shell}$`));
      expect(created.shellVersion).toMatch(/^\d+\.\d+/);
      expect(Date.parse(created.createdAt)).toBeGreaterThan(Date.now() - 60_000);
      expect(table.table.list('local')).toMatchObject([{ sessionId: id, name: 'build', shell, state: 'idle', commandsRun: 0 }]);
    });
  });

  test('B59 folders with blanks, quotes and substitutions in their names are only names', async () => {
    const odd = `a b'c "d" $(touch PWN) \`touch PWN\` ;é`;
    await withTable({ homeName: odd }, async (outer) => {
      const runtime = path.join(outer.home.dir, odd);
      const work = path.join(outer.work, odd);
      for (const folder of [runtime, work]) mkdirSync(folder);
      outer.home.writeRc(shell, 'true\n');
      await withTable({ env: { XDG_RUNTIME_DIR: runtime, HOME: outer.home.dir, TMPDIR: runtime } }, async (table) => {
        const session = await table.open(shell, { cwd: work });
        expect(session.created.integration).toBe('full');
        expect(await session.text('echo ok')).toBe('ok\n');
        expect(await session.text('pwd; echo "$HOME"; echo "$TMPDIR"')).toBe(`${work}\n${outer.home.dir}\n${runtime}\n`);
        expect((await session.run('echo err >&2', { stderr: 'separate', env: { ODD: odd } })).stderr?.text).toBe('err\n');
        expect(await session.text('printenv ODD', { env: { ODD: odd } })).toBe(`${odd}\n`);
        await session.run('exit 3');
        expect(await session.text('pwd')).toBe(`${work}\n`);
        for (const folder of [work, runtime, outer.work, outer.home.dir, process.cwd()]) expect(existsSync(path.join(folder, 'PWN'))).toBe(false);
      });
    });
  });

  test('T01 a shell has no descriptors of the server', async () => {
    await withTable({}, async (table) => {
      await table.open(shell);
      const session = await table.open(shell);
      await session.run('true', { stderr: 'separate' });
      expect(await session.text('ls /proc/self/fd | tr "\\n" " "')).toBe('0 1 2 3 ');
      expect(await session.text(`sh -c 'for n in 3 4 5 6 7 8 9; do echo id 2>/dev/null >&$n; done; for n in 10 11 12 25 60; do eval "echo id >&$n"; done' 2>/dev/null; echo tried`)).toBe('tried\n');
    });
  });
});

test('a shell that is not to be found is named', async () => {
  await withTable({}, async (table) => {
    // @ts-expect-error: the type knows it already
    await expect(table.open('nosuchshell')).rejects.toMatchObject({ code: 'SHELL_NOT_FOUND', message: expect.stringContaining('nosuchshell') });
    expect(table.table.list('local')).toEqual([]);
  });
});

test('without a wish it is the user\'s own shell', async () => {
  await withTable({ env: { SHELL: '/bin/bash' } }, async (table) => {
    expect((await table.open(undefined)).created.shell).toBe('bash');
  });
});
