// Waits until a server on this machine answers over HTTP, with anything that is no fault of the server.
import { request } from 'node:http';
import type { ClientRequest } from 'node:http';
import { LOOPBACK } from './loopback.ts';
import { Retry } from './retry.ts';
import type { Watcher } from './until.ts';

/** A dev server may build before its first answer; the next try would make it begin anew. */
const ANSWER_TIMEOUT_MS = 5_000;
const FIRST_SERVER_FAULT = 500;

export class HttpWatcher implements Watcher {
  readonly #url: URL;
  readonly #tries: readonly Retry[];
  readonly #requests = new Set<ClientRequest>();

  /** The url has passed `urlFault`. */
  constructor(url: URL, satisfied: () => void) {
    this.#url = url;
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const addresses = host === 'localhost' ? LOOPBACK : [host]; // no name is looked up: it could lead elsewhere
    this.#tries = addresses.map((address) => new Retry((isOver) => this.#tryOnce(address, satisfied, isOver)));
  }

  stop(): void {
    for (const retry of this.#tries) retry.stop();
    for (const each of this.#requests) each.destroy();
  }

  #tryOnce(address: string, satisfied: () => void, isOver: () => void): void {
    const { host, pathname, port, search } = this.#url;
    const headers = { host, accept: '*/*', connection: 'close' };
    const asked = request({ host: address, port: port || 80, path: pathname + search, headers, agent: false, timeout: ANSWER_TIMEOUT_MS });
    this.#requests.add(asked);
    asked.on('response', ({ statusCode = FIRST_SERVER_FAULT }) => {
      asked.destroy(); // the body is of no interest
      if (statusCode < FIRST_SERVER_FAULT) satisfied();
    });
    asked.on('timeout', () => asked.destroy());
    asked.on('error', () => undefined); // nobody listens yet, or it is no HTTP: "close" follows
    asked.on('close', () => {
      this.#requests.delete(asked);
      isOver();
    });
    asked.end();
  }
}
