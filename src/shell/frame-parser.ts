// Splits what a terminal says into output and our marks, however the chunks are cut.
import { MARK_LIMIT_BYTES, MARK_PREFIX, parseMark } from './mark.ts';
import type { Mark, MarkKey } from './mark.ts';

export type Frame = { readonly kind: 'data'; readonly bytes: Buffer } | Mark;

const BEL = 0x07;
const FIRST_PRINTABLE = 0x20;
const NOTHING = Buffer.alloc(0);

export class FrameParser {
  #key: MarkKey;
  /** The beginning of what may become a mark. */
  #held: Buffer = NOTHING;

  constructor(key: MarkKey) {
    this.#key = key;
  }

  /** From now on only marks with this key count. */
  expect(key: MarkKey): void {
    this.#key = key;
  }

  /** The frames of a chunk. Bytes that may be the beginning of a mark are held back until they are known not to be. */
  *feed(chunk: Buffer): Generator<Frame> {
    const bytes = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    this.#held = NOTHING;
    let done = 0;
    for (let at = bytes.indexOf(MARK_PREFIX); at !== -1; at = bytes.indexOf(MARK_PREFIX, at)) {
      const bodyAt = at + MARK_PREFIX.length;
      const window = bytes.subarray(bodyAt, bodyAt + MARK_LIMIT_BYTES);
      const length = window.findIndex((byte) => byte < FIRST_PRINTABLE); // another control character: not a mark of ours
      if (length === -1 && window.length < MARK_LIMIT_BYTES) {
        yield* data(bytes.subarray(done, at));
        this.#held = bytes.subarray(at);
        return;
      }
      const mark = window[length] === BEL ? parseMark(window.toString('latin1', 0, length), this.#key) : undefined;
      if (mark === undefined) {
        at = bodyAt;
        continue;
      }
      yield* data(bytes.subarray(done, at));
      done = at = bodyAt + length + 1;
      yield mark;
    }
    const tail = heldLength(bytes, done);
    yield* data(bytes.subarray(done, bytes.length - tail));
    if (tail > 0) this.#held = bytes.subarray(bytes.length - tail);
  }

  /** What is held back, as output: for the end of the stream. */
  flush(): Buffer {
    const held = this.#held;
    this.#held = NOTHING;
    return held;
  }
}

function* data(bytes: Buffer): Generator<Frame> {
  if (bytes.length > 0) yield { kind: 'data', bytes };
}

/** How many bytes at the end are a beginning of the prefix. */
function heldLength(bytes: Buffer, from: number): number {
  const longest = Math.min(MARK_PREFIX.length - 1, bytes.length - from);
  for (let length = longest; length > 0; length--) {
    if (bytes.subarray(bytes.length - length).equals(MARK_PREFIX.subarray(0, length))) return length;
  }
  return 0;
}
