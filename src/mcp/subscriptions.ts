// Who is told of changes: each resource that a client subscribed to, at most twice a second.
import type { ResourceAddress } from './resource-uri.ts';

/** Output comes in hundreds of pieces a second; a client that reads again after each would do nothing else. */
const DEBOUNCE_MS = 500;

/** A notice that is given at most so often, the last one always. */
export class Debounced {
  readonly #give: () => void;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(give: () => void) {
    this.#give = give;
  }

  note(): void {
    if (this.#isStopped) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#give();
    }, DEBOUNCE_MS).unref();
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }
}

export interface SubscriptionEvents {
  /** Listens to what an address stands for until the returned function is called. Throws when there is no such thing. */
  watch(address: ResourceAddress, listener: () => void): () => void;
  updated(uri: string): void;
}

/** The subscriptions of one connection. */
export class Subscriptions {
  readonly #events: SubscriptionEvents;
  readonly #stops = new Map<string, () => void>();

  constructor(events: SubscriptionEvents) {
    this.#events = events;
  }

  add(uri: string, address: ResourceAddress): void {
    if (this.#stops.has(uri)) return;
    const notice = new Debounced(() => this.#events.updated(uri));
    const stopWatching = this.#events.watch(address, () => notice.note());
    this.#stops.set(uri, () => {
      stopWatching();
      notice.stop();
    });
  }

  remove(uri: string): void {
    this.#stops.get(uri)?.();
    this.#stops.delete(uri);
  }

  /** The connection is over. */
  clear(): void {
    for (const uri of [...this.#stops.keys()]) this.remove(uri);
  }
}
