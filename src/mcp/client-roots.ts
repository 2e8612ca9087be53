// The directories that a client works in, asked of it once and again when it says that they changed.
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { RootsListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { pathInUrl } from '../lib/windows-path.ts';
import type { Related } from './ask.ts';

/** A client that does not answer must not hold a call for long. */
const ANSWER_MS = 2_000;

/** Asks the client of a server. */
export class ClientRoots {
  readonly #server: Server;
  #paths: Promise<readonly string[]> | undefined;

  constructor(server: Server) {
    this.#server = server;
    server.setNotificationHandler(RootsListChangedNotificationSchema, () => {
      this.#paths = undefined;
    });
  }

  /** Absolute paths, of Windows too; empty for a client that has none, or does not say. */
  paths(related: Related): Promise<readonly string[]> {
    this.#paths ??= this.#ask(related);
    return this.#paths;
  }

  async #ask(related: Related): Promise<readonly string[]> {
    if (this.#server.getClientCapabilities()?.roots === undefined) return [];
    try {
      const { roots } = await this.#server.listRoots(undefined, { timeout: ANSWER_MS, ...related });
      return roots.flatMap(({ uri }) => pathInUrl(uri) ?? []); // others are on another machine
    } catch {
      return []; // the call has other defaults
    }
  }
}
