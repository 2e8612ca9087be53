// The ladder of an interruption on real programs: which step works, that the next command runs, and that the terminal is usable again.
import { afterAll, expect, test } from 'vitest';
import type { Ladder } from '../../src/session/api.ts';
import type { Until } from '../../src/waiting/until.ts';
import { readLive } from '../support/processes.ts';
import { python, testWith } from '../support/programs.ts';
import { TestTable } from '../support/session-table.ts';
import { forEachShell, type TestedShell } from '../support/shells.ts';

const table = new TestTable();
afterAll(() => table.close());

interface Interrupted {
  readonly title: string;
  readonly needs?: readonly string[];
  readonly command: (shell: TestedShell) => string;
  /** When it is to be interrupted; else when it asks. */
  readonly ready?: Until;
  readonly worked: Ladder['worked'];
  /** Left out where the shells differ. */
  readonly exitCode?: number;
}

const SAYS_READY: Until = { kind: 'output', pattern: 'ready' };
const DEAF = `import signal, time
for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP): signal.signal(number, signal.SIG_IGN)
print('ready', flush=True)
time.sleep(60)`;
/** Reads keys one by one, as editors do, and takes no Ctrl-C for a signal. */
const DEAF_AND_RAW = `import os, tty
${DEAF.replace("print('ready', flush=True)\ntime.sleep(60)", "tty.setraw(0)\nos.write(1, b'\\x1b[?1049h\\x1b[?1h ready')\nwhile True: os.read(0, 100)")}`.replace('import os, tty\nimport signal', 'import os, tty, signal');

const INTERRUPTED: readonly Interrupted[] = [
  { title: 'sleep', command: () => 'echo ready; sleep 3401; echo NEVER', ready: SAYS_READY, worked: 'ctrl-c', exitCode: 130 },
  { title: 'a loop of builtins', command: (shell) => (shell === 'fish' ? 'echo ready; while true; true; end; echo NEVER' : 'echo ready; while :; do :; done; echo NEVER'), ready: SAYS_READY, worked: 'ctrl-c', exitCode: 130 },
  { title: 'read of the shell', command: (shell) => (shell === 'fish' ? 'read answer' : 'read answer; echo NEVER'), worked: 'ctrl-c' },
  { title: 'read of a secret', command: (shell) => (shell === 'fish' ? 'read -s answer' : 'read -s answer; echo NEVER'), worked: 'ctrl-c' },
  { title: 'a pipeline', command: () => 'cat | cat | cat; echo NEVER', worked: 'ctrl-c', exitCode: 130 },
  { title: 'the prompt of Python', needs: ['python3'], command: () => 'python3', worked: 'SIGTERM' },
  { title: 'less', needs: ['less'], command: () => 'seq 1000 | less', worked: 'SIGTERM' },
  { title: 'vim', needs: ['vim'], command: () => 'vim -u NONE -n', worked: 'SIGTERM' },
  { title: 'a program that ignores signals', needs: ['python3'], command: (shell) => python(shell, DEAF), ready: SAYS_READY, worked: 'SIGKILL', exitCode: 137 },
  { title: 'a program that reads keys on the whole screen and ignores signals', needs: ['python3'], command: (shell) => python(shell, DEAF_AND_RAW), worked: 'SIGKILL', exitCode: 137 },
  { title: 'bash in the shell', command: () => 'HISTFILE= bash --norc', worked: 'SIGKILL', exitCode: 137 },
];

/** fish ends its loop when a signal ends what it runs, trap or not. */
const DEAF_SHELLS: Readonly<Record<TestedShell, readonly (readonly [title: string, command: string])[]>> = {
  bash: [['in a loop of builtins', "trap '' INT; echo ready; while :; do :; done"], ['in a loop of programs', "trap '' INT; echo ready; while :; do sleep 0.2; done"]],
  zsh: [['in a loop of builtins', "trap '' INT; echo ready; while :; do :; done"], ['in a loop of programs', "trap '' INT; echo ready; while :; do sleep 0.2; done"]],
  fish: [['in a loop of builtins', "trap '' INT; echo ready; while true; true; end"]],
};

