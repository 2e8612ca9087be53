// What a stream of raw output has switched in the terminal, and whether it asked the terminal something. Every byte of every command
// comes by here, so only control sequences are looked at, and of most of them only the final character.

const ESC = 0x1b;
const BEL = 0x07;
const BACKSLASH = 0x5c;
const INCOMPLETE = -1;
const EMPTY: Buffer = Buffer.alloc(0);
/** In coloured text the next ESC is near, and looking for it here is cheaper than a call of indexOf, which is what far ones are found by. */
const NEAR_BYTES = 32;
/** No longer sequence is looked into, nor kept for the next chunk. A question about 16 colours at once has about 100 bytes. */
const MAX_SEQUENCE_BYTES = 128;

/** The final characters that matter, as bytes: RM, SM, DA, DSR; `p` of DECRQM and DECSTR, `q` of XTVERSION. */
const FINALS = new Set(Buffer.from('lhcnpq'));
const ALTERNATE_SCREEN = new Set(['47', '1047', '1049']);
/** DA1 to DA3, DSR, DECRQM, XTVERSION: parameters and final character. */
const QUESTION = /^(?:[>=]?0?c|\??6n|5n|\??\d+\$p|>0?q)$/;
/** A control string from its letter on: one that sets a colour (OSC) or asks for a setting (DECRQSS), or can still become one. */
const CAN_ASK = /^(?:\](?:$|[14]$|1[012]$|(?:4|1[012]);)|P(?:$|\$$|\$q))/;
/** A colour is asked for by a question mark in place of one. */
const ASKS = /^(?:P\$q|\](?:.*;)\?(?:;|$))/s;

export class TerminalModes {
  #carry = EMPTY;
  #isAlternateScreen = false;
  #hasApplicationCursor = false;
  #isBracketedPaste = false;
  #hasQuery = false;
  /** Behind the sequence that is looked at, in the chunk that is fed. */
  #position = 0;
  #switches: number[] = [];

  /**
   * Where in the chunk that was fed last the alternate screen was switched on and off in turn: behind the sequences, the last of which
   * led to what is now. Below 0 never: a sequence ends in the chunk that completes it.
   */
  get switches(): readonly number[] {
    return this.#switches;
  }

  /** A program has taken the whole screen. */
  get isAlternateScreen(): boolean {
    return this.#isAlternateScreen;
  }

  /** DECCKM: which form of the cursor keys the program expects. */
  get hasApplicationCursor(): boolean {
    return this.#hasApplicationCursor;
  }

  get isBracketedPaste(): boolean {
    return this.#isBracketedPaste;
  }

  /** Whether a question to the terminal was complete since this was asked last. */
  takeQuery(): boolean {
    const hasQuery = this.#hasQuery;
    this.#hasQuery = false;
    return hasQuery;
  }

  /** The modes of a new terminal. */
  reset(): void {
    this.#carry = EMPTY;
    this.#hasQuery = false;
    this.#resetModes();
  }

  /** The next bytes of the stream. It may have been cut anywhere. */
  feed(chunk: Buffer): void {
    if (this.#switches.length > 0) this.#switches = [];
    const bytes = this.#carry.length === 0 ? chunk : Buffer.concat([this.#carry, chunk]);
    let carryFrom = bytes.length;
    for (let at = bytes.indexOf(ESC); at !== -1;) {
      const end = this.#look(bytes, at);
      if (end === INCOMPLETE) {
        carryFrom = at;
        break;
      }
      at = nextEscape(bytes, end);
    }
    this.#carry = carryFrom === bytes.length ? EMPTY : Buffer.from(bytes.subarray(carryFrom)); // the chunk is the caller's
  }

  /** Looks at what an ESC begins. Where to look on, or INCOMPLETE. */
  #look(bytes: Buffer, start: number): number {
    const kind = bytes[start + 1];
    if (kind === undefined) return INCOMPLETE;
    if (kind === 0x5b) return this.#lookAtCsi(bytes, start); // [
    if (kind === 0x5d || kind === 0x50) return this.#lookAtString(bytes, start); // ] P
    if (kind !== 0x63) return start + 1;
    this.#position = start + 2 - this.#carry.length;
    this.#resetModes(); // c: RIS
    return start + 1;
  }

  #lookAtCsi(bytes: Buffer, start: number): number {
    const limit = Math.min(bytes.length, start + MAX_SEQUENCE_BYTES);
    let end = start + 2;
    let final = bytes[end] ?? 0;
    while (end < limit && final >= 0x20 && final <= 0x3f) final = bytes[++end] ?? 0;
    if (end === limit) return end === start + MAX_SEQUENCE_BYTES ? end : INCOMPLETE;
    this.#position = end + 1 - this.#carry.length;
    if (FINALS.has(final)) this.#apply(bytes.toString('latin1', start + 2, end), String.fromCharCode(final));
    return end;
  }

  #apply(parameters: string, final: string): void {
    if ((final === 'h' || final === 'l') && parameters.startsWith('?')) {
      for (const mode of parameters.slice(1).split(';')) this.#switch(mode, final === 'h');
    } else if (final === 'p' && parameters === '!') {
      this.#resetModes(); // DECSTR
    } else if (QUESTION.test(parameters + final)) {
      this.#hasQuery = true;
    }
  }

  #switch(mode: string, isOn: boolean): void {
    if (ALTERNATE_SCREEN.has(mode)) this.#setAlternateScreen(isOn);
    else if (mode === '1') this.#hasApplicationCursor = isOn;
    else if (mode === '2004') this.#isBracketedPaste = isOn;
  }

  /** A question is one when its terminator is there: only then it is answered. */
  #lookAtString(bytes: Buffer, start: number): number {
    const limit = Math.min(bytes.length, start + MAX_SEQUENCE_BYTES);
    let end = start + 2;
    while (end < limit && bytes[end] !== ESC && bytes[end] !== BEL) end += 1;
    const text = bytes.toString('latin1', start + 1, end);
    if (!CAN_ASK.test(text)) return end;
    if (end === start + MAX_SEQUENCE_BYTES) return end;
    if (end === bytes.length || (bytes[end] === ESC && end + 1 === bytes.length)) return INCOMPLETE;
    const isTerminated = bytes[end] === BEL ? text.startsWith(']') : bytes[end + 1] === BACKSLASH;
    if (isTerminated && ASKS.test(text)) this.#hasQuery = true;
    return end;
  }

  #setAlternateScreen(isOn: boolean): void {
    if (isOn !== this.#isAlternateScreen) this.#switches.push(this.#position);
    this.#isAlternateScreen = isOn;
  }

  #resetModes(): void {
    this.#setAlternateScreen(false);
    this.#hasApplicationCursor = false;
    this.#isBracketedPaste = false;
  }
}

function nextEscape(bytes: Buffer, from: number): number {
  const near = Math.min(bytes.length, from + NEAR_BYTES);
  for (let at = from; at < near; at++) if (bytes[at] === ESC) return at;
  return near === bytes.length ? -1 : bytes.indexOf(ESC, near);
}
