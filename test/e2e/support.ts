// What the tests of the built program have in common: everything that can hang on to life, and looks at the server from outside.
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import type { Home } from '../support/home.ts';
import { liveProcesses, serverTag, taggedBy, type LiveProcess } from '../support/processes.ts';
import type { TestedShell } from '../support/shells.ts';

/** The kinds of descendants that hang-ups, groups and marks in the environment miss; `seconds` is how long each one sleeps. */
export function descendants(shell: TestedShell, seconds: string): string {
  return shell === 'fish' ? inFish(seconds) : inPosix(seconds);
}

/** How many processes `descendants` starts. */
export const KINDS = 8;

function inPosix(seconds: string): string {
  return `sleep ${seconds} &
nohup sleep ${seconds} >/dev/null 2>&1 &
setsid sleep ${seconds} &
(trap '' HUP TERM INT; exec sleep ${seconds}) &
setsid -f sleep ${seconds}
env -i setsid sleep ${seconds} &
(setsid sh -c 'sleep ${seconds} & exit' &)
sleep ${seconds} & disown`;
}

function inFish(seconds: string): string {
  return `sleep ${seconds} &
nohup sleep ${seconds} >/dev/null 2>&1 &
setsid sleep ${seconds} &
sh -c "trap '' HUP TERM INT; exec sleep ${seconds}" &
setsid -f sleep ${seconds}
env -i setsid sleep ${seconds} &
sh -c "setsid sh -c 'sleep ${seconds} & exit' &"
sleep ${seconds} & disown`;
}

/** Living processes with exactly this command line. */
export function running(command: string): LiveProcess[] {
  return liveProcesses().filter((process) => process.command === command);
}

/** Waits until so many processes with this command line are there. */
export async function untilRunning(command: string, count: number): Promise<LiveProcess[]> {
  await expect.poll(() => running(command).length, { interval: 20, timeout: 10_000 }).toBe(count);
  return running(command);
}

/** Everything that carries a server's tag, itself included. */
export function familyOf(tag: bigint): LiveProcess[] {
  return taggedBy(new Set([tag]));
}

/** The server part of the tag that a server puts on itself when its first call, or the request for the tools, has come. */
export async function tagOf({ pid }: { readonly pid: number }): Promise<bigint> {
  return expect.poll(() => serverTag(pid), { interval: 20, timeout: 5_000 }).toBeDefined().then(() => serverTag(pid) ?? 0n);
}

/** Whether a process with that number and start time is in the table at all, as a zombie too. */
export function isListed({ pid, startTime }: LiveProcess): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] === startTime;
  } catch {
    return false;
  }
}

/** Children of a process that have ended and were not waited for. */
export function zombiesOf(parent: number): string[] {
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name)).flatMap((pid) => {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      const [state, ppid] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return state === 'Z' && Number(ppid) === parent ? [stat] : [];
    } catch {
      return [];
    }
  });
}

/** Where the open descriptors of a process lead. */
export function descriptorsOf(pid: number): string[] {
  return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/${pid}/fd/${fd}`)];
    } catch {
      return [];
    }
  });
}

/** The most memory that a process ever had, in MB. */
export function peakMemoryMb(pid: number): number {
  const kilobytes = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes) / 1_024;
}

/** What there is of a server's files: its folder, and that of its spilled output. */
export function serverFiles(home: Home): string[] {
  const places = [path.join(home.runtime, `shellkeep-${process.getuid?.()}`), path.join(home.dir, '.local/state/shellkeep/output'), home.temporary];
  return places.flatMap((place) => (existsSync(place) ? readdirSync(place).map((name) => path.join(place, name)) : []));
}

let made = 0;
/** A number of seconds that nobody else sleeps, to find processes by their command line whatever tag or environment they have. */
export function uniqueSeconds(): string {
  made++;
  return `8640${made}.${process.pid}`;
}
