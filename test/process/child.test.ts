import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exitCodeOf } from '../../src/process/exit-status.ts';
import { groupMembers, isLiving, softRealtimeLimit, taggedProcesses } from '../../src/process/proc.ts';
import { environment, eventually, Kernel, openDescriptors, openPty, script, zombies } from './support.ts';
import { forEachShell } from '../support/shells.ts';
import type { ShellName } from '../../src/shell/shell.ts';

let kernel: Kernel;
beforeAll(() => {
  kernel = new Kernel();
});
afterAll(() => kernel.close());

test.each([
  ['exit 3', { kind: 'exited', code: 3 }, 3],
  ['kill -9 $$', { kind: 'signaled', signal: 'SIGKILL' }, 137],
  ['kill -TERM $$', { kind: 'signaled', signal: 'SIGTERM' }, 143],
  ['exit 300', { kind: 'exited', code: 44 }, 44],
])('B25: the end of "%s" is reported as what it was', async (command, status, code) => {
  const ended = await kernel.run(command);
  expect(ended.status).toEqual(status);
  expect(exitCodeOf(ended.status)).toBe(code);
});

test('B26: a missing directory is named, and nothing stays open', async () => {
  await kernel.launcher.prepare();
  const before = openDescriptors();
  await expect(kernel.run('pwd', { cwd: '/missing/folder' })).rejects.toMatchObject({ code: 'INVALID_CWD', message: 'cwd "/missing/folder" does not exist' });
  await eventually(() => openDescriptors() === before);
});

test('B61: operators of the command line are operators', async () => {
  expect((await kernel.run('echo a; echo b | tr b c && echo d')).stdout).toBe('a\nc\nd\n');
});

test('B79: a program that reads the terminal fails at once, because there is none', async () => {
  const ended = await kernel.run("sh -c 'read x </dev/tty || exit 2'");
  expect(ended.stderr).toContain('No such device or address');
  expect(ended.status).toEqual({ kind: 'exited', code: 2 });
});

test('B104: standard input is /dev/null', async () => {
  expect(await kernel.run('cat; readlink /proc/self/fd/0')).toMatchObject({ stdout: '/dev/null\n', status: { code: 0 } });
  expect(await kernel.run('tty')).toMatchObject({ stdout: 'not a tty\n', status: { code: 1 } });
});

describe('the three descriptors are ordinary ones', () => {
  test('what opens /dev/stdout and /dev/stderr writes there', async () => {
    const ended = await kernel.run('echo out >/dev/stdout; echo err >/dev/stderr; echo both | tee /dev/stderr');
    expect(ended).toMatchObject({ stdout: 'out\nboth\n', stderr: 'err\nboth\n' });
  });

  test.each([[0], [3], [1_000_000]])('all %i bytes of an input arrive, from /dev/stdin too', async (size) => {
    const input = Array.from({ length: size }, (_, index) => index % 10).join('');
    const digest = createHash('md5').update(input).digest('hex');
    expect((await kernel.run('md5sum', { stdin: input })).stdout).toBe(`${digest}  -\n`);
    expect((await kernel.run('md5sum /dev/stdin', { stdin: input })).stdout).toBe(`${digest}  /dev/stdin\n`);
  });

  test('an input that is not read does no harm', async () => {
    expect((await kernel.run('echo ok', { stdin: 'x'.repeat(1_000_000) })).stdout).toBe('ok\n');
  });
});

test('T01: a command has no descriptor above 2, whatever the server has open, and cannot type into a session', async () => {
  const session = openPty();
  const others = Array.from({ length: 12 }, () => openPty(script('read x')));
  for (const shell of ['bash', 'zsh', 'fish', 'sh'] as const) {
    for (const login of [false, true]) {
      const list = await kernel.run('ls /proc/self/fd', { shell, login, env: { ...environment, HOME: kernel.root } });
      expect(list.stdout.trim().split('\n'), `${shell} ${login}`).toEqual(['0', '1', '2', '3']); // 3 is the directory being listed
    }
  }
  await kernel.run('for n in {3..255}; do echo "echo INTRUDER" >&$n; done 2>/dev/null');
  session.pty.write(Buffer.from('echo done-$((1+1))\n'));
  await session.until('done-2');
  expect(session.output()).not.toContain('INTRUDER');
  for (const { pty } of [session, ...others]) pty.close();
  await Promise.all([session, ...others].map(({ ended }) => ended));
});

