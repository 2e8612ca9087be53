// Calls that wait: busy sessions, queues, timeouts, cancelled calls, interruptions.
import { expect, test } from 'vitest';
import { withTable, type TestSession } from '../support/session-table.ts';
import { forEachShell } from '../support/shells.ts';

function untilOutput(session: TestSession, text: string): Promise<void> {
  return expect.poll(async () => (await session.read()).output.text, { timeout: 8_000, interval: 20 }).toContain(text);
}

forEachShell((shell) => {
  test('B97 a busy session refuses the next command and names what runs', async () => {
    await withTable({}, async (table) => {
      const session = await table.open(shell);
      const first = await session.run('sleep 30', { timeoutMs: 100 });
      expect(first.state).toBe('running');
      const refused = session.run('echo no');
      await expect(refused).rejects.toMatchObject({ code: 'SESSION_BUSY', message: expect.stringMatching(/"sleep 30" has been running in it for \d+ s/), hint: expect.stringContaining('session_interrupt') });
      await expect(refused).rejects.toMatchObject({ message: expect.stringContaining(first.commandId ?? 'none') });
      expect(session.summary()).toMatchObject({ state: 'running', command: 'sleep 30' });
    });
  });

  test('commands that wait for a busy session come one after another', async () => {
    await withTable({}, async (table) => {
      const session = await table.open(shell);
      const all = Array.from({ length: 8 }, (_, index) => session.run(`sleep 0.02; echo ${index} >> order; echo ${index}`, { queueMs: 10_000 }));
      const reports = await Promise.all(all);
      expect(reports.map((report) => [report.state, report.exitCode, report.output.text])).toEqual(all.map((_, index) => ['done', 0, `${index}\n`]));
      expect((await session.text('cat order')).split('\n').filter(Boolean).sort()).toEqual(all.map((_, index) => String(index)));
    });
  });

  test('B100 a cancelled call stops waiting and leaves the command alone', async () => {
    await withTable({}, async (table) => {
      const session = await table.open(shell);
      const controller = new AbortController();
      const waiting = session.run('sleep 0.5; echo done > file; echo end', {}, controller.signal);
      await expect.poll(() => session.summary()?.state).toBe('running');
      controller.abort();
      expect((await waiting).state).toBe('running');
      await expect(session.run('echo no')).rejects.toMatchObject({ code: 'SESSION_BUSY' });
      const report = await session.read({ timeoutMs: 10_000 });
      expect([report.state, report.exitCode, report.output.text]).toEqual(['done', 0, 'end\n']);
      expect(await session.text('cat file')).toBe('done\n');
    });
  });

  test('a call that is cancelled before it begins, or while it waits for the session, runs nothing', async () => {
    await withTable({}, async (table) => {
      const session = await table.open(shell);
      const busy = session.run('sleep 0.4');
      const controller = new AbortController();
      const queued = session.run('touch ran', { queueMs: 10_000 }, controller.signal);
      controller.abort();
      await queued.catch(() => undefined);
      await busy;
      expect(await session.text('ls')).toBe('');
    });
  });

  test('session_interrupt ends what is in the foreground, and the ladder says how', async () => {
    await withTable({}, async (table) => {
      const session = await table.open(shell);
      expect((await session.interrupt()).warnings).toEqual(['nothing was running']);
      await session.run('sleep 30', { timeoutMs: 150 });
      const gentle = await session.interrupt();
      expect([gentle.state, gentle.exitCode, gentle.ladder]).toEqual(['done', 130, { tried: ['ctrl-c'], worked: 'ctrl-c', alive: [] }]);
      await session.run(`python3 -c "import signal, time
for s in (signal.SIGINT, signal.SIGTERM): signal.signal(s, signal.SIG_IGN)
print('deaf', flush=True); time.sleep(60)"`, { timeoutMs: 0 });
      await untilOutput(session, 'deaf');
      const hard = await session.interrupt({ graceMs: 300 });
      expect([hard.state, hard.exitCode, hard.ladder?.worked]).toEqual(['done', 137, 'SIGKILL']);
      expect(await session.text('echo ok')).toBe('ok\n');
    });
  });

  test('an interruption right after the start does not take the session away', async () => {
    await withTable({}, async (table) => {
      const session = await table.open(shell);
      for (let index = 0; index < 15; index++) {
        const report = await session.run('sleep 20', { timeoutMs: index % 5, onTimeout: 'interrupt' });
        expect([report.state, report.exitCode]).toEqual(['done', 130]);
        expect(await session.text(`echo ${index}`)).toBe(`${index}\n`);
      }
    });
  });

  test('an interruption that crosses the end of the command does not take the session away', async () => {
    await withTable({}, async (table) => {
      const session = await table.open(shell);
      for (let index = 0; index < 15; index++) {
        const report = await session.run('sleep 0.05', { timeoutMs: 48 + index, onTimeout: 'interrupt' });
        expect(report.state).toBe('done');
        expect([0, 130]).toContain(report.exitCode);
        expect(await session.text(`echo ${index}`)).toBe(`${index}\n`);
      }
    });
  });

  test('a terminal is resized while a program runs and between two commands', async () => {
    await withTable({}, async (table) => {
      const session = await table.open(shell, { cols: 90, rows: 20 });
      expect(await session.text('stty size')).toBe('20 90\n');
      await session.send({ cols: 100 });
      expect(await session.text('stty size')).toBe('20 100\n');
      const size = `import os, signal, sys\nsignal.signal(signal.SIGWINCH, lambda *_: (os.write(1, b'%d %d\\n' % os.get_terminal_size()), os._exit(0)))\nprint('ready', flush=True); signal.pause()`;
      await session.run(`python3 -c "${size}"`, { timeoutMs: 0 });
      await untilOutput(session, 'ready');
      expect((await session.send({ rows: 30 })).output.text).toMatch(/100 30\n/);
    });
  });
});

test('a waiting call tells its progress: the last line of output, and for how long', async () => {
  await withTable({}, async (table) => {
    const session = await table.open('bash');
    const told: [string, number][] = [];
    await session.run('echo one; printf "\\033[31mtwo\\033[0m"; sleep 1.3', { onProgress: (line, elapsedMs) => told.push([line, Math.round(elapsedMs / 1_000)]) });
    expect(told).toEqual([['two', 1]]);
  });
});
