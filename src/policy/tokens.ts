// Tokens that confirm one dangerous command each: given by classify, taken once, within a minute.

export interface TokenOptions {
  readonly makeToken: () => string;
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
}

/** What a token is for, to the byte. */
export interface Confirmed {
  readonly text: string;
  readonly cwd: string;
  readonly sessionId: string | undefined;
  /** Why it is dangerous: another shell, or variables of its own, may add to what was told. */
  readonly reasons: readonly string[];
}

export const TOKEN_LIFETIME_S = 60;
/** More than a client asks for in a minute. */
const MAX_TOKENS = 1_000;

export class Tokens {
  readonly #options: TokenOptions;
  readonly #given = new Map<string, { readonly binding: string; readonly endsAt: number }>();

  constructor(options: TokenOptions) {
    this.#options = options;
  }

  give(confirmed: Confirmed): string {
    const [oldest] = this.#given.keys();
    if (oldest !== undefined && this.#given.size >= MAX_TOKENS) this.#given.delete(oldest);
    const token = this.#options.makeToken();
    this.#given.set(token, { binding: bindingOf(confirmed), endsAt: this.#options.now() + TOKEN_LIFETIME_S * 1_000 });
    return token;
  }

  /** Takes a token. Why it does not count, as the end of a sentence; undefined when it does. */
  take(token: string, confirmed: Confirmed): string | undefined {
    const given = this.#given.get(token);
    if (given === undefined) return 'is unknown here, or was used before';
    if (this.#options.now() > given.endsAt) {
      this.#given.delete(token);
      return `is older than ${TOKEN_LIFETIME_S} s`;
    }
    if (given.binding !== bindingOf(confirmed)) return 'was given for another command, cwd or session_id, or for other reasons';
    this.#given.delete(token);
    return undefined;
  }
}

function bindingOf({ text, cwd, sessionId, reasons }: Confirmed): string {
  return JSON.stringify([text, cwd, sessionId ?? '', reasons]);
}