test('signals are at their defaults, SIGPIPE and SIGXFSZ included', async () => {
  for (const shell of ['bash', 'sh'] as const) {
    expect((await kernel.run('grep -E "^Sig(Blk|Ign)" /proc/self/status', { shell })).stdout).toMatch(/^SigBlk:\t0+\nSigIgn:\t0+\n$/);
  }
  expect((await kernel.run('yes | head -1; echo ${PIPESTATUS[0]}')).stdout).toBe('y\n141\n');
});

/** Everything that a shell could tell about how it was started. */
const TELLTALES = [
  'echo $0 $# $- "$@"', 'echo $?', 'if )', '(', 'echo $LINENO\necho $LINENO; nope', 'echo "abc', 'true\nif true; then', '# only a comment', '\n\nnope',
  'cat <<EOF\n$LINENO\nEOF', 'f() { echo $LINENO; caller 0; }; f\n\nf', 'set -x; : $LINENO', 'x=${y:?boom}', 'caller; echo "${BASH_SOURCE[@]}${FUNCNAME[@]}" $SHLVL',
  'echo "$BASH_EXECUTION_STRING"', 'set -o; shopt', 'trap; hash; type eval; jobs', 'return 3', 'umask', 'tr "\\0" " " </proc/self/cmdline', 'env | grep -v ^_= | sort', 'compgen -v | grep -i shellkeep',
  'trap "echo bye" EXIT; false', 'exec 5>&1; echo x >&5', 'set -e; false; echo no', 'kill -9 $$', 'history; dirs', ' -x', '-x', 'ls -l /proc/self/exe',
];

test.each(TELLTALES)('%j in bash is answered as by a bash that was started directly', async (command) => {
  const env = { ...environment, PWD: kernel.root };
  const direct = spawnSync(await bashPath(), ['--norc', '-c', command], { cwd: kernel.root, env, encoding: 'utf8' });
  const ours = await kernel.run(command, { env });
  expect({ stdout: ours.stdout, stderr: ours.stderr, code: exitCodeOf(ours.status) }).toEqual({
    stdout: direct.stdout,
    stderr: direct.stderr,
    code: direct.status ?? 137,
  });
});

test('the last command takes the place of the shell', async () => {
  const { child, ended } = await kernel.start('sleep 0.2');
  await eventually(() => groupMembers(child.pid).map(({ comm }) => comm).join() === 'sleep');
  await ended;
});

forEachShell((shell) => {
  test('output, errors and code come back, and the tag is on everything', async () => {
    const tag = kernel.tags.next();
    const ended = await kernel.run('echo out; echo err >&2; grep "realtime timeout" /proc/self/limits; exit 5', { shell, tag });
    expect(ended).toMatchObject({ stderr: 'err\n', status: { kind: 'exited', code: 5 } });
    expect(ended.stdout).toMatch(new RegExp(`^out\nMax realtime timeout +${tag.value} `));
  });

  test('as a login shell it is one', async () => {
    const home = join(kernel.root, `home-${shell}`);
    mkdirSync(join(home, '.config/fish'), { recursive: true });
    for (const [file, text] of [['.bash_profile', 'L=yes'], ['.zprofile', 'L=yes'], ['.config/fish/config.fish', 'status is-login; and set -g L yes']] as const) {
      writeFileSync(join(home, file), text);
    }
    expect((await kernel.run('echo "[$L]"', { shell, login: true, env: { ...environment, HOME: home } })).stdout).toBe('[yes]\n');
  });

  test('B64: a command longer than an argument can be is run all the same', async () => {
    const command = `echo begin\n: ${'x'.repeat(200_000)}\necho "it's \\$HOME" end`;
    expect(await kernel.run(command, { shell })).toMatchObject({ stdout: "begin\nit's $HOME end\n", status: { code: 0 } });
    expect(readdirSync(kernel.runtimeDir.subdir('commands'))).toEqual([]);
  });
});

test('B64: ten megabytes of command run, and a dash at the beginning is no option', async () => {
  expect((await kernel.run(`: ${'x'.repeat(10_000_000)}; echo end`)).stdout).toBe('end\n');
  expect(exitCodeOf((await kernel.run(`-${'x'.repeat(200_000)}`)).status)).toBe(127);
});

