// Wrong tokens by address. They cannot be guessed; this keeps somebody who tries from filling logs, without locking out who has the right one.

/** A person who pastes the wrong token, or a client that tries again, stays below. */
const MOST = 20;
const WINDOW_MS = 60_000;
const MOST_ADDRESSES = 1_000;

interface Tries {
  readonly sinceMs: number;
  count: number;
}

export class FailedTokens {
  readonly #tries = new Map<string, Tries>();

  /** Notes one more; for how many seconds this address is answered no other way. */
  note(address: string, nowMs = performance.now()): number {
    const tries = this.#current(address, nowMs);
    tries.count++;
    return tries.count <= MOST ? 0 : Math.ceil((tries.sinceMs + WINDOW_MS - nowMs) / 1_000);
  }

  #current(address: string, nowMs: number): Tries {
    const known = this.#tries.get(address);
    if (known !== undefined && nowMs - known.sinceMs < WINDOW_MS) return known;
    this.#tries.delete(address);
    const [oldest] = this.#tries.keys();
    if (this.#tries.size >= MOST_ADDRESSES && oldest !== undefined) this.#tries.delete(oldest);
    const tries = { sinceMs: nowMs, count: 0 };
    this.#tries.set(address, tries);
    return tries;
  }
}
