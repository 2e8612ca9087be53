import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { afterEach, expect, test } from 'vitest';
import { openMasterFds } from '../../src/process/inherited-fds.ts';
import { readProcess } from '../../src/process/proc.ts';
import type { Pty } from '../../src/process/pty.ts';
import { eventually, openDescriptors, openPty, openTerminals, script, zombies, type OpenPty } from './support.ts';

const opened: Pty[] = [];

function open(options: Parameters<typeof openPty>[0] = {}): OpenPty {
  const terminal = openPty(options);
  opened.push(terminal.pty);
  return terminal;
}

afterEach(() => {
  for (const pty of opened.splice(0)) pty.close();
});

test('what is typed reaches the program and what it prints comes back', async () => {
  const { pty, until, ended, output } = open();
  expect(pty.write(Buffer.from('echo "a-$((40 + 2))"; tty; exit 7\n'))).toBe(true);
  await until('a-42');
  expect(await ended).toEqual({ kind: 'exited', code: 7 });
  expect(output()).toContain(pty.terminalPath);
});

test.each([
  ['exit 3', { kind: 'exited', code: 3 }],
  ['kill -TERM $$', { kind: 'signaled', signal: 'SIGTERM' }],
  ['kill -9 $$', { kind: 'signaled', signal: 'SIGKILL' }],
  ['kill -SEGV $$', { kind: 'signaled', signal: 'SIGSEGV' }],
  ['kill -34 $$', { kind: 'exited', code: 162 }],
])('B25: the end of "%s" on a terminal is reported as what it was', async (command, status) => {
  expect(await open(script(command)).ended).toEqual(status);
});

test.each([
  [{ cwd: '/missing/folder' }, 'INVALID_CWD', '/missing/folder'],
  [{ cwd: '/etc/passwd' }, 'INVALID_CWD', '/etc/passwd'],
  [{ file: '/missing/sh' }, 'SHELL_NOT_FOUND', '/missing/sh'],
  [{ file: '/etc/passwd' }, 'SHELL_NOT_FOUND', '/etc/passwd'],
  [{ file: '/etc' }, 'SHELL_NOT_FOUND', '/etc'],
])('B26: a terminal with %j is refused with %s and the path', (options, code, path) => {
  const before = openDescriptors();
  expect(() => open(options)).toThrow(expect.objectContaining({ code, message: expect.stringContaining(path) }));
  expect(openDescriptors()).toBe(before);
});

test('the last words of a shell that exits right after them are never lost, in 200 shells', async () => {
  for (let round = 0; round < 200; round++) {
    const { pty, ended, output } = open(script(`printf 'x%.0s' {1..${1 + round * 20}}; echo "last ${round}"`));
    await ended;
    expect(output(), `round ${round}`).toBe(`${'x'.repeat(1 + round * 20)}last ${round}\r\n`);
    pty.close();
  }
});

test('the last words come through a reader that is paused, and are all there is', async () => {
  const { pty, ended, output } = open(script("head -c 3000 /dev/zero | tr '\\0' a; exit 4"));
  pty.pause();
  expect(await ended).toEqual({ kind: 'exited', code: 4 });
  expect(output()).toBe('a'.repeat(3000));
});

test('the end of a shell comes in time and after its last words although a background job goes on printing', async () => {
  const { pty, ended, output } = open(script('(trap "" HUP; while echo tick; do :; done) & sleep 0.2; echo last words; exit 5'));
  const startedAt = performance.now();
  expect(await ended).toEqual({ kind: 'exited', code: 5 });
  expect(performance.now() - startedAt).toBeLessThan(2_000);
  expect(output()).toContain('last words\r\n');
  pty.close(); // the job cannot print any more, and ends
});

test('the mark behind the last words is not shown, also when the terminal changes letters', async () => {
  const { ended, output } = open(script("stty olcuc; printf 'end'"));
  await ended;
  expect(output()).toBe('END');
});

test('a terminal that was stopped with Ctrl-S ends without its mark', async () => {
  const { pty, ended, output, until } = open(script('echo ready; read x; exit 6'));
  await until('ready');
  pty.write(Buffer.from('\x13'));
  pty.write(Buffer.from('\n'));
  expect(await ended).toEqual({ kind: 'exited', code: 6 });
  expect(output()).not.toMatch(/\x1b\]\d+/);
});

test('a paused terminal keeps its program waiting until it is resumed', async () => {
  const { pty, ended, output, until } = open(script("echo go; read x; head -c 400000 /dev/zero | tr '\\0' a"));
  await until('go');
  pty.pause();
  pty.write(Buffer.from('\n'));
  await eventually(() => readProcess(pty.pid)?.state === 'S');
  const paused = output().length;
  expect(paused).toBeLessThan(200_000);
  pty.resume();
  await ended;
  expect(output().match(/a/g)).toHaveLength(400_000);
});

test('B88: a terminal that has ended takes no input and no size, and does not mind', async () => {
  const { pty, ended } = open(script('exit 0'));
  await ended;
  pty.resize(100, 30);
  pty.close();
  pty.close();
  pty.resize(100, 30);
  pty.resume();
  pty.pause();
  expect(pty.write(Buffer.from('x'))).toBe(false);
  expect(pty.pendingBytes).toBe(0);
});

