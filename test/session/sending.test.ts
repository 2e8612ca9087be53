// What is typed into a session: it reaches the program that runs, and never a shell or another session.
import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { readLive } from '../support/processes.ts';
import { TestTable, type TestSession } from '../support/session-table.ts';
import { forEachShell } from '../support/shells.ts';

const table = new TestTable();
afterAll(() => table.close());

/** A program that reads nothing, in a raw terminal, so that the kernel keeps what it can and the rest waits here. */
async function deafProgram(session: TestSession): Promise<void> {
  await session.run('stty raw -echo; echo ready; sleep 3081', { timeoutMs: 0 });
  await expect.poll(async () => (await session.read()).output.text, { timeout: 8_000, interval: 10 }).toContain('ready');
}

forEachShell((shell) => {
  test('B89: half a megabyte for a program that does not read is gone with its session', async () => {
    const deaf = await table.open(shell);
    await deafProgram(deaf);
    const sent = await deaf.send({ text: `echo LEAKED\n`.repeat(40_000), enter: false, timeoutMs: 0 });
    expect(sent.state).toBe('running');
    await deaf.destroy(0);
    expect(readLive(deaf.created.pid)).toBeUndefined();
    const others = await Promise.all(Array.from({ length: 6 }, () => table.open(shell)));
    for (const session of others) {
      expect(await session.text('echo ok')).toBe('ok\n');
      expect((await session.read({ view: 'transcript', cursor: 0 })).output.text).not.toContain('LEAKED');
      await session.destroy(0);
    }
  });

  test('at the prompt, and when the shell has ended, nothing is typed', async () => {
    const session = await table.open(shell);
    for (const input of [{ text: 'touch typed' }, { keys: ['enter'] }, { text: 'touch typed', cols: 90 }]) {
      await expect(session.send(input)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', message: expect.stringContaining('no command is running'), hint: expect.stringContaining('session_run') });
    }
    await session.run('exit 0');
    await expect(session.send({ text: 'touch typed' })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', message: expect.stringContaining('its shell has ended') });
    expect(await session.text('ls typed 2>/dev/null || echo none')).toBe('none\n');
    await session.destroy();
  });

  test('B88: what comes too late for the program is not typed into the next command either', async () => {
    const session = await table.open(shell);
    const running = session.run('head -n 1 >/dev/null');
    await expect.poll(() => session.summary()?.state, { timeout: 8_000, interval: 10 }).toBe('running');
    const sent = await session.send({ text: 'first\necho LATE' });
    expect([sent.state, sent.exitCode]).toEqual(['done', 0]);
    await running;
    const next = await session.run('echo next');
    expect([next.state, next.exitCode, next.output.text]).toEqual(['done', 0, 'next\n']);
    await session.destroy();
  });

  test('Ctrl-C drops what was typed and not sent off', async () => {
    const session = await table.open(shell);
    await session.run(`sh -c 'trap : INT; printf "a? "; read a; printf "b? "; read b; echo "[$a][$b]"'`);
    await session.send({ text: 'half typed', enter: false, timeoutMs: 0 });
    expect((await session.send({ keys: ['ctrl-c'] })).awaiting?.prompt).toContain('b? ');
    expect((await session.send({ text: 'B' })).output.text).toContain('[][B]\n');
    await session.destroy();
  });

  test('B88: a command is over although a slow hook of the prompt has the terminal: what is sent then is refused, not run', async () => {
    const session = await table.open(shell);
    await session.run(SLOW_PROMPT[shell]);
    const running = session.run('touch started; sleep 0.3; touch hang');
    running.catch(() => undefined);
    const [started, begun] = ['started', 'begun'].map((name) => path.join(table.work, name)) as [string, string];
    await expect.poll(() => existsSync(started), { timeout: 8_000, interval: 10 }).toBe(true);
    const deadline = Date.now() + 8_000;
    while (!existsSync(begun) && Date.now() < deadline); // so busy a server sees the end only while the hook runs
    rmSync(started);
    rmSync(begun);
    await expect(session.send({ text: 'touch typed' })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    expect(await running).toMatchObject({ state: 'done', exitCode: 0 });
    expect(await session.text('ls typed 2>/dev/null || echo none')).toBe('none\n');
    await session.destroy();
  });
});

/** Defines a hook of the prompt that is slow when the file `hang` is there, and says so by the file `begun`. */
const SLOW_PROMPT = {
  bash: "PROMPT_COMMAND+=('[ -e hang ] && { rm hang; touch begun; sleep 2; }')",
  zsh: 'precmd() { [ -e hang ] && { rm hang; touch begun; sleep 2; } }',
  fish: 'function fish_prompt; if test -e hang; rm hang; touch begun; sleep 2; end; end',
};

describe('session_send', () => {
  test('refuses whole what is too much, and the program goes on', async () => {
    const session = await table.open('bash');
    await deafProgram(session);
    await session.send({ text: 'x'.repeat(900_000), enter: false, timeoutMs: 0 });
    await expect(session.send({ text: 'x'.repeat(900_000), enter: false, timeoutMs: 0 })).rejects.toMatchObject({ code: 'RESOURCE_EXHAUSTED', hint: expect.stringContaining('session_interrupt') });
    await session.destroy(0);
  });

  test('types the text, then enter, then the keys', async () => {
    const session = await table.open('bash');
    expect(await session.run('stty -echo; echo ready; cat -v; stty echo')).toMatchObject({ state: 'awaiting_input', awaiting: { kind: 'secret', program: 'cat' } });
    await session.send({ text: 'é ≤ 你', timeoutMs: 0 });
    await session.send({ text: 'no newline ', enter: false, timeoutMs: 0 });
    await session.send({ text: 'now', keys: ['tab', 'escape', 'up', 'enter', 'ctrl-d'], timeoutMs: 0 });
    await session.read({ timeoutMs: 8_000, until: { kind: 'exit' } });
    const report = await session.read();
    expect([report.state, report.exitCode]).toEqual(['done', 0]);
    expect(report.output.text.split('\n').slice(2)).toEqual(['no newline now', '\t^[^[[A', '']);
    await session.destroy();
  });

  test.each(['Enter', 'ctrl-', 'ctrl-1', 'return', '', 'constructor'])('names the nearest key when there is no %j', async (key) => {
    const session = await table.open('bash');
    await session.run('sleep 3082', { timeoutMs: 0 });
    await expect(session.send({ text: 'x', keys: ['enter', key] })).rejects.toMatchObject({ code: 'UNKNOWN_KEY', message: `no key ${JSON.stringify(key)}`, hint: expect.stringContaining('nearest: ') });
    await session.destroy(0);
  });
});
