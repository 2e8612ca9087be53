// Many sessions at once, and several owners: who gets what, who is refused, and how the refusal reads.
import { setMaxListeners } from 'node:events';
import { expect, test } from 'vitest';
import { approve } from '../support/approved.ts';
import { uncancelled, withTable, type TestSession, type TestTable } from '../support/session-table.ts';
import { ALL_SHELLS, forEachShell, shells } from '../support/shells.ts';

const SHELLS = shells();

function shellOf(index: number): (typeof ALL_SHELLS)[number] {
  return SHELLS[index % SHELLS.length] ?? 'bash';
}

test('twenty sessions in three shells run side by side, each with its own state, output and codes', async () => {
  await withTable({}, async (table) => {
    const sessions = await Promise.all(Array.from({ length: 20 }, (_, index) => table.open(shellOf(index))));
    const work = async (session: TestSession, index: number): Promise<void> => {
      const [set, show] = shellOf(index) === 'fish' ? [`set -gx OWN ${index}`, '$OWN'] : [`export OWN=${index}`, '"$OWN"'];
      await session.text(`mkdir d${index}; cd d${index}; ${set}`);
      for (let round = 0; round < 10; round++) {
        const report = await session.run(`echo ${show} ${round}; seq 1 ${round * 100}; sh -c 'exit ${(index + round) % 256}'`);
        const numbers = Array.from({ length: round * 100 }, (_, at) => `${at + 1}\n`).join('');
        expect([report.state, report.exitCode, report.output.text, report.cwd]).toEqual(['done', (index + round) % 256, `${index} ${round}\n${numbers}`, `${table.work}/d${index}`]);
      }
    };
    await Promise.all(sessions.map(work));
    expect(table.table.list('local').map(({ commandsRun, state }) => `${commandsRun} ${state}`)).toEqual(Array.from({ length: 20 }, () => '11 idle'));
  });
});

forEachShell((shell) => {
  test('those who wait for a busy session get it in the order in which they came', async () => {
    await withTable({}, async (table) => {
      const session = await table.open(shell);
      const done: number[] = [];
      const first = session.run('sleep 0.3');
      const waiting = Array.from({ length: 12 }, async (_, index) => {
        const report = await session.run(`echo ${index}`, { queueMs: 10_000 });
        done.push(index);
        return report.output.text;
      });
      await first;
      expect(await Promise.all(waiting)).toEqual(waiting.map((_, index) => `${index}\n`));
      expect(done).toEqual(waiting.map((_, index) => index));
    });
  });

  test('also when the shell ends in between, and some give up', async () => {
    await withTable({}, async (table) => {
      const session = await table.open(shell);
      const order: string[] = [];
      const run = async (text: string, queueMs: number): Promise<void> => {
        const report = await session.run(text, { queueMs }).catch((error: unknown) => error as { code: string });
        order.push('state' in report ? `${text} ${report.state} ${report.exitCode}` : `${text} ${report.code}`);
      };
      await Promise.all([run('sleep 0.3', 0), run('echo 1', 10_000), run('echo gives up', 1), run('exit 3', 10_000), run('echo 2', 10_000), run('exit 4', 10_000), run('echo 3', 10_000)]);
      expect(order).toEqual(['echo gives up SESSION_BUSY', 'sleep 0.3 done 0', 'echo 1 done 0', 'exit 3 ended 3', 'echo 2 done 0', 'exit 4 ended 4', 'echo 3 done 0']);
    });
  });
});

test('two owners see nothing of each other, and another\'s session reads as one that never was', async () => {
  await withTable({}, async (table) => {
    const [mine, other] = [await table.open('bash', { name: 'mine' }, 'alice'), await table.open('bash', { name: 'other' }, 'bob')];
    expect(table.table.list('alice').map(({ sessionId }) => sessionId)).toEqual([mine.id]);
    expect(table.table.list('bob').map(({ sessionId }) => sessionId)).toEqual([other.id]);
    expect(table.table.list('carol')).toEqual([]);
    const unknown = 's_222222222222';
    for (const call of everyCall(table, 'alice')) {
      const [refused, missing] = [await errorOf(call(other.id)), await errorOf(call(unknown))];
      expect(refused.message.replace(other.id, unknown)).toBe(missing.message);
      expect([refused.code, refused.hint]).toEqual(['SESSION_NOT_FOUND', missing.hint]);
      expect(refused.hint).toBe(`open sessions: ${mine.id} (mine, idle)`);
    }
    expect((await errorOf(table.table.read('carol', other.id, READ, uncancelled()))).hint).toBe('no session is open: session_create opens one');
    expect(await other.text('echo untouched')).toBe('untouched\n');
    expect(other.summary()).toMatchObject({ state: 'idle', commandsRun: 1 });
  });
});