test('closing a terminal hangs up its shell, whose end is still reported, once', async () => {
  const { pty, ended, until } = open(script('echo up; exec sleep 60'));
  await until('up');
  const shell = open();
  shell.pty.write(Buffer.from('echo up\n'));
  await shell.until('up\r\n');
  pty.close();
  shell.pty.close();
  expect(await ended).toEqual({ kind: 'signaled', signal: 'SIGHUP' });
  await shell.ended; // by SIGHUP, or by the end of its input
});

test('a new size reaches the program', async () => {
  const { pty, until } = open({ cols: 100, rows: 30 });
  pty.write(Buffer.from('stty size\n'));
  await until('30 100');
  pty.resize(77, 11);
  pty.write(Buffer.from('stty size\n'));
  await until('11 77');
});

test('input beyond 1 MiB for a program that does not read is refused whole, and what waits costs no time', async () => {
  const { pty, until } = open(script('stty raw -echo; echo ready; exec sleep 60'));
  await until('ready');
  expect(pty.write(Buffer.alloc(1024 * 1024, 'a'))).toBe(true);
  expect(pty.pendingBytes).toBeGreaterThan(900_000);
  const waiting = pty.pendingBytes;
  expect(pty.write(Buffer.alloc(200_000, 'b'))).toBe(false);
  expect(pty.pendingBytes).toBe(waiting);
  const before = process.cpuUsage();
  const clock = performance.now();
  await eventually(() => performance.now() - clock > 500);
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1_000).toBeLessThan(250); // most of it is this test's own looking
});

test('input that waited arrives whole and in order', async () => {
  const { pty, until, ended, output } = open(script('stty raw -echo; echo ready; head -c 600000 | md5sum; exit 0'));
  await until('ready');
  const text = Buffer.from(Array.from({ length: 100_000 }, (_, index) => String(index % 100_000).padStart(6, '0')).join(''));
  expect(pty.write(text)).toBe(true);
  await ended;
  expect(output()).toContain(createHash('md5').update(text).digest('hex'));
});

test('input that waits for a killed session reaches none of 30 sessions that are opened after it', async () => {
  const a = open(script('stty raw -echo; echo ready; exec sleep 60'));
  await a.until('ready');
  const poison = Buffer.from('echo POISON >&2; exit 66\n'.repeat(20_000));
  expect(a.pty.write(poison)).toBe(true);
  expect(a.pty.pendingBytes).toBeGreaterThan(300_000);
  process.kill(a.pty.pid, 'SIGKILL');
  await a.ended;
  a.pty.close();
  expect(a.pty.pendingBytes).toBe(0);
  for (let round = 0; round < 30; round++) {
    const b = open();
    b.pty.write(Buffer.from('echo clean; exit 5\n'));
    expect(await b.ended, `session ${round}`).toEqual({ kind: 'exited', code: 5 });
    expect(b.output(), `session ${round}`).not.toContain('POISON');
    b.pty.close();
  }
});

test.each([[0], [1], [2]])('T01: a shell on a terminal has no descriptor above 2, also when session %i of three was closed before', async (closed) => {
  const others = [open(), open(), open()];
  others[closed]?.pty.close(); // its number is the next one to be used
  const b = open(script('echo /proc/self/fd/*; exec 2>/dev/null; for n in {3..255}; do echo "echo INTRUDER" >&$n; done'));
  await b.ended;
  expect(b.output().trim()).toBe('/proc/self/fd/0 /proc/self/fd/1 /proc/self/fd/2 /proc/self/fd/3'); // 3 is the directory being listed
  for (const other of others.filter((_, index) => index !== closed)) {
    other.pty.write(Buffer.from('echo done-$((1+1))\n'));
    await other.until('done-2');
    expect(other.output()).not.toContain('INTRUDER');
  }
});

test('signals are at their defaults in a terminal, SIGPIPE and SIGXFSZ included', async () => {
  const { ended, output } = open({ file: '/bin/cat', args: ['/proc/self/status'] });
  await ended;
  expect(output()).toMatch(/SigBlk:\t0+\r\nSigIgn:\t0+\r\n/);
});

test('B89: 300 terminals leave descriptors, terminals and processes as they were', async () => {
  const before = openDescriptors();
  for (let round = 0; round < 300; round++) {
    const { pty, ended } = openPty(script(round % 3 === 0 ? 'kill -9 $$' : 'echo hi'));
    if (round % 3 === 1) pty.close();
    await ended;
    pty.close();
  }
  expect(openMasterFds()).toEqual([]);
  await eventually(() => openDescriptors() === before);
  expect(openTerminals()).toEqual([]); // a terminal is there for as long as somebody has its master
  expect(zombies()).toEqual([]);
});

test('a failed start leaves nothing open', () => {
  const before = openDescriptors();
  expect(() => openPty({ cwd: `${tmpdir()}/missing` })).toThrow();
  expect(openDescriptors()).toBe(before);
});
