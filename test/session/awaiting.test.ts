// Programs that wait for somebody to type: what the answer says of them, and that it comes long before the call's time is over.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Awaiting, ReportState } from '../../src/session/api.ts';
import { javascript, makeRepository, PATH_WITH_NODE, python, testWith } from '../support/programs.ts';
import { TestTable } from '../support/session-table.ts';
import { forEachShell, type TestedShell } from '../support/shells.ts';

interface Asking {
  readonly title: string;
  /** Beside the shell itself. */
  readonly needs?: readonly string[];
  readonly command: (shell: TestedShell) => string;
  readonly kind: Awaiting['kind'];
  /** The kernel's name of what waits; the shell itself when it is left out. */
  readonly program?: RegExp;
  readonly prompt: RegExp;
  readonly state?: ReportState;
  /** It draws its screen. */
  readonly screen?: RegExp;
}

const READ: Readonly<Record<TestedShell, (options: string, prompt: string) => string>> = {
  bash: (options, prompt) => `read ${options} -p '${prompt}' answer`,
  zsh: (options, prompt) => `read ${options} 'answer?${prompt}'`,
  fish: (options, prompt) => `read ${options} -P '${prompt}' answer`,
};
const PYTHON = /^python/;
/** fish hands the terminal over when a program has started already: one that reads at once is stopped by the kernel now and then. */
const HAS_TERMINAL = 'until ps -o stat= -p $$ | grep -q +; do :; done';
/** What the call may take; that it does not take it is what is tested. */
const TIMEOUT_MS = 15_000;
const LONG_BEFORE_MS = 10_000;

