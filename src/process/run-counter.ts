// Whether a thread has run since it was last looked at: what it waits for, and its children, cannot have changed if not.
import { closeSync, existsSync, openSync, readFileSync, readSync } from 'node:fs';

/** Time on the processor, time spent waiting for it, and how often: three numbers. See Documentation/scheduler/sched-stats.rst. */
const SCHEDSTAT = 'schedstat';
/** Has the count of context switches; takes four times as long. */
const STATUS = 'status';
/** Without CONFIG_SCHED_INFO the first is there with nothing in it. */
const FILE = countsRuns('/proc/self/schedstat') ? SCHEDSTAT : STATUS;
const MOST_BYTES = 4_096;
const scratch = Buffer.allocUnsafe(MOST_BYTES);

export class RunCounter {
  readonly #path: string;
  #fd: number | undefined;
  #last = Buffer.alloc(0);
  #isClosed = false;

  /** Of the first thread of a process. */
  constructor(pid: number) {
    this.#path = `/proc/${pid}/task/${pid}/${FILE}`;
  }

  /** Whether it has run since the last call. True at the first one, and of a process that is gone. 4 µs. */
  hasRun(): boolean {
    const size = this.#read();
    const last = this.#last;
    if (size > 0 && size === last.length && scratch.compare(last, 0, size, 0, size) === 0) return false;
    this.#last = Buffer.from(scratch.subarray(0, size));
    return true;
  }

  close(): void {
    this.#isClosed = true;
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
  }

  #read(): number {
    if (this.#isClosed) return 0;
    try {
      this.#fd ??= openSync(this.#path, 'r');
      return readSync(this.#fd, scratch, 0, MOST_BYTES, 0);
    } catch {
      return 0; // ENOENT or ESRCH: it has ended; EMFILE
    }
  }
}

function countsRuns(path: string): boolean {
  return existsSync(path) && /^[1-9]/.test(readFileSync(path, 'latin1'));
}
