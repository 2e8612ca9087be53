// Which processes did a test start and leave? Read from /proc; where there is none, nothing is found.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** A process that is alive (no zombie). Start time with the pid is its identity: numbers are used again. */
export interface LiveProcess {
  readonly pid: number;
  readonly parent: number;
  /** In clock ticks since the start of the machine. */
  readonly startTime: string;
  readonly command: string;
}

/** The variable that every process started by a test file inherits, unless it drops its environment. */
const MARK = 'TEST_FILE_MARK';
const POLL_MS = 20;
/** A soft RLIMIT_RTTIME from here on is a tag of ours: 2^62 + (server << 22) + index. */
const TAG_BASE = 2n ** 62n;
const TAG_INDEX_BITS = 22n;

/** Gives this test file a mark of its own, which all that it starts inherits. */
export function markThisFile(): void {
  process.env[MARK] = `${process.pid}.${Date.now().toString(36)}`;
}

/** The mark as environment, for processes that get a clean one. */
export function markEnvironment(): Record<string, string> {
  const mark = process.env[MARK];
  return mark === undefined ? {} : { [MARK]: mark };
}

/** All live processes, from the lowest pid. */
export function liveProcesses(): LiveProcess[] {
  if (!existsSync('/proc/self/stat')) return [];
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name)).map(Number).flatMap((pid) => {
    const found = readLive(pid);
    return found === undefined ? [] : [found];
  });
}

/** One live process, or undefined when it is gone or a zombie. */
export function readLive(pid: number): LiveProcess | undefined {
  const stat = read(pid, 'stat');
  if (stat === undefined) return undefined;
  // The name in parentheses may hold anything, so the fields are counted from the last one.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (fields[0] === 'Z' || fields[0] === 'X') return undefined;
  const command = read(pid, 'cmdline')?.replaceAll('\0', ' ').trim() ?? '';
  return { pid, parent: Number(fields[1]), startTime: fields[19] ?? '', command: command === '' ? stat.slice(0, 60) : command };
}

/** Whether that very process is still there. */
export function isAlive(process: LiveProcess): boolean {
  return readLive(process.pid)?.startTime === process.startTime;
}

/** The server part of a process's tag, or undefined when it carries none. */
export function serverTag(pid: number): bigint | undefined {
  const soft = /^Max realtime timeout\s+(\d+)/m.exec(read(pid, 'limits') ?? '')?.[1];
  if (soft === undefined || BigInt(soft) < TAG_BASE) return undefined;
  return BigInt(soft) >> TAG_INDEX_BITS;
}

/** Every live process that carries one of these server tags. */
export function taggedBy(tags: ReadonlySet<bigint>): LiveProcess[] {
  if (tags.size === 0) return [];
  return liveProcesses().filter(({ pid }) => {
    const tag = serverTag(pid);
    return tag !== undefined && tags.has(tag);
  });
}

/** What this test file started and what is alive of it: descendants, and whatever carries the file's mark or a tag of its servers. */
export function startedByThisFile(tags: ReadonlySet<bigint>): LiveProcess[] {
  const all = liveProcesses();
  const descendants = descendantsOf(process.pid, all);
  const entry = `${MARK}=${process.env[MARK] ?? ''}`;
  const tagged = new Set(taggedBy(tags).map(({ pid }) => pid));
  return all.filter(({ pid }) => pid !== process.pid
    && (descendants.has(pid) || tagged.has(pid) || read(pid, 'environ')?.split('\0').includes(entry) === true));
}

/** Waits until a look finds nothing; gives what it still finds when the time is over. */
export async function untilNone(look: () => readonly LiveProcess[], withinMs: number): Promise<readonly LiveProcess[]> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const found = look();
    if (found.length === 0 || performance.now() > deadline) return found;
    await sleep(POLL_MS); // the kernel has no event for the end of a process that is not our child
  }
}

function descendantsOf(root: number, all: readonly LiveProcess[]): Set<number> {
  const found = new Set([root]);
  for (let before = 0; before !== found.size;) {
    before = found.size;
    for (const { pid, parent } of all) if (found.has(parent)) found.add(pid);
  }
  found.delete(root);
  return found;
}

function read(pid: number, name: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return undefined; // gone, or not ours
  }
}
