// By this named pipe a shell with hooks of the user's is told that the end of its command was seen, before the hooks run.
import { closeSync, constants, lstatSync, openSync, writeSync } from 'node:fs';
import { runTool } from '../process/tool.ts';

export class SeenPipe {
  #fd: number | undefined;
  /** What is to be told before the pipe is open: the shell may find it earlier than we do. */
  #untold: string | undefined;
  #isClosed = false;

  /** Makes the pipe, soon, unless the session's last shell had it. Without it (no process to be had, no room) the shell does not wait. */
  constructor(path: string) {
    void runTool('mkfifo', ['-m', '600', path]).then(() => this.#open(path));
  }

  /** Writes a line. What nobody reads stays in the pipe: the reader looks for its own. */
  tell(id: string): void {
    if (this.#fd === undefined) {
      this.#untold = id;
      return;
    }
    try {
      writeSync(this.#fd, `${id}\n`);
    } catch {
      // full of lines that nobody has read
    }
  }

  close(): void {
    this.#isClosed = true;
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
  }

  #open(path: string): void {
    if (this.#isClosed) return;
    try {
      if (!lstatSync(path).isFIFO()) return;
      this.#fd = openSync(path, constants.O_RDWR | constants.O_NONBLOCK); // for writing alone there has to be a reader
    } catch {
      // no descriptor to spare, or not there
    }
    if (this.#untold !== undefined) this.tell(this.#untold);
  }
}
