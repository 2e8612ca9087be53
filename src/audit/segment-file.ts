// The file that a server writes: whole lines at its end, or nothing.
import { constants } from 'node:fs';
import { writeAll, type AuditFileSystem } from './file-system.ts';

const { O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants;

export class SegmentFile {
  readonly path: string;
  readonly #fs: AuditFileSystem;
  readonly #fd: number;
  #size = 0;
  #isDirty = false;
  #isTorn = false;
  #isClosed = false;
  #syncing: Promise<void> | undefined;

  /** Creates it, for its owner only. Throws what the disk throws, also when something is there already, in whatever form. */
  constructor(fs: AuditFileSystem, path: string) {
    this.#fs = fs;
    this.path = path;
    this.#fd = fs.openSync(path, O_WRONLY | O_APPEND | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  }

  get size(): number {
    return this.#size;
  }

  /** Half a line is in it that could not be taken back: nothing may follow it. */
  get isTorn(): boolean {
    return this.#isTorn;
  }

  /** What was written may not be on the disk yet. */
  get isDirty(): boolean {
    return this.#isDirty;
  }

  /** Writes all of it before it returns. Throws what the disk throws; then none of it is there, or the file is torn. */
  append(line: Uint8Array): void {
    try {
      writeAll(this.#fs, this.#fd, line);
    } catch (error) {
      this.#takeBack();
      throw error;
    }
    this.#size += line.length;
    this.#isDirty = true;
  }

  /** Waits for the disk. Throws what the disk throws. */
  syncNow(): void {
    this.#fs.fdatasyncSync(this.#fd);
    this.#isDirty = false;
  }

  /** The same without holding this process. Rejects with what the disk says. */
  sync(): Promise<void> {
    if (this.#isClosed) return Promise.resolve();
    this.#syncing ??= new Promise<void>((resolve, reject) => {
      this.#isDirty = false; // what is written from now on is dirty again
      this.#fs.fdatasync(this.#fd, (error) => {
        this.#syncing = undefined;
        if (error === null) resolve();
        else reject(error);
      });
    });
    return this.#syncing;
  }

  /** Whether it still has a name: one that was removed takes every line and keeps none. */
  isStillThere(): boolean {
    return this.#fs.fstatSync(this.#fd).nlink > 0;
  }

  /** Closes it when the disk has done what it was asked for. Throws what the disk throws. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#syncing?.catch(() => undefined); // told to whoever asked for it
    this.#fs.closeSync(this.#fd);
  }

  #takeBack(): void {
    try {
      this.#fs.ftruncateSync(this.#fd, this.#size);
    } catch {
      this.#isTorn = true;
    }
  }
}
