import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as immediately, setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { asNobody, node, python, testProgram, watch, type TerminalProgram, type Watched, type WaitingProgram, type WorkingProgram } from './terminal-programs.ts';

const dir = mkdtempSync(join(tmpdir(), 'shellkeep-test-'));
writeFileSync(join(dir, 'lines'), 'a line\n'.repeat(200));
afterAll(() => rmSync(dir, { recursive: true, maxRetries: 3 }));

const PATIENCE = { interval: 5, timeout: 10_000 };
const LOOKS = 20;
const LOOK_MS = 5;

const WAITING: readonly WaitingProgram[] = [
  { program: 'cat', command: 'cat', again: 'a\n' },
  { program: 'cat', command: 'cat /dev/tty', again: 'a\n' },
  { program: 'bash', command: "bash -c 'read x; read y'", again: 'a\n' },
  { program: 'bash', command: "bash -c 'read -s x; read -s y'", again: 'a\n' },
  { program: 'bash', command: "bash -c 'read -t 30 x; read -t 30 y'", again: 'a\n' },
  { program: 'bash', command: "bash -c 'read -n 1 x; read -n 1 y'", again: 'a' },
  { program: 'bash', command: 'bash -c "(read -p \'Q? \' a; read b) 2>&1 | tail -1"', again: 'a\n' },
  { program: 'bash', command: "bash -c 'select x in a b; do echo $x; done'", again: '1\n' },
  { program: 'bash', command: 'bash --norc -i', again: ':\n' },
  { program: 'sh', command: 'sh -c "printf q; read x </dev/tty; read y </dev/tty" | cat', again: 'a\n' },
  { program: 'zsh', command: 'zsh -f -i', again: ':\n' },
  { program: 'fish', command: 'fish -N -i', again: 'true\n' },
  { program: 'dash', command: 'dash -i', again: ':\n' },
  { program: 'python3', command: python('input()', 'input()'), again: 'a\n' },
  { program: 'python3', command: 'python3 -q', again: '1\n' },
  { program: 'python3', command: python('from getpass import getpass', 'getpass(); getpass()'), again: 'a\n' },
  { program: 'python3', command: python('import os', 'while os.readv(0, [bytearray(9)]): pass'), again: 'a\n' },
  { program: 'python3', command: python('import select, os', 'while select.select([0], [], []): os.read(0, 9)'), again: 'a\n' },
  { program: 'python3', command: python('import select, os', 'p = select.poll(); p.register(0, select.POLLIN)', 'while p.poll(): os.read(0, 9)'), again: 'a\n' },
  { program: 'python3', command: python('import select, os', 'p = select.poll(); p.register(0, select.POLLRDNORM)', 'while p.poll(): os.read(0, 9)'), again: 'a\n' },
  { program: 'python3', command: python('import select, os', 'p = select.epoll(); p.register(0, select.EPOLLIN)', 'while p.poll(): os.read(0, 9)'), again: 'a\n' },
  { program: 'python3', command: python('import asyncio, sys', 'async def main():', ' asyncio.get_running_loop().add_reader(0, sys.stdin.readline)', ' await asyncio.Event().wait()', 'asyncio.run(main())'), again: 'a\n' },
  { program: 'python3', command: python('import threading, time', 'threading.Thread(target=time.sleep, args=[60], daemon=True).start()', 'input(); input()'), again: 'a\n' },
  { program: 'python3', command: python('import threading', 't = threading.Thread(target=lambda: (input(), input()), daemon=True)', 't.start(); t.join()'), again: 'a\n' },
  {
    program: 'python3',
    command: python('import os, select, signal', 'r, w = os.pipe(); os.set_blocking(w, False)', 'signal.set_wakeup_fd(w)', 'while select.select([0, r], [], []): os.read(0, 9)'),
    again: 'a\n',
  },
  {
    program: 'python3', // an entry that is switched off, as programs do it that keep their array
    command: python('import ctypes, os, struct', 'fds = ctypes.create_string_buffer(struct.pack("ihhihh", -1, 1, 0, 0, 1, 0))', 'while ctypes.CDLL(None).poll(fds, 2, -1): os.read(0, 9)'),
    again: 'a\n',
  },
  {
    program: 'python3', // a server beside it does not need it
    command: python('import socketserver, threading', 's = socketserver.TCPServer(("127.0.0.1", 0), None)', 'threading.Thread(target=s.serve_forever, args=[60], daemon=True).start()', 'input(); input()'),
    again: 'a\n',
  },
  { program: 'node', command: 'node -i', again: '1\n' },
  { program: 'node', command: node('const r = require("readline").createInterface(process.stdin, process.stdout)', 'r.question("Q? ", () => r.question("R? ", () => r.close()))'), again: 'a\n' },
  { program: 'node', command: node('process.stdin.setRawMode(true); process.stdin.on("data", () => {})'), again: 'a' },
  { program: 'node', command: node('const fs = require("fs")', 'while (fs.readSync(0, Buffer.alloc(9))) {}'), again: 'a\n' },
  { program: 'perl', command: "perl -e '<STDIN>; <STDIN>'", again: 'a\n' },
  { program: 'less', command: 'less lines', again: 'j' },
  { program: 'less', command: 'cat lines | less', again: 'j' },
  { program: 'vim', command: 'vim -u NONE', again: 'i' },
  { program: 'top', command: 'top', again: 'h' },
  { program: 'sqlite3', command: 'sqlite3', again: 'select 1;\n' },
  { program: 'gdb', command: 'gdb -q -nx', again: 'help\n' },
];