forEachShell((shell) => {
  for (const { title, needs = [], command, ready, worked, exitCode } of INTERRUPTED) {
    testWith(needs, `B83 ${title} is ended by ${worked}, and the terminal is as it was`, async () => {
      const session = await table.open(shell);
      const text = command(shell);
      const first = await session.run(text, ready === undefined ? {} : { until: ready });
      expect(['matched', 'awaiting_input', 'full_screen'], first.output.text).toContain(first.state);
      const report = await session.interrupt({ graceMs: worked === 'SIGKILL' ? 400 : 2_000 });
      expect(report.output.text).not.toContain('NEVER');
      expect(report, report.output.text).toMatchObject({ state: 'done', ladder: { worked, alive: [] }, ...(exitCode === undefined ? {} : { exitCode }) });
      expect(report.exitCode).not.toBe(0);
      expect(report.awaiting).toBeUndefined();
      expect((await session.run('stty -a')).output.text.split(/\s/)).toEqual(expect.arrayContaining(['icanon', 'echo', 'isig', 'icrnl', 'opost']));
      expect(await session.text('echo next')).toBe('next\n');
      expect((await session.run('cat')).awaiting?.kind).toBe('line');
      await session.send({ keys: ['ctrl-d'] });
      await session.destroy(0);
    });
  }

  test('B82 the rest of an interrupted line does not run, also when the time of the call is over', async () => {
    const session = await table.open(shell);
    const report = await session.run('sleep 3402; touch NEVER', { timeoutMs: 300, onTimeout: 'interrupt' });
    expect(report).toMatchObject({ state: 'done', exitCode: 130, ladder: { worked: 'ctrl-c' } });
    expect(await session.text('ls')).toBe('');
    await session.destroy();
  });

  for (const [title, command] of DEAF_SHELLS[shell]) {
    test(`a shell that does not react itself, ${title}, is named, and session_destroy ends it`, async () => {
      const session = await table.open(shell);
      await session.run(command, { until: SAYS_READY });
      const report = await session.interrupt({ graceMs: 200 });
      expect(report).toMatchObject({ state: 'running', warnings: [expect.stringMatching(/the shell itself does not react.*session_destroy/)] });
      expect(report.ladder?.worked).toBeUndefined();
      await session.destroy(0);
      expect(readLive(session.created.pid)).toBeUndefined();
    });
  }

  testWith(['bash'], 'another shell that does not react and starts programs is not taken for the session\'s own', async () => {
    const session = await table.open(shell);
    const loop = "bash --norc -m -c 'trap \"\" INT TERM; echo ready; while :; do sleep 0.2; done'";
    await session.run(loop, { until: SAYS_READY });
    const report = await session.interrupt({ graceMs: 200 });
    expect(report.ladder?.tried).toContain('SIGKILL');
    expect(report.warnings.join()).not.toContain('the shell itself');
    await session.destroy(0);
  });

  testWith(['vim'], 'the screen of a program that was killed, and the keys that it has not read, are not the next one\'s', async () => {
    const session = await table.open(shell);
    for (let round = 0; round < 6; round++) {
      expect(await session.run('vim -u NONE -n')).toMatchObject({ state: 'full_screen' });
      expect(await session.interrupt({ graceMs: 0 })).toMatchObject({ state: 'done', ladder: { alive: [] } });
      expect(await session.text('echo next')).toBe('next\n');
    }
    const next = await session.run('cat');
    expect([next.state, next.screen]).toEqual(['awaiting_input', undefined]);
    expect((await session.send({ keys: ['up'] })).output.text).toContain('^[[A');
    await session.destroy(0);
  });
});

testWith(['zsh'], 'B83 a hook of the prompt in which zsh itself hangs is interrupted, and the command behind it runs', async () => {
  const session = await table.open('zsh');
  await session.run('precmd() { while :; do :; done; }'); // bash would run its hook again, fish does not let it be interrupted
  const behind = await session.run('echo behind', { timeoutMs: 100 });
  expect([behind.state, behind.output.text]).toEqual(['running', '']);
  expect(await session.interrupt({ graceMs: 400 })).toMatchObject({ state: 'done', exitCode: 0, output: { text: 'behind\n' } });
  await session.destroy(0);
});
