// What one server has written and one place has not got yet. The files are the queue: in memory is never more than a batch.
import type * as nodeFs from 'node:fs';
import { listSegments, type Segment } from '../directory.ts';
import { MAX_LINE_BYTES } from '../record.ts';
import { serverOf, type Writer } from '../segment-name.ts';
import { START, type Position } from './position.ts';
import { SegmentReading, type OutgoingLine } from './reading.ts';
import { shipmentOf } from './shipment.ts';
import type { Limits, Shipment } from './sink.ts';

/** An entry with the place behind it. */
export interface Outgoing extends Shipment {
  readonly number: number;
  readonly offset: number;
}

export interface Batch {
  readonly entries: readonly Outgoing[];
  /** Entries before them that are in no file any more, or cannot be read. */
  readonly missing: number;
  /** There is more at once. */
  readonly isFull: boolean;
}

interface OpenSegment {
  readonly number: number;
  readonly reading: SegmentReading;
  /** Nothing more is written to it, so that its end is the end. */
  isClosed: boolean;
}

export class Backlog {
  readonly writer: Writer;
  readonly server: string;
  readonly #fs: typeof nodeFs;
  readonly #directory: string;
  #position: Position;
  #lastSeq: number;
  #lastTimeMs: number;
  #newest: number;
  #segment: OpenSegment | undefined;
  #number: number;
  #offset: number;
  #lines: OutgoingLine[] = [];
  #ahead: Outgoing | undefined;
  #isAtEnd = false;
  #isFresh: boolean;

  /** Without a position it begins with what is there: what was removed before was never meant to be sent. */
  constructor(writer: Writer, known: Position | undefined, place: { readonly fs: typeof nodeFs; readonly directory: string }) {
    const position = known ?? START;
    this.#isFresh = known === undefined;
    this.writer = writer;
    this.server = serverOf(writer);
    this.#fs = place.fs;
    this.#directory = place.directory;
    this.#position = position;
    this.#newest = Math.max(position.newest, position.seq);
    [this.#lastSeq, this.#lastTimeMs, this.#number, this.#offset] = [position.seq, position.time_ms, position.number, position.offset];
  }

  /** What is to be kept on the disk. */
  get position(): Position {
    return { ...this.#position, newest: this.#newest };
  }

  /** Entries that are not there yet, as far as is known. */
  get lag(): number {
    return this.#newest - this.#position.seq;
  }

  /** Its server is dead and everything was read. */
  get isAtEnd(): boolean {
    return this.#isAtEnd && this.#ahead === undefined;
  }

  /** An entry was written. */
  onWritten(seq: number): void {
    this.#newest = Math.max(this.#newest, seq);
  }

  /** Looks for the newest entry of a dead server, so that it is known what is lost if its files go first. */
  async measure(): Promise<void> {
    const last = this.#segments().at(-1);
    const size = last?.format === 'plaintext' ? (this.#fs.lstatSync(last.path, { throwIfNoEntry: false })?.size ?? 0) : 0;
    const reading = last === undefined ? undefined : await SegmentReading.open(last, Math.max(0, size - 2 * MAX_LINE_BYTES));
    for (let lines = await reading?.next(); lines !== undefined; lines = await reading?.next()) {
      const shipment = lines.map(({ bytes }) => shipmentOf(bytes, 0)).findLast((found) => found !== undefined);
      this.onWritten(shipment?.seq ?? 0);
    }
    await reading?.close();
  }

  /** This one has arrived, or never will: it is not asked for again. */
  onDone({ number, offset, seq, timeMs }: Outgoing): void {
    this.#position = { ...this.#position, number, offset, seq: Math.max(seq, this.#position.seq), time_ms: timeMs };
  }

  /** Nothing is left of it. Gives the number of entries that were never seen. */
  onFinished(): number {
    const lost = this.#newest - this.#lastSeq;
    this.#position = { ...this.#position, seq: this.#newest, is_finished: true };
    return lost;
  }

  /** The next entries in their order, as many as fit; undefined when there are none now. */
  async next(limits: Limits): Promise<Batch | undefined> {
    const first = await this.#nextEntry();
    if (first === undefined) return undefined;
    const missing = this.#isFresh ? 0 : Math.max(0, first.seq - this.#lastSeq - 1);
    this.#isFresh = false;
    const entries: Outgoing[] = [];
    let bytes = 0;
    for (let entry: Outgoing | undefined = first; entry !== undefined; entry = await this.#nextEntry()) {
      bytes += entry.bytes + limits.overheadBytes;
      const fits = entries.length < limits.entries && bytes <= limits.bytes && entry.timeMs - first.timeMs <= limits.spanMs;
      const isNext = entries.length === 0 || entry.seq === this.#lastSeq + 1; // what is missing is told before what comes behind it
      if (entries.length > 0 && !(fits && isNext)) {
        this.#ahead = entry;
        break;
      }
      entries.push(entry);
      this.#lastSeq = entry.seq;
    }
    return { entries, missing, isFull: this.#ahead !== undefined };
  }

  async close(): Promise<void> {
    await this.#segment?.reading.close();
    this.#segment = undefined;
  }

  async #nextEntry(): Promise<Outgoing | undefined> {
    const ahead = this.#ahead;
    this.#ahead = undefined;
    if (ahead !== undefined) return ahead;
    for (;;) {
      const line = this.#lines.shift() ?? (await this.#fill());
      if (line === undefined) return undefined;
      this.#offset = line.end;
      const shipment = shipmentOf(line.bytes, this.#lastTimeMs);
      if (shipment === undefined || shipment.seq <= this.#lastSeq) continue; // damaged, or sent before
      this.#lastTimeMs = shipment.timeMs;
      this.#newest = Math.max(this.#newest, shipment.seq);
      return { ...shipment, number: this.#number, offset: this.#offset };
    }
  }

  /** Reads on until there is a line, over the ends of segments. */
  async #fill(): Promise<OutgoingLine | undefined> {
    for (;;) {
      const segment = this.#segment ?? (await this.#open());
      if (segment === undefined) return undefined;
      const lines = await segment.reading.next();
      if (lines !== undefined) {
        this.#lines = [...lines];
        const line = this.#lines.shift();
        if (line !== undefined) return line;
        continue;
      }
      if (!segment.isClosed) {
        segment.isClosed = this.#segments().find(({ number }) => number === segment.number)?.isClosed ?? true;
        if (!segment.isClosed) return undefined;
        continue; // what came between the two looks
      }
      await this.close();
      [this.#number, this.#offset] = [segment.number + 1, 0];
    }
  }

  /** The first that is still there, from the position on. */
  async #open(): Promise<OpenSegment | undefined> {
    for (;;) {
      const all = this.#segments();
      const segment = all.find(({ number }) => number >= this.#number);
      if (segment === undefined) {
        this.#isAtEnd = all.every(({ isOfDead }) => isOfDead);
        return undefined;
      }
      if (segment.number !== this.#number) [this.#number, this.#offset] = [segment.number, 0];
      const reading = await SegmentReading.open(segment, this.#offset);
      if (reading !== undefined) {
        this.#segment = { number: segment.number, reading, isClosed: segment.isClosed };
        return this.#segment;
      }
      const isThere = this.#fs.lstatSync(segment.path, { throwIfNoEntry: false }) !== undefined;
      if (isThere) this.#number += 1; // nobody can read it; one that is gone may have been compressed: the next look tells
    }
  }

  #segments(): Segment[] {
    return listSegments(this.#fs, this.#directory).filter(({ server }) => server === this.server).sort((one, other) => one.number - other.number);
  }
}
