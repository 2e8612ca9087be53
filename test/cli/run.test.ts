// `shellkeep run -- COMMAND` as people and scripts use it.
import { expect, test } from 'vitest';
import { liveProcesses, untilNone } from '../support/processes.ts';
import { newHome, Program, runProgram } from './program.ts';

const run = (command: string, stdin: string | Buffer = '') => runProgram(['run', '--', command], { stdin });

test.each([
  ['exit 7', 7],
  ['false', 1],
  ['true', 0],
  ['kill -9 $$', 137],
  ['no-such-program', 127],
])('the exit status of "%s" is %i', async (command, status) => {
  expect((await run(command)).end).toBe(status);
});

test('both streams are passed on as they are', async () => {
  expect(await run('printf out; printf err >&2; exit 3')).toEqual({ stdout: 'out', stderr: 'err', end: 3 });
});

test('output comes while the command runs', async () => {
  const home = newHome();
  const program = new Program(['run', '--', 'echo first; while [ ! -e go-on ]; do sleep 0.02; done; echo last'], { home });
  const first = new Promise<string>((resolve) => program.child.stdout?.once('data', (chunk: Buffer) => resolve(chunk.toString())));
  expect(await first).toBe('first\n');
  home.write('go-on', '');
  expect((await program.ended).stdout).toBe('first\nlast\n');
});

test('standard input is passed on, however long it is', async () => {
  expect((await run('cat', 'a\nb\n')).stdout).toBe('a\nb\n');
  expect((await run('wc -c', Buffer.alloc(5_000_000))).stdout.trim()).toBe('5000000');
});

test('a command that reads no input ends all the same', async () => {
  expect((await run('true', Buffer.alloc(5_000_000))).end).toBe(0);
});

test('nothing of a long output is lost, or there twice', async () => {
  expect((await run('head -c 5000000 /dev/zero')).stdout).toHaveLength(5_000_000);
});

test('several words are a command and its arguments, each as it is', async () => {
  const words = ["a'b", '$x', '\\n', '', 'a  b', '*', '--help'];
  expect((await runProgram(['run', '--', 'printf', '[%s]', ...words])).stdout).toBe(words.map((word) => `[${word}]`).join(''));
});

test.each(['bash', 'zsh', 'fish', 'sh'])('%s is used when the setting says so', async (shell) => {
  const { stdout } = await runProgram(['run', '--run-shell', shell, '--', 'printf', '[%s]', "it's \\\\ $x"]);
  expect(stdout).toBe("[it's \\\\ $x]");
});

test('it runs in the directory in which it was started', async () => {
  const home = newHome();
  expect((await runProgram(['run', 'pwd'], { home, cwd: home.temporary })).stdout).toBe(`${home.temporary}\n`);
});

test('a reader that goes away ends the command', async () => {
  const program = new Program(['run', '--', 'yes']);
  program.child.stdout?.once('data', () => program.child.stdout?.destroy());
  expect((await program.ended).end).toBe(141);
});

test('what the command left in the background ends with it', async () => {
  const { end, stdout } = await run('setsid sleep 3141 >/dev/null 2>&1 & nohup sleep 3141 >/dev/null 2>&1 & echo $!');
  expect({ end, isPid: /^\d+\n$/.test(stdout) }).toEqual({ end: 0, isPid: true });
  expect(liveProcesses().filter(({ command }) => command === 'sleep 3141')).toEqual([]);
});

test('a signal ends the command and all that ignores it, and is the status', async () => {
  const program = new Program(['run', '--', `trap "" TERM HUP INT; echo ready; while :; do sleep 2718; done`]);
  await new Promise((resolve) => program.child.stdout?.once('data', resolve));
  const from = performance.now();
  program.child.kill('SIGTERM');
  expect((await program.ended).end).toBe(143);
  expect(performance.now() - from).toBeLessThan(2_500); // two seconds, and a busy machine
  expect(await untilNone(() => liveProcesses().filter(({ command }) => command === 'sleep 2718'), 0)).toEqual([]);
});
