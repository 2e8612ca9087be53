import { expect, test } from 'vitest';
import { blockedIn, type Blocked } from '../../src/process/blocked.ts';
import { readProcess } from '../../src/process/proc.ts';
import { asNobody, otherUsersProcess, python, testProgram, watch, type TerminalProgram } from './terminal-programs.ts';

const PATIENCE = { interval: 5, timeout: 10_000 };

interface BlockedProgram extends TerminalProgram {
  readonly what: string;
  readonly blocked: Blocked;
}

const reads = (...fds: number[]): Blocked => ({ kind: 'read', fds, outputs: [] });
const watches = (...fds: number[]): Blocked => ({ kind: 'watch', fds, outputs: [] });

const PROGRAMS: readonly BlockedProgram[] = [
  { what: 'read', program: 'cat', command: 'exec cat', blocked: reads(0) },
  { what: 'read of another descriptor', program: 'bash', command: 'exec 7<&0; read -u 7 x; :', blocked: reads(7) },
  { what: 'readv', program: 'python3', command: python('import os', 'os.readv(0, [bytearray(9)])'), blocked: reads(0) },
  { what: 'sleep', program: 'sleep', command: 'exec sleep 60', blocked: { kind: 'other' } },
  { what: 'wait for a child', program: 'bash', command: 'sleep 60; :', blocked: { kind: 'other' } },
  { what: 'work', program: 'bash', command: 'while :; do :; done', blocked: { kind: 'running' } },
  ...([[[0]], [[0, 7, 8, 63]], [[0, 64]], [[0, 65, 127, 128, 1_023]], [[1_000]]] as const).map(([fds]) => ({
    what: `select of ${fds.join(' ')}`,
    program: 'python3',
    command: python('import os, resource, select', 'resource.setrlimit(resource.RLIMIT_NOFILE, (2048, 2048))', `fds = ${JSON.stringify(fds)}`, 'for fd in fds[1:]: os.dup2(0, fd)', 'if fds[0] != 0: os.dup2(0, fds[0])', 'select.select(fds, [], [])'),
    blocked: watches(...fds),
  })),
  { what: 'select of nothing', program: 'python3', command: python('import select', 'select.select([], [], [], 60)'), blocked: watches() },
  { what: 'poll of two', program: 'python3', command: python('import os, select', 'os.dup2(0, 99); p = select.poll()', 'p.register(0, 1); p.register(99, 1); p.poll()'), blocked: watches(0, 99) },
  { what: 'poll of urgent data alone', program: 'python3', command: python('import select', 'p = select.poll(); p.register(0, select.POLLPRI); p.poll()'), blocked: watches() },
  { what: 'poll of more than a person can serve', program: 'python3', command: python('import os, select', 'p = select.poll()', 'for fd in range(100, 165): os.dup2(0, fd); p.register(fd, 1)', 'p.poll()'), blocked: watches() },
  { what: 'epoll', program: 'python3', command: python('import os, select', 'p = select.epoll(); os.dup2(0, 99)', 'p.register(99, select.EPOLLIN); p.poll()'), blocked: watches(99) },
];

testProgram(PROGRAMS, ({ what, program }) => `${what} (${program})`, async ({ command, program, blocked }) => {
  const { pty } = watch(command);
  await expect.poll(() => [readProcess(pty.pid)?.comm, blockedIn(pty.pid, pty.pid)], PATIENCE).toEqual([program, blocked]);
});

const OUTPUTS = [
  { program: 'python3', command: python('import select', 'input("ready"); p = select.poll()', 'p.register(0, select.POLLOUT); p.poll()') },
  { program: 'python3', command: python('import select', 'input("ready")', 'select.select([], [0], [])') },
  { program: 'python3', command: python('import select', 'input("ready"); p = select.epoll()', 'p.register(0, select.EPOLLOUT); p.poll()') },
];

testProgram(OUTPUTS, ({ command }) => `who waits for room on its terminal does not wait for input: ${command}`, async ({ command }) => {
  const { pty, until, type, look } = watch(`stty -ixany; exec ${command}`); // else any key starts the output again
  await until('ready');
  type('\x13\n'); // Ctrl-S stops the output, which has no room from then on
  await expect.poll(() => blockedIn(pty.pid, pty.pid), PATIENCE).toEqual({ kind: 'watch', fds: [], outputs: [0] });
  expect(look()).toEqual({ kind: 'none' });
});

test('a process that is gone is not running, and does not wait', async () => {
  const { pty, ended } = watch('exit 0');
  await ended;
  expect(blockedIn(pty.pid, pty.pid)).toEqual({ kind: 'other' });
  expect(blockedIn(pty.pid, 999_999_999)).toEqual({ kind: 'other' });
});

test.skipIf(otherUsersProcess() === undefined)('what another user does is hidden', () => {
  const pid = otherUsersProcess() ?? 0;
  expect(asNobody(() => blockedIn(pid, pid))).toEqual({ kind: 'hidden' });
});
