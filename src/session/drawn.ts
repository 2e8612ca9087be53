// Which parts of a command's output programs have drawn on the alternate screen: its screen shows them, its text would be noise.
import type { Range } from '../output/range.ts';

/** Of a program that switches more often than this, what it drew first shows again: nothing that was printed is ever hidden. */
const MAX_RANGES = 1_024;

export class Drawn {
  readonly #ranges: Range[] = [];
  #openFrom: number | undefined;

  /** Where the program that draws now has begun, as a raw offset. */
  get openFrom(): number | undefined {
    return this.#openFrom;
  }

  /** What was drawn until somebody gave the screen back, in order. */
  get ranges(): readonly Range[] {
    return this.#ranges;
  }

  /** The alternate screen is switched on or off at a raw offset. */
  note(isAlternate: boolean, at: number): void {
    if (isAlternate) this.#openFrom ??= at;
    else this.close(at);
  }

  /** Nobody draws any more: what draws was ended, or has given the screen back. */
  close(at: number): void {
    if (this.#openFrom === undefined) return;
    if (this.#ranges.length >= MAX_RANGES) this.#ranges.shift();
    this.#ranges.push({ from: this.#openFrom, to: at });
    this.#openFrom = undefined;
  }
}
