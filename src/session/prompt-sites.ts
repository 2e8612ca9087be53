// From where a shell reads at its prompt, by the pointer to its stack. Its builtins that read (`read`, `select`) do it from elsewhere,
// which tells them from a prompt that nobody has announced.
import type { WatchedProcess } from '../process/proc.ts';

/** Programs of the user's prompt may hold the shell up at some other places. */
const MAX_SITES = 16;
/** So often a first command is put off by some milliseconds. */
const MAX_TRIES = 4;
/** A shell is at its first prompt a moment after it has said that it is ready. */
const FIRST_SITE_MS = 30;

export class PromptSites {
  readonly #shell: WatchedProcess;
  readonly #sites = new Set<string>();
  #tries = 0;

  constructor(shell: WatchedProcess) {
    this.#shell = shell;
  }

  /**
   * Notes where it is blocked now, and whether any place is known: to be asked before a command is typed. A shell that has just said
   * that it is ready is about to read; where the kernel does not tell, nobody waits for long.
   */
  isKnown(): boolean {
    this.note();
    return this.#sites.size > 0 || ++this.#tries > MAX_TRIES;
  }

  /** Notes where it is blocked now, as a command is about to be typed: mostly, at its prompt. */
  note(): void {
    const site = this.#shell.inputSite();
    if (site !== undefined && this.#sites.size < MAX_SITES) this.#sites.add(site);
  }

  /** Notes the first one soon, if the shell is at its prompt then: before its first command it may not have been seen there at all. */
  noteFirst(isAtPrompt: () => boolean): void {
    if (this.#sites.size === 0) setTimeout(() => isAtPrompt() && this.note(), FIRST_SITE_MS).unref();
  }

  get isAtPrompt(): boolean {
    return this.#sites.has(this.#shell.inputSite() ?? '');
  }
}
