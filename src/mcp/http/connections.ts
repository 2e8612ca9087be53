// The clients over HTTP: each has a connection from its initialize until it ends it, or is not heard of any more.
import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isInitializeRequest } from '@modelcontextprotocol/sdk/types.js';
import type { TokenEntry } from '../../config/token-list.ts';
import { Connection, type ConnectionOptions } from './connection.ts';
import { EventBudget } from './event-store.ts';
import type { Refusal } from './refusal.ts';

/** With streams and without. */
const MOST = 4_096;
/** Of one owner, without an open stream: of those that were used longest ago the client has most likely gone. */
const MOST_IDLE = 128;
/** A person comes back to a client after a night. */
const IDLE_MS = 24 * 60 * 60 * 1_000;
const ID_BYTES = 24;
/** The specification's answer for a session that is not, or not any more; a client then begins anew. */
const NO_SESSION: Refusal = { status: 404, code: -32_001, message: 'Session not found: it has ended, or never was; send a new initialize' };
const NO_ID: Refusal = { status: 400, message: 'the header Mcp-Session-Id is missing: it came with the answer to initialize' };

export interface ConnectionsOptions {
  readonly createServer: ConnectionOptions['createServer'];
  /** Whether its token is still good. */
  isKnown(caller: TokenEntry): boolean;
}

export class Connections {
  readonly events = new EventBudget();
  readonly #options: ConnectionsOptions;
  readonly #open = new Map<string, Connection>();

  constructor(options: ConnectionsOptions) {
    this.#options = options;
  }

  get count(): number {
    return this.#open.size;
  }

  /** The connection that a request belongs to, a new one for an initialize. Another's is answered as one that never was. */
  async of({ headers }: IncomingMessage, caller: TokenEntry, body: unknown): Promise<Connection | Refusal> {
    const id = headers['mcp-session-id'];
    if (typeof id === 'string') {
      const connection = this.#open.get(id);
      return connection?.caller.owner === caller.owner ? connection : NO_SESSION;
    }
    if (!isInitializeRequest(body)) return NO_ID;
    if (this.#open.size >= MOST) return { status: 503, message: `${MOST} clients are connected: end some of them`, headers: { 'retry-after': '10' } };
    return this.#begin(caller, !(headers.accept ?? '').includes('text/event-stream'));
  }

  /** Ends those whose token was revoked, and those that are not heard of any more. */
  sweep(nowMs = performance.now()): void {
    for (const connection of this.#open.values()) {
      const isGone = !connection.isActive && nowMs - connection.usedAtMs > IDLE_MS;
      if (isGone || !this.#options.isKnown(connection.caller)) void connection.close();
    }
  }

  /** Ends all. */
  close(): void {
    for (const connection of this.#open.values()) void connection.close();
  }

  async #begin(caller: TokenEntry, isJson: boolean): Promise<Connection> {
    const id = randomBytes(ID_BYTES).toString('base64url');
    const { createServer } = this.#options;
    const connection = await Connection.open({ id, caller, isJson, events: this.events, createServer, onClose: () => this.#open.delete(id) });
    this.#open.set(id, connection);
    this.#endLongestIdle(caller.owner, connection);
    return connection;
  }

  #endLongestIdle(owner: string, newest: Connection): void {
    const idle = [...this.#open.values()].filter((connection) => connection.caller.owner === owner && !connection.isActive && connection !== newest);
    if (idle.length < MOST_IDLE) return;
    const longest = idle.reduce((first, connection) => (connection.usedAtMs < first.usedAtMs ? connection : first));
    void longest.close();
  }
}
