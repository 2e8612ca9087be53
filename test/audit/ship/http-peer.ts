// A place on loopback that takes requests over HTTP and does with each what the test has said.
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { EventEmitter, once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** When it came, by a clock that is not faked. */
  readonly at: number;
}

/** Answers a request, or does not. */
export type Behaviour = (response: ServerResponse, request: Received) => void;

export class HttpPeer {
  readonly requests: Received[] = [];
  readonly #events = new EventEmitter();
  readonly #usual: Behaviour;
  #next: Behaviour[] = [];
  #server = createServer((request, response) => void this.#take(request, response));
  #port = 0;

  private constructor(usual: Behaviour) {
    this.#usual = usual;
  }

  static async start(usual: Behaviour): Promise<HttpPeer> {
    const peer = new HttpPeer(usual);
    await peer.listen();
    onTestFinished(() => peer.close());
    return peer;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** What is done with the next requests, one each; the usual thing with those behind them. */
  next(...behaviours: Behaviour[]): void {
    this.#next.push(...behaviours);
  }

  /** On the port that it had. */
  async listen(): Promise<void> {
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    if (!this.#server.listening) return;
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  /** When so many requests have come and were answered. */
  async received(count: number): Promise<void> {
    while (this.requests.length < count) await once(this.#events, 'request');
  }

  /** When the condition holds, which is looked at after each request. */
  async until(isTrue: () => boolean): Promise<void> {
    while (!isTrue()) await once(this.#events, 'request');
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const received = { method: request.method ?? '', url: request.url ?? '', headers: request.headers, body: Buffer.concat(pieces), at: Date.now() };
    this.requests.push(received);
    (this.#next.shift() ?? this.#usual)(response, received);
    this.#events.emit('request');
  }
}

export function answer(status: number, body = '', headers: Record<string, string> = {}): Behaviour {
  return (response) => void response.writeHead(status, headers).end(body);
}

export const hang: Behaviour = () => undefined;
export const reset: Behaviour = (response) => void (response.socket as { resetAndDestroy?: () => void } | null)?.resetAndDestroy?.();
/** Says that there is more than it sends, and goes. */
export const halfAnAnswer: Behaviour = (response) => {
  response.writeHead(200, { 'content-length': '100' });
  response.write('half', () => response.socket?.destroy());
};
