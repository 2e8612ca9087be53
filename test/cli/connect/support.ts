// A bridge between streams of the test and servers that the test plays, on a real Unix socket.
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { expect } from 'vitest';
import { Bridge } from '../../../src/cli/connect/bridge.ts';
import type { RawMessage } from '../../support/raw-client.ts';

export const INITIALIZE = { id: 'first', method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '0' } } };
export const lineOf = (message: object): string => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`;

/** All that has come out of a stream. */
class Received {
  length = 0;
  #parts: Buffer[] = [];

  take(chunk: Buffer): void {
    this.#parts.push(chunk);
    this.length += chunk.length;
  }

  /** From an offset on. */
  from(offset: number): Buffer {
    this.#parts = [Buffer.concat(this.#parts)];
    return this.#parts[0]?.subarray(offset) ?? Buffer.alloc(0);
  }

  get messages(): RawMessage[] {
    return this.from(0).toString().split('\n').slice(0, -1).map((line) => JSON.parse(line) as RawMessage);
  }
}

/** One connection, seen from the server. */
export class Peer {
  readonly socket: Socket;
  readonly received = new Received();

  constructor(socket: Socket) {
    this.socket = socket;
    socket.on('data', (chunk: Buffer) => this.received.take(chunk));
    socket.on('error', () => {});
  }

  get messages(): RawMessage[] {
    return this.received.messages;
  }

  say(message: object): void {
    this.socket.write(lineOf(message));
  }

  /** The first message that fits, come or to come. */
  async heard(fits: (message: RawMessage) => boolean): Promise<RawMessage> {
    await expect.poll(() => this.messages.some(fits), { interval: 5 }).toBe(true);
    return this.messages.find(fits) as RawMessage;
  }
}

export class Bridged {
  readonly input = new PassThrough();
  readonly output = new PassThrough();
  readonly logged: string[] = [];
  /** What the client was given, once `read` was called. */
  readonly given = new Received();
  /** How often a server was looked for. */
  reaches = 0;
  /** What stands in the way of the next look; a promise to wait for. */
  obstacle: Promise<void> | undefined;
  readonly ended: Promise<string>;
  readonly #folder = mkdtempSync(path.join(tmpdir(), 'shellkeep-test-'));
  readonly #listener: Server;
  readonly #peers: Peer[] = [];

  private constructor(listener: Server) {
    this.#listener = listener;
    listener.on('connection', (socket) => this.#peers.push(new Peer(socket)));
    const bridge = new Bridge({ input: this.input, output: this.output, log: (line) => this.logged.push(line), reach: () => this.#reach() });
    this.ended = bridge.run().then(() => 'ended', (error: unknown) => String(error));
  }

  static async open(): Promise<Bridged> {
    const bridged = new Bridged(createServer());
    await new Promise<void>((resolve) => bridged.#listener.listen(bridged.#path, resolve));
    return bridged;
  }

  /** Says hello, as a client does; gives the server that heard it. */
  static async introduced(): Promise<{ bridged: Bridged; peer: Peer }> {
    const bridged = await Bridged.open();
    bridged.read();
    bridged.send(INITIALIZE);
    const peer = await bridged.peer(1);
    await peer.heard(({ method }) => method === 'initialize');
    peer.say({ id: INITIALIZE.id, result: {} });
    await bridged.told(({ id }) => id === INITIALIZE.id);
    bridged.send({ method: 'notifications/initialized' });
    await peer.heard(({ method }) => method === 'notifications/initialized');
    return { bridged, peer };
  }

  /** The n-th server that the client was handed to. */
  async peer(n: number): Promise<Peer> {
    await expect.poll(() => this.#peers.length, { interval: 5 }).toBeGreaterThanOrEqual(n);
    return this.#peers[n - 1] as Peer;
  }

  /** The next server, which lets the client be introduced. */
  async nextPeer(n: number): Promise<Peer> {
    const peer = await this.peer(n);
    peer.say({ id: (await peer.heard(({ method }) => method === 'initialize')).id, result: {} });
    return peer;
  }

  send(...messages: object[]): void {
    this.input.write(messages.map(lineOf).join(''));
  }

  /** Reads what the client is given from now on. */
  read(): void {
    this.output.on('data', (chunk: Buffer) => this.given.take(chunk));
  }

  get messages(): RawMessage[] {
    return this.given.messages;
  }

  async told(fits: (message: RawMessage) => boolean): Promise<RawMessage> {
    await expect.poll(() => this.messages.some(fits), { interval: 5 }).toBe(true);
    return this.messages.find(fits) as RawMessage;
  }

  /** Ends the client and all servers. Resolves to how the bridge ended. */
  async close(): Promise<string> {
    this.input.end();
    for (const { socket } of this.#peers) socket.destroy();
    this.#listener.close();
    const how = await this.ended;
    rmSync(this.#folder, { recursive: true, force: true });
    return how;
  }

  get #path(): string {
    return path.join(this.#folder, 's.sock');
  }

  async #reach(): Promise<Socket> {
    this.reaches++;
    await this.obstacle;
    return connect(this.#path);
  }
}