const WORKING: readonly WorkingProgram[] = [
  { program: 'sleep', doing: 'other', command: 'sleep 60' },
  { program: 'tail', command: 'tail -f lines', prints: 'a line' },
  { program: 'tail', doing: 'other', command: 'tail -f ---disable-inotify lines' },
  { program: 'yes', doing: 'running', command: 'yes >/dev/null' },
  { program: 'bash', doing: 'running', command: 'while :; do :; done' },
  { program: 'sleep', doing: 'other', command: "sh -c 'sleep 30 & wait'" },
  { program: 'sleep', doing: 'dead', command: 'sleep 0.01 & exec sleep 60' },
  { program: 'bash', doing: 'stopped', command: 'kill -STOP $$; read x' },
  { program: 'cat', doing: 'read', command: 'sleep 60 | cat' },
  { program: 'cat', doing: 'read', command: 'mkfifo a; exec 3<>a; cat <&3' },
  { program: 'cat', doing: 'other', command: 'mkfifo b; cat b' },
  { program: 'flock', doing: 'other', command: 'exec 9>lock; flock 9; flock lock true; :' },
  { program: 'script', doing: 'watch', command: 'script -qc "echo ready; exec cat" /dev/null', prints: 'ready' },
  { program: 'python3', doing: 'watch', command: 'python3 -u -m http.server -b 127.0.0.1 0', prints: 'Serving' },
  { program: 'python3', doing: 'watch', command: python('import select, socket', 's = socket.create_server(("127.0.0.1", 0))', 'print("ready")', 'select.select([0, s], [], [])'), prints: 'ready' },
  { program: 'python3', doing: 'watch', command: python('import select, os', 'p = select.poll(); p.register(0, select.POLLPRI)', 'print("ready"); p.poll()'), prints: 'ready' },
  { program: 'python3', doing: 'watch', command: python('import select, os', 'r, w = os.pipe(); p = select.poll(); p.register(r); p.register(0, select.POLLPRI)', 'print("ready"); p.poll()'), prints: 'ready' },
  {
    program: 'python3', // a child that it waits for goes on by itself
    doing: 'watch',
    command: python('import os, select, subprocess', 'c = subprocess.Popen(["sleep", "60"])', 'print("ready")', 'select.select([0, os.pidfd_open(c.pid)], [], [])'),
    prints: 'ready',
  },
  {
    program: 'python3', // the output of another program, which does not end by itself
    doing: 'watch',
    command: python('import select, subprocess', 'c = subprocess.Popen(["sleep", "60"], stdout=subprocess.PIPE)', 'print("ready")', 'select.select([0, c.stdout], [], [])'),
    prints: 'ready',
  },
  {
    program: 'python3', // a pair of sockets with a child at the other end
    doing: 'watch',
    command: python('import select, socket, subprocess', 'a, b = socket.socketpair()', 'subprocess.Popen(["sleep", "60"], stdin=b); b.close()', 'print("ready")', 'select.select([0, a], [], [])'),
    prints: 'ready',
  },
  {
    program: 'python3', // the server is the program, its keys are beside it
    doing: 'watch',
    command: python('import socketserver, threading', 's = socketserver.TCPServer(("127.0.0.1", 0), None)', 'threading.Thread(target=input, daemon=True).start()', 'print("ready")', 's.serve_forever(60)'),
    prints: 'ready',
  },
  {
    program: 'python3', // an epoll in an epoll, with a server in it
    doing: 'watch',
    command: python('import select, socket', 's = socket.create_server(("127.0.0.1", 0))', 'i = select.epoll(); i.register(s); o = select.epoll()', 'o.register(0, 1); o.register(i, 1)', 'print("ready"); o.poll()'),
    prints: 'ready',
  },
  {
    program: 'python3', // a connection that does not take what it is given
    doing: 'watch',
    command: python('import select, socket', 's = socket.create_server(("127.0.0.1", 0)); a = socket.create_connection(s.getsockname()); a.setblocking(False)', 'try:', ' while a.send(bytes(65536)): pass', 'except BlockingIOError: print("ready")', 'select.select([0], [a], [])'),
    prints: 'ready',
  },
  { program: 'python3', doing: 'read', command: python('import threading', 'def work():', ' while True: pass', 'threading.Thread(target=work, daemon=True).start()', 'input("ready")'), prints: 'ready' },
  { program: 'node', doing: 'watch', command: node('require("http").createServer().listen(0, "127.0.0.1", () => console.log("ready"))'), prints: 'ready' },
  {
    program: 'node',
    doing: 'watch',
    command: node('process.stdin.setRawMode(true).on("data", () => {})', 'require("http").createServer().listen(0, "127.0.0.1", () => console.log("ready"))'),
    prints: 'ready',
  },
];

