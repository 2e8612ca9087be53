// The output of one producer: appended as raw bytes, read by absolute offsets. Small outputs stay in memory; larger ones go to disk
// within limits, so that neither memory nor disk grows with the output. What had to go is counted.
import { diskProblem, ignoringDiskErrors } from './disk-error.ts';
import type { SpillPhase } from './disk-space.ts';
import { Ring } from './ring.ts';
import { LIMIT_REACHED, Spill } from './spill.ts';
import type { SpillPlace } from './spill.ts';

/** What is kept in memory: all of a smaller output, the newest part not yet written of a larger one, its tail when the disk fails. */
const MEMORY_BYTES = 64 * 1024;
const FIRST_BYTES = 64;

export interface LogRead {
  readonly bytes: Buffer;
  /** Offset of the first of the bytes: the one asked for, or a later one when bytes were lost. */
  readonly from: number;
  /** How many bytes from the offset asked for on are lost. */
  readonly lostBytes: number;
}

/** A stretch of the log that can be read. */
interface Stretch {
  readonly start: number;
  readonly end: number;
  read(position: number, target: Buffer): number;
}

export class OutputLog {
  readonly #name: string;
  readonly #place: SpillPlace;
  #phase: SpillPhase | 'disposed' = 'running';
  /** Bytes that are not on disk, from `#bufferStart` on. */
  #buffer: Buffer = Buffer.alloc(0);
  #bufferStart = 0;
  #used = 0;
  #spill: Spill | undefined;
  /** Takes what follows the buffer once the disk has failed. */
  #ring: Ring | undefined;
  #problem: string | undefined;

  /** Made by OutputStore. `name` becomes the name of the spill file and is unique in the store. */
  constructor(name: string, place: SpillPlace) {
    this.#name = name;
    this.#place = place;
  }

  /** Bytes ever appended. */
  get length(): number {
    return this.#ring?.end ?? this.#bufferStart + this.#used;
  }

  /** What is missing and why: `no space left on device: 1,234 bytes of the output are missing`; undefined when all is there. */
  get failure(): string | undefined {
    const missing = this.lostBytes(0, this.length);
    if (missing === 0) return undefined;
    return `${this.#problem ?? LIMIT_REACHED}: ${missing.toLocaleString('en-US')} bytes of the output are missing`;
  }

