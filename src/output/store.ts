// The output of all sessions, runs and tasks of this server, and the directory and the limit that its spill files share.
import * as nodeFs from 'node:fs';
import { DiskSpace } from './disk-space.ts';
import { OutputLog } from './log.ts';
import type { SpillFileSystem } from './segment.ts';
import { SpillDirectory } from './spill-directory.ts';
import type { SpillPlace } from './spill.ts';

export interface OutputStoreOptions {
  /** Directory of the spill files. It is made, for this user only, when the first log spills; its parent has to be there. */
  readonly dir: string;
  /** The most that all spill files may occupy together. One log gets an eighth of it. */
  readonly limitBytes: number;
  /** For tests of failing disks; node:fs when absent. */
  readonly fs?: SpillFileSystem;
}

export class OutputStore {
  readonly #place: SpillPlace;

  constructor(options: OutputStoreOptions) {
    this.#place = {
      directory: new SpillDirectory(options.dir, options.fs ?? nodeFs),
      space: new DiskSpace(options.limitBytes),
    };
  }

  /** A log of one producer. The name is unique, e.g. the id of a command or of a task with its stream: `t_k3v9x2m7qp4t-stderr`. */
  createLog(name: string): OutputLog {
    return new OutputLog(name, this.#place);
  }

  get bytesOnDisk(): number {
    return this.#place.space.usedBytes;
  }

  /** Removes all spill files and their directory. Logs that are still appended to keep head and tail in memory. */
  close(): void {
    this.#place.space.clear();
    this.#place.directory.close();
  }
}
