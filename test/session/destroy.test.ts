// The end of a session: what it takes with it, what its waiting calls are told, and that nothing of it stays.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { IdleReaper } from '../../src/session/idle-reaper.ts';
import { isAlive, liveProcesses, readLive, type LiveProcess } from '../support/processes.ts';
import { withTable, type TestSession, type TestTable } from '../support/session-table.ts';
import { forEachShell, type TestedShell } from '../support/shells.ts';

/** Children that do not go with a hang-up of the terminal, by the argument of their sleep. */
const STUBBORN: Readonly<Record<TestedShell, string>> = {
  bash: `sleep 3011 &
nohup sleep 3012 >/dev/null 2>&1 &
setsid sleep 3013 &
(trap '' HUP TERM; exec sleep 3014) &
sleep 3015 & disown
(setsid sh -c 'env -i sleep 3016 & exit' &)
(trap '' HUP TERM INT; while :; do sleep 3017; done) &`,
  zsh: `sleep 3011 &
nohup sleep 3012 >/dev/null 2>&1 &
setsid sleep 3013 &
(trap '' HUP TERM; exec sleep 3014) &
sleep 3015 &!
(setsid sh -c 'env -i sleep 3016 & exit' &)
(trap '' HUP TERM INT; while :; do sleep 3017; done) &`,
  fish: `sleep 3011 &
nohup sleep 3012 >/dev/null 2>&1 &
setsid sleep 3013 &
sh -c "trap '' HUP TERM; exec sleep 3014" &
sleep 3015 & disown
sh -c "setsid sh -c 'env -i sleep 3016 & exit' &"
sh -c "trap '' HUP TERM INT; while :; do sleep 3017; done" &`,
};
const NUMBERS = ['3011', '3012', '3013', '3014', '3015', '3016', '3017'];

function sleeping(numbers: readonly string[]): LiveProcess[] {
  return liveProcesses().filter(({ command }) => numbers.some((number) => command === `sleep ${number}`));
}

async function allSleeping(numbers: readonly string[]): Promise<LiveProcess[]> {
  await expect.poll(() => sleeping(numbers).length, { timeout: 8_000, interval: 20 }).toBe(numbers.length);
  return sleeping(numbers);
}

function folderOf(table: TestTable, session: TestSession): string {
  return path.join(table.runtimeDir.path, session.id);
}

