// Descriptors of this process that a child would inherit. node opens everything close-on-exec; node-pty's masters are not
// (whoever has one can type into that session), nor are descriptors that the server itself was started with.
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs';

/** O_CLOEXEC as /proc/self/fdinfo shows it (octal, the same on every Linux architecture that node supports). */
const CLOSE_ON_EXEC = 0o2000000;
/** A number that the server was started with and that is higher is not worth so many descriptors to get rid of. */
const HIGHEST_PLUGGED = 1024;

const masters = new Set<number>();
let leftovers: readonly number[] | undefined;
let areLeftoversPlugged = false;

/** A master has been opened: children must not get it. */
export function addMaster(fd: number): void {
  masters.add(fd);
}

/** That descriptor is closed; its number may be reused for something else. */
export function removeMaster(fd: number): void {
  masters.delete(fd);
}

/** The masters that are open now. */
export function openMasterFds(): readonly number[] {
  return [...masters];
}

/** All descriptors above 2 that a child of child_process must close itself. Empty on macOS, where libuv closes everything. */
export function inheritableFds(): readonly number[] {
  if (process.platform !== 'linux') return [];
  leftovers ??= findLeftovers();
  return [...leftovers, ...masters];
}

/**
 * Forks with node-pty so that the child inherits nothing. As it is built, node-pty's child sets close-on-exec from 3 up
 * only to the first free number above 15; its own new master, which is closed in the child, is such a number, and when it
 * is a low one that was freed before, every master above it gets into the new shell. So all numbers below the highest one
 * in question are taken while it forks.
 */
export function forkWithoutGaps<T>(fork: () => T): T {
  if (process.platform !== 'linux') return fork(); // node-pty has everything closed by posix_spawn there
  plugBelowLeftovers();
  const plugs = plug(Math.max(2, ...masters));
  try {
    return fork();
  } finally {
    for (const fd of plugs) closeSync(fd);
  }
}

/** Leftovers stay as they are, so the numbers below them are taken once and for all. */
function plugBelowLeftovers(): void {
  if (areLeftoversPlugged) return;
  areLeftoversPlugged = true;
  const below = inheritableFds().filter((fd) => fd <= HIGHEST_PLUGGED && !masters.has(fd));
  try {
    plug(Math.max(2, ...below));
  } catch {
    // not enough descriptors for that: shells inherit what the server was started with, but no master
  }
}

/** Takes all free numbers up to the highest one. Without a gap that is one open and one close, 5 µs. */
function plug(highest: number): number[] {
  const plugs: number[] = [];
  for (;;) {
    const fd = openNull(plugs);
    if (fd > highest) {
      closeSync(fd);
      return plugs;
    }
    plugs.push(fd);
  }
}

function openNull(plugs: readonly number[]): number {
  try {
    return openSync('/dev/null', 'r');
  } catch (error) {
    for (const fd of plugs) closeSync(fd); // EMFILE: give back what was taken
    throw error;
  }
}

/** Looked up once: later descriptors are node's own or masters. */
function findLeftovers(): number[] {
  return listOwnFds().filter((fd) => fd > 2 && !masters.has(fd) && !isClosedOnExec(fd));
}

function listOwnFds(): number[] {
  try {
    return readdirSync('/proc/self/fd').map(Number);
  } catch {
    return []; // no /proc: only what node-pty opens is known
  }
}

function isClosedOnExec(fd: number): boolean {
  try {
    const flags = /^flags:\s*(\d+)/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'latin1'))?.[1];
    return flags === undefined || (Number.parseInt(flags, 8) & CLOSE_ON_EXEC) !== 0;
  } catch {
    return true; // the descriptor of the listing itself, closed again
  }
}
