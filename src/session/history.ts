// The commands of a session whose results can still be asked for.
import type { Command } from './command.ts';

export class CommandHistory {
  readonly #commands = new Map<string, Command>();
  #latest: Command | undefined;
  readonly #onForget: (command: Command) => void;

  /** `onForget` is told of each command whose output is about to be dropped. */
  constructor(onForget: (command: Command) => void) {
    this.#onForget = onForget;
  }

  /** The command that runs, or else the last one. */
  get latest(): Command | undefined {
    return this.#latest;
  }

  get(id: string): Command | undefined {
    return this.#commands.get(id);
  }

  /** Oldest first. */
  ids(): string[] {
    return [...this.#commands.keys()];
  }

  add(command: Command): void {
    this.#commands.set(command.id, command);
    this.#latest = command;
  }

  /** Forgets results that were kept longer than this, but never the last one. */
  prune(keepMs: number): void {
    const now = performance.now();
    for (const command of this.#commands.values()) {
      if (command.endedAt === undefined || now - command.endedAt <= keepMs) return; // the later ones are younger
      if (command !== this.#latest) this.forget(command);
    }
  }

  forget(command: Command): void {
    this.#commands.delete(command.id);
    if (this.#latest === command) this.#latest = undefined;
    this.#onForget(command);
    command.dispose();
  }

  clear(): void {
    for (const command of this.#commands.values()) command.dispose();
    this.#commands.clear();
  }
}
