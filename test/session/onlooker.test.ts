// Looking at a session and being told of changes: nobody notices, nothing counts as read, nothing is left behind.
import { expect, test } from 'vitest';
import { withTable, type TestSession, type TestTable } from '../support/session-table.ts';
import { forEachShell } from '../support/shells.ts';

const look = ({ table }: TestTable, { id }: TestSession, view: 'transcript' | 'screen', owner = 'local'): Promise<string> => table.look(owner, id, view, 50_000);

/** Counts what a watcher is told. */
function watch({ table }: TestTable, { id }: TestSession) {
  let told = 0;
  const stop = table.watch('local', id, () => told++);
  return { told: () => told, stop };
}

forEachShell((shell) => {
  test('the transcript and the screen are seen while a command runs, and its output is still to be read', async () => {
    await withTable({}, async (table) => {
      const session = await table.open(shell);
      await session.run('echo first; read answer; echo "got $answer"', { timeoutMs: 300 });
      await expect.poll(() => look(table, session, 'transcript')).toMatch(/echo first; read answer.*\nfirst\n/);
      expect(await look(table, session, 'screen')).toContain('first');
      const rest = await session.send({ text: 'yes' });
      expect(rest.output.text).toMatch(/got yes\n$/);
      const { lastUsedAt } = session.summary() ?? {};
      expect(await look(table, session, 'transcript')).toContain('got yes');
      expect(session.summary()?.lastUsedAt).toBe(lastUsedAt);
    });
  });

  test('looking and waiting are not told to watchers, output and the end of a command are', async () => {
    await withTable({}, async (table) => {
      const session = await table.open(shell);
      const started = await session.run("printf '\\033[?1049h\\033[Hdrawn'; sleep 600", { timeoutMs: 5_000 });
      expect(started.state).toBe('full_screen');
      const { told, stop } = watch(table, session);
      for (const view of ['screen', 'transcript', 'screen'] as const) await look(table, session, view);
      await session.read({ view: 'screen', timeoutMs: 300 });
      expect(told()).toBe(0);
      expect(await look(table, session, 'screen')).toBe('drawn');
      await session.interrupt();
      expect(told()).toBeGreaterThan(0);
      const before = told();
      stop();
      await session.text('echo more');
      expect(told()).toBe(before);
    });
  });
});

test('a session of somebody else is watched and looked at by nobody', async () => {
  await withTable({}, async (table) => {
    const session = await table.open('bash', {}, 'owner');
    const changed: string[] = [];
    for (const owner of ['owner', 'stranger']) table.table.onListChange(owner, () => changed.push(owner));
    expect(() => table.table.watch('stranger', session.id, () => {})).toThrow(expect.objectContaining({ code: 'SESSION_NOT_FOUND' }) as Error);
    await expect(look(table, session, 'screen', 'stranger')).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND', hint: expect.stringContaining('no session is open') as string });
    expect([table.table.has('owner', session.id), table.table.has('stranger', session.id)]).toEqual([true, false]);
    await session.destroy();
    expect(new Set(changed)).toEqual(new Set(['owner']));
  });
});

test('the end of a session is told once it is nobody’s, and what is listed can be looked at', async () => {
  await withTable({}, async (table) => {
    const session = await table.open('bash');
    await session.run('trap "" HUP TERM; sleep 600', { timeoutMs: 1 });
    const seen: boolean[] = [];
    table.table.watch('local', session.id, () => seen.push(table.table.has('local', session.id)));
    table.table.onListChange('local', () => seen.push(table.table.list('local').length > 0));
    const destroyed = session.destroy(300);
    expect(table.table.list('local')).toEqual([]);
    await expect(look(table, session, 'transcript')).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' });
    await destroyed;
    expect([...new Set(seen)]).toEqual([false]);
    expect(seen.length).toBeGreaterThanOrEqual(2);
  });
});

test('a transcript that is longer than asked for is its end, and says so', async () => {
  await withTable({}, async (table) => {
    const session = await table.open('bash');
    await session.text('seq 1 100000');
    const text = await table.table.look('local', session.id, 'transcript', 1_000);
    expect(text).toMatch(/^\[… [\d,]+ bytes left out …\]\n/);
    expect(text).toContain('99999\n100000\n');
    expect(text.length).toBeLessThan(1_100);
  });
});

/** Asks its terminal where the cursor is, listens only a while later, and says whether it was told. */
const ASKS_LATE = `import os, select, sys, termios, time, tty
old = termios.tcgetattr(0); tty.setraw(0); os.write(1, b"as" b"ked\\x1b[6n"); time.sleep(0.25)
told = select.select([0], [], [], 2)[0] and os.read(0, 100)
termios.tcsetattr(0, termios.TCSANOW, old); print("told" if told else "silence")`;

test('a program that has asked its terminal something gets its answer, also when the screen was looked at before it listened', async () => {
  await withTable({}, async (table) => {
    const session = await table.open('bash');
    const running = session.run(`python3 -c '${ASKS_LATE}'`);
    await expect.poll(() => look(table, session, 'screen'), { interval: 5 }).toContain('asked');
    for (let round = 0; round < 10; round++) await look(table, session, 'screen');
    await running;
    await expect.poll(() => look(table, session, 'transcript'), { timeout: 5_000 }).toMatch(/asked(told|silence)\n/);
    expect(await look(table, session, 'transcript')).toContain('askedtold');
  });
});
