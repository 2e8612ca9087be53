// The private directory of all spill files of this server.
import { dirname, join } from 'node:path';
import { ignoringDiskErrors, SpillRefusal } from './disk-error.ts';
import { Segment } from './segment.ts';
import type { SpillFileSystem } from './segment.ts';

export class SpillDirectory {
  readonly #path: string;
  readonly #fs: SpillFileSystem;
  #isClosed = false;

  constructor(path: string, fs: SpillFileSystem) {
    this.#path = path;
    this.#fs = fs;
  }

  /** A new, empty file; the directory is made if it is not there. Throws what the disk throws, or SpillRefusal. */
  createSegment(fileName: string, start: number): Segment {
    if (this.#isClosed) throw new SpillRefusal('the server is ending');
    this.#make();
    return new Segment(this.#fs, join(this.#path, fileName), start);
  }

  /** Removes the directory with all that is in it; no file is made afterwards. */
  close(): void {
    this.#isClosed = true;
    ignoringDiskErrors(() => this.#fs.rmSync(this.#path, { recursive: true, force: true })); // the runtime directory goes later too
  }

  #make(): void {
    try {
      this.#makeFolder();
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
      this.#checkPrivate();
    }
  }

  #makeFolder(): void {
    try {
      this.#fs.mkdirSync(this.#path, { mode: 0o700 });
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw error;
      this.#fs.mkdirSync(dirname(this.#path), { mode: 0o700, recursive: true });
      this.#fs.mkdirSync(this.#path, { mode: 0o700 });
    }
  }

  /** Others could read the output, or put links in place of the files, if the directory were not ours alone. */
  #checkPrivate(): void {
    const stats = this.#fs.lstatSync(this.#path);
    const isPrivate = stats.isDirectory() && stats.uid === process.getuid?.() && (stats.mode & 0o077) === 0;
    if (!isPrivate) throw new SpillRefusal(`"${this.#path}" is not a directory of this user alone`);
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
