// What a call waits for, beside the end of the process that it looks at: words in the output, quiet, a port, an answer over HTTP.
import { compilePattern } from '../output/compile-pattern.ts';
import type { WatchedOutput } from '../output/matcher.ts';
import { OutputWatcher } from './output-watcher.ts';
import { QuietWatcher } from './quiet-watcher.ts';

export type Until =
  /** A regular expression matches in what was unread or comes. */
  | { readonly kind: 'output'; readonly pattern: string }
  /** No output came for that long, counted from the call's start at the earliest. */
  | { readonly kind: 'quiet'; readonly quietMs: number }
  /** A connection to 127.0.0.1 or ::1 is accepted. */
  | { readonly kind: 'port'; readonly port: number }
  /** A GET on this machine is answered with a status below 500. */
  | { readonly kind: 'http'; readonly url: string }
  /** Nothing but the end of the process, which ends every wait. */
  | { readonly kind: 'exit' };

/** What is waited on. */
export interface UntilTarget {
  readonly outputs: readonly WatchedOutput[];
  /** No output will follow. */
  isFinished(): boolean;
}

/** One way of waiting; it tells by a callback, once or more often. */
export interface Watcher {
  outputArrived?(): void;
  /** Looks a last time at what an end has left behind. */
  finish?(): Promise<void>;
  stop(): void;
}

export class UntilWatch {
  readonly #onSatisfied: () => void;
  #watcher: Watcher | undefined;
  #isSatisfied = false;
  #isStopped = false;

  private constructor(onSatisfied: () => void) {
    this.#onSatisfied = onSatisfied;
  }

  /**
   * Starts to watch. `onSatisfied` is called once at most, maybe before this resolves: what is already unread is looked at at once.
   * Throws BAD_PATTERN.
   */
  static async start(until: Until, target: UntilTarget, onSatisfied: () => void): Promise<UntilWatch> {
    const watch = new UntilWatch(onSatisfied);
    const watcher = await createWatcher(until, target, () => watch.#satisfy());
    if (watch.#isSatisfied) watcher?.stop();
    else watch.#watcher = watcher;
    return watch;
  }

  get isSatisfied(): boolean {
    return this.#isSatisfied;
  }

  /** Tells of new output. Cheap to call for every chunk. */
  outputArrived(): void {
    this.#watcher?.outputArrived?.();
  }

  /**
   * Tells that the process has ended and its output is complete: looks through what is left of it, for a second at most, and says
   * whether that was it. Others get their turn meanwhile.
   */
  async finish(): Promise<boolean> {
    await this.#watcher?.finish?.();
    return this.#isSatisfied;
  }

  /** Lets go of all timers and sockets. Nothing is satisfied afterwards. */
  stop(): void {
    this.#isStopped = true;
    this.#watcher?.stop();
    this.#watcher = undefined;
  }

  #satisfy(): void {
    if (this.#isSatisfied || this.#isStopped) return;
    this.#isSatisfied = true;
    this.stop();
    this.#onSatisfied();
  }
}

/** Finds out whether `until` can be watched for, before anything is done. Throws BAD_PATTERN. */
export async function checkUntil(until: Until): Promise<void> {
  if (until.kind === 'output') await compilePattern(until.pattern);
}

async function createWatcher(until: Until, target: UntilTarget, satisfied: () => void): Promise<Watcher | undefined> {
  switch (until.kind) {
    case 'output': {
      const pattern = await compilePattern(until.pattern);
      return new OutputWatcher({ ...target, isFinished: () => target.isFinished(), pattern }, satisfied);
    }
    case 'quiet': return new QuietWatcher(until.quietMs, satisfied);
    case 'port': {
      const { PortWatcher } = await import('./port-watcher.ts');
      return new PortWatcher(until.port, satisfied);
    }
    case 'http': {
      const { HttpWatcher } = await import('./http-watcher.ts'); // node:http is of no use to most servers
      return new HttpWatcher(new URL(until.url), satisfied);
    }
    case 'exit': return undefined;
  }
}
