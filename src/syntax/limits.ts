// What reading one text may cost. Whoever reaches a limit is never called safe.

export const MAX_LENGTH = 1024 * 1024;
/** What is no here-document's text is parsed word by word. */
export const MAX_OUTSIDE = 128 * 1024;
export const MAX_NODES = 20_000;
/** How often text inside text is parsed again: `bash -c 'bash -c …'`. */
export const MAX_NESTING = 8;
/** How deep substitutions may stand in one another: `$(… $(… <(…)))`. Each level is lexed again, and nobody writes more than three. */
export const MAX_SUBSTITUTIONS = 24;
/** Each is a script of its own. */
export const MAX_SUBSTITUTIONS_IN_ALL = 500;
/** How deep the output of substitutions is worked out; below, it is unknown. */
export const MAX_OUTPUTS = 6;
export const MAX_OUTPUTS_IN_ALL = 3000;
/** Words of commands whose output is worked out, each time again: `x=$(… $x $x $x)` refers to itself. */
export const MAX_OUTPUT_WORDS = 20_000;
/** Braces in one another, `{a,{b,…}}`: each level is a word that is read again. */
export const MAX_BRACES = 6;
/** Calls of the script's own functions that are followed with their arguments; the functions themselves are read anyway. */
export const MAX_CALLS = 64;
/** Commands of one pipeline, with those inside its stages: each knows all that stand before it. */
export const MAX_UPSTREAM = 500;
/** `v1=$v0$v0; v2=$v1$v1; …` doubles with every assignment. */
export const MAX_VALUE = 4096;
export const MAX_ALTERNATIVES = 32;
/** How often a script may change the directory, and how long its path may get: each may lead on from every one before. */
export const MAX_DIRECTORY_CHANGES = 100;
export const MAX_DIRECTORY = 512;
/** Expansions and literals in one word or here-document; what has more is unknown. */
export const MAX_PARTS = 500;
/** Commands that are looked at, wrappers and alternatives included. */
export const MAX_COMMANDS = 1000;
/** How often values of variables are worked out: `a=$a$b; b=$b$a; …` refers to everything again and again. */
export const MAX_EVALUATIONS = 8000;
/** How much text may be parsed again altogether; 16 KiB of nested quotes would otherwise be read many times. */
export const MAX_REPARSED = 64 * 1024;

/** A limit was reached; the reader notes it and stops. */
export class LimitReached extends Error {}

/** Counts what one reading costs. */
export class Budget {
  #nodes = 0;
  #commands = 0;
  #reparsed = 0;
  #depth = 0;
  #substitutions = 0;
  #outputDepth = 0;
  #outputs = 0;
  #words = 0;

  node(): void {
    if (++this.#nodes > MAX_NODES) throw new LimitReached(`more than ${MAX_NODES} syntax nodes`);
  }

  /** A substitution is entered; `leave` it again. */
  enter(): void {
    if (++this.#substitutions > MAX_SUBSTITUTIONS_IN_ALL) throw new LimitReached(`more than ${MAX_SUBSTITUTIONS_IN_ALL} substitutions`);
    if (++this.#depth > MAX_SUBSTITUTIONS) throw new LimitReached(`more than ${MAX_SUBSTITUTIONS} substitutions in one another`);
  }

  leave(): void {
    this.#depth--;
  }

  /** Works out the output of a substitution, unless it is too deep, or one of too many. */
  output<T>(work: () => T): T | undefined {
    if (this.#outputDepth >= MAX_OUTPUTS || ++this.#outputs > MAX_OUTPUTS_IN_ALL) return undefined;
    this.#outputDepth++;
    try {
      return work();
    } finally {
      this.#outputDepth--;
    }
  }

  words(count: number): void {
    this.#words += count;
    if (this.#words > MAX_OUTPUT_WORDS) throw new LimitReached(`more than ${MAX_OUTPUT_WORDS} words to work out`);
  }

  command(): void {
    if (++this.#commands > MAX_COMMANDS) throw new LimitReached(`more than ${MAX_COMMANDS} commands`);
  }

  reparse(length: number): void {
    this.#reparsed += length;
    if (this.#reparsed > MAX_REPARSED) throw new LimitReached(`more than ${MAX_REPARSED} characters of code inside code`);
  }
}
