// What one connection is told of changes: of the list of resources, and of each resource that it subscribed to, at most twice a second.
import type { Services } from '../tools/services.ts';
import { uriOf, type ResourceAddress } from './resource-uri.ts';

/** Output comes in hundreds of pieces a second; a client that reads again after each would do nothing else. */
const DEBOUNCE_MS = 500;

export interface Notices {
  listChanged(): void;
  updated(uri: string): void;
}

export class Subscriptions {
  readonly #owner: string;
  readonly #notices: Notices;
  readonly #stops = new Map<string, () => void>();
  #stopFollowing: (() => void) | undefined;
  #isOver = false;

  constructor(owner: string, notices: Notices) {
    this.#owner = owner;
    this.#notices = notices;
  }

  /** From now on the client is told when the list changes. Again it does nothing. */
  follow({ sessions, tasks }: Services): void {
    if (this.#isOver || this.#stopFollowing !== undefined) return;
    const notice = new Debounced(() => this.#notices.listChanged());
    const stops = [sessions, tasks].map((table) => table.onListChange(this.#owner, () => notice.note()));
    this.#stopFollowing = stopAll([...stops, () => notice.stop()]);
  }

  /** Tells of changes of a resource until it is gone, that included. Throws SESSION_NOT_FOUND, TASK_NOT_FOUND. */
  add({ sessions, tasks }: Services, { kind, id }: ResourceAddress): void {
    const uri = uriOf({ kind, id });
    if (this.#isOver || this.#stops.has(uri)) return;
    const table = kind === 'output' ? tasks : sessions;
    const notice = new Debounced(() => {
      this.#notices.updated(uri);
      if (!table.has(this.#owner, id)) this.remove(uri);
    });
    const stopWatching = table.watch(this.#owner, id, () => notice.note());
    this.#stops.set(uri, stopAll([stopWatching, () => notice.stop()]));
  }

  remove(uri: string): void {
    this.#stops.get(uri)?.();
    this.#stops.delete(uri);
  }

  /** The connection is over: nothing is told any more. */
  close(): void {
    this.#isOver = true;
    this.#stopFollowing?.();
    for (const uri of [...this.#stops.keys()]) this.remove(uri);
  }
}

/** A notice that is given at most so often, and once more after the last change. */
class Debounced {
  readonly #give: () => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(give: () => void) {
    this.#give = give;
  }

  note(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#give();
    }, DEBOUNCE_MS).unref();
  }

  /** Takes back a notice that was not given yet. */
  stop(): void {
    clearTimeout(this.#timer);
  }
}

function stopAll(stops: readonly (() => void)[]): () => void {
  return () => {
    for (const stop of stops) stop();
  };
}