  /** Appends a chunk, which the caller may use again. Never throws for a failing disk; ignored after `finish`. */
  append(chunk: Buffer): void {
    if (this.#phase !== 'running') return;
    if (this.#ring === undefined && this.#used + chunk.length > MEMORY_BYTES) this.#flush();
    if (this.#ring !== undefined) this.#ring.append(chunk);
    else if (chunk.length >= MEMORY_BYTES) this.#writeThrough(chunk);
    else this.#keep(chunk);
  }

  /**
   * Up to `maxBytes` that lie together, from an offset on or from the first later one that is still there. Throws RESOURCE_EXHAUSTED
   * when there is no descriptor to read a spill file with.
   */
  read(from: number, maxBytes: number): LogRead {
    const asked = Math.min(Math.max(0, from), this.length);
    if (this.#spill === undefined && this.#ring === undefined) { // nearly all outputs: all of it is in memory
      const start = asked - this.#bufferStart;
      return { bytes: Buffer.from(this.#buffer.subarray(start, Math.min(this.#used, start + maxBytes))), from: asked, lostBytes: 0 };
    }
    const stretches = this.#stretches().filter((stretch) => stretch.end > asked);
    const start = Math.max(asked, stretches[0]?.start ?? this.length);
    const target = Buffer.allocUnsafe(Math.min(maxBytes, endOfFirst(stretches, start) - start));
    const filled = fill(target, stretches, start);
    if (filled === 0 && target.length > 0) return this.#readWithout(start, from, maxBytes);
    return { bytes: target.subarray(0, filled), from: start, lostBytes: start - asked };
  }

  /** How many bytes of a range are lost. */
  lostBytes(from: number, to: number): number {
    const kept = this.#stretches().map((stretch) => Math.min(to, stretch.end) - Math.max(from, stretch.start));
    return kept.reduce((lost, bytes) => lost - Math.max(0, bytes), Math.max(0, to - from));
  }

  /**
   * A file that holds the whole output up to now, written now if it was in memory. Undefined when the disk fails, bytes are lost, or
   * a running log has outgrown its first segment: its later ones are joined to the first when it has ended.
   */
  path(): string | undefined {
    if (this.#ring !== undefined) return undefined;
    this.#flush();
    if (this.#phase !== 'running') this.#join();
    return this.#ring === undefined ? this.#spill?.path() : undefined;
  }

  /** The producer has ended: nothing is appended any more, and memory and descriptor are let go. */
  finish(): void {
    if (this.#phase !== 'running') return;
    if (this.#spill !== undefined) this.#flush();
    this.#spill?.close();
    if (this.#buffer.length > FIRST_BYTES) this.#resize(this.#used);
    this.#enter('finished');
  }

  /** The client has read the output of the finished log to its end: it is the first to go when the disk gets full. */
  markCollected(): void {
    if (this.#phase === 'finished') this.#enter('collected');
  }

  /** Drops the output, in memory and on disk. */
  dispose(): void {
    this.#ring = new Ring(this.length, 0);
    this.#phase = 'disposed';
    this.#problem = 'the output was dropped';
    this.#buffer = Buffer.alloc(0);
    this.#used = 0;
    this.#spill?.discard();
  }

  #keep(chunk: Buffer): void {
    const needed = this.#used + chunk.length;
    if (needed > this.#buffer.length) this.#grow(needed);
    this.#buffer.set(chunk, this.#used);
    this.#used = needed;
  }

  #grow(needed: number): void {
    this.#resize(Math.min(MEMORY_BYTES, Math.max(FIRST_BYTES, needed, 2 * this.#buffer.length)));
  }

  #resize(size: number): void {
    const resized = Buffer.allocUnsafeSlow(size); // not from the pool: a few bytes would hold on to 8 KiB
    resized.set(this.#buffer.subarray(0, this.#used));
    this.#buffer = resized;
  }

  /** Writes the buffer to disk. If the disk fails, the rest stays where it is, and what follows goes to the ring. */
  #flush(): void {
    if (this.#used === 0 || this.#ring !== undefined) return;
    const written = this.#write(this.#buffer.subarray(0, this.#used));
    this.#buffer.copyWithin(0, written, this.#used);
    this.#bufferStart += written;
    this.#used -= written;
    if (this.#used > 0) this.#ring = new Ring(this.length, MEMORY_BYTES);
  }

  /** A chunk as large as the buffer, which is empty, goes to disk without being copied. */
  #writeThrough(chunk: Buffer): void {
    const written = this.#write(chunk);
    this.#bufferStart += written;
    if (written === chunk.length) return;
    const kept = written + MEMORY_BYTES;
    this.#keep(chunk.subarray(written, kept)); // of an output that is not on disk at all this is the head
    this.#ring = new Ring(this.length, MEMORY_BYTES);
    this.#ring.append(chunk.subarray(kept));
  }

  /** Writes bytes to disk; how many of them it took. */
  #write(bytes: Buffer): number {
    const spill = (this.#spill ??= this.#createSpill());
    const before = spill.end;
    try {
      spill.write(bytes);
    } catch (error) {
      this.#problem ??= diskProblem(error);
    }
    return spill.end - before;
  }

  #createSpill(): Spill {
    const spill = new Spill(this.#name, this.#place);
    if (this.#phase !== 'disposed') this.#place.space.place(spill, this.#phase);
    return spill;
  }

  #enter(phase: SpillPhase): void {
    this.#phase = phase;
    if (this.#spill !== undefined) this.#place.space.place(this.#spill, phase);
  }

  /** Everything in one file, if the disk allows it; else it stays as it is, and can be read as before. */
  #join(): void {
    ignoringDiskErrors(() => this.#spill?.join());
    this.#spill?.close();
  }

  /** Reads on after a file turned out to be damaged or gone: its bytes from there on are lost. */
  #readWithout(position: number, from: number, maxBytes: number): LogRead {
    this.#problem ??= 'a spill file cannot be read';
    this.#spill?.cut(position);
    return this.read(from, maxBytes);
  }

  #stretches(): readonly Stretch[] {
    const [buffer, start, used] = [this.#buffer, this.#bufferStart, this.#used];
    const memory: Stretch = {
      start,
      end: start + used,
      read: (position, target) => buffer.copy(target, 0, position - start, used),
    };
    const ring = this.#ring === undefined ? [] : [this.#ring];
    return [...(this.#spill?.segments ?? []), memory, ...ring];
  }
}

/** Where the bytes end that lie together from `start` on. */
function endOfFirst(stretches: readonly Stretch[], start: number): number {
  let end = start;
  for (const stretch of stretches) if (stretch.start <= end) end = Math.max(end, stretch.end);
  return end;
}

/** Reads from the stretches into the target; how many bytes, fewer than its size when one of them cannot be read. */
function fill(target: Buffer, stretches: readonly Stretch[], start: number): number {
  let filled = 0;
  for (const stretch of stretches) {
    const wanted = Math.min(target.length - filled, stretch.end - (start + filled));
    if (wanted <= 0) continue;
    const count = stretch.read(start + filled, target.subarray(filled, filled + wanted));
    filled += count;
    if (count < wanted) break;
  }
  return filled;
}