const STOPPED: readonly WaitingProgram[] = [
  { program: 'cat', command: 'cat' },
  { program: 'python3', command: python('import select', 'select.select([0], [], [])') },
  { program: 'python3', command: python('import select', 'p = select.poll(); p.register(0, select.POLLIN)', 'p.poll(60_000)') },
];

/** Waits until a program waits, and until two looks in a row are at the same wait. */
async function untilWaiting({ look }: Watched, program: string, notIn: { readonly pid?: number; readonly stamp?: string } = {}): Promise<{ pid: number; stamp: string }> {
  let last = '';
  const found = { pid: 0, stamp: '' };
  await expect.poll(() => {
    const facts = look();
    if (facts.kind !== 'waiting' || facts.pid === notIn.pid || facts.stamp === notIn.stamp) return facts;
    const isSame = last === facts.stamp;
    last = facts.stamp;
    Object.assign(found, { pid: facts.pid, stamp: facts.stamp });
    return { kind: isSame ? 'waiting' : 'new', program: facts.program };
  }, PATIENCE).toEqual({ kind: 'waiting', program });
  return found;
}

describe('waits', () => {
  testProgram(WAITING, ({ command }) => `as the leader of its terminal: ${command}`, async ({ command, program, again }) => {
    const watched = watch(command, { cwd: dir });
    const first = await untilWaiting(watched, program);
    if (again === undefined) return;
    watched.type(again);
    const second = await untilWaiting(watched, program, { stamp: first.stamp });
    expect(second.pid).toBe(first.pid);
  });

  testProgram(WAITING, ({ command }) => `as a job of an interactive shell: ${command}`, async ({ command, program }) => {
    const watched = watch('', { cwd: dir, args: ['--norc', '-ic', `${command}; :`] });
    const { pid } = await untilWaiting(watched, program, { pid: watched.pty.pid });
    expect(pid).not.toBe(watched.pty.pid);
  });
});

describe('does not wait', () => {
  testProgram(WORKING, ({ command }) => command, async ({ command, program, doing, prints }) => {
    const watched = watch(command, { cwd: dir });
    if (prints !== undefined) await watched.until(prints);
    if (doing !== undefined) await expect.poll(() => watched.doing(program), PATIENCE).toBe(doing);
    for (let look = 0; look < LOOKS; look++) {
      expect(watched.look(), `look ${look}`).toEqual({ kind: 'none' });
      await sleep(LOOK_MS);
    }
  });
});

test('who reads another terminal does not wait for this one', async () => {
  const other = watch('sleep 60');
  const watched = watch(`cat <${other.pty.terminalPath}`);
  await expect.poll(() => watched.doing('cat'), PATIENCE).toBe('read');
  expect(watched.look()).toEqual({ kind: 'none' });
});

testProgram(STOPPED, ({ command }) => `stopped it does not wait, continued it does: ${command}`, async ({ command, program }) => {
  const watched = watch(command);
  const { pid } = await untilWaiting(watched, program);
  process.kill(pid, 'SIGSTOP');
  await expect.poll(() => watched.look(), PATIENCE).toEqual({ kind: 'none' });
  process.kill(pid, 'SIGCONT');
  await untilWaiting(watched, program);
});

/** su asks an ordinary user, and is root's; root's own programs are hidden from others. */
const HIDDEN: TerminalProgram = process.geteuid?.() === 0 ? { program: 'cat', command: 'cat' } : { program: 'su', command: 'su' };

testProgram([HIDDEN], ({ program }) => `a program of another user is named, and its wait is not told: ${program}`, async ({ command, program }) => {
  const { look, pty } = watch(`exec ${command}`);
  await expect.poll(() => asNobody(look), PATIENCE).toEqual({ kind: 'hidden', pid: pty.pid, program, stamp: `${pty.pid}` });
});

test('programs that end while they are looked at are no trouble', async () => {
  const watched = watch('for n in {1..300}; do cat </dev/null | cat >/dev/null; done; echo over');
  let hasEnded = false;
  void watched.ended.then(() => (hasEnded = true));
  for (let looks = 0; !hasEnded; looks++) {
    expect(watched.look().kind, `look ${looks}`).toBe('none');
    await immediately();
  }
  expect(watched.look()).toEqual({ kind: 'none' });
});
