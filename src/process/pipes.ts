// Real pipes. What child_process makes are sockets: `echo x >/dev/stderr` and `cat /dev/stdin` fail on those with "No such
// device or address". A FIFO that is opened at both ends and unlinked at once is a pipe; mkfifo(1) makes many in one go.
import { closeSync, constants, existsSync, openSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { ExpectedError } from '../errors.ts';
import { exhausted } from './start-check.ts';
import { runTool } from './tool.ts';

/** Both ends of one pipe: non-blocking here, blocking for the child. Whoever gets it closes both. */
export interface PipeEnds {
  readonly own: number;
  readonly child: number;
}

/** One mkfifo(1), 2 ms, for twenty runs and more. */
const BATCH = 64;
const REFILL_AT = 16;

export class Pipes {
  readonly #dir: () => string;
  readonly #ready: string[] = [];
  #made = 0;
  #refill: Promise<void> | undefined;
  #isClosed = false;

  /** `dir` makes the folder if need be, and is private to this server. */
  constructor(dir: () => string) {
    this.#dir = dir;
  }

  /** How many pipes can be opened at once. */
  get readyCount(): number {
    const next = this.#ready.at(-1);
    if (next !== undefined && !existsSync(next)) this.#ready.length = 0; // somebody has cleaned up in our folder
    return this.#ready.length;
  }

  /** Waits until `count` pipes can be opened at once. Throws RESOURCE_EXHAUSTED when they cannot be made, SHUTTING_DOWN after close. */
  async prepare(count: number): Promise<void> {
    while (this.#ready.length < count) await this.#fill();
  }

  /** No more are made, also not by what was making some: the folder can be removed after it. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#refill?.catch(() => undefined);
  }

  /** A pipe that is read here and written by the child. Throws RESOURCE_EXHAUSTED, as openInput does. */
  openOutput(): PipeEnds {
    return this.#open((path) => {
      const own = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
      return { own, child: openOther(own, () => openSync(path, constants.O_WRONLY)) };
    });
  }

  /** A pipe that is written here and read by the child. */
  openInput(): PipeEnds {
    return this.#open((path) => {
      const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK); // without a reader no writer can be opened
      const own = openOther(reader, () => openSync(path, constants.O_WRONLY | constants.O_NONBLOCK));
      const child = openOther(own, () => openOther(reader, () => openSync(path, constants.O_RDONLY)));
      closeSync(reader);
      return { own, child };
    });
  }

  #open(open: (path: string) => PipeEnds): PipeEnds {
    const path = this.#ready.pop();
    if (path === undefined) throw exhausted('pipe', undefined);
    if (this.#ready.length < REFILL_AT) this.#fill().catch(() => undefined); // whoever needs one then finds out
    try {
      const ends = open(path);
      unlinkSync(path);
      return ends;
    } catch (error) {
      if (existsSync(path)) this.#ready.push(path);
      else this.#ready.length = 0; // somebody has cleaned up in our folder: the next start makes new ones
      throw exhausted('descriptor', error);
    }
  }

  #fill(): Promise<void> {
    this.#refill ??= this.#make().finally(() => {
      this.#refill = undefined;
    });
    return this.#refill;
  }

  async #make(): Promise<void> {
    if (this.#isClosed) throw new ExpectedError('SHUTTING_DOWN', 'the server is ending');
    const dir = this.#dir();
    const paths = Array.from({ length: BATCH }, () => join(dir, String(this.#made++)));
    if (!(await runTool('mkfifo', ['-m', '600', ...paths]))) throw exhausted('pipe', undefined);
    this.#ready.push(...paths);
  }
}

function openOther(first: number, open: () => number): number {
  try {
    return open();
  } catch (error) {
    closeSync(first);
    throw error;
  }
}
