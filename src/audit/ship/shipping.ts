// Sends the audit log to other places, while the server goes on as if there were none. Loaded only where places are configured.
import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import { targetOf, type SinkSettings } from '../../config/ship-schema.ts';
import type { Log } from '../../lib/logger.ts';
import type { Writer } from '../segment-name.ts';
import { Shipper, type ShipperOptions, type ShipStatus } from './shipper.ts';
import type { Sink } from './sink.ts';

export interface ShippingOptions extends Pick<ShipperOptions, 'wait' | 'random'> {
  /** That of the log. */
  readonly directory: string;
  readonly sinks: readonly SinkSettings[];
  /** Who writes the log of this server. */
  readonly writer: Writer;
  /** Where secrets are. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Told once when a place stops to answer and once when it answers again, and of entries that will not arrive. */
  readonly log: Log;
}

/** A server has 2 s for its end, and processes to end in it. */
const GRACE_MS = 500;

export class Shipping {
  readonly #shippers: readonly Shipper[];

  static async start({ sinks, env, ...options }: ShippingOptions): Promise<Shipping> {
    const shippers = sinks.map(async (settings) => new Shipper({ ...options, sink: await createSink(settings, env), key: keyOf(settings) }));
    return new Shipping(await Promise.all(shippers));
  }

  private constructor(shippers: readonly Shipper[]) {
    this.#shippers = shippers;
  }

  /** An entry was written: the option `onWritten` of the log. It takes next to no time. */
  onWritten(seq: number): void {
    for (const shipper of this.#shippers) shipper.onWritten(seq);
  }

  get status(): ShipStatus[] {
    return this.#shippers.map(({ status }) => status);
  }

  /** Sends what it can within the time; the rest is sent by the next server. */
  async stop(graceMs = GRACE_MS): Promise<void> {
    await Promise.all(this.#shippers.map((shipper) => shipper.stop(graceMs)));
  }
}

/** A name for files. */
function keyOf(settings: SinkSettings): string {
  return `${settings.to}-${createHash('sha256').update(targetOf(settings)).digest('hex').slice(0, 16)}`;
}

/** Each kind is loaded when it is asked for. */
async function createSink(settings: SinkSettings, env: ShippingOptions['env']): Promise<Sink> {
  const host = hostname();
  switch (settings.to) {
    case 'loki': {
      const { LokiSink } = await import('./loki.ts');
      return new LokiSink(settings, { env, host });
    }
    case 'cloudwatch': {
      const { CloudWatchSink } = await import('./cloudwatch.ts');
      return new CloudWatchSink(settings, { env, host });
    }
    case 'syslog':
      return syslogSink(settings, host);
  }
}

const SYSLOG_PORT = 514;

async function syslogSink({ transport, host: to = '', port = SYSLOG_PORT, path, facility }: Extract<SinkSettings, { to: 'syslog' }>, host: string): Promise<Sink> {
  if (transport === 'udp') {
    const { SyslogUdpSink } = await import('./syslog-udp.ts');
    return new SyslogUdpSink({ to, port, facility, host });
  }
  if (transport === 'local') {
    const { SyslogLocalSink } = await import('./syslog-local.ts');
    return new SyslogLocalSink({ path, facility, host });
  }
  const { SyslogStreamSink } = await import('./syslog-stream.ts');
  return new SyslogStreamSink({ name: `syslog at tcp://${to}:${port}`, target: { host: to, port }, facility, host });
}
