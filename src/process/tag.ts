// Who belongs to what: a soft RLIMIT_RTTIME, which nothing sheds by accident. It passes through env -i, setsid, nohup,
// disown, double forks and daemons, shows in /proc/PID/limits, and only limits programs under a real-time scheduler,
// there to 2^62 µs. What sets that limit itself (a shellkeep inside a shellkeep) is no longer seen.
import { randomBytes } from 'node:crypto';
import { softRealtimeLimit } from './proc.ts';
import { runTool } from './tool.ts';

/** The soft limit in microseconds that one session, run or task and all its descendants carry. */
export interface Tag {
  readonly value: bigint;
}

const BASE = 1n << 62n;
const SERVER_BITS = 39n;
const INDEX_BITS = 22n;
const LAST_INDEX = (1n << INDEX_BITS) - 1n;

/** 39 random bits that tell this server's processes from another's. */
export function randomServerBits(): bigint {
  return randomBytes(8).readBigUInt64BE() >> (64n - SERVER_BITS);
}

/** The tags of one server: 2^62 + server bits · 2^22 + index. */
export class TagSpace {
  readonly serverBits: bigint;
  /** Index 0: the server itself, and whatever it starts before its own tag is on it. */
  readonly server: Tag;
  #index = 0n;
  #applied: Promise<boolean> | undefined;

  constructor(serverBits: bigint) {
    this.serverBits = serverBits;
    this.server = this.#tag(0n);
  }

  /** A tag of its own for a new session, run or task. Starts over after four million. */
  next(): Tag {
    this.#index = this.#index === LAST_INDEX ? 1n : this.#index + 1n;
    return this.#tag(this.#index);
  }

  /** Whether a process with this soft limit was started by this server, or is it. */
  owns(softLimit: bigint): boolean {
    return softLimit >> INDEX_BITS === this.server.value >> INDEX_BITS;
  }

  /**
   * Tags this process, once: call it before the first child is started, which inherits the tag until it has its own.
   * Takes about 2 ms the first time. False where the system has no prlimit(1): then only what a shell tags is tagged.
   */
  applyToServer(): Promise<boolean> {
    this.#applied ??= applyTag(process.pid, this.server);
    return this.#applied;
  }

  #tag(index: bigint): Tag {
    return { value: BASE + (this.serverBits << INDEX_BITS) + index };
  }
}

/** Whether a process was started by a shellkeep server, any one, or is one that has started something. */
export function isTaggedProcess(pid: number): boolean {
  return (softRealtimeLimit(pid) ?? 0n) >= BASE;
}

/** Tags a running process; what it started before keeps what it had. False when it is gone, or without prlimit(1). */
export function applyTag(pid: number, tag: Tag): Promise<boolean> {
  if (process.platform !== 'linux') return Promise.resolve(false);
  return runTool('prlimit', ['--pid', String(pid), `--rttime=${tag.value}:`]);
}