test.each(['', 's_', 'x', 'S_222222222222', 's_2222222222222', 's_22222222222', 't_222222222222', 's_000000000000', '__proto__', 's_\0', 'é'.repeat(5_000)])('%j is no session, and that is what is said', async (id) => {
  await withTable({}, async (table) => {
    for (const call of everyCall(table, 'local')) {
      const { code, message } = await errorOf(call(id));
      expect([code, message]).toEqual(['SESSION_NOT_FOUND', `no session "${id.slice(0, 40)}"`]);
    }
  });
});

test('the limit of sessions names itself, its setting and the sessions that are idle, longest first', async () => {
  await withTable({ settings: { maxSessions: 3 } }, async (table) => {
    const [first, second] = [await table.open('bash', { name: 'first' }), await table.open('bash', { name: 'second' })];
    const busy = await table.open('bash', { name: 'busy' });
    await first.text('true');
    await busy.run('sleep 60', { timeoutMs: 0 });
    const error = await errorOf(table.open('bash'));
    expect([error.code, error.message]).toEqual(['SESSION_LIMIT', '3 sessions are open and max_sessions is 3']);
    expect(error.hint).toMatch(new RegExp(`session_destroy.*max_sessions; idle longest: ${second.id} \\(second, idle \\d+ s\\), ${first.id} \\(first, idle \\d+ s\\)$`));
    await second.run('sleep 60', { timeoutMs: 0 });
    await first.run('sleep 60', { timeoutMs: 0 });
    expect((await errorOf(table.open('bash'))).hint).toMatch(/none is idle$/);
    await busy.destroy(0);
    await (await table.open('bash')).text('true');
  });
});

test('T84: each owner has max_sessions of its own: who has used them up takes none from another', async () => {
  await withTable({ settings: { maxSessions: 2 } }, async (table) => {
    const [first, second] = [await table.open('bash', {}, 'alice'), await table.open('bash', {}, 'alice')];
    const others = [await table.open('bash', {}, 'bob'), await table.open('bash', {}, 'bob')];
    expect(['alice', 'bob', 'carol'].map((owner) => table.table.countOf(owner))).toEqual([2, 2, 0]);
    expect(table.table.count).toBe(4);
    const error = await errorOf(table.open('bash', {}, 'bob'));
    expect([error.code, error.message]).toEqual(['SESSION_LIMIT', '2 sessions are open and max_sessions is 2']);
    expect(others.map(({ id }) => error.hint.includes(id))).toEqual([true, true]);
    for (const { id } of [first, second]) expect(error.hint).not.toContain(id);
    await first.destroy(0);
    await expect(table.open('bash', {}, 'bob')).rejects.toMatchObject({ code: 'SESSION_LIMIT' });
    await table.open('bash', {}, 'alice');
  });
});

test('as many sessions as the limit allows open at once, and not one more', async () => {
  await withTable({ settings: { maxSessions: 5 } }, async (table) => {
    const opened = await Promise.allSettled(Array.from({ length: 8 }, () => table.open('bash')));
    expect(opened.map(({ status }) => status).sort()).toEqual([...Array<string>(5).fill('fulfilled'), ...Array<string>(3).fill('rejected')]);
    expect(table.table.list('local').length).toBe(5);
  });
});

const READ = { view: 'output', maxOutputBytes: 1_000, timeoutMs: 0 } as const;

/** Each call that takes a session's id. */
function everyCall({ table }: TestTable, owner: string): ((id: string) => Promise<unknown>)[] {
  const never = new AbortController().signal;
  setMaxListeners(0, never);
  const wait = { timeoutMs: 0, maxOutputBytes: 1_000 };
  return [
    (id) => table.run(owner, id, approve('echo intruder'), { ...wait, onTimeout: 'keep', stderr: 'merged', env: {}, queueMs: 0 }, never),
    (id) => table.send(owner, id, { ...wait, text: 'x', enter: true, keys: [] }, never),
    (id) => table.read(owner, id, READ, never),
    (id) => table.interrupt(owner, id, { graceMs: 0, maxOutputBytes: 1_000 }, never),
    (id) => table.destroy(owner, id, { graceMs: 0 }),
    async (id) => table.beside(owner, id),
  ];
}

async function errorOf(call: Promise<unknown>): Promise<{ code: string; message: string; hint: string }> {
  try {
    await call;
  } catch (error) {
    return error as { code: string; message: string; hint: string };
  }
  throw new Error('it was not refused');
}
