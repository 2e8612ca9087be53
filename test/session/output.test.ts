// Long output, read forward by cursor; the transcript; results that are kept.
import { expect, test } from 'vitest';
import type { CommandReport } from '../../src/session/api.ts';
import { withTable, type TestSession } from '../support/session-table.ts';
import { forEachShell } from '../support/shells.ts';

/** All of a view, read forward in small answers, as long as the command runs. */
async function readForward(session: TestSession, options: { readonly view?: 'output' | 'transcript'; readonly commandId?: string; readonly maxOutputBytes: number }): Promise<string> {
  let text = '';
  for (let cursor = 0; ;) {
    const report = await session.read({ ...options, cursor });
    text += report.output.text;
    if (report.cursor === cursor && report.output.truncated) throw new Error(`nothing more is read at ${cursor}: ${JSON.stringify(report)}`);
    if (report.cursor === cursor && report.state !== 'running') return text;
    if (report.cursor === cursor) await session.read({ cursor, timeoutMs: 20 });
    cursor = report.cursor;
  }
}

function numbers(last: number): string {
  return Array.from({ length: last }, (_, index) => `${index + 1}\n`).join('');
}

forEachShell((shell) => {
  test('B65 a long output is cut to head and tail, and reading it forward gives all of it', async () => {
    await withTable({}, async (table) => {
      const session = await table.open(shell);
      const report = await session.run('seq 1 100000', { maxOutputBytes: 5_000 });
      expect(report.output.truncated).toBe(true);
      expect(report.output.text).toMatch(/^1\n2\n/);
      expect(report.output.text).toMatch(/\n99999\n100000\n$/);
      expect(report.output.text).toMatch(/\[… [56]\d\d,\d{3} bytes left out; session_read cursor=\d+ reads on/);
      expect(await readForward(session, { maxOutputBytes: 60_000 })).toBe(numbers(100_000));
    });
  });

  test('B65 characters of three bytes are never broken, whatever the size of the answers', async () => {
    await withTable({}, async (table) => {
      const session = await table.open(shell);
      await session.run(`python3 -c "print('你' * 5000)"`);
      expect(await readForward(session, { maxOutputBytes: 100 })).toBe(`${'你'.repeat(5_000)}\n`);
    });
  });

  test('what is read while a command runs joins to its whole output', async () => {
    await withTable({}, async (table) => {
      const session = await table.open(shell);
      const python = `import sys, time\nfor i in range(1, 3001):\n    print(i)\n    if i % 300 == 0: sys.stdout.flush(); time.sleep(0.03)`;
      const first = await session.run(`python3 -c "${python}"`, { timeoutMs: 50 });
      expect(first.state).toBe('running');
      expect(await readForward(session, { maxOutputBytes: 700 })).toBe(numbers(3_000));
    });
  });

  test('answers of session_send begin where the last answer ended', async () => {
    await withTable({}, async (table) => {
      const session = await table.open(shell);
      const started = await session.run(`python3 -c "
import sys
print('ready', flush=True)
for line in sys.stdin:
    print('got', line, end='', flush=True)
    if line == 'end\\n': sys.exit(5)
"`, { timeoutMs: 0 });
      let whole = started.output.text;
      for (const text of ['one', 'two', 'three', 'end']) {
        const report = await session.send({ text, timeoutMs: text === 'end' ? 5_000 : 60 });
        whole += report.output.text;
        if (text === 'end') expect([report.state, report.exitCode]).toEqual(['done', 5]);
      }
      expect(whole).toBe((await session.read({ cursor: 0 })).output.text);
      expect(whole.split('\n').filter((line) => line.startsWith('got'))).toEqual(['got one', 'got two', 'got three', 'got end']);
    });
  });

  test('errors that are kept apart are told once by session_send and session_interrupt, and as a whole by session_read', async () => {
    await withTable({}, async (table) => {
      const session = await table.open(shell);
      const program = "sh -c 'echo one >&2; read line; echo two >&2; read line; echo three >&2; sleep 3091'";
      const errorsOf = async (call: Promise<CommandReport>): Promise<string | undefined> => (await call).stderr?.text;
      expect(await errorsOf(session.run(program, { stderr: 'separate' }))).toBe('one\n');
      expect(await errorsOf(session.send({ text: 'next' }))).toBe('two\n');
      expect(await errorsOf(session.read())).toBe('one\ntwo\n');
      expect(await errorsOf(session.send({ text: 'next', until: { kind: 'output', pattern: 'three' } }))).toBe('three\n');
      expect(await errorsOf(session.interrupt())).toBe('');
      expect(await errorsOf(session.interrupt())).toBe(''); // nothing runs, and all of the last command is told
      const { cursor } = await session.read();
      expect([await errorsOf(session.read()), await errorsOf(session.read({ cursor: 0 })), await errorsOf(session.read({ cursor }))]).toEqual(['one\ntwo\nthree\n', 'one\ntwo\nthree\n', '']);
    });
  });

  test('the transcript has the commands, their output and what came between, and no line of ours', async () => {
    await withTable({}, async (table) => {
      const session = await table.open(shell);
      await session.run('echo first');
      await session.run("echo 'second line'\necho third");
      await session.run('echo err >&2; echo out', { stderr: 'separate' });
      const { output } = await session.read({ view: 'transcript', cursor: 0 });
      expect(output.text).not.toMatch(/__sk|133;|\x1b/);
      expect(output.text).toMatch(/echo first\nfirst\n[\s\S]*echo 'second line'\necho third\nsecond line\nthird\n[\s\S]*echo err >&2; echo out\n/);
      expect(output.text).toMatch(/err\n/);
      expect(output.text).toMatch(/\nout\n/);
      // fish draws each prompt anew, which reads differently in pieces
      if (shell !== 'fish') expect(await readForward(session, { view: 'transcript', maxOutputBytes: 16 })).toBe(output.text);
    });
  });
});

test('results are found by command id, the last one without', async () => {
  await withTable({}, async (table) => {
    const session = await table.open('bash');
    const [first, second] = [await session.run('echo one; exit_code() { return 3; }; exit_code'), await session.run('echo two')];
    expect(await session.read({ commandId: first.commandId ?? '' })).toMatchObject({ commandId: first.commandId, state: 'done', exitCode: 3, output: { text: 'one\n' } });
    expect(await session.read()).toMatchObject({ commandId: second.commandId, output: { text: 'two\n' } });
    await expect(session.read({ commandId: 'c_222222222222' })).rejects.toMatchObject({ code: 'COMMAND_NOT_FOUND', hint: expect.stringContaining(second.commandId ?? 'none') });
  });
});

test('results are kept for the retention time, and the last one always', async () => {
  await withTable({ settings: { retentionS: 0 } }, async (table) => {
    const session = await table.open('bash');
    const [first, second] = [await session.run('echo one'), await session.run('echo two')];
    await session.run('echo three');
    await expect(session.read({ commandId: first.commandId ?? '' })).rejects.toMatchObject({ code: 'COMMAND_NOT_FOUND' });
    await session.run('echo four');
    await expect(session.read({ commandId: second.commandId ?? '' })).rejects.toMatchObject({ code: 'COMMAND_NOT_FOUND' });
    expect((await session.read()).output.text).toBe('four\n');
  });
});

test('a cursor counts from the end when negative, and is refused beyond it', async () => {
  await withTable({}, async (table) => {
    const session = await table.open('bash');
    await session.run('seq 1 10');
    expect((await session.read({ cursor: -6 })).output.text).toBe('\n9\n10\n');
    expect((await session.read({ cursor: -1_000_000 })).output.text).toBe(numbers(10));
    await expect(session.read({ cursor: 1_000 })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', message: expect.stringContaining('1000') });
  });
});

test('reading a session in which nothing has run gives nothing', async () => {
  await withTable({}, async (table) => {
    const session = await table.open('bash');
    const report = await session.read();
    expect([report.state, report.output.text, report.commandId, report.exitCode]).toEqual(['done', '', undefined, undefined]);
  });
});

test('B73 binary output is recognised and does not harm the session', async () => {
  await withTable({}, async (table) => {
    const session = await table.open('bash');
    const report = await session.run('head -c 200000 /dev/urandom');
    expect(report.output.binary).toBe(true);
    expect(report.output.text).toMatch(/^\[binary output: 20\d,\d{3} bytes/);
    expect(await session.text('echo next')).toBe('next\n');
  });
});
