// What commands leave behind and how their streams are kept apart, in each shell.
import { expect, test } from 'vitest';
import { readLive } from '../support/processes.ts';
import { withTable } from '../support/session-table.ts';
import { forEachShell, type TestedShell } from '../support/shells.ts';

const BACKGROUND: Readonly<Record<TestedShell, { readonly start: string; readonly pid: string; readonly job: number }>> = {
  bash: { start: 'sleep 300 &', pid: 'echo $!', job: 1 },
  zsh: { start: 'sleep 300 &', pid: 'echo $!', job: 2 }, // what zsh evaluates is a job itself
  fish: { start: 'sleep 300 &', pid: 'echo $last_pid', job: 1 },
};

/** How a text finds its own length, and waits until its file does not hold it any more. */
const TEXT_FILE: Readonly<Record<TestedShell, { readonly own: string; readonly gone: string }>> = {
  bash: { own: 'echo ${#__sk_c}', gone: 'while grep -q "secr[e]t" "$__sk_dir/text"; do :; done; echo gone' },
  zsh: { own: 'echo ${#__sk_c}', gone: 'while grep -q "secr[e]t" "$__sk_dir/text"; do :; done; echo gone' },
  fish: { own: 'string length -- $__sk_c', gone: 'while grep -q "secr[e]t" $__sk_dir/text; end; echo gone' },
};

const SHELLS_IN_A_ROW: Readonly<Record<TestedShell, number>> = { bash: 100, zsh: 40, fish: 10 };

forEachShell((shell) => {
  test('two streams of a hundred commands are kept apart and lose nothing', async () => {
    await withTable({}, async (table) => {
      const session = await table.open(shell);
      for (let index = 0; index < 100; index++) {
        const report = await session.run(`echo out ${index}; echo err ${index} >&2; sh -c 'echo out; echo err >&2'; echo end >&2`, { stderr: 'separate' });
        expect([report.output.text, report.stderr?.text]).toEqual([`out ${index}\nout\n`, `err ${index}\nerr\nend\n`]);
      }
      const large = await session.run('seq 1 30000 >&2; seq 1 30000', { stderr: 'separate', maxOutputBytes: 500_000 });
      const numbers = Array.from({ length: 30_000 }, (_, index) => `${index + 1}\n`).join('');
      expect(large.output.text === numbers && large.stderr?.text === numbers).toBe(true);
    });
  });

  test('D5 a background job is listed with its number, pid, state and text', async () => {
    await withTable({}, async (table) => {
      const session = await table.open(shell);
      const { start, pid, job } = BACKGROUND[shell];
      const started = await session.run(start);
      const [listed] = started.background ?? [];
      expect(listed).toEqual({ job, pid: Number(await session.text(pid)), state: 'running', command: 'sleep 300' });
      await expect.poll(() => readLive(listed?.pid ?? 0)?.command).toBe('sleep 300');
      const next = await session.run('true');
      expect(next.background).toEqual(started.background);
      await session.run(`kill -9 ${listed?.pid}`);
      await expect.poll(() => readLive(listed?.pid ?? 0)).toBe(undefined);
      await session.run('true');
      expect((await session.run('true')).background).toBeUndefined();
    });
  });

  test('a text of two megabytes is run, and its nasty characters arrive', async () => {
    await withTable({}, async (table) => {
      const session = await table.open(shell);
      const nasty = `é ≤ 你 🎉 \t "double" $HOME \`id\` \\ ! # ~ * {a,b}`;
      expect(await session.text(`: '${'x'.repeat(2 * 1024 * 1024)}'; echo TAIL`)).toBe('TAIL\n');
      const lines = Array.from({ length: 20_000 }, (_, index) => `: 'line ${index} ${nasty}'`).join('\n');
      expect(await session.text(`${lines}\necho '${nasty}'`)).toBe(`${nasty}\n`);
    });
  });

  test('a short text behind a longer one is what the shell evaluates, and nothing else', async () => {
    await withTable({}, async (table) => {
      const session = await table.open(shell);
      const { own } = TEXT_FILE[shell];
      for (const length of [10, 1_000, 10_000, 100]) {
        await session.run(`: ${'x'.repeat(length)}`);
        expect(await session.text(own)).toBe(`${own.length}\n`);
      }
    });
  });

  test('of a text that has begun nothing stays in its file', async () => {
    await withTable({}, async (table) => {
      const session = await table.open(shell);
      for (const length of [10, 1_000, 10_000]) expect(await session.text(`: secret ${'x'.repeat(length)}; ${TEXT_FILE[shell].gone}`)).toBe('gone\n');
    });
  });

  test('many commands in a row, each with its own output and exit code', async () => {
    await withTable({}, async (table) => {
      const session = await table.open(shell);
      for (let index = 0; index < 60; index++) {
        const report = await session.run(`echo ${index}; sh -c 'exit ${index}'`);
        expect([report.output.text, report.exitCode, report.warnings]).toEqual([`${index}\n`, index, []]);
      }
      expect(session.summary()).toMatchObject({ state: 'idle', commandsRun: 60 });
    });
  });

  test('exit codes of the shell itself, one shell after another', { timeout: 60_000 }, async () => {
    await withTable({}, async (table) => {
      const session = await table.open(shell);
      for (let code = 0; code < SHELLS_IN_A_ROW[shell]; code++) {
        const report = await session.run(`exit ${code}`);
        expect([report.state, report.exitCode]).toEqual(['ended', code]);
        expect(session.summary()?.state).toBe('ended');
      }
      expect(await session.text('echo alive')).toBe('alive\n');
    });
  });

  test('what the kernel counted for a command is told', async () => {
    await withTable({}, async (table) => {
      const session = await table.open(shell);
      const busy = await session.run(`python3 -c "import time
while time.process_time() < 0.2: pass"`);
      expect(busy.cpuMs).toBeGreaterThanOrEqual(150);
      expect((await session.run('true')).cpuMs).toBeLessThan(150);
      expect(busy.durationMs).toBeGreaterThanOrEqual(200);
    });
  });
});
