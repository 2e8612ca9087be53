// Clients on the Unix socket: whoever can open it is this user. One connection is one client, which speaks as over standard input and output, one message
// a line. Who speaks HTTP instead is handed on.
import { createServer as createListener, type Server as Listener, type Socket } from 'node:net';
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { greetingLine, openingOf } from './greeting.ts';
import { StdioTransport } from './stdio.ts';

const OPENING_BRACE = 0x7b;

export interface LocalClientsOptions {
  /** A server for one connection, to be connected; `cwd` is where the client works, if it says so. */
  createServer(facts: { readonly cwd: string | undefined; onClose(): void }): Server;
  /** Takes a connection on which HTTP is spoken. */
  onHttp(socket: Socket): void;
  readonly version: string;
}

export class LocalClients {
  /** Listens to nothing yet. */
  readonly listener: Listener;
  readonly #options: LocalClientsOptions;
  readonly #open = new Set<Socket>();

  constructor(options: LocalClientsOptions) {
    this.#options = options;
    this.listener = createListener((socket) => this.#receive(socket));
  }

  /** How many are connected, without those who speak HTTP. */
  get count(): number {
    return this.#open.size;
  }

  /** Those who come from now on wait for the next server. */
  refuseNew(): void {
    this.listener.close();
  }

  /** Ends all connections when what was to be sent is sent. */
  close(): void {
    this.listener.close();
    for (const socket of this.#open) socket.destroySoon();
  }

  #receive(socket: Socket): void {
    socket.on('error', () => {}); // the client is gone, which 'close' tells
    let bytes = Buffer.alloc(0);
    const look = (): void => {
      for (let chunk = socket.read() as Buffer | null; chunk !== null; chunk = socket.read() as Buffer | null) bytes = Buffer.concat([bytes, chunk]);
      if (bytes.length > 0 && bytes[0] !== OPENING_BRACE) return hand(() => this.#options.onHttp(socket), bytes);
      const opening = openingOf(bytes);
      if (opening.kind === 'unfinished') return;
      if (opening.kind === 'greeting') socket.write(greetingLine({ version: this.#options.version, pid: process.pid }));
      const [cwd, rest] = opening.kind === 'greeting' ? [opening.facts.cwd, opening.rest] : [undefined, bytes];
      hand(() => this.#serve(socket, cwd), rest);
    };
    const hand = (on: () => void, rest: Buffer): void => {
      socket.off('readable', look);
      if (rest.length > 0) socket.unshift(rest);
      on();
    };
    socket.on('readable', look);
  }

  #serve(socket: Socket, cwd: string | undefined): void {
    this.#open.add(socket);
    socket.once('close', () => this.#open.delete(socket));
    const server = this.#options.createServer({ cwd, onClose: () => socket.destroySoon() });
    server.connect(new StdioTransport({ input: socket, output: socket })).catch(() => socket.destroy());
  }
}
