// How long to leave a place alone that does not answer: longer each time, and never the same for all that lost it at the same moment.

const FIRST_MS = 1_000;
const LONGEST_MS = 60_000;
/** A place may ask for more than we would wait, but not for ever. */
const LONGEST_ASKED_MS = 3_600_000;

export class BackOff {
  readonly #random: () => number;
  #next = FIRST_MS;

  constructor(random: () => number) {
    this.#random = random;
  }

  /** Between the half and the whole of 1, 2, 4 … 60 s; what the place asked for where that is longer. */
  delay(askedMs = 0): number {
    const whole = this.#next;
    this.#next = Math.min(whole * 2, LONGEST_MS);
    return Math.max(Math.round(whole * (0.5 + this.#random() / 2)), Math.min(askedMs, LONGEST_ASKED_MS));
  }

  /** It answers again. */
  reset(): void {
    this.#next = FIRST_MS;
  }
}

/** The header Retry-After: seconds, or a date of HTTP; undefined when it is neither. */
export function retryAfterMs(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\s*\d{1,9}\s*$/.test(header)) return Number(header) * 1_000;
  const date = /^[A-Za-z]{3}, /.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
}
