// What reading one text may cost. Whoever reaches a limit is never called safe.

export const MAX_LENGTH = 1024 * 1024;
export const MAX_NODES = 20_000;
/** How often text inside text is parsed again: `bash -c 'bash -c …'`. */
export const MAX_NESTING = 8;
/** `v1=$v0$v0; v2=$v1$v1; …` doubles with every assignment. */
export const MAX_VALUE = 4096;
export const MAX_ALTERNATIVES = 32;
/** Commands that are looked at, wrappers and alternatives included. */
export const MAX_COMMANDS = 4000;
/** How often values of variables are worked out: `a=$a$b; b=$b$a; …` refers to everything again and again. */
export const MAX_EVALUATIONS = 20_000;
/** How much text may be parsed again altogether; 16 KiB of nested quotes would otherwise be read many times. */
export const MAX_REPARSED = 256 * 1024;

/** A limit was reached; the reader notes it and stops. */
export class LimitReached extends Error {}

/** Counts what one reading costs. */
export class Budget {
  #nodes = 0;
  #commands = 0;
  #reparsed = 0;

  node(): void {
    if (++this.#nodes > MAX_NODES) throw new LimitReached(`more than ${MAX_NODES} syntax nodes`);
  }

  command(): void {
    if (++this.#commands > MAX_COMMANDS) throw new LimitReached(`more than ${MAX_COMMANDS} commands`);
  }

  reparse(length: number): void {
    this.#reparsed += length;
    if (this.#reparsed > MAX_REPARSED) throw new LimitReached(`more than ${MAX_REPARSED} characters of code inside code`);
  }
}
