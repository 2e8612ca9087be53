// One spill file: a stretch of the output of one log.
import { constants } from 'node:fs';
import type * as nodeFs from 'node:fs';
import { ExpectedError } from '../errors.ts';
import { diskProblem, ignoringDiskErrors, SpillRefusal } from './disk-error.ts';

/** The part of node:fs that spilling uses. Tests give one that fails. */
export type SpillFileSystem = Pick<
  typeof nodeFs,
  'closeSync' | 'ftruncateSync' | 'lstatSync' | 'mkdirSync' | 'openSync' | 'readSync' | 'rmSync' | 'unlinkSync' | 'writeSync'
>;

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_RDONLY, O_RDWR } = constants;
const COPY_BYTES = 1024 * 1024;

export class Segment {
  readonly path: string;
  /** Offset in the log of the file's first byte. */
  readonly start: number;
  readonly #fs: SpillFileSystem;
  #end: number;
  /** Open as long as the file is written. */
  #fd: number | undefined;

  /** Creates the file, for its owner only. Throws when it is there already, in whatever form. */
  constructor(fs: SpillFileSystem, path: string, start: number) {
    this.#fs = fs;
    this.path = path;
    this.start = start;
    this.#end = start;
    this.#fd = fs.openSync(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  }

  /** Offset in the log after the file's last byte. */
  get end(): number {
    return this.#end;
  }

  get length(): number {
    return this.#end - this.start;
  }

  get isOpen(): boolean {
    return this.#fd !== undefined;
  }

  /** Appends as many of the bytes as the disk takes, and says how many: a full disk takes some before it refuses. */
  write(bytes: Buffer): number {
    if (this.#fd === undefined) throw new SpillRefusal('the spill file is closed');
    const written = this.#put(this.#fd, bytes, this.length);
    this.#end += written;
    return written;
  }

  /**
   * Reads from an offset in the log into the target; how many bytes, fewer than asked only when the file is damaged or gone. Throws
   * RESOURCE_EXHAUSTED when there is no descriptor or memory to read it with: nothing is wrong with the file then.
   */
  read(position: number, target: Buffer): number {
    try {
      return this.#fill(position, target);
    } catch (error) {
      const problem = diskProblem(error);
      if (isExhaustion(error)) throw new ExpectedError('RESOURCE_EXHAUSTED', `the output cannot be read: ${problem}`, { cause: error });
      return 0;
    }
  }

  /** Appends all of the next segment; throws with this one as it was. The other one is left alone. */
  absorb(next: Segment): void {
    this.#withFile(O_RDWR, (fd) => {
      try {
        this.#copyAll(next, fd);
      } catch (error) {
        ignoringDiskErrors(() => this.#fs.ftruncateSync(fd, this.length)); // what lies beyond the end is never read
        throw error;
      }
    });
    this.#end = next.end;
  }

  /** Gives up what lies from an offset in the log on, and writing. */
  cut(end: number): void {
    this.close();
    this.#end = end;
  }

  /** Whether all that was written is still there. */
  isIntact(): boolean {
    let size = -1;
    ignoringDiskErrors(() => { size = this.#fs.lstatSync(this.path).size; }); // a file that is gone is not intact
    return size >= this.length;
  }

  close(): void {
    const fd = this.#fd;
    this.#fd = undefined;
    if (fd !== undefined) ignoringDiskErrors(() => this.#fs.closeSync(fd)); // the descriptor is gone all the same
  }

  remove(): void {
    this.close();
    ignoringDiskErrors(() => this.#fs.unlinkSync(this.path)); // what stays goes with the directory
  }

  #copyAll(next: Segment, fd: number): void {
    const buffer = Buffer.allocUnsafe(Math.min(COPY_BYTES, next.length));
    for (let position = next.start; position < next.end; ) {
      const part = buffer.subarray(0, next.#fill(position, buffer.subarray(0, next.end - position)));
      if (part.length === 0) throw new SpillRefusal('a spill file is damaged');
      position += this.#put(fd, part, position - this.start);
    }
  }

  #put(fd: number, bytes: Buffer, filePosition: number): number {
    const written = this.#fs.writeSync(fd, bytes, 0, bytes.length, filePosition);
    if (written === 0) throw new SpillRefusal('the disk takes no more bytes');
    return written;
  }

  #fill(position: number, target: Buffer): number {
    return this.#withFile(O_RDONLY, (fd) => {
      let filled = 0;
      while (filled < target.length) {
        const count = this.#fs.readSync(fd, target, filled, target.length - filled, position - this.start + filled);
        if (count === 0) break;
        filled += count;
      }
      return filled;
    });
  }

  #withFile<T>(flags: number, use: (fd: number) => T): T {
    if (this.#fd !== undefined) return use(this.#fd);
    const fd = this.#fs.openSync(this.path, flags | O_NOFOLLOW);
    try {
      return use(fd);
    } finally {
      this.#fs.closeSync(fd);
    }
  }
}

function isExhaustion(error: unknown): boolean {
  return error instanceof Error && 'code' in error && ['EMFILE', 'ENFILE', 'ENOMEM'].includes(String(error.code));
}
