// Syslog over a stream, TCP or a local socket, in the framing of RFC 6587 that counts octets. The protocol has no acknowledgement, and what was
// given to the system may never have been read. So each batch has a connection of its own: we end our side, and wait until the receiver, which then
// has read all of it, ends its side too. A reset, or no end, means that the batch is sent again.
import { connect, type NetConnectOpts, type Socket } from 'node:net';
import { once } from 'node:events';
import { wordsOf } from './problem.ts';
import { framed, syslogMessage, type Header } from './syslog-message.ts';
import { TIMEOUT_MS, type Delivery, type Limits, type Shipment, type Sink } from './sink.ts';

export interface StreamOptions extends Omit<Header, 'server'> {
  readonly name: string;
  readonly target: NetConnectOpts;
}

export class SyslogStreamSink implements Sink {
  readonly name: string;
  readonly limits: Limits = { entries: 1_000, bytes: 512 * 1024, overheadBytes: 100, spanMs: Infinity };
  readonly #options: StreamOptions;

  constructor(options: StreamOptions) {
    this.name = options.name;
    this.#options = options;
  }

  async deliver(entries: readonly Shipment[], server: string, signal: AbortSignal): Promise<Delivery> {
    const socket = connect(this.#options.target);
    socket.unref();
    try {
      await this.#exchange(socket, framed(entries.map((entry) => syslogMessage(entry, { ...this.#options, server }))), AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]));
      return { kind: 'accepted' };
    } catch (error) {
      return { kind: 'failed', problem: wordsOf(error) };
    } finally {
      socket.destroy();
    }
  }

  close(): void {
    // nothing stays open between two batches
  }

  async #exchange(socket: Socket, bytes: Buffer, signal: AbortSignal): Promise<void> {
    const fail = (): void => void socket.destroy(signal.reason as Error);
    signal.addEventListener('abort', fail);
    try {
      signal.throwIfAborted();
      const isClosed = once(socket, 'close'); // rejects with the error, if there is one
      socket.resume(); // a receiver has nothing to say, but its end is seen only by who reads
      socket.on('end', () => { if (!socket.writableFinished) socket.destroy(new Error('the connection was closed before everything was read')); });
      socket.end(bytes);
      await isClosed;
    } finally {
      signal.removeEventListener('abort', fail);
    }
  }
}