forEachShell((shell) => {
  test('B91: with a session goes all that it started, also what does not heed a hang-up', async () => {
    await withTable({}, async (table) => {
      const session = await table.open(shell);
      await session.run(STUBBORN[shell]);
      const started = await allSleeping(NUMBERS);
      const { killed, survivors } = await session.destroy(300);
      expect(started.filter(isAlive)).toEqual([]);
      expect(readLive(session.created.pid)).toBeUndefined();
      expect(survivors).toEqual([]);
      const named = new Map(killed.map(({ pid, name }) => [pid, name]));
      expect(started.map(({ pid }) => named.get(pid))).toEqual(started.map(() => 'sleep'));
    });
  });

  test('B50: jobs that run or are stopped do not keep a session open', async () => {
    await withTable({}, async (table) => {
      const session = await table.open(shell);
      await session.run('sleep 3021 &');
      await session.run('sleep 3022', { timeoutMs: 0 });
      await allSleeping(['3021', '3022']);
      await session.send({ keys: ['ctrl-z'] });
      await session.run('true');
      await session.destroy(300);
      expect(sleeping(['3021', '3022'])).toEqual([]);
    });
  });

  test('calls that wait for a command get its result when the session is destroyed', async () => {
    await withTable({}, async (table) => {
      const session = await table.open(shell);
      const running = session.run('echo before; sleep 3031');
      await expect.poll(async () => (await session.read()).output.text, { timeout: 8_000, interval: 10 }).toBe('before\n');
      const reading = session.read({ timeoutMs: 10_000 });
      const queued = session.run('touch never', { queueMs: 10_000 });
      await Promise.all([session.destroy(300), expect(queued).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' })]);
      for (const report of [await running, await reading]) {
        expect([report.state, report.output.text]).toEqual(['ended', 'before\n']);
        expect(report.warnings).toContainEqual(expect.stringContaining('the session was ended while this ran'));
      }
      expect(readdirSync(table.work)).toEqual([]);
    });
  });
});

test('of two that destroy a session at once, one is told that there is none', async () => {
  await withTable({}, async (table) => {
    const session = await table.open('bash');
    const outcomes = await Promise.allSettled([session.destroy(), session.destroy()]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    await expect(session.destroy()).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' });
    await expect(session.run('true')).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' });
    expect(session.summary()).toBeUndefined();
  });
});

test('a session whose shell has ended can be destroyed, with what it left running', async () => {
  await withTable({}, async (table) => {
    const session = await table.open('bash');
    await session.run('setsid sleep 3041 & nohup sleep 3042 >/dev/null 2>&1 & true');
    await allSleeping(['3041', '3042']);
    expect((await session.run('kill -9 $$')).state).toBe('ended');
    const { killed } = await session.destroy(300);
    expect(killed.map(({ name }) => name).sort()).toEqual(['sleep', 'sleep']);
    expect(sleeping(['3041', '3042'])).toEqual([]);
  });
});

test('a call to open a session that was cancelled leaves none', async () => {
  await withTable({}, async (table) => {
    await expect(table.table.create('local', { cwd: table.work, login: false, env: {}, cols: 80, rows: 24 }, AbortSignal.abort())).rejects.toThrow('cancelled');
    expect(table.table.list('local')).toEqual([]);
    expect(readdirSync(table.runtimeDir.path).filter((name) => name.startsWith('s_'))).toEqual([]);
  });
});

forEachShell((shell) => {
  test.each<[string, (table: TestTable) => Promise<unknown>]>([
    ['is destroyed', async ({ table }) => Promise.all(table.list('local').map(({ sessionId }) => table.destroy('local', sessionId, { graceMs: 100 })))],
    ['goes with the server', async ({ table }) => table.shutdown()],
  ])('a session whose shell is just starting %s, at once and for good', async (_, end) => {
    await withTable({}, async (table) => {
      table.home.writeRc(shell, 'sleep 3091\n');
      const opening = expect(table.open(shell)).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' });
      await allSleeping(['3091']);
      const startedAt = performance.now();
      await Promise.all([end(table), opening]);
      expect(performance.now() - startedAt).toBeLessThan(4_000);
      expect(sleeping(['3091'])).toEqual([]);
      expect(table.table.list('local')).toEqual([]);
    });
  });
});

test('the server\'s end takes sessions along that have only been asked for, and opens no more', async () => {
  await withTable({}, async (table) => {
    const opening = Promise.allSettled(Array.from({ length: 4 }, () => table.open('bash')));
    await table.table.shutdown();
    expect((await opening).map(({ status }) => status)).toEqual(Array(4).fill('rejected'));
    expect(table.table.list('local')).toEqual([]);
    await expect(table.open('bash')).rejects.toMatchObject({ code: 'SHUTTING_DOWN' });
  });
});

test('B89: neither descriptors nor files of a session stay', async () => {
  await withTable({}, async (table) => {
    const once = async (): Promise<void> => {
      const session = await table.open('bash');
      await session.run('echo out; echo err >&2', { stderr: 'separate', env: { A: '1' } });
      await session.run('exit 1');
      await session.run('seq 1 20000; sleep 3051', { timeoutMs: 0, stderr: 'separate' });
      await session.destroy(0);
    };
    await once(); // what is opened once for all
    const before = readdirSync('/proc/self/fd').length;
    for (let round = 0; round < 10; round++) await once();
    expect(readdirSync('/proc/self/fd').length).toBe(before);
    expect(readdirSync(table.runtimeDir.path).filter((name) => name.startsWith('s_'))).toEqual([]);
  });
});

forEachShell((shell) => {
  test('T35: the files of a session are private, and a command\'s text is gone while the command runs', async () => {
    await withTable({}, async (table) => {
      const session = await table.open(shell);
      const folder = folderOf(table, session);
      await session.run('sleep 3061', { timeoutMs: 0, env: { SECRET: 'a-secret' }, stderr: 'separate' });
      await allSleeping(['3061']);
      expect((statSync(folder).mode & 0o777).toString(8)).toBe('700');
      const filesWith = (text: string): string[] => readdirSync(folder).filter((name) => statSync(path.join(folder, name)).isFile() && readFileSync(path.join(folder, name), 'utf8').includes(text));
      await expect.poll(() => filesWith('3061'), { timeout: 8_000, interval: 10 }).toEqual([]);
      await session.interrupt();
      expect(filesWith('a-secret')).toEqual([]);
      await session.destroy();
      expect(readdirSync(table.runtimeDir.path)).not.toContain(session.id);
    });
  });
});

describe('with an idle timeout', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  test('sessions end that nobody has used for so long, and no session that works', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] });
    await withTable({ settings: { idleTimeoutS: 60 } }, async (table) => {
      const [idle, used, ended, busy] = [await table.open('bash'), await table.open('bash'), await table.open('bash'), await table.open('bash')];
      await ended.run('exit 1');
      await busy.run('sleep 3071', { timeoutMs: 0 });
      const open = (): string[] => table.table.list('local').map(({ sessionId }) => sessionId).sort();
      vi.advanceTimersByTime(50_000);
      await used.text('true');
      expect(open().length).toBe(4);
      vi.advanceTimersByTime(30_000);
      await expect.poll(open, { timeout: 8_000 }).toEqual([used.id, busy.id].sort());
      expect(readLive(idle.created.pid)).toBeUndefined();
      vi.advanceTimersByTime(120_000);
      await expect.poll(open, { timeout: 8_000 }).toEqual([busy.id]);
      expect(table.table.reaped).toBe(3);
      await expect(idle.run('true')).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' });
      expect((await busy.interrupt()).state).toBe('done');
      vi.advanceTimersByTime(50_000);
      expect(await busy.text('echo still here')).toBe('still here\n');
    });
  });

  test.each([
    [1, 5],
    [20, 5],
    [60, 15],
    [1_200, 300],
    [86_400, 300],
  ])('R155: of %d s it is looked every %d s', (timeoutS, everyS) => {
    vi.useFakeTimers();
    let looks = 0;
    const reaper = new IdleReaper(timeoutS, () => (looks++, []), () => Promise.resolve());
    vi.advanceTimersByTime(everyS * 1_000 - 1);
    expect(looks).toBe(0);
    vi.advanceTimersByTime(1 + everyS * 2_000);
    expect(looks).toBe(3);
    reaper.stop();
    expect(vi.getTimerCount()).toBe(0);
  });

  test('of 0 nobody even looks', () => {
    vi.useFakeTimers();
    new IdleReaper(0, () => expect.fail('it looked'), () => Promise.resolve());
    expect(vi.getTimerCount()).toBe(0);
  });
});
