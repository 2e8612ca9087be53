// The global cap of spilled output, and who gives way when it is reached.

/** Whether a log still grows, has ended, or has ended and was read to its end by the client. */
export type SpillPhase = 'running' | 'finished' | 'collected';

/** A share smaller than this is not worth a file: such logs stay in memory, head and tail. */
const MIN_SEGMENT_BYTES = 4_096;

/** What occupies space on the disk: the spill of one log. */
export interface Occupant {
  readonly bytes: number;
  /** Bytes in segments that may go while the log is running. */
  readonly rollingBytes: number;
  /** Removes the oldest rolling segment; false when there is none. */
  dropOldest(): boolean;
  /** Removes everything. */
  discard(): void;
}

export class DiskSpace {
  readonly limitBytes: number;
  /** The most that one log may occupy. */
  readonly shareBytes: number;
  /** Size of a log's first segment, which stays, and of the later ones, which roll. */
  readonly headBytes: number;
  readonly segmentBytes: number;
  #usedBytes = 0;
  /** In the order in which they came to that phase. */
  readonly #occupants: Readonly<Record<SpillPhase, Set<Occupant>>> = { running: new Set(), finished: new Set(), collected: new Set() };

  constructor(limitBytes: number) {
    this.limitBytes = limitBytes;
    this.shareBytes = Math.floor(limitBytes / 8);
    this.headBytes = Math.max(MIN_SEGMENT_BYTES, Math.floor(limitBytes / 32));
    this.segmentBytes = Math.max(MIN_SEGMENT_BYTES, Math.floor(limitBytes / 128));
  }

  get usedBytes(): number {
    return this.#usedBytes;
  }

  place(occupant: Occupant, phase: SpillPhase): void {
    this.forget(occupant);
    this.#occupants[phase].add(occupant);
  }

  forget(occupant: Occupant): void {
    for (const set of Object.values(this.#occupants)) set.delete(occupant);
  }

  /** Counts bytes that were written, or removed when negative. */
  record(bytes: number): void {
    this.#usedBytes += bytes;
  }

  /** Makes room for bytes of an occupant, within its own share and within the limit; false when nothing more can give way. */
  makeRoom(bytes: number, occupant: Occupant): boolean {
    while (occupant.bytes + bytes > this.shareBytes) if (!occupant.dropOldest()) return false;
    while (this.#usedBytes + bytes > this.limitBytes) if (!this.#evict(occupant)) return false;
    return true;
  }

  /** Removes everything of everyone. */
  clear(): void {
    for (const set of Object.values(this.#occupants)) for (const occupant of [...set]) occupant.discard();
  }

  /** What was collected goes first, the oldest first, then what has ended, then old segments of what is running. */
  #evict(occupant: Occupant): boolean {
    for (const phase of ['collected', 'finished'] as const) {
      for (const other of this.#occupants[phase]) {
        if (other === occupant) continue;
        other.discard();
        return true;
      }
    }
    return this.#dropLargest();
  }

  #dropLargest(): boolean {
    let largest: Occupant | undefined;
    for (const running of this.#occupants.running) {
      if (running.rollingBytes > (largest?.rollingBytes ?? 0)) largest = running;
    }
    return largest?.dropOldest() ?? false;
  }
}
