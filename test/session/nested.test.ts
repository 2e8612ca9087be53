// Shells in the session's shell: what is typed goes to them, and when they end the session is as it was.
import { afterAll, expect, test } from 'vitest';
import type { Until } from '../../src/waiting/until.ts';
import { python, testWith } from '../support/programs.ts';
import { TestTable } from '../support/session-table.ts';
import { forEachShell } from '../support/shells.ts';

const table = new TestTable();
afterAll(() => table.close());

/** A terminal in the terminal, as ssh, docker exec and script make one: the kernel cannot say who waits in there. */
const INNER_TERMINAL = "import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(['bash', '--norc'])))";
const says = (pattern: string): Until => ({ kind: 'output', pattern });

forEachShell((shell) => {
  for (const [inner, command, variable] of [['bash', 'HISTFILE= bash --norc', 'x=inside'], ['zsh', 'zsh -f', 'x=inside'], ['fish', 'fish --no-config --private', 'set x inside']] as const) {
    testWith([inner], `B80 ${inner} keeps its own state, and its end is the end of the command`, async () => {
      const session = await table.open(shell);
      expect(await session.run(command)).toMatchObject({ state: 'awaiting_input', awaiting: { kind: 'keys', program: inner, proof: 'kernel' } });
      for (const text of ['cd /usr', variable, 'echo "[$x]" (pwd)'.replace('(pwd)', inner === 'fish' ? '(pwd)' : '$(pwd)')]) {
        const report = await session.send({ text });
        expect(report).toMatchObject({ state: 'awaiting_input', awaiting: { program: inner } });
        if (text.startsWith('echo')) expect(report.output.text).toContain('[inside] /usr\n');
      }
      expect(await session.send({ text: 'cat' })).toMatchObject({ awaiting: { kind: 'line', program: 'cat' } });
      expect((await session.send({ text: 'through the inner shell' })).output.text).toContain('through the inner shell\nthrough the inner shell\n');
      expect(await session.send({ keys: ['ctrl-d'] })).toMatchObject({ state: 'awaiting_input', awaiting: { program: inner } });
      const ended = await session.send({ text: 'exit 9' });
      expect([ended.state, ended.exitCode, ended.cwd]).toEqual(['done', 9, table.work]);
      expect(await session.text('echo "[$x]"; pwd')).toBe(`[]\n${table.work}\n`);
      await session.destroy();
    });
  }

  test('B80 shells in shells end one after the other', async () => {
    const session = await table.open(shell);
    await session.run('HISTFILE= bash --norc');
    await session.send({ text: 'sh' });
    expect((await session.send({ text: 'echo depth; exit 3' })).output.text).toContain('depth\n');
    expect((await session.send({ text: 'echo code $?' })).output.text).toContain('code 3\n');
    expect(await session.send({ text: 'exit 4' })).toMatchObject({ state: 'done', exitCode: 4 });
    expect(await session.text('echo ok')).toBe('ok\n');
    await session.destroy();
  });

  testWith(['python3'], 'B80 a shell on a terminal of its own is used by its words, and its marks are no marks', async () => {
    const session = await table.open(shell);
    expect(await session.run(python(shell, INNER_TERMINAL), { env: { HISTFILE: '' }, until: says('[#$] $') })).toMatchObject({ state: 'matched' });
    const inner = await session.send({ text: 'echo in-$((40 + 2))', until: says('^in-42$') });
    expect([inner.state, inner.output.text.includes('in-42\n')]).toEqual(['matched', true]);
    const forged = await session.send({ text: "printf '\\033]133;D;0\\007'; echo forged-$?", until: says('^forged-0$') });
    expect(forged.state).toBe('matched');
    const interrupted = await session.send({ text: 'sleep 3301', until: says('sleep 3301') });
    expect(interrupted.state).toBe('matched');
    const after = await session.send({ keys: ['ctrl-c'], text: '', enter: false, until: says('\\^C') });
    expect(after.state, 'the key goes to the program in the inner terminal').toBe('matched');
    expect(await session.send({ text: 'exit 9' })).toMatchObject({ state: 'done', exitCode: 9 });
    expect(await session.text('echo outer')).toBe('outer\n');
    await session.destroy();
  });
});
