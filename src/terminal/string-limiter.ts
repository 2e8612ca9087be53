// Bounds the control strings (OSC, DCS) in what goes to the emulator, which would collect up to 10 MB of each. An overlong one is
// aborted; the rest of it is dropped up to what ends it.

/** Payload of one control string. */
const MAX_STRING_BYTES = 65_536;

const BEL = 0x07;
const CAN = 0x18;
const SUB = 0x1a;
const ESC = 0x1b;
/** The first byte of the C1 controls in UTF-8. */
const C1 = 0xc2;
const ABORT = Buffer.from([CAN]);

type State = 'text' | 'escape' | 'osc' | 'dcs';

export class StringLimiter {
  #state: State = 'text';
  #length = 0;
  #previous = 0;

  /** The bytes that may go on; the very same when nothing has to be dropped. The stream may have been cut anywhere. */
  limit(bytes: Buffer): Buffer {
    const kept: Buffer[] = [];
    let from = 0;
    for (let at = 0; at < bytes.length; at++) {
      const wasOver = this.#length > MAX_STRING_BYTES;
      this.#step(bytes[at] ?? 0);
      const isOver = this.#length > MAX_STRING_BYTES;
      if (isOver && !wasOver) kept.push(bytes.subarray(from, at), ABORT);
      if (isOver) from = at + 1;
      else if (wasOver && bytes[at] !== ESC) from = at + 1; // the terminator; an ESC may begin anything
    }
    return kept.length === 0 && from === 0 ? bytes : Buffer.concat([...kept, bytes.subarray(from)]);
  }

  #step(byte: number): void {
    const control = this.#previous === C1 && byte >= 0x80 && byte <= 0x9f ? byte - 0x40 : undefined; // as the letter behind an ESC
    const isInString = this.#state === 'osc' || this.#state === 'dcs';
    this.#previous = byte;
    if (byte === ESC) this.#enter('escape');
    else if (control !== undefined) this.#enter(stringOf(control));
    else if (this.#state === 'escape') this.#introduce(byte);
    else if (isInString && (byte === CAN || byte === SUB || (byte === BEL && this.#state === 'osc'))) this.#enter('text');
    else if (isInString) this.#length += 1;
  }

  /** Behind an ESC other controls are carried out, and the letter is still waited for. */
  #introduce(byte: number): void {
    if (byte === CAN || byte === SUB) this.#enter('text');
    else if (byte >= 0x20 && byte < 0x7f) this.#enter(stringOf(byte));
  }

  #enter(state: State): void {
    this.#state = state;
    this.#length = 0;
  }
}

function stringOf(letter: number): State {
  if (letter === 0x5d) return 'osc'; // ]
  return letter === 0x50 ? 'dcs' : 'text'; // P
}
