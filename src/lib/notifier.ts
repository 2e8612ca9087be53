// Telling of changes: whoever owns a state tells, whoever is interested looks again.

/** `Told`: what a listener is told beside that something has changed. */
export class Notifier<Told extends readonly unknown[] = []> {
  readonly #listeners = new Set<(...told: Told) => void>();

  notify(...told: Told): void {
    for (const listener of [...this.#listeners]) listener(...told);
  }

  /** Calls the listener at every change until the returned function is called. */
  listen(listener: (...told: Told) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
