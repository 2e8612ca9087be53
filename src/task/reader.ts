// What each client has read of a task's output. Polls of one client join to the whole: nothing twice, nothing lost.
import { ExpectedError } from '../errors.ts';
import type { OutputLog } from '../output/log.ts';
import { renderForward } from '../output/render.ts';
import type { Rendered } from '../output/render.ts';

export interface ReadRequest {
  /** Whose place is meant. */
  readonly connection: string;
  /** Raw byte offset to read from, negative: from the end; the connection's place when absent. */
  readonly cursor: number | undefined;
  readonly maxBytes: number;
  /** Nothing will be appended any more. */
  readonly finished: boolean;
}

export class StreamReader {
  readonly #log: OutputLog;
  readonly #name: 'stdout' | 'stderr';
  readonly #places = new Map<string, number>();
  /** Up to where connections had read that are over. */
  #readBefore = 0;

  constructor(log: OutputLog, name: 'stdout' | 'stderr') {
    this.#log = log;
    this.#name = name;
  }

  /** Bytes that no connection has read. */
  get unreadBytes(): number {
    return this.#log.length - Math.max(this.#readBefore, ...this.#places.values());
  }

  /** All of it, whatever was read. */
  get log(): OutputLog {
    return this.#log;
  }

  /** Up to where a connection has read. */
  placeOf(connection: string): number {
    return this.#places.get(connection) ?? 0;
  }

  /** A connection is over; what it has read stays read. */
  forget(connection: string): void {
    this.#readBefore = Math.max(this.#readBefore, this.placeOf(connection));
    this.#places.delete(connection);
  }

  /** The next piece. Throws INVALID_ARGUMENT for a cursor behind the end. */
  read({ connection, cursor, maxBytes, finished }: ReadRequest): Rendered {
    const place = this.placeOf(connection);
    const from = cursor === undefined ? place : this.offsetOf(cursor);
    const piece = renderForward(this.#log, from, { maxBytes, terminal: false, finished, readOn: `task_poll ${this.#name}_cursor` });
    // a look at another part moves nothing: what lies between would be lost for the polls without a cursor
    if (from <= place) this.#places.set(connection, Math.max(place, piece.cursor));
    if (finished && this.unreadBytes === 0) this.#log.markCollected();
    return piece;
  }

  /** The raw offset that a cursor means. Throws INVALID_ARGUMENT for one behind the end. */
  offsetOf(cursor: number): number {
    const { length } = this.#log;
    if (cursor > length) {
      const hint = 'use the cursor of an earlier answer about this task, or leave it out';
      throw new ExpectedError('INVALID_ARGUMENT', `${this.#name}_cursor ${cursor} is beyond the end of the output (${length})`, { hint });
    }
    return cursor < 0 ? Math.max(0, length + cursor) : cursor;
  }
}
