// Whole pieces of work as an agent does them, call by call, over the built program.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { withServer, type Facts, type Session } from '../support/harness.ts';
import { testWith } from '../support/programs.ts';
import { forEachShell } from '../support/shells.ts';

/** What an answer says about the program that waits. */
function asked({ state, awaiting }: Facts): unknown {
  return { state, ...(awaiting as object | undefined) };
}

async function inSession(shell: 'bash' | 'zsh' | 'fish', work: (session: Session, home: string) => Promise<void>): Promise<void> {
  await withServer({}, async (server) => {
    await work(await server.openSession(shell, { cwd: server.process.home.dir }), server.process.home.dir);
    expect(server.stray).toEqual([]);
  });
}

forEachShell((shell) => {
  testWith(['python3'], 'an interpreter: a function is defined, called and asked for its error', async () => {
    await inSession(shell, async (session) => {
      expect(asked(await session.run('python3 -q'))).toMatchObject({ state: 'awaiting_input', kind: 'keys', program: 'python3', prompt: '>>> ', proof: 'kernel' });
      expect(asked(await session.send({ text: 'def double(x):' }))).toMatchObject({ state: 'awaiting_input', prompt: expect.stringMatching(/^\.\.\. /) });
      await session.send({ text: '    return x * 2' });
      await session.send({ text: '' });
      const called = await session.send({ text: 'double(21)' });
      expect(called.output).toContain('\n42\n');
      expect(asked(called)).toMatchObject({ state: 'awaiting_input', prompt: '>>> ' });
      expect((await session.send({ text: 'double()' })).output).toContain('TypeError');
      expect(await session.send({ keys: ['ctrl-d'] })).toMatchObject({ state: 'done', exit_code: 0 });
      expect(await session.run('echo shell')).toMatchObject({ state: 'done', output: 'shell\n' });
    });
  });

  testWith(['python3'], 'T32 what is sent to an interpreter goes to it alone, and the answer names it', async () => {
    await inSession(shell, async (session, home) => {
      expect(asked(await session.run('python3 -q -i'))).toMatchObject({ program: 'python3' });
      const told = await session.send({ text: 'import os; os.system("echo from python >told")' });
      expect(asked(told)).toMatchObject({ state: 'awaiting_input', program: 'python3' });
      expect(readFileSync(path.join(home, 'told'), 'utf8')).toBe('from python\n');
      expect(await session.send({ text: 'os._exit(5)' })).toMatchObject({ state: 'done', exit_code: 5 });
    });
  });

  testWith(['vim'], 'an editor: text is typed, changed, saved, and the screen shows each step', async () => {
    await inSession(shell, async (session, home) => {
      const opened = await session.run('vim -u NONE -n notes');
      expect(opened).toMatchObject({ state: 'full_screen', screen: expect.stringMatching(/^\n~\n~/), screen_cursor: { row: 1, column: 1 } });
      expect(opened.output).not.toContain('~');
      const typed = await session.send({ text: 'ifirst line\nsecond lime', enter: false });
      expect(typed).toMatchObject({ state: 'full_screen', screen: expect.stringMatching(/^first line\nsecond lime\n~/), screen_cursor: { row: 2, column: 12 } });
      expect(await session.send({ keys: ['escape', 'left'] })).toMatchObject({ screen_cursor: { row: 2, column: 10 } });
      expect(await session.send({ text: 'rn', enter: false })).toMatchObject({ screen: expect.stringMatching(/^first line\nsecond line\n~/) });
      expect(await session.send({ keys: ['up', 'home'] })).toMatchObject({ screen_cursor: { row: 1, column: 1 } });
      expect(await session.send({ text: ':wq' })).toMatchObject({ state: 'done', exit_code: 0 });
      expect(readFileSync(path.join(home, 'notes'), 'utf8')).toBe('first line\nsecond line\n');
      expect(await session.run('cat notes')).toMatchObject({ output: 'first line\nsecond line\n' });
    });
  });

  testWith(['less'], 'a pager: paged, searched, left', async () => {
    await inSession(shell, async (session) => {
      const opened = await session.run('seq 1 500 | less', { timeout_ms: 15_000 });
      expect(opened).toMatchObject({ state: 'full_screen', screen: expect.stringMatching(/^1\n2\n/) });
      expect(await session.send({ keys: ['page_down'] })).toMatchObject({ screen: expect.stringMatching(/^40\n41\n/) });
      expect(await session.send({ text: '/^300$' })).toMatchObject({ screen: expect.stringMatching(/^300\n301\n/) });
      expect((await session.read({ view: 'screen' })).screen).toMatch(/^300\n301\n/);
      const left = await session.send({ text: 'q', enter: false });
      expect(left).toMatchObject({ state: 'done', exit_code: 0 });
      expect(left).not.toHaveProperty('screen');
    });
  });

  testWith(['python3'], 'a password prompt: asked as a secret, wrong once, right the second time', async () => {
    const login = `import getpass, sys
for _ in range(3):
    if getpass.getpass('Password: ') == 'open sesame': print('welcome'); sys.exit(0)
    print('Sorry, try again.')
sys.exit(1)`;
    await withServer({}, async (server) => {
      server.process.home.write('login.py', login);
      const session = await server.openSession(shell);
      const secret = { state: 'awaiting_input', kind: 'secret', program: 'python3', prompt: 'Password: ' };
      expect(asked(await session.run('python3 ~/login.py && echo in'))).toMatchObject(secret);
      const wrong = await session.send({ text: 'guess' });
      expect(asked(wrong)).toMatchObject(secret);
      expect(wrong.output).toBe('\nSorry, try again.\nPassword: ');
      expect(await session.send({ text: 'open sesame' })).toMatchObject({ state: 'done', exit_code: 0, output: '\nwelcome\nin\n' });
      expect(JSON.stringify(await session.read({ view: 'transcript', cursor: 0 }))).not.toMatch(/sesame|guess/);
    });
  });
});
