// Sends to one place, batch after batch, for as long as the server lives. Nothing waits for it: it reads the files that the log has written.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../../lib/logger.ts';
import type { Writer } from '../segment-name.ts';
import { BackOff } from './back-off.ts';
import type { Backlog, Outgoing } from './backlog.ts';
import { Backlogs, LOST } from './backlogs.ts';
import { ShipHealth } from './ship-health.ts';
import type { Delivery, Sink } from './sink.ts';

export interface ShipStatus {
  /** Kind and address of the place. */
  readonly to: string;
  readonly ok: boolean;
  readonly problem?: string | undefined;
  /** Entries since the start of this server: that have arrived, and that never will. */
  readonly shipped: number;
  readonly dropped: number;
  /** That are written and have not arrived yet. */
  readonly lagEntries: number;
  /** When it is tried again, where it failed. */
  readonly retryAt?: string | undefined;
}

/** Ends early with the signal, without an error. */
export type Wait = (ms: number, signal: AbortSignal) => Promise<void>;

export interface ShipperOptions {
  readonly sink: Sink;
  readonly key: string;
  readonly directory: string;
  readonly writer: Writer;
  readonly log: Log;
  readonly wait?: Wait | undefined;
  readonly random?: (() => number) | undefined;
}

interface Pending {
  readonly backlog: Backlog;
  rest: readonly Outgoing[];
  readonly isFull: boolean;
}

/** When it is no longer about single entries: a place that refuses all of them is left alone for a while after each. */
const MANY_REFUSED = 3;
/** How long entries are collected. */
const COLLECT_MS = 1_000;
/** How often it is looked whether a server has died and left something. */
const LOOK_MS = 60_000;

export class Shipper {
  readonly #sink: Sink;
  readonly #wait: Wait;
  readonly #backOff: BackOff;
  readonly #health: ShipHealth;
  readonly #backlogs: Backlogs;
  #shipped = 0;
  #retryAt: number | undefined;
  #pending: Pending | undefined;
  /** How many are sent at once: fewer after a refusal, until the entry is found that it is about. */
  #atOnce = Infinity;
  #lookedAt = -Infinity;
  #isStopping = false;
  #isNotified = false;
  #isIdle = false;
  /** Entries that were given up since one was taken. */
  #refusedInARow = 0;
  #sleeping = new AbortController();
  /** The end of the time there is for the last entries. */
  readonly #deadline = new AbortController();
  readonly #running: Promise<void>;

  constructor({ sink, key, directory, writer, log, wait = quietSleep, random = Math.random }: ShipperOptions) {
    this.#sink = sink;
    this.#wait = wait;
    this.#backOff = new BackOff(random);
    this.#health = new ShipHealth({ name: sink.name, log, now: Date.now });
    this.#backlogs = new Backlogs({ directory, key, writer, health: this.#health });
    this.#running = this.#run().catch((error: unknown) => {
      this.#health.onFailure(`sending has ended by a fault of shellkeep: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    });
  }

