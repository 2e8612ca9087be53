// Whatever environment a client starts the server in: sessions, runs and tasks work, and get of it what is the user's.
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { withServer, type Harness } from '../support/harness.ts';
import { Home } from '../support/home.ts';
import { removeAtEnd } from '../support/leftovers.ts';
import type { ServerOptions } from '../support/server-process.ts';
import { findProgram, shells, type TestedShell } from '../support/shells.ts';

/** An ordinary user, for tests that root runs: nothing is forbidden to root. */
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
const canBecomeNobody = isRoot && findProgram('setpriv') !== undefined;

/** Everything that a server has a file or a pipe for, once in each shell, with the exact result. */
async function worksIn(server: Harness, which: readonly TestedShell[] = shells()): Promise<void> {
  for (const shell of which) {
    const session = await server.openSession(shell);
    expect(await session.run('echo ok'), shell).toMatchObject({ state: 'done', exit_code: 0, output: 'ok\n' });
    expect(await session.run('echo out; echo err >&2', { stderr: 'separate', env: { A: 'b c' } }), shell).toMatchObject({ output: 'out\n', stderr: 'err\n' });
    expect(await server.facts('run', { command: `echo ${'x'.repeat(150_000)} | wc -c`, shell, dangerous: true }), shell).toMatchObject({ stdout: expect.stringMatching(/^ *150001\n$/) as string, exit_code: 0 });
  }
  expect(await server.facts('run', { command: 'cat; seq 1 50000', stdin: 'given\n' })).toMatchObject({ stdout: expect.stringMatching(/^given\n1\n/) as string, stdout_path: expect.stringMatching(/^\//) as string });
  const { task_id } = await server.facts('task_spawn', { command: 'read -r line; echo "got $line"', shell: 'bash', stdin: 'pipe' });
  await server.facts('task_write', { task_id, text: 'it\n' });
  expect(await server.facts('task_poll', { task_id, wait_ms: 10_000 })).toMatchObject({ stdout: 'got it\n', exit_code: 0 });
}

/** The output of a command in a session of that shell. */
async function inSession(server: Harness, shell: TestedShell, command: string): Promise<string | undefined> {
  const session = await server.openSession(shell);
  const { output } = await session.run(command);
  await session.destroy();
  return output;
}

test('B59: quotes, blanks and substitutions in TMPDIR, XDG_RUNTIME_DIR and HOME are only characters', async () => {
  const home = new Home(`home's "own" $(touch PWN_H)`);
  removeAtEnd(home.root);
  const odd = (name: string): string => path.join(home.root, `${name} b'c "d" $(touch PWN_${name}) \`touch PWN2\` é\n;x`);
  const [temporary, runtime] = [odd('tmp'), odd('run')];
  for (const dir of [temporary, runtime]) mkdirSync(dir, { mode: 0o700 });
  await withServer({ home, env: { TMPDIR: temporary, XDG_RUNTIME_DIR: runtime } }, (server) => worksIn(server));
  const left = readdirSync(home.root, { recursive: true, encoding: 'utf8' });
  expect(left.filter((name) => path.basename(name).startsWith('PWN'))).toEqual([]);
  expect(readdirSync(path.join(runtime, `shellkeep-${process.getuid?.()}`))).toEqual([]);
});

test('B76: with hardly any environment text is UTF-8, and there are a search path and a home', async () => {
  const bare = { USER: undefined, LOGNAME: undefined, SHELL: undefined, LANG: undefined, TMPDIR: undefined, XDG_RUNTIME_DIR: undefined };
  await withServer({ env: bare }, async (server) => {
    for (const shell of shells()) {
      expect(await inSession(server, shell, 'echo "é ≤ 你"; echo é | od -An -tx1; locale charmap'), shell).toBe('é ≤ 你\n c3 a9 0a\nUTF-8\n');
    }
    expect(await server.facts('run', { command: 'locale charmap; echo é | od -An -tx1' })).toMatchObject({ stdout: 'UTF-8\n c3 a9 0a\n' });
  });
  await withServer({ env: { ...bare, PATH: undefined, HOME: undefined }, cwd: '/tmp', through: asNobody() }, async (server) => {
    expect(await server.facts('run', { command: 'echo $HOME; command -v ls' })).toMatchObject({ exit_code: 0, stdout: expect.stringMatching(/^\/.+\n\/.*ls\n$/) as string });
  });
});

/** Started by npm, and by a user who has set the same names. */
const NPM = { npm_config_prefix: '/x', npm_lifecycle_event: 'start', npm_execpath: '/y', NODE_ENV: 'production', INIT_CWD: '/z' };
const USERS_OWN = { NODE_ENV: 'production', NODE_OPTIONS: '--max-old-space-size=1000', VIRTUAL_ENV: '/y' };
const COUNT = `env | grep -cE '^(npm_|NODE_OPTIONS|NODE_ENV|INIT_CWD)'`;

test('B107: what npm set reaches no shell when npm started the server, and the user\'s own does otherwise', async () => {
  await withServer({ env: { ...NPM, NODE_OPTIONS: '--max-old-space-size=1000', VIRTUAL_ENV: '/y' } }, async (server) => {
    for (const shell of shells()) expect(await inSession(server, shell, `${COUNT}; echo $VIRTUAL_ENV`), shell).toBe('0\n/y\n');
    expect(await server.facts('run', { command: COUNT })).toMatchObject({ stdout: '0\n' });
  });
  await withServer({ env: USERS_OWN }, async (server) => {
    expect(await inSession(server, 'bash', COUNT)).toBe('2\n');
    expect(await server.facts('run', { command: 'echo $NODE_ENV $VIRTUAL_ENV' })).toMatchObject({ stdout: 'production /y\n' });
  });
});

test('B110: exported options, prompts and search folders of other shells change nothing and print nothing', async () => {
  const home = new Home();
  removeAtEnd(home.root);
  const noisy = home.write('noisy.sh', 'echo NOISE\n');
  const env = { SHELLOPTS: 'braceexpand:hashall:interactive-comments:nounset:noexec:xtrace', BASHOPTS: 'nullglob', BASH_ENV: noisy, ENV: noisy, PS4: '$(echo PS4 >&2)', PROMPT_COMMAND: 'echo PC', CDPATH: '/usr', GREP_OPTIONS: '--invalid', BASH_XTRACEFD: '1', TMOUT: '1', POSIXLY_CORRECT: undefined };
  await withServer({ home, env }, async (server) => {
    for (const shell of ['sh', ...shells()]) expect(await server.facts('run', { command: 'echo ok', shell }), shell).toMatchObject({ stdout: 'ok\n', stderr: '', exit_code: 0 });
    for (const shell of shells()) expect(await inSession(server, shell, 'cd lib 2>/dev/null || echo stays; echo a | grep a'), shell).toBe('stays\na\n');
  });
});

test('B112: a session has its own terminal, whatever terminal the server was started in', async () => {
  await withServer({ env: { TMUX: '/tmp/x,1,0', TMUX_PANE: '%1', TERM: 'tmux-256color', STY: '1', COLUMNS: '37', LINES: '5', COLORTERM: 'x', TERM_PROGRAM: 'tmux' } }, async (server) => {
    for (const shell of shells()) expect(await inSession(server, shell, 'echo "$TERM $TMUX$STY $TERM_PROGRAM"; stty size'), shell).toBe('xterm-256color  shellkeep\n40 120\n');
    expect(await server.facts('run', { command: 'echo "$TERM$TMUX$STY$COLUMNS"' })).toMatchObject({ stdout: 'dumb\n' });
  });
});

test('T05: settings of the server are in no child, and no secret of its own is in its arguments', async () => {
  await withServer({ env: { SHELLKEEP_MAX_TASKS: '5', SHELLKEEP_MAX_OUTPUT_BYTES: '1000', MY_TOKEN: 'mine' } }, async (server) => {
    const own = 'env | grep -E "^(SHELLKEEP|MY_TOKEN|BASH_ENV)"';
    for (const shell of shells()) expect(await inSession(server, shell, own), shell).toBe('MY_TOKEN=mine\n');
    for (const shell of ['sh', ...shells()]) expect(await server.facts('run', { command: own, shell }), shell).toMatchObject({ stdout: 'MY_TOKEN=mine\n' });
  });
});

test('T23: started with umask 000, everything of the server is for its user alone', async () => {
  const home = new Home();
  removeAtEnd(home.root);
  await withServer({ home, through: ['bash', '-c', 'umask 000; exec "$@"', 'bash'] }, async (server) => {
    const session = await server.openSession('bash');
    await session.run('seq 1 200000', { stderr: 'separate' });
    // but for the report that a shell writes by its own umask, in a folder that only its user may enter
    const open = `find "$XDG_RUNTIME_DIR"/shellkeep-* "$HOME/.local/state/shellkeep" -perm /077 -not -type l -not -name state; umask`;
    expect(await server.facts('run', { command: open })).toMatchObject({ stdout: '0000\n' });
  });
});

function asNobody(): string[] {
  return canBecomeNobody ? ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'] : [];
}

/** A home that an ordinary user gets; root becomes one. */
function ordinary(): ServerOptions & { readonly home: Home } {
  const home = new Home();
  removeAtEnd(home.root);
  if (canBecomeNobody) for (const dir of [home.root, home.dir, home.temporary, home.runtime]) chownSync(dir, NOBODY, NOBODY);
  return { home, through: asNobody() };
}

describe('a home that is of no use', () => {
  test('is not missed when the account has none', async () => {
    const { home, ...options } = ordinary();
    await withServer({ home, ...options, env: { HOME: canBecomeNobody ? undefined : '/nonexistent' }, cwd: home.temporary }, (server) => worksIn(server));
  });

  test('is not written to when it must not be', async () => {
    const { home, ...options } = ordinary();
    chmodSync(home.dir, 0o555);
    await withServer({ home, ...options }, (server) => worksIn(server));
    expect(existsSync(path.join(home.dir, '.local/state'))).toBe(false);
    chmodSync(home.dir, 0o755);
  });

  test('is anything but a directory', async () => {
    for (const HOME of ['/proc', '/dev/null']) {
      await withServer({ env: { HOME }, cwd: '/tmp' }, async (server) => {
        expect(await inSession(server, 'bash', 'echo ok'), HOME).toBe('ok\n');
        expect(await server.facts('run', { command: 'echo ok' }), HOME).toMatchObject({ stdout: 'ok\n' });
      });
    }
  });
});

test('a runtime directory that does not exist, or belongs to somebody else, is done without', async () => {
  for (const XDG_RUNTIME_DIR of ['/dev/null', '/proc']) {
    await withServer({ env: { XDG_RUNTIME_DIR } }, async (server) => {
      expect(await inSession(server, 'bash', 'echo ok'), XDG_RUNTIME_DIR).toBe('ok\n');
      expect(await server.facts('run', { command: 'echo ok' }), XDG_RUNTIME_DIR).toMatchObject({ stdout: 'ok\n' });
    });
  }
});
