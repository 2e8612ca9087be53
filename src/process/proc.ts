// What the kernel says about processes. Linux: /proc. Elsewhere: ps(1), which knows no resource limits (so no tags) and
// gives start times in seconds only.
import { closeSync, existsSync, openSync, readdirSync, readlinkSync, readSync } from 'node:fs';
import { isInputCall } from './blocked.ts';
import { listByPs } from './ps.ts';

/** A process that cannot be mistaken for a later one with the same number. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Linux: clock ticks since boot. Elsewhere: milliseconds since 1970, in whole seconds. */
  readonly startTime: number;
}

export interface ProcessInfo extends ProcessIdentity {
  /** One letter: R running, S sleeping, D uninterruptible, T stopped, t traced, Z zombie, X dead. */
  readonly state: string;
  readonly ppid: number;
  readonly pgrp: number;
  /** POSIX session id; 0 where the system does not tell (macOS). */
  readonly session: number;
  /** Foreground process group of its terminal; -1 without one. */
  readonly tpgid: number;
  /** How many threads it has; 0 where the system does not tell (ps). */
  readonly threads: number;
  /** The kernel's name of it, at most 15 bytes on Linux. */
  readonly comm: string;
  /** Processor time used so far, by itself and by those of its children that it has waited for. */
  readonly cpuMs: number;
}

const HAS_PROC = existsSync('/proc/self/stat');
/** USER_HZ, which Linux fixes at 100 for every architecture node runs on. */
const MS_PER_TICK = 10;
/** More than a stat or limits file has. */
const scratch = Buffer.allocUnsafe(16 * 1024);

/** One process, zombies included; undefined when there is none. */
export function readProcess(pid: number): ProcessInfo | undefined {
  if (!HAS_PROC) return listByPs(pid)[0];
  const stat = readSmallFile(`/proc/${pid}/stat`);
  return stat === undefined ? undefined : parseStat(pid, stat);
}

/** A file of /proc that is read often: it stays open, which takes half or a third of the time. Never of a later process with that number. */
export class KeptFile {
  readonly #path: string;
  #fd: number | undefined;
  #isClosed = false;

  constructor(path: string) {
    this.#path = path;
  }