  get status(): ShipStatus {
    const { problem, dropped } = this.#health;
    const lagEntries = this.#backlogs.all.reduce((sum, { lag }) => sum + lag, 0);
    const retryAt = this.#retryAt === undefined ? undefined : new Date(this.#retryAt).toISOString();
    return { to: this.#sink.name, ok: problem === undefined, problem, shipped: this.#shipped, dropped, lagEntries, retryAt };
  }

  /** An entry was written. */
  onWritten(seq: number): void {
    this.#backlogs.own.onWritten(seq);
    if (this.#isNotified) return;
    this.#isNotified = true;
    if (this.#isIdle) this.#sleeping.abort();
  }

  /** Sends what it can within the time, unless the place did not answer lately. The rest is sent by the next server. */
  async stop(graceMs: number): Promise<void> {
    this.#isStopping = true;
    this.#sleeping.abort();
    const timer = setTimeout(() => this.#deadline.abort(), graceMs);
    await this.#running;
    clearTimeout(timer);
  }

  async #run(): Promise<void> {
    await this.#backlogs.look();
    this.#lookedAt = Date.now();
    while (await this.#step());
    if (this.#backlogs.all.some(({ lag }) => lag > 0)) await this.#keepAll();
    await this.#backlogs.close();
    this.#sink.close();
    this.#health.close();
  }

  /** One batch, or one wait. Whether to go on. */
  async #step(): Promise<boolean> {
    const pending = (this.#pending ??= await this.#nextBatch());
    if (pending === undefined) {
      if (this.#isStopping) return this.#isNotified; // something was written while it was looked
      await this.#idle();
      return true;
    }
    const some = pending.rest.slice(0, this.#atOnce);
    const delivery = await this.#sink.deliver(some, pending.backlog.server, this.#deadline.signal);
    if (delivery.kind === 'failed') return this.#onFailed(delivery);
    const { seq } = pending.backlog.position;
    if (delivery.kind === 'accepted') this.#onAccepted(some, delivery);
    else this.#onRejected(some, delivery);
    if (pending.backlog.position.seq > seq) await this.#backlogs.keep(pending.backlog);
    if (this.#refusedInARow >= MANY_REFUSED && delivery.kind === 'rejected') return this.#onFailed({ ...delivery, kind: 'failed' });
    if (this.#pending === undefined && !pending.isFull) await this.#sleep(COLLECT_MS);
    return !this.#deadline.signal.aborted;
  }

  async #nextBatch(): Promise<Pending | undefined> {
    this.#isNotified = false; // what is written from here on is looked for again
    for (const backlog of this.#backlogs.inTurn()) {
      const batch = await backlog.next(this.#sink.limits);
      if (batch !== undefined) {
        this.#health.onDropped(batch.missing, LOST);
        return { backlog, rest: batch.entries, isFull: batch.isFull };
      }
      if (backlog.isAtEnd && backlog !== this.#backlogs.own) await this.#backlogs.finish(backlog);
    }
    return undefined;
  }

  #onAccepted(some: readonly Outgoing[], { discarded = 0, why = '' }: Extract<Delivery, { kind: 'accepted' }>): void {
    this.#health.onSuccess();
    this.#backOff.reset();
    this.#refusedInARow = 0;
    this.#shipped += some.length - discarded;
    this.#health.onDropped(discarded, why);
    this.#atOnce *= 2;
    this.#onDone(some.length);
  }

  /** Halves, until it is known which entry is refused: that one is given up. */
  #onRejected(some: readonly Outgoing[], { problem, hopeless = some.length === 1 ? 1 : 0 }: Extract<Delivery, { kind: 'rejected' }>): void {
    if (some.length === 1) this.#refusedInARow += 1;
    if (hopeless === 0) this.#atOnce = Math.ceil(some.length / 2);
    this.#health.onDropped(hopeless, problem);
    this.#onDone(hopeless);
  }

  #onDone(count: number): void {
    const pending = this.#pending;
    const last = pending?.rest[count - 1];
    if (pending === undefined) return;
    if (last !== undefined) pending.backlog.onDone(last);
    pending.rest = pending.rest.slice(count);
    if (pending.rest.length > 0) return;
    this.#pending = undefined;
    this.#atOnce = Infinity;
  }

  async #onFailed({ problem, retryAfterMs }: Extract<Delivery, { kind: 'failed' }>): Promise<boolean> {
    if (this.#isStopping) return false;
    if (this.#health.problem === undefined) await this.#keepAll(); // so that it is known what is lost if we do not come back
    this.#health.onFailure(problem);
    const delayMs = this.#backOff.delay(retryAfterMs);
    this.#retryAt = Date.now() + delayMs;
    await this.#sleep(delayMs);
    this.#retryAt = undefined;
    return !this.#isStopping;
  }

  /** Until something is written, or it is time to look for dead servers. */
  async #idle(): Promise<void> {
    this.#isIdle = true;
    if (!this.#isNotified) await this.#sleep(LOOK_MS);
    this.#isIdle = false;
    if (this.#isNotified && !this.#isStopping) await this.#sleep(COLLECT_MS);
    if (Date.now() - this.#lookedAt < LOOK_MS) return;
    this.#lookedAt = Date.now();
    await this.#backlogs.look();
  }

  async #sleep(ms: number): Promise<void> {
    if (this.#isStopping) return;
    this.#sleeping = new AbortController();
    await this.#wait(ms, this.#sleeping.signal);
  }

  async #keepAll(): Promise<void> {
    for (const backlog of this.#backlogs.all) await this.#backlogs.keep(backlog);
  }
}

/** Keeps no process alive. */
async function quietSleep(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { ref: false, signal }).catch(() => undefined); // an early end is no error
}
