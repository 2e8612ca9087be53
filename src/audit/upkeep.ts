// What is done with closed segments, of all servers: the oldest go, large ones are compressed. The file of a living server is never touched.
import { join } from 'node:path';
import { compressSegment, removeQuietly } from './compress.ts';
import { listSegments, namesIn, type Segment } from './directory.ts';
import { systemCode, type AuditFileSystem } from './file-system.ts';
import { hasEnded, parseSegmentName } from './segment-name.ts';

export interface UpkeepOptions {
  readonly fs: AuditFileSystem;
  readonly directory: string;
  /** Closed segments that are kept: full ones, or what is as large. */
  readonly backups: number;
  /** The size of a full one. */
  readonly maxBytes: number;
  /** Larger closed segments are compressed; 0 is never. */
  readonly gzipBytes: number;
  /** Told of what the disk refused. */
  readonly onFailure: (error: unknown) => void;
}

/** What the smallest segment counts as, so that there are not too many files. */
const LEAST_SHARE = 1 / 200;

const TEMPORARY = /^(.+\.jsonl)\.gz\.(.+\.jsonl)\.tmp$/;

export class Upkeep {
  readonly #options: UpkeepOptions;
  /** The name of a segment of this server: in the name of its temporary files it says whose they are. */
  readonly #ownName: string;
  #running: Promise<void> | undefined;
  #isAskedAgain = false;

  constructor(ownName: string, options: UpkeepOptions) {
    this.#ownName = ownName;
    this.#options = options;
  }

  /** Does all that there is to do, once more if it is asked meanwhile. Never rejects for the disk's sake. */
  run(): Promise<void> {
    this.#isAskedAgain = true;
    this.#running ??= this.#untilDone();
    return this.#running;
  }

  async #untilDone(): Promise<void> {
    try {
      while (this.#isAskedAgain) {
        this.#isAskedAgain = false;
        await this.#once();
      }
    } finally {
      this.#running = undefined;
    }
  }

  async #once(): Promise<void> {
    const { fs, directory, backups, gzipBytes } = this.#options;
    this.#sweep();
    const closed = listSegments(fs, directory).filter(({ isClosed }) => isClosed);
    const kept = this.#countKept(closed, backups);
    for (const { path } of closed.slice(kept)) this.#remove(path);
    if (gzipBytes === 0) return;
    for (const segment of closed.slice(0, kept)) await this.#compress(segment, gzipBytes);
  }

  /** The newest. The last segment of a server that has ended counts by its size: else a few short conversations would push out all that was before. */
  #countKept(closed: readonly Segment[], backups: number): number {
    let full = 0;
    const first = closed.findIndex((segment) => {
      full += segment.isLast ? this.#shareOf(segment) : 1;
      return full > backups;
    });
    return first === -1 ? closed.length : first;
  }

  #shareOf({ path }: Segment): number {
    const { fs, maxBytes } = this.#options;
    const bytes = fs.lstatSync(path, { throwIfNoEntry: false })?.size ?? 0;
    return Math.min(1, Math.max(LEAST_SHARE, bytes / maxBytes));
  }

  /** What a server left that was killed while it compressed; and the source of what was compressed but not removed. */
  #sweep(): void {
    const { fs, directory } = this.#options;
    const names = namesIn(fs, directory);
    const all = new Set(names);
    for (const name of names) {
      const owner = parseSegmentName(TEMPORARY.exec(name)?.[2] ?? '');
      if (owner !== undefined && hasEnded(owner.writer, () => false)) removeQuietly(fs, join(directory, name));
      if (all.has(`${name}.gz`) && parseSegmentName(name) !== undefined) removeQuietly(fs, join(directory, name));
    }
  }

  #remove(path: string): void {
    const { fs, onFailure } = this.#options;
    try {
      fs.unlinkSync(path);
    } catch (error) {
      if (!isGone(error)) onFailure(error);
    }
  }

  async #compress({ path, format }: Segment, gzipBytes: number): Promise<void> {
    const { fs, onFailure } = this.#options;
    try {
      const stats = format === 'gzip' ? undefined : fs.lstatSync(path);
      if (stats?.isFile() === true && stats.size > gzipBytes) await compressSegment(fs, path, `${path}.gz.${this.#ownName}.tmp`);
    } catch (error) {
      if (!isGone(error)) onFailure(error); // another server may have done it
    }
  }
}

function isGone(error: unknown): boolean {
  const code = systemCode(error);
  if (code === undefined) throw error;
  return code === 'ENOENT';
}