  /** Its first 16 KB now; undefined when the process is gone, the file is not ours to see, or it was closed. */
  read(): string | undefined {
    if (this.#isClosed) return undefined;
    try {
      this.#fd ??= openSync(this.#path, 'r');
      return scratch.toString('latin1', 0, readSync(this.#fd, scratch, 0, scratch.length, 0));
    } catch {
      return undefined; // ENOENT or ESRCH: it has ended; EACCES; EMFILE
    }
  }

  close(): void {
    this.#isClosed = true;
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
  }
}

/** A process that is looked at often. */
export class WatchedProcess {
  readonly #identity: ProcessIdentity;
  readonly #stat: KeptFile;
  readonly #call: KeptFile;

  constructor(identity: ProcessIdentity) {
    this.#identity = identity;
    this.#stat = new KeptFile(`/proc/${identity.pid}/stat`);
    this.#call = new KeptFile(`/proc/${identity.pid}/syscall`);
  }

  get pid(): number {
    return this.#identity.pid;
  }

  /** The process now, zombies included; undefined when it is gone. */
  look(): ProcessInfo | undefined {
    const { pid, startTime } = this.#identity;
    const stat = HAS_PROC ? this.#stat.read() : undefined;
    const info = stat === undefined ? readProcess(pid) : parseStat(pid, stat);
    return info?.startTime === startTime ? info : undefined;
  }

  /** From where in its program it waits for input: the stack pointer; undefined when it does not, or that is not told. */
  inputSite(): string | undefined {
    const [call, ...fields] = this.#call.read()?.trim().split(' ') ?? []; // see proc_pid_syscall(5)
    return isInputCall(Number(call)) ? fields[6] : undefined;
  }

  close(): void {
    this.#stat.close();
    this.#call.close();
  }
}

/** Every process that can be seen, zombies included; not even this one when there is no descriptor to look with. */
export function listProcesses(): ProcessInfo[] {
  if (!HAS_PROC) return listByPs();
  const found: ProcessInfo[] = [];
  for (const entry of listProc()) {
    const pid = Number(entry);
    const info = Number.isInteger(pid) ? readProcess(pid) : undefined;
    if (info !== undefined) found.push(info);
  }
  return found;
}

/** Whether it can still run: a zombie cannot, and a later process with its number is another one. */
export function isLiving({ pid, startTime }: ProcessIdentity): boolean {
  const now = readProcess(pid);
  return now !== undefined && now.startTime === startTime && !isDead(now);
}

/** Zombies are only waiting to be counted; kill(2) still succeeds on them. */
export function isDead({ state }: ProcessInfo): boolean {
  return state === 'Z' || state === 'X' || state === 'x';
}

/** Living members of a process group. */
export function groupMembers(pgid: number): ProcessInfo[] {
  return listProcesses().filter((info) => info.pgrp === pgid && !isDead(info));
}

/** Living members of a process group, then what they have started in other groups. */
export function groupWithDescendants(pgid: number): ProcessInfo[] {
  const all = listProcesses().filter((info) => !isDead(info));
  const found = all.filter((info) => info.pgrp === pgid);
  const pids = new Set(found.map(({ pid }) => pid));
  for (const { pid } of found) {
    for (const info of all) {
      if (info.ppid !== pid || pids.has(info.pid)) continue;
      pids.add(info.pid);
      found.push(info); // this loop comes to it
    }
  }
  return found;
}

/** Living processes whose soft limit on real-time scheduling (see tag.ts) is one that `matches`. None without /proc. */
export function taggedProcesses(matches: (softLimit: bigint) => boolean): ProcessInfo[] {
  return listProcesses().filter((info) => !isDead(info) && carries(info, matches));
}

/** Whether a process has a soft limit on real-time scheduling that `matches`. */
export function carries(info: ProcessInfo, matches: (softLimit: bigint) => boolean): boolean {
  if (info.pgrp === 0) return false; // kernel threads
  const limit = softRealtimeLimit(info.pid);
  return limit !== undefined && matches(limit);
}

/** The soft RLIMIT_RTTIME in microseconds; undefined when unlimited, gone, or not to be known here. */
export function softRealtimeLimit(pid: number): bigint | undefined {
  const limits = readSmallFile(`/proc/${pid}/limits`);
  const value = limits === undefined ? undefined : /^Max realtime timeout +(\d+)/m.exec(limits)?.[1];
  return value === undefined ? undefined : BigInt(value);
}

/** The program's arguments, the first 16 KB of them; empty for zombies, kernel threads, what is gone, and without /proc. */
export function commandLineOf(pid: number): string[] {
  const text = readSmallFile(`/proc/${pid}/cmdline`);
  return text === undefined || text === '' ? [] : Buffer.from(text, 'latin1').toString().replace(/\0$/, '').split('\0');
}

/** Absolute path of the program; undefined when gone, not ours to see, or without /proc. */
export function executableOf(pid: number): string | undefined {
  return readLink(`/proc/${pid}/exe`);
}

/** Absolute path of its working directory; undefined when gone, not ours to see, or without /proc. */
export function directoryOf(pid: number): string | undefined {
  return readLink(`/proc/${pid}/cwd`);
}

/** Where descriptors 1 and 2 of a process lead; empty when that cannot be seen. */
export function outputTargets(pid: number): string[] {
  return [1, 2].flatMap((fd) => readLink(`/proc/${pid}/fd/${fd}`) ?? []);
}

/** Its file mode creation mask, octal; undefined when gone, before Linux 4.7, or without /proc. */
export function umaskOf(pid: number): string | undefined {
  return /^Umask:\s*([0-7]+)/m.exec(readSmallFile(`/proc/${pid}/status`) ?? '')?.[1];
}

function listProc(): string[] {
  try {
    return readdirSync('/proc');
  } catch {
    return []; // EMFILE
  }
}

function readLink(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined; // gone, or another user's
  }
}

/** The first 16 KB of a /proc file in one read; readFileSync takes four calls for it. */
export function readSmallFile(path: string): string | undefined {
  let fd: number | undefined;
  try {
    fd = openSync(path, 'r');
    return scratch.toString('latin1', 0, readSync(fd, scratch, 0, scratch.length, 0));
  } catch {
    return undefined; // ENOENT or ESRCH: it has ended; EACCES: another user's; EMFILE
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

/** See proc_pid_stat(5). The name stands in parentheses and may itself contain blanks and parentheses. */
function parseStat(pid: number, stat: string): ProcessInfo {
  const nameEnd = stat.lastIndexOf(')');
  const fields = stat.slice(nameEnd + 2).split(' ');
  const number = (field: number): number => Number(fields[field - 3]);
  return {
    pid,
    comm: stat.slice(stat.indexOf('(') + 1, nameEnd),
    state: fields[0] ?? '?',
    ppid: number(4),
    pgrp: number(5),
    session: number(6),
    tpgid: number(8),
    threads: number(20),
    cpuMs: (number(14) + number(15) + number(16) + number(17)) * MS_PER_TICK,
    startTime: number(22),
  };
}
