// Waits until something on this machine accepts connections on a port.
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { LOOPBACK } from './loopback.ts';
import { Retry } from './retry.ts';
import type { Watcher } from './until.ts';

/** On loopback an answer is there at once, or the queue of the listener is full. */
const CONNECT_TIMEOUT_MS = 1_000;

export class PortWatcher implements Watcher {
  readonly #tries: readonly Retry[];
  readonly #sockets = new Set<Socket>();

  constructor(port: number, satisfied: () => void) {
    this.#tries = LOOPBACK.map((host) => new Retry((isOver) => this.#tryOnce({ host, port }, satisfied, isOver)));
  }

  stop(): void {
    for (const retry of this.#tries) retry.stop();
    for (const socket of this.#sockets) socket.destroy();
  }

  #tryOnce(address: { host: string; port: number }, satisfied: () => void, isOver: () => void): void {
    const socket = connect({ ...address, timeout: CONNECT_TIMEOUT_MS });
    this.#sockets.add(socket);
    socket.on('connect', () => {
      socket.destroy();
      satisfied();
    });
    socket.on('timeout', () => socket.destroy());
    socket.on('error', () => undefined); // nobody listens yet: "close" follows
    socket.on('close', () => {
      this.#sockets.delete(socket);
      isOver();
    });
  }
}
