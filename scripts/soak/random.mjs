// Numbers and texts from a seed: the same seed, the same soak.

/** A small generator of 32 bits (mulberry32): good enough to choose, and the same everywhere. */
export class Random {
  #state;

  constructor(seed) {
    this.#state = seed >>> 0;
  }

  /** From 0 to below 1. */
  fraction() {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from `low` to `high`, both included. */
  between(low, high) {
    return low + Math.floor(this.fraction() * (high - low + 1));
  }

  pick(list) {
    return list[this.between(0, list.length - 1)];
  }

  chance(share) {
    return this.fraction() < share;
  }

  /** Small numbers are as likely as large ones: 0, then each power of ten alike. */
  size(most) {
    return this.chance(0.03) ? 0 : Math.floor(Math.exp(this.fraction() * Math.log(most)));
  }

  /** One of the keys, by their weights. */
  weighted(weights) {
    const entries = Object.entries(weights);
    let left = this.fraction() * entries.reduce((sum, [, weight]) => sum + weight, 0);
    return (entries.find(([, weight]) => (left -= weight) < 0) ?? entries[0])[0];
  }
}

/** Of one to four bytes each in UTF-8, and what shells give a meaning. */
const PIECES = [...'abcdefgh   XYZ0123456789.,:;-_/~', ...'äöüßñéø', ...'你好世界日本語', ...'😀🚀🐚', ...'$`"\'\\!*?#&|<>(){}[]%^='];

/** A text of about so many bytes, with newlines, without characters that a terminal acts on. */
export function randomText(random, bytes) {
  let text = '';
  for (let size = 0, column = 0; size < bytes;) {
    const piece = column > random.between(20, 400) ? '\n' : random.pick(PIECES);
    text += piece;
    size += Buffer.byteLength(piece);
    column = piece === '\n' ? 0 : column + 1;
  }
  return text;
}

/** A line of at most so many characters. */
export const randomLine = (random, most) => Array.from({ length: random.between(0, most) }, () => random.pick(PIECES)).join('');
