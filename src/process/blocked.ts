// What a thread is blocked in, as the kernel says: the system call, and the descriptors that it waits to read.
import { closeSync, existsSync, openSync, readSync } from 'node:fs';

/** `read` waits for one descriptor, `watch` for the first of several (select, poll, epoll), `other` for something else. */
export type Blocked =
  | {
      readonly kind: 'read' | 'watch';
      readonly fds: readonly number[];
      /** Where it waits for room to write. */
      readonly outputs: readonly number[];
    }
  | { readonly kind: 'other' }
  | { readonly kind: 'running' }
  /** The kernel does not tell: another user's process, one that forbids it, or a kernel that never does. */
  | { readonly kind: 'hidden' };

interface CallNumbers {
  readonly read: readonly number[];
  readonly select: readonly number[];
  readonly poll: readonly number[];
  readonly epoll: readonly number[];
  /** restart_syscall(2): a poll(2) that went on after a stop (Ctrl-Z), or a sleep; the arguments are those of the first call. */
  readonly restart: number;
}

/** By architecture; see arch/x86/entry/syscalls/syscall_64.tbl and include/uapi/asm-generic/unistd.h of Linux. */
const CALLS: Readonly<Record<string, CallNumbers>> = {
  x64: { read: [0, 19], select: [23, 270], poll: [7, 271], epoll: [232, 281, 441], restart: 219 },
  arm64: { read: [63, 65], select: [72], poll: [73], epoll: [22, 441], restart: 128 },
};
const NUMBERS = existsSync('/proc/self/syscall') ? CALLS[process.arch] : undefined;
/** POLLIN and POLLRDNORM; those of epoll have the same numbers. */
const INPUT = 0x41;
/** POLLOUT and POLLWRNORM. */
const OUTPUT = 0x104;
const POLLFD_BYTES = 8;
/** Who watches more descriptors than this serves something. */
const MAX_WATCHED = 64;
const OTHER: Blocked = { kind: 'other' };
const HIDDEN: Blocked = { kind: 'hidden' };
const scratch = Buffer.alloc(4_096);

/** Whether the number is that of a call by which a shell waits for input at its prompt. */
export function isInputCall(call: number): boolean {
  return NUMBERS !== undefined && [NUMBERS.read, NUMBERS.select, NUMBERS.poll].some((numbers) => numbers.includes(call));
}

/** One look takes 5–10 µs, twice that for one who watches several descriptors. See proc_pid_syscall(5). */
export function blockedIn(pid: number, thread: number | string): Blocked {
  if (NUMBERS === undefined) return HIDDEN;
  try {
    const text = readFile(`/proc/${pid}/task/${thread}/syscall`);
    if (text.startsWith('running')) return { kind: 'running' };
    return blockedBy(pid, text.split(' ').map(Number), NUMBERS);
  } catch (error) {
    return error instanceof Error && 'code' in error && (error.code === 'EACCES' || error.code === 'EPERM') ? HIDDEN : OTHER; // gone
  }
}

function blockedBy(pid: number, [call = -1, first = 0, second = 0, third = 0]: readonly number[], numbers: CallNumbers): Blocked {
  if (numbers.read.includes(call)) return { kind: 'read', fds: [first], outputs: [] };
  if (numbers.select.includes(call)) return { kind: 'watch', fds: selected(pid, first, second), outputs: selected(pid, first, third) };
  if (numbers.poll.includes(call) || call === numbers.restart) return watching(polled(pid, first, second));
  if (numbers.epoll.includes(call)) return watching(registered(pid, first));
  return OTHER;
}

/** The set of select(2): one bit a descriptor. */
function selected(pid: number, count: number, address: number): number[] {
  if (address === 0 || count <= 0 || count > 1_024) return [];
  const bits = readMemory(pid, address, Math.ceil(count / 8));
  return Array.from({ length: count }, (_, fd) => fd).filter((fd) => ((bits[fd >> 3] ?? 0) >> (fd & 7)) & 1);
}

interface Watched {
  readonly fd: number;
  readonly events: number;
}

function watching(watched: readonly Watched[]): Blocked {
  const having = (wanted: number): number[] => watched.filter(({ events }) => (events & wanted) !== 0).map(({ fd }) => fd);
  return { kind: 'watch', fds: having(INPUT), outputs: having(OUTPUT) };
}

/** The array of poll(2): descriptor and events. A descriptor below 0 is switched off. */
function polled(pid: number, address: number, count: number): Watched[] {
  if (address === 0 || count <= 0 || count > MAX_WATCHED) return [];
  const entries = readMemory(pid, address, count * POLLFD_BYTES);
  return Array.from({ length: count }, (_, index) => index * POLLFD_BYTES)
    .map((at) => ({ fd: entries.readInt32LE(at), events: entries.readUInt16LE(at + 4) }))
    .filter(({ fd }) => fd >= 0);
}

/** What an epoll descriptor watches; see proc_pid_fdinfo(5). */
function registered(pid: number, epoll: number): Watched[] {
  const lines = readFile(`/proc/${pid}/fdinfo/${epoll}`).matchAll(/^tfd:\s*(\d+) events:\s*([0-9a-f]+)/gm);
  return [...lines].map(([, fd, events]) => ({ fd: Number(fd), events: Number.parseInt(events ?? '0', 16) }));
}

function readMemory(pid: number, address: number, bytes: number): Buffer {
  return withFile(`/proc/${pid}/mem`, (fd) => Buffer.from(scratch.subarray(0, readSync(fd, scratch, 0, bytes, address))));
}

function readFile(path: string): string {
  return withFile(path, (fd) => scratch.toString('latin1', 0, readSync(fd, scratch, 0, scratch.length, 0)));
}

function withFile<T>(path: string, use: (fd: number) => T): T {
  const fd = openSync(path, 'r');
  try {
    return use(fd);
  } finally {
    closeSync(fd);
  }
}
