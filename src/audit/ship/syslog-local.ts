// Syslog to the socket of this machine. Most daemons listen there with a datagram socket, which Node cannot make: logger(1) speaks to these.
// A daemon that listens with a stream is spoken to directly.
import { connect } from 'node:net';
import { feedTool } from '../../process/fed-tool.ts';
import { SyslogStreamSink } from './syslog-stream.ts';
import { TIMEOUT_MS, type Delivery, type Limits, type Shipment, type Sink } from './sink.ts';
import type { Header } from './syslog-message.ts';

export interface LocalOptions extends Omit<Header, 'server'> {
  readonly path: string | undefined;
}

/** Where the C library's syslog(3) sends to; logger(1) knows it by itself, also where it is another. */
const USUAL_PATH = '/dev/log';
/** The longest message that logger takes, more than any line of the log has. */
const SIZE = '128KiB';

export class SyslogLocalSink implements Sink {
  readonly name: string;
  readonly limits: Limits = { entries: 200, bytes: 128 * 1024, overheadBytes: 100, spanMs: Infinity };
  readonly #options: LocalOptions;
  readonly #stream: SyslogStreamSink;

  constructor(options: LocalOptions) {
    const path = options.path ?? USUAL_PATH;
    this.name = `syslog at ${path}`;
    this.#options = options;
    this.#stream = new SyslogStreamSink({ ...options, name: this.name, target: { path } });
  }

  async deliver(entries: readonly Shipment[], server: string, signal: AbortSignal): Promise<Delivery> {
    if (await isStream(this.#options.path ?? USUAL_PATH)) return this.#stream.deliver(entries, server, signal);
    const input = Buffer.from(entries.map(({ line }) => `${line}\n`).join(''));
    const problem = await feedTool('logger', this.#argumentsFor(server), { input, signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]) });
    return problem === undefined ? { kind: 'accepted' } : { kind: 'failed', problem: `logger(1) ${problem}` };
  }

  close(): void {
    this.#stream.close();
  }

  /** logger's own form of a local message: daemons parse that of RFC 5424 on this socket only if they are told to. */
  #argumentsFor(server: string): string[] {
    const { path, facility } = this.#options;
    const common = ['-t', 'shellkeep', '-p', `${facility}.info`];
    if (process.platform !== 'linux') return common;
    const [pid = ''] = server.split('-');
    return [...common, `--id=${pid}`, '--size', SIZE, '--socket-errors=on', ...(path === undefined ? [] : ['--socket', path])];
  }
}

/** Whether somebody listens there with a stream. Everything else is for logger to find out, and to say. */
function isStream(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ path });
    socket.unref();
    socket.on('connect', () => resolve(true));
    socket.on('error', () => resolve(false));
    socket.on('close', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });
}
