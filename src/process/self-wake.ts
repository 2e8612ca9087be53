// What a program waits for beside its input only to wake itself: from a signal handler, another thread, a timer.
import { constants, readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** A descriptor, and where it leads: a path, `pipe:[inode]`, `socket:[inode]` or `anon_inode:name`. */
export interface Source {
  readonly fd: number;
  readonly target: string;
}

/** Counters, signals, timers, changes of files. Not pidfd, a child that goes on by itself, nor an epoll with who knows what in it. */
const OWN = /^anon_inode:\[?(eventfd|signalfd|timerfd|inotify|fanotify|io_uring)/;

/** Whether nobody but the process itself, a clock or a change of a file can wake it by this descriptor. */
export function isSelfWake(pid: number, { fd, target }: Source): boolean {
  if (target.startsWith('anon_inode:')) return OWN.test(target);
  if (target.startsWith('/')) return !target.startsWith('/dev/') && isOpenBothWays(pid, fd);
  if (target.startsWith('pipe:')) return targetsOf(pid).filter((other) => other === target).length > 1;
  if (target.startsWith('socket:')) return isOwnSocketPair(pid, target);
  return false;
}

export function targetOf(pid: number, fd: number | string): string {
  try {
    return readlinkSync(`/proc/${pid}/fd/${fd}`);
  } catch {
    return ''; // closed meanwhile
  }
}

/** A named pipe that a program reads and writes itself, as fish does for its universal variables. */
function isOpenBothWays(pid: number, fd: number): boolean {
  const flags = /^flags:\s*([0-7]+)/m.exec(readText(`/proc/${pid}/fdinfo/${fd}`))?.[1];
  return flags !== undefined && (Number.parseInt(flags, 8) & 3) === constants.O_RDWR;
}

/**
 * A socketpair(2) with both ends in the process, as asyncio and mio have it. The kernel does not say in /proc which socket is the peer of
 * which, but it numbers the two of a pair one after the other, and neither has a name.
 */
function isOwnSocketPair(pid: number, target: string): boolean {
  const inode = Number(/\d+/.exec(target)?.[0]);
  const own = new Set(targetsOf(pid));
  const peers = [inode - 1, inode + 1].filter((peer) => own.has(`socket:[${peer}]`));
  if (peers.length === 0) return false;
  const sockets = readText(`/proc/${pid}/net/unix`); // Num RefCount Protocol Flags Type St Inode Path
  const isUnnamed = (number: number): boolean => new RegExp(` 03 +${number}$`, 'm').test(sockets); // 03: connected
  return isUnnamed(inode) && peers.some(isUnnamed);
}

function targetsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).map((fd) => targetOf(pid, fd));
  } catch {
    return []; // gone
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}
