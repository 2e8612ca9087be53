// Syslog over UDP (RFC 5426): one datagram an entry. Nothing is acknowledged: what the network loses is lost, and no one is told.
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { lookup } from 'node:dns/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { wordsOf } from './problem.ts';
import { syslogMessage, type Header } from './syslog-message.ts';
import { TIMEOUT_MS, type Delivery, type Limits, type Shipment, type Sink } from './sink.ts';

export interface UdpOptions extends Omit<Header, 'server'> {
  readonly to: string;
  readonly port: number;
}

/** Receivers have buffers of a few hundred kilobytes, and no way to ask for a pause. */
const PAUSE_MS = 10;

export class SyslogUdpSink implements Sink {
  readonly name: string;
  readonly limits: Limits = { entries: 50, bytes: 64 * 1024, overheadBytes: 100, spanMs: Infinity };
  readonly #options: UdpOptions;
  #socket: Socket | undefined;
  /** What came back for an earlier datagram: nobody listens there. */
  #error: Error | undefined;

  constructor(options: UdpOptions) {
    this.name = `syslog at udp://${options.to}:${options.port}`;
    this.#options = options;
  }

  async deliver(entries: readonly Shipment[], server: string, signal: AbortSignal): Promise<Delivery> {
    try {
      const socket = await this.#connected(AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]));
      for (const entry of entries) await send(socket, syslogMessage(entry, { ...this.#options, server }));
      await sleep(PAUSE_MS, undefined, { ref: false });
      if (this.#error !== undefined) throw this.#error;
      return { kind: 'accepted' };
    } catch (error) {
      const isTooLong = error instanceof Error && 'code' in error && error.code === 'EMSGSIZE';
      if (isTooLong) return { kind: 'rejected', problem: 'an entry is longer than a datagram may be' };
      this.close();
      return { kind: 'failed', problem: wordsOf(error) };
    }
  }

  close(): void {
    this.#socket?.close();
    this.#socket = undefined;
    this.#error = undefined;
  }

  /** Connected, so that the system tells when there is nobody on a machine that answers. */
  async #connected(signal: AbortSignal): Promise<Socket> {
    if (this.#socket !== undefined) return this.#socket;
    const { address, family } = await lookup(this.#options.to);
    const socket = createSocket(family === 6 ? 'udp6' : 'udp4');
    socket.unref();
    this.#socket = socket;
    socket.on('error', (error) => (this.#error = error));
    socket.connect(this.#options.port, address);
    await once(socket, 'connect', { signal });
    return socket;
  }
}

function send(socket: Socket, message: Buffer): Promise<void> {
  return new Promise((resolve, reject) => socket.send(message, (error) => (error === null ? resolve() : reject(error))));
}
