// What one log has on disk: a first segment that stays and later ones of which the oldest go when there is no more room.
import { SpillRefusal } from './disk-error.ts';
import type { DiskSpace, Occupant } from './disk-space.ts';
import type { Segment } from './segment.ts';
import type { SpillDirectory } from './spill-directory.ts';

/** Why bytes are missing that no error of the disk took. */
export const LIMIT_REACHED = 'the limit output_disk_bytes is reached';

/** Where logs spill to. */
export interface SpillPlace {
  readonly directory: SpillDirectory;
  readonly space: DiskSpace;
}

export class Spill implements Occupant {
  readonly #name: string;
  readonly #place: SpillPlace;
  #segments: Segment[] = [];
  #bytes = 0;
  #end = 0;

  /** `name` is that of the first file; later ones carry the offset of their first byte as well. */
  constructor(name: string, place: SpillPlace) {
    this.#name = name;
    this.#place = place;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** All but the first segment and the one that is being written. */
  get rollingBytes(): number {
    return this.#segments.slice(1, -1).reduce((sum, segment) => sum + segment.length, 0);
  }

  /** Offset in the log after the last byte that was written, whether it is still there or not. */
  get end(): number {
    return this.#end;
  }

  /** What is there, in order. */
  get segments(): readonly Segment[] {
    return this.#segments;
  }

  /** Appends the bytes. Throws what the disk throws, or SpillRefusal; `end` then says how far it came. */
  write(bytes: Buffer): void {
    for (let rest = bytes; rest.length > 0; ) {
      const part = rest.subarray(0, this.#roomInSegment() || this.#nextCapacity());
      if (!this.#place.space.makeRoom(part.length, this)) throw new SpillRefusal(LIMIT_REACHED);
      const written = this.#openSegment().write(part);
      this.#end += written;
      this.#count(written);
      rest = rest.subarray(written);
    }
  }

  dropOldest(): boolean {
    const oldest = this.#segments.length > 2 ? this.#segments[1] : undefined;
    if (oldest !== undefined) this.#drop(oldest);
    return oldest !== undefined;
  }

  /** Gives up what cannot be read: the rest of its segment from an offset on. */
  cut(position: number): void {
    const segment = this.#segments.find(({ start, end }) => start <= position && position < end);
    if (segment === undefined) return;
    this.#count(position - segment.end);
    segment.cut(position);
    if (segment.length === 0) this.#drop(segment);
  }

  discard(): void {
    for (const segment of this.#segments) this.#drop(segment);
    this.#place.space.forget(this);
  }

  /** Lets go of the descriptor; nothing is written afterwards. */
  close(): void {
    this.#segments.at(-1)?.close();
  }

  /** The file with all of the output, if there is one and it is whole. */
  path(): string | undefined {
    const [first, second] = this.#segments;
    return first?.start === 0 && second === undefined && first.isIntact() ? first.path : undefined;
  }

  /**
   * Moves everything into the first file, unless something is missing in between. Throws what the disk throws. While one segment is
   * copied it is there twice, so the limit may be exceeded by the size of one.
   */
  join(): void {
    const [first, ...others] = this.#segments;
    if (first === undefined || first.start + this.#bytes !== this.#end) return;
    for (const next of others) {
      first.absorb(next);
      this.#count(next.length);
      this.#drop(next);
    }
  }

  #drop(segment: Segment): void {
    this.#segments = this.#segments.filter((other) => other !== segment);
    segment.remove();
    this.#count(-segment.length);
  }

  #openSegment(): Segment {
    const last = this.#segments.at(-1);
    if (last !== undefined && this.#roomInSegment() > 0) return last;
    const name = this.#end === 0 ? `${this.#name}.out` : `${this.#name}.${this.#end}.out`;
    const segment = this.#place.directory.createSegment(name, this.#end);
    last?.close();
    this.#segments.push(segment);
    return segment;
  }

  #roomInSegment(): number {
    const last = this.#segments.at(-1);
    return last?.isOpen === true ? this.#capacity(this.#segments.length) - last.length : 0;
  }

  #nextCapacity(): number {
    return this.#capacity(this.#segments.length + 1);
  }

  #capacity(position: number): number {
    return position === 1 ? this.#place.space.headBytes : this.#place.space.segmentBytes;
  }

  #count(bytes: number): void {
    this.#bytes += bytes;
    this.#place.space.record(bytes);
  }
}
