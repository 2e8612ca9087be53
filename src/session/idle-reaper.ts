// Ends sessions that nobody has used for longer than the idle timeout. Off unless a timeout is set.
import type { Session } from './session.ts';

const MIN_SWEEP_S = 5;
const MAX_SWEEP_S = 300;

interface Seen {
  readonly usedAt: number;
  /** How many looks in a row have found that. Counted, not timed: a wall clock that jumps ends no session. */
  looks: number;
}

export class IdleReaper {
  readonly #seen = new WeakMap<Session, Seen>();
  readonly #timer: NodeJS.Timeout | undefined;
  #ended = 0;

  /** Looks every quarter of the timeout, at least every 300 s and at most every 5 s. */
  constructor(idleTimeoutS: number, sessions: () => readonly Session[], end: (session: Session) => Promise<unknown>) {
    if (idleTimeoutS <= 0) return;
    const sweepS = Math.min(MAX_SWEEP_S, Math.max(MIN_SWEEP_S, idleTimeoutS / 4));
    this.#timer = setInterval(() => {
      for (const session of sessions()) {
        const isIdle = session.state === 'idle' || session.state === 'ended';
        if (this.#looksUnused(session) * sweepS >= idleTimeoutS && isIdle && !session.isClosed) this.#end(session, end);
      }
    }, sweepS * 1_000);
    this.#timer.unref();
  }

  /** How many it has ended. */
  get ended(): number {
    return this.#ended;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #end(session: Session, end: (session: Session) => Promise<unknown>): void {
    this.#ended++;
    void end(session);
  }

  #looksUnused(session: Session): number {
    const usedAt = session.lastUsedAt.getTime();
    const seen = this.#seen.get(session);
    if (seen?.usedAt === usedAt) return ++seen.looks;
    this.#seen.set(session, { usedAt, looks: 0 });
    return 0;
  }
}
