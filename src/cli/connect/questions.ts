// What servers ask the client. Each server counts its questions from 0, and a person may answer that of a server which has gone: such an answer must never
// be taken for one to the question of another server. So every server but the first has its ids changed.
import { withCancelled, withId, type Id } from './message.ts';

export class Questions {
  #servers = 0;
  /** What this server waits for, by the id that the client knows, with the server's own. */
  readonly #open = new Map<Id, Id>();

  /** From now on another server asks. */
  begin(): void {
    this.#servers++;
    this.#open.clear();
  }

  /** A question as the client gets it. */
  asked(raw: Buffer, own: Id): Buffer {
    const shown = this.#shown(own);
    this.#open.set(shown, own);
    return shown === own ? raw : withId(raw, shown);
  }

  /** The notice that a question is taken back, as the client gets it. */
  takenBack(raw: Buffer, own: Id): Buffer {
    const shown = this.#shown(own);
    this.#open.delete(shown);
    return shown === own ? raw : withCancelled(raw, shown);
  }

  /** An answer as the server gets it; undefined when this server does not wait for it. */
  answered(raw: Buffer, shown: Id): Buffer | undefined {
    const own = this.#open.get(shown);
    this.#open.delete(shown);
    if (own === undefined) return undefined;
    return shown === own ? raw : withId(raw, own);
  }

  #shown(own: Id): Id {
    return this.#servers === 1 ? own : `${this.#servers}:${JSON.stringify(own)}`;
  }
}
