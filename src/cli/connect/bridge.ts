// Hands on what a client and the server say to one another, line by line and unchanged. When the server goes away, what was asked is answered, and with
// the client's next request another server is reached; to that one the client is introduced again.
import type { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../../lib/logger.ts';
import { Inbox } from './inbox.ts';
import { Link, writeLine } from './link.ts';
import { headOf, withId, type Head, type Id } from './message.ts';
import { Questions } from './questions.ts';

/** As the server takes them. */
const MAX_LINE_BYTES = 32 * 1024 * 1024;
/** A client that has gone waits for nothing: what it said last gets so long to arrive. Clients kill after 2 s. */
const GOODBYE_MS = 1_000;
const INTRODUCTION_MS = 10_000;
/** Who waited behind a start that has failed gets the same answer, instead of one start each. */
const FAULT_HOLDS_MS = 1_000;
/** JSON-RPC's codes: what implementations may use, and "invalid request". */
const GONE = -32_000;
const INVALID_REQUEST = -32_600;
const GONE_MESSAGE = 'the shellkeep server has gone, and with it its sessions and tasks; whether this was done is not known. The next call starts a new server: open a session with session_create';
const LOST_AT_ONCE = 'the shellkeep server went away before it was given this; nothing was done: call again';
/** What a client looks at again when it talks to another server. */
const CHANGED = ['notifications/tools/list_changed', 'notifications/resources/list_changed'];

export interface BridgeOptions {
  readonly input: Readable;
  readonly output: Writable;
  /** A connection on which the protocol can begin. Rejects with the reason why there is none. */
  reach(): Promise<Socket>;
  readonly log: Log;
}

export class Bridge {
  readonly #options: BridgeOptions;
  /** What the client waits for. */
  readonly #asked = new Set<Id>();
  readonly #questions = new Questions();
  /** What the client said first, to say it again: its initialize, and that it is ready. */
  #initialize: { readonly id: Id; readonly raw: Buffer } | undefined;
  #initialized: Buffer | undefined;
  /** The client has the answer to its initialize. */
  #isKnown = false;
  #link: Link | undefined;
  #introductions = 0;
  #introduction: { readonly id: Id; settle(fault?: Error): void } | undefined;
  #fault: { readonly error: unknown; readonly until: number } | undefined;

  constructor(options: BridgeOptions) {
    this.#options = options;
  }

  /** Works until the client goes away. Rejects with the reason when no server can be reached for its first message; that was answered then. */
  async run(): Promise<void> {
    const inbox = new Inbox(this.#options.input, MAX_LINE_BYTES);
    try {
      await Promise.race([this.#handOn(inbox), inbox.ended.then(() => sleep(GOODBYE_MS))]);
    } finally {
      this.#options.input.destroy(); // reading on would keep the process alive
    }
  }

  async #handOn(inbox: Inbox): Promise<void> {
    for (let line = await inbox.take(); line !== undefined; line = await inbox.take()) {
      if (line.kind === 'line') await this.#fromClient(line.raw);
      else await this.#answer(null, INVALID_REQUEST, `a line of ${line.bytes} bytes is over the limit of ${MAX_LINE_BYTES} and was skipped`);
    }
    await this.#link?.end();
  }

  async #fromClient(raw: Buffer): Promise<void> {
    const head = headOf(raw);
    this.#note(head, raw);
    const message = head.kind === 'answer' ? this.#questions.answered(raw, head.id) : raw;
    if (message === undefined) return; // it answers a server that has gone
    if (head.kind !== 'request' && this.#isKnown && this.#link === undefined) return; // nothing to start a server for
    try {
      const link = await this.#reached();
      if (head.kind === 'request') this.#asked.add(head.id);
      await link.send(message);
    } catch (error) {
      if (head.kind === 'request') await this.#answer(head.id, GONE, reasonOf(error));
      if (!this.#isKnown) throw error;
      this.#options.log(reasonOf(error));
    }
  }

  #note(head: Head, raw: Buffer): void {
    if (head.kind === 'request' && head.method === 'initialize') this.#initialize = { id: head.id, raw };
    if (head.kind !== 'notification') return;
    if (head.method === 'notifications/initialized') this.#initialized = raw;
    if (head.cancelled !== undefined) this.#asked.delete(head.cancelled);
  }

  async #reached(): Promise<Link> {
    if (this.#link !== undefined) return this.#link;
    if (this.#fault !== undefined && performance.now() < this.#fault.until) throw this.#fault.error;
    try {
      return await this.#open();
    } catch (error) {
      this.#fault = { error, until: performance.now() + FAULT_HOLDS_MS };
      throw error;
    }
  }

  async #open(): Promise<Link> {
    const socket = await this.#options.reach();
    this.#questions.begin();
    const link = new Link(socket, { output: this.#options.output, onLine: (raw) => this.#fromServer(raw), onLost: () => this.#lost() });
    this.#link = link;
    if (this.#isKnown) await this.#introduce(link);
    if (this.#link === undefined) throw new Error(LOST_AT_ONCE);
    return link;
  }

  #fromServer(raw: Buffer): void {
    const head = headOf(raw);
    if (head.kind === 'answer' && head.id === this.#introduction?.id) return this.#introduction.settle();
    if (head.kind === 'answer') this.#asked.delete(head.id);
    if (head.kind === 'answer' && head.id === this.#initialize?.id) this.#isKnown = true;
    writeLine(this.#options.output, this.#shown(head, raw));
  }

  /** What the server says as the client gets it. */
  #shown(head: Head, raw: Buffer): Buffer {
    if (head.kind === 'request') return this.#questions.asked(raw, head.id);
    if (head.kind === 'notification' && head.cancelled !== undefined) return this.#questions.takenBack(raw, head.cancelled);
    return raw;
  }

  /** Says to a new server what the client has said to the first one, under an id that the client never hears of. */
  async #introduce(link: Link): Promise<void> {
    const id = `shellkeep-connect-${++this.#introductions}`;
    const answered = new Promise<void>((resolve, reject) => {
      this.#introduction = { id, settle: (fault) => (fault === undefined ? resolve() : reject(fault)) };
    });
    const timer = setTimeout(() => link.close(), INTRODUCTION_MS);
    void link.send(withId(this.#initialize?.raw ?? Buffer.alloc(0), id));
    await answered.finally(() => clearTimeout(timer));
    if (this.#initialized !== undefined) void link.send(this.#initialized);
    for (const method of CHANGED) await this.#say({ method });
  }

  #lost(): void {
    this.#link = undefined;
    this.#introduction?.settle(new Error(LOST_AT_ONCE));
    this.#introduction = undefined;
    this.#options.log('the server has gone; the next request of the client starts another one');
    for (const id of this.#asked) void this.#answer(id, GONE, GONE_MESSAGE);
    this.#asked.clear();
  }

  #answer(id: Id | null, code: number, message: string): Promise<void> {
    return this.#say({ id, error: { code, message } });
  }

  #say(message: Readonly<Record<string, unknown>>): Promise<void> {
    return new Promise((resolve) => this.#options.output.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`, () => resolve()));
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