test('an environment that is too large is refused with a hint', async () => {
  await expect(kernel.run('true', { env: { ...environment, BIG: 'x'.repeat(200_000) } })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
});

test('B85: a child that left the session and keeps the output does not hold the end', async () => {
  const ended = await kernel.run('setsid sleep 30 & echo OK');
  expect(ended).toMatchObject({ stdout: 'OK\n', status: { code: 0 } });
  expect(ended.durationMs).toBeLessThan(1_000);
});

test('B86: a background job that goes on writing does not hold the end, and lives on', async () => {
  const { child, ended } = await kernel.start('(while :; do echo tick; sleep 0.01; done) & sleep 0.1; echo fg');
  const result = await ended;
  expect(result.stdout).toContain('fg\n');
  expect(result.durationMs).toBeLessThan(1_000);
  const job = groupMembers(child.pid).find(({ comm }) => comm === 'bash');
  expect(job).toBeDefined();
  await new Promise((resolve) => setTimeout(resolve, 100)); // it writes ten times more
  expect(job !== undefined && isLiving(job)).toBe(true);
});

test('what a process substitution prints after the end of the shell is waited for', async () => {
  for (let round = 0; round < 20; round++) expect((await kernel.run('exec > >(tee); echo through; ')).stdout).toBe('through\n');
});

test('the last words are never lost, in 200 commands of all sizes', async () => {
  for (let round = 0; round < 200; round++) {
    const size = 1 + round * 650;
    const { stdout } = await kernel.run(`head -c ${size} /dev/zero | tr '\\0' x; echo last`);
    expect(stdout.length, `round ${round}`).toBe(size + 5);
  }
});

test('a paused command waits for its reader, and loses nothing', async () => {
  const { child, ended, output } = await kernel.start("head -c 3000000 /dev/zero | tr '\\0' x");
  child.pause();
  await eventually(() => groupMembers(child.pid).every(({ state }) => state === 'S'));
  expect(output().length).toBeLessThan(1_000_000);
  child.resume();
  expect((await ended).stdout.length).toBe(3_000_000);
});

test('what a paused reader has not seen when the shell dies is delivered once', async () => {
  const { child, ended } = await kernel.start("sleep 0.05; head -c 50000 /dev/zero | tr '\\0' x; head -c 10000 /dev/zero | tr '\\0' y");
  child.pause();
  expect((await ended).stdout).toBe('x'.repeat(50_000) + 'y'.repeat(10_000));
});

test('a command with a pipe for its input is written to until its end', async () => {
  const { child, ended } = await kernel.start('while read -r line; do echo "<$line>"; done; cat /dev/stdin; echo over', { stdin: 'pipe' });
  expect(child.write(Buffer.from('one\ntwo\n'))).toBe(true);
  await eventually(() => isLiving(child.leader));
  child.write(Buffer.from('three\n'));
  expect(child.write(Buffer.alloc(2_000_000))).toBe(false);
  child.endInput();
  expect(child.write(Buffer.from('late'))).toBe(false);
  setTimeout(() => process.kill(-child.pid, 'SIGTERM'), 300); // nobody can open a pipe whose writer has gone
  expect((await ended).stdout).toBe('<one>\n<two>\n<three>\n');
});

test('B88: writing to a command that has ended is refused quietly', async () => {
  const { child, ended } = await kernel.start('exec <&-; exit 0', { stdin: 'pipe' });
  await ended;
  expect(child.write(Buffer.from('x'))).toBe(false);
  child.endInput();
});

test.each([
  [{ SHELLOPTS: 'nounset' }],
  [{ SHELLOPTS: 'xtrace', PS4: '> ' }],
  [{ BASHOPTS: 'nullglob:extglob' }],
  [{ POSIXLY_CORRECT: '1' }],
  [{ 'BASH_FUNC_exec%%': '() { echo HIJACKED; }' }],
  [{ 'BASH_FUNC_ulimit%%': '() { echo HIJACKED; }', 'BASH_FUNC_eval%%': '() { echo HIJACKED; }' }],
])('B110: a bash that is asked to start with %j does exactly that, and our part of the start does not show', async (extra) => {
  const command = 'set -o | grep -E "nounset|xtrace|posix|privileged"; shopt nullglob extglob; echo "${BASH_ENV-none}"; printenv SHELLOPTS BASHOPTS POSIXLY_CORRECT; ls /proc/self/fd';
  const env = { ...environment, PWD: kernel.root, ...extra };
  const direct = spawnSync(await bashPath(), ['--norc', '-c', command], { cwd: kernel.root, env, encoding: 'utf8' });
  const ours = await kernel.run(command, { env });
  expect(ours.stdout.trim().split('\n').slice(-4)).toEqual(['0', '1', '2', '3']);
  const beforeList = (text: string): string => text.replace(/^0\n1\n2\n(\d+\n)*/m, '');
  const sorted = (text: string): string[] => text.split('\n').sort(); // the two ends of a pipe are traced in any order
  expect({ stdout: beforeList(ours.stdout), stderr: sorted(ours.stderr) }).toEqual({ stdout: beforeList(direct.stdout), stderr: sorted(direct.stderr) });
});

test('B110: a BASH_ENV that was asked for is read, by a shell that is closed and tagged before', async () => {
  const file = join(kernel.root, 'bash-env');
  writeFileSync(file, 'echo FROM BASH_ENV; ls /proc/self/fd; ulimit -S -R');
  const tag = kernel.tags.next();
  const ended = await kernel.run('echo "$BASH_ENV"', { env: { ...environment, BASH_ENV: file }, tag });
  expect(ended.stdout).toBe(`FROM BASH_ENV\n0\n1\n2\n3\n${tag.value}\n${file}\n`);
});

test('functions and odd names in the environment get through', async () => {
  const env = { ...environment, 'BASH_FUNC_hello%%': '() { echo hello; }', 'a.b-c': 'odd', POSIXLY_CORRECT: '' };
  expect((await kernel.run('hello; env | grep ^a.b-c=; env | grep -c ^POSIXLY', { env })).stdout).toBe('hello\na.b-c=odd\n1\n');
});

test('a bash that gets its input from us does not take that for a remote login', async () => {
  const home = join(kernel.root, 'remote');
  mkdirSync(home);
  writeFileSync(join(home, '.bashrc'), 'echo BASHRC');
  const env = { PATH: environment['PATH'] ?? '', HOME: home, SSH_CLIENT: '10.0.0.1 1 2' };
  for (const stdin of ['none', 'text'] as const) expect((await kernel.run('echo ok', { env, stdin })).stdout).toBe('ok\n');
});

test('the umask is the one given', async () => {
  for (const shell of ['bash', 'sh'] as ShellName[]) expect((await kernel.run('umask', { shell, umask: 0o027 })).stdout).toBe('0027\n');
});

test('the working directory is known by the name it was given', async () => {
  mkdirSync(join(kernel.root, 'real'));
  symlinkSync('real', join(kernel.root, 'link'));
  expect((await kernel.run('pwd; pwd -P', { cwd: join(kernel.root, 'link') })).stdout).toBe(`${join(kernel.root, 'link')}\n${join(kernel.root, 'real')}\n`);
});

test('the tag passes through everything that a program can do to its family', async () => {
  const tag = kernel.tags.next();
  await kernel.run('env -i sleep 5 & setsid -f nohup sleep 5 >/dev/null 2>&1; (sleep 5 & disown); sh -c "sleep 5 &" &', { tag });
  await eventually(() => taggedProcesses((limit) => limit === tag.value).filter(({ comm }) => comm === 'sleep').length === 4);
  expect(softRealtimeLimit(process.pid)).toBe(kernel.tags.server.value);
});

test('B89: 300 killed commands leave descriptors and processes as they were', async () => {
  await kernel.run('true');
  const before = openDescriptors();
  for (let round = 0; round < 300; round++) {
    const { child, ended } = await kernel.start('echo up; sleep 60', { stdin: round % 2 === 0 ? 'none' : 'pipe' });
    process.kill(-child.pid, 'SIGKILL');
    await ended;
  }
  await eventually(() => openDescriptors() <= before); // jobs of earlier tests end meanwhile
  expect(zombies()).toEqual([]);
});

async function bashPath(): Promise<string> {
  return (await kernel.run('echo $0')).stdout.trim();
}