const ASKING: readonly Asking[] = [
  { title: 'read', command: () => 'read answer', kind: 'line', prompt: /^(?:read> )?$/ },
  { title: 'read with a prompt', command: (shell) => READ[shell]('', 'Q? '), kind: 'line', prompt: /^Q\? $/ },
  { title: 'read in a loop', command: (shell) => (shell === 'fish' ? "for i in 1 2; read -P 'More? ' answer; end" : `for i in 1 2; do ${READ[shell]('', 'More? ')}; done`), kind: 'line', prompt: /^More\? $/ },
  { title: 'read of a secret', command: (shell) => READ[shell]('-s', 'PW: '), kind: 'secret', prompt: /^PW: $/ },
  { title: 'cat', command: () => 'cat', kind: 'line', program: /^cat$/, prompt: /^$/ },
  { title: 'cat in a pipe', command: () => 'cat | tr a-z A-Z', kind: 'line', program: /^cat$/, prompt: /^$/ },
  { title: 'sh that asks', command: () => `sh -c 'printf "Continue? [Y/n] "; read x'`, kind: 'line', program: /^(?:sh|dash|bash)$/, prompt: /^Continue\? \[Y\/n\] $/ },
  { title: 'a question behind a pipe', command: () => `bash -c "(read -p 'Q? ' a) 2>&1 | tail -1"`, kind: 'line', program: /^bash$/, prompt: /^$/ },
  { title: 'B79 a program that reads /dev/tty', needs: ['ps'], command: () => `sh -c '${HAS_TERMINAL}; printf "sure? "; read x </dev/tty' </dev/null`, kind: 'line', program: /^(?:sh|dash|bash)$/, prompt: /^sure\? $/ },
  { title: 'a password that the echo is switched off for', command: () => `sh -c 'stty -echo; printf "[sudo] password for me: "; read x; stty echo'`, kind: 'secret', program: /^(?:sh|dash|bash)$/, prompt: /^\[sudo\] password for me: $/ },
  { title: 'rm -i', command: () => 'touch precious; rm -i precious', kind: 'line', program: /^rm$/, prompt: /^rm: remove .*precious.*\? $/ },
  { title: 'python3', needs: ['python3'], command: () => 'python3', kind: 'keys', program: PYTHON, prompt: /^>>> $/ },
  { title: 'input() of Python', needs: ['python3'], command: (shell) => python(shell, 'input("name: ")'), kind: 'line', program: PYTHON, prompt: /^name: $/ },
  { title: 'sys.stdin of Python', needs: ['python3'], command: (shell) => python(shell, 'import sys\nprint("number:", flush=True)\nsys.stdin.readline()'), kind: 'line', program: PYTHON, prompt: /^$/ },
  { title: 'getpass of Python', needs: ['python3'], command: (shell) => python(shell, 'import getpass; getpass.getpass()'), kind: 'secret', program: PYTHON, prompt: /^Password: $/ },
  { title: 'node', needs: ['node'], command: () => 'NODE_REPL_HISTORY= node', kind: 'keys', program: /^(?:node|MainThread)$/, prompt: /^> $/ },
  { title: 'a question of node', needs: ['node'], command: (shell) => javascript(shell, "require('readline').createInterface(process.stdin, process.stdout).question('who? ', () => process.exit())"), kind: 'keys', program: /^(?:node|MainThread)$/, prompt: /^who\? $/ },
  { title: 'node that reads its input', needs: ['node'], command: (shell) => javascript(shell, "process.stdout.write('data: '); process.stdin.once('data', () => process.exit())"), kind: 'line', program: /^(?:node|MainThread)$/, prompt: /^data: $/ },
  { title: 'sqlite3', needs: ['sqlite3'], command: () => 'sqlite3', kind: 'keys', program: /^sqlite3$/, prompt: /^sqlite> $/ },
  { title: 'psql', needs: ['psql'], command: () => 'psql -h 127.0.0.1 -p 1 -U tester -W', kind: 'secret', program: /^psql$/, prompt: /^Password: $/ },
  { title: 'ssh-keygen', needs: ['ssh-keygen'], command: () => 'rm -f key; ssh-keygen -t ed25519 -f key', kind: 'secret', program: /^ssh-keygen$/, prompt: /^Enter passphrase .*: $/ },
  { title: 'bash', needs: ['bash'], command: () => 'HISTFILE= bash --norc', kind: 'keys', program: /^bash$/, prompt: /^bash-.*[#$] $/ },
  { title: 'zsh', needs: ['zsh'], command: () => 'zsh -f', kind: 'keys', program: /^zsh$/, prompt: /[#%] $/ },
  { title: 'fish', needs: ['fish'], command: () => 'fish -N', kind: 'keys', program: /^fish$/, prompt: /[#>] ?$/ },
  { title: 'less', needs: ['less'], command: () => 'less long', kind: 'keys', program: /^less$/, prompt: /^$/, state: 'full_screen', screen: /^line 1\nline 2\n/ },
  { title: 'vim', needs: ['vim'], command: () => 'vim -u NONE -n long', kind: 'keys', program: /^vim/, prompt: /^$/, state: 'full_screen', screen: /^line 1\nline 2\n/ },
  { title: 'top', needs: ['top'], command: () => 'top', kind: 'keys', program: /^top$/, prompt: /^$/, screen: /PID USER/ },
  { title: 'git commit with an editor', needs: ['git', 'vim'], command: () => "env GIT_EDITOR='vim -u NONE -n' git -C repository commit --allow-empty", kind: 'keys', program: /^vim/, prompt: /^$/, state: 'full_screen', screen: /COMMIT_EDITMSG/ },
];

const table = new TestTable({ env: { PATH: PATH_WITH_NODE } });
afterAll(() => table.close());
writeFileSync(path.join(table.work, 'long'), Array.from({ length: 500 }, (_, index) => `line ${index + 1}\n`).join(''));
makeRepository(path.join(table.work, 'repository'), 1);

forEachShell((shell) => {
  for (const { title, needs = [], command, kind, program = new RegExp(`^${shell}$`), prompt, state = 'awaiting_input', screen } of ASKING) {
    testWith(needs, `${title} waits for ${kind}`, async () => {
      const session = await table.open(shell);
      const report = await session.run(command(shell), { timeoutMs: TIMEOUT_MS });
      expect(report, report.output.text).toMatchObject({ state, awaiting: { kind, program: expect.stringMatching(program), proof: 'kernel', prompt: expect.stringMatching(prompt) } });
      expect(report.durationMs).toBeLessThan(LONG_BEFORE_MS);
      expect(report.exitCode).toBeUndefined();
      if (screen === undefined) expect(report.screen).toBeUndefined();
      else expect(report.screen?.text).toMatch(screen);
      const again = await session.read();
      expect([again.state, again.awaiting]).toEqual([report.state, report.awaiting]);
      await session.destroy(0);
    });
  }

  testWith(['git'], 'B77 git shows its log and makes a commit without a pager and an editor', async () => {
    const session = await table.open(shell);
    makeRepository(path.join(table.work, `many-${shell}`), 20);
    await session.text(`cd many-${shell}; git config core.pager less; git config core.editor vim`);
    const log = await session.run('git -c color.ui=always log');
    expect([log.state, log.exitCode]).toEqual(['done', 0]);
    expect(log.output.text).toContain('commit 20\n');
    expect(log.output.text).toContain('commit 1\n');
    expect(await session.run('git commit --amend')).toMatchObject({ state: 'done', exitCode: 0 });
    expect(await session.run('git rebase -i HEAD~2')).toMatchObject({ state: 'done', exitCode: 0 });
    expect(await session.run('git commit --allow-empty')).toMatchObject({ state: 'done', exitCode: 1 });
    await session.destroy();
  });

  test('a program that has just stopped waiting is not said to wait', async () => {
    const session = await table.open(shell);
    await session.run('cat >/dev/null; sleep 3120');
    const report = await session.send({ keys: ['ctrl-d'], timeoutMs: 700 });
    expect([report.state, report.awaiting]).toEqual(['running', undefined]);
    await session.destroy(0);
  });
});
