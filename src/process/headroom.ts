// Whether the system has processes to spare. node-pty makes a thread for every child it has forked; if the fork took the
// last process there was, the thread cannot be made, and the C++ exception for that ends the whole server.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The child, its thread, and what other processes may start at the same moment. */
const SPARE = 4;

interface CgroupLimit {
  readonly currentPath: string;
  readonly max: number;
}

let userLimit: number | undefined;
let cgroupLimits: readonly CgroupLimit[] | undefined;

/** Whether a few more processes can be started, as far as that can be seen. Takes about 20 µs. */
export function hasHeadroom(): boolean {
  if (process.platform !== 'linux') return true;
  cgroupLimits ??= findCgroupLimits();
  if (cgroupLimits.some(({ currentPath, max }) => Number(read(currentPath) ?? 0) + SPARE > max)) return false;
  userLimit ??= findUserLimit();
  // the user's own are counted only if all of the machine's together could reach the limit
  return threadsOfSystem() + SPARE <= userLimit || threadsOfUser() + SPARE <= userLimit;
}

/** The soft limit `ulimit -u`, which does not bind root. */
function findUserLimit(): number {
  const limit = /^Max processes +(\d+)/m.exec(read('/proc/self/limits') ?? '')?.[1];
  return limit === undefined || process.geteuid?.() === 0 ? Infinity : Number(limit);
}

function threadsOfSystem(): number {
  return Number(/\/(\d+) /.exec(read('/proc/loadavg') ?? '')?.[1] ?? 0);
}

function threadsOfUser(): number {
  const uid = String(process.getuid?.());
  let threads = 0;
  for (const pid of readdirSync('/proc')) {
    const status = /^\d+$/.test(pid) ? read(`/proc/${pid}/status`) : undefined;
    if (status !== undefined && /^Uid:\s*(\d+)/m.exec(status)?.[1] === uid) threads += Number(/^Threads:\s*(\d+)/m.exec(status)?.[1] ?? 1);
  }
  return threads;
}

/** The limits of the control groups that this process is in, from its own up. */
function findCgroupLimits(): CgroupLimit[] {
  const line = (read('/proc/self/cgroup') ?? '').split('\n').map((entry) => /^\d+:(pids)?:(\/.*)$/.exec(entry)).find((match) => match !== null);
  const [, controller, path] = line ?? [];
  if (path === undefined) return [];
  const root = join('/sys/fs/cgroup', controller ?? '');
  const limits: CgroupLimit[] = [];
  for (let dir = join(root, path); dir.startsWith(root); dir = dirname(dir)) {
    const max = Number.parseInt(read(join(dir, 'pids.max')) ?? '', 10); // "max" is no number
    if (!Number.isNaN(max)) limits.push({ currentPath: join(dir, 'pids.current'), max });
  }
  return limits;
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return undefined; // not on this system, or no descriptor to read with
  }
}
