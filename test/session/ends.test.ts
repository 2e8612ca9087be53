// The end of a session's shell, and what the next one takes over.
import { mkdirSync, rmdirSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { CommandReport } from '../../src/session/api.ts';
import { isAlive, liveProcesses, untilNone } from '../support/processes.ts';
import { TestTable, withTable, type TestSession } from '../support/session-table.ts';
import { forEachShell, type TestedShell } from '../support/shells.ts';

const table = new TestTable();
afterAll(() => table.close());

const EXPORT: Readonly<Record<TestedShell, (name: string, value: string) => string>> = {
  bash: (name, value) => `export ${name}=${value}`,
  zsh: (name, value) => `export ${name}=${value}`,
  fish: (name, value) => `set -gx ${name} ${value}`,
};

function stateOf(session: TestSession): Promise<void> {
  return expect.poll(() => session.summary()?.state, { timeout: 8_000, interval: 10 }).toBe('ended') as Promise<void>;
}

function endOf({ state, exitCode, signal }: CommandReport): unknown[] {
  return [state, exitCode, signal];
}

forEachShell((shell) => {
  describe('a new shell', () => {
    test('starts in the last directory with the last umask and exported variables, and says what is gone', async () => {
      const session = await table.open(shell);
      await session.text(`mkdir -p 'deep down'; cd 'deep down'; umask 027; ${EXPORT[shell]('KEPT', '1')}`);
      const alias = shell === 'fish' ? 'function f; echo f; end; set -g plain 1' : 'f() { echo f; }; plain=1';
      await session.text(`${alias}; ${EXPORT[shell]('KEPT', '2')}`);
      const ended = await session.run(`${EXPORT[shell]('KEPT', '3')}; exit 9`);
      expect(endOf(ended)).toEqual(['ended', 9, undefined]);
      expect(session.summary()).toMatchObject({ state: 'ended', cwd: path.join(table.work, 'deep down') });
      const next = await session.run('pwd; umask; sh -c \'echo "$KEPT"\'; echo "[$plain]"; f');
      expect(next.output.text).toMatch(new RegExp(`^${table.work}/deep down\n0?027\n2\n\\[\\]\n`));
      expect(next.exitCode, 'f is no command').toBe(127);
      expect(next.warnings).toEqual([expect.stringMatching(/^the shell ended with exit code 9; a new one was started in .*deep down with the exported variables and umask of its last prompt; gone are /)]);
      expect((await session.run('true')).warnings).toEqual([]);
      await session.destroy();
    });

    test.each([['its parent', 'a/b/c', 'a/b'], ['a folder far above', 'x/y/z', '']])('starts in the nearest folder when of the last directory only %s is left', async (_, folder, left) => {
      const session = await table.open(shell);
      const full = path.join(table.work, folder);
      mkdirSync(full, { recursive: true });
      await session.text(`cd ${full}`);
      for (let gone = full; gone !== path.join(table.work, left); gone = path.dirname(gone)) rmdirSync(gone);
      expect((await session.run(`kill -9 ${session.created.pid}`)).state).toBe('ended');
      const next = await session.run('pwd');
      expect([next.output.text, next.cwd]).toEqual([`${path.join(table.work, left)}\n`, path.join(table.work, left)]);
      expect(next.warnings).toEqual([expect.stringContaining(`in ${path.join(table.work, left)}, since ${full} is gone with`)]);
      await session.destroy();
    });

    test('takes over what the startup files make read-only or set otherwise', async () => {
      await withTable({}, async (own) => {
        const locked = shell === 'fish' ? 'set -gx LOCKED rc' : 'export LOCKED=rc; readonly LOCKED';
        own.home.writeRc(shell, `${EXPORT[shell]('AAA', 'rc')}\n${locked}\n${EXPORT[shell]('ZZZ', 'rc')}\n`);
        const session = await own.open(shell);
        const [set, unset] = [EXPORT[shell]('ZZZ', 'mine'), shell === 'fish' ? 'set -e AAA' : 'unset AAA'];
        await session.text(`${set}; ${unset}; umask 077`);
        expect((await session.run('exit')).state).toBe('ended');
        expect(await session.text('sh -c \'echo "${AAA-none} $LOCKED $ZZZ"; umask\'')).toBe('none rc mine\n0077\n');
      });
    });
  });

  describe('a shell that is killed', () => {
    test('while it is idle, is noticed at once, and the next command comes in a new one', async () => {
      const session = await table.open(shell);
      await session.text(EXPORT[shell]('KEPT', 'yes'));
      process.kill(session.created.pid, 'SIGKILL');
      await stateOf(session);
      const next = await session.run('sh -c \'echo "$KEPT"\'');
      expect([next.output.text, next.exitCode]).toEqual(['yes\n', 0]);
      expect(next.warnings).toEqual([expect.stringContaining('the shell was ended by SIGKILL; a new one was started')]);
      await session.destroy();
    });

    test('while a command runs, ends the command, and its programs go with the terminal', async () => {
      const session = await table.open(shell);
      const waiting = session.run('echo before; sleep 307');
      await expect.poll(async () => (await session.read()).output.text, { timeout: 8_000, interval: 10 }).toBe('before\n');
      await expect.poll(() => liveProcesses().filter(({ command }) => command === 'sleep 307').length, { timeout: 8_000 }).toBe(1);
      const programs = liveProcesses().filter(({ command }) => command === 'sleep 307');
      process.kill(session.created.pid, 'SIGKILL');
      const report = await waiting;
      expect([...endOf(report), report.output.text]).toEqual(['ended', 137, 'SIGKILL', 'before\n']);
      expect(await untilNone(() => programs.filter(isAlive), 5_000)).toEqual([]);
      expect((await session.run('echo ok')).output.text).toBe('ok\n');
      await session.destroy();
    });

    test('again and again, comes back each time', async () => {
      const session = await table.open(shell);
      for (let round = 0; round < 5; round++) {
        const pid = Number(await session.text(shell === 'fish' ? 'echo $fish_pid' : 'echo $$'));
        const waiting = session.run('sleep 308', { timeoutMs: round * 20 });
        process.kill(pid, 'SIGKILL');
        await waiting;
        await stateOf(session);
      }
      expect(await session.text('echo ok')).toBe('ok\n');
      await session.destroy();
    });
  });

  test('B80: a shell in the shell is a program like others: what it is told goes to it, and its exit code is the command\'s', async () => {
    const session = await table.open(shell);
    const inner = await session.run('bash --norc');
    expect(inner).toMatchObject({ state: 'awaiting_input', awaiting: { kind: 'keys', program: 'bash', proof: 'kernel' } });
    const echoed = await session.send({ text: 'echo inner-$((1 + 1)); exit 9' });
    expect(endOf(echoed)).toEqual(['done', 9, undefined]);
    expect(echoed.output.text).toContain('inner-2\n');
    expect(await session.text('echo outer')).toBe('outer\n');
    await session.destroy();
  });

  test('B80: exec of a shell is no end and no hang, and the next command gets a new shell', async () => {
    const session = await table.open(shell);
    await session.text(`${EXPORT[shell]('KEPT', 'yes')}; cd /`);
    const startedAt = performance.now();
    const report = await session.run('exec bash --norc');
    expect(performance.now() - startedAt).toBeLessThan(8_000);
    expect(endOf(report)).toEqual(['awaiting_input', undefined, undefined]);
    expect(report.warnings).toEqual([expect.stringContaining('"bash" took the place of the shell (exec)')]);
    const next = await session.run('sh -c \'echo "$KEPT"\'; pwd', { queueMs: 5_000 });
    expect([next.output.text, next.exitCode]).toEqual(['yes\n/\n', 0]);
    await session.destroy();
  });
});
