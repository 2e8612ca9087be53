// Loki's push API, in JSON: one stream a server, whose times only grow.
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { SinkSettings } from '../../config/ship-schema.ts';
import { readOwnFile } from '../../process/own-file.ts';
import { deliveryOf, HttpClient } from './http.ts';
import type { Delivery, Limits, Shipment, Sink } from './sink.ts';

type LokiSettings = Extract<SinkSettings, { to: 'loki' }>;

export interface LokiOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly host: string;
}

const NANOSECONDS = 1_000_000n;
const MAX_SECRET_BYTES = 16 * 1024;
/** What Loki calls the time before which it takes nothing; what is older would be refused one by one. */
const OLDEST = /oldest acceptable timestamp is:? (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)/;
const compressed = promisify(gzip);

export class LokiSink implements Sink {
  readonly name: string;
  readonly limits: Limits = { entries: 1_000, bytes: 512 * 1024, overheadBytes: 30, spanMs: Infinity };
  readonly #settings: LokiSettings;
  readonly #options: LokiOptions;
  readonly #client: HttpClient;

  constructor(settings: LokiSettings, options: LokiOptions) {
    const url = new URL(settings.url);
    this.name = `loki at ${url.origin}${url.pathname}`; // without a query, which may hold a key
    this.#settings = settings;
    this.#options = options;
    this.#client = new HttpClient(url);
  }

  async deliver(entries: readonly Shipment[], server: string, signal: AbortSignal): Promise<Delivery> {
    const authorization = this.#authorization();
    if (authorization.problem !== undefined) return { kind: 'failed', problem: authorization.problem };
    const labels = { job: 'shellkeep', host: this.#options.host, ...this.#settings.labels, server };
    const values = entries.map(({ timeMs, seq, line }) => [nanoseconds(timeMs, seq), line]);
    const body = await compressed(JSON.stringify({ streams: [{ stream: labels, values }] }));
    const { tenant } = this.#settings;
    const headers = {
      'content-type': 'application/json',
      'content-encoding': 'gzip',
      ...(tenant !== undefined && { 'x-scope-orgid': tenant }),
      ...(authorization.header !== undefined && { authorization: authorization.header }),
    };
    const answer = await this.#client.post({ headers, body, signal });
    if ('kind' in answer) return answer;
    return (answer.status === 400 ? tooOld(entries, answer.text) : undefined) ?? deliveryOf(answer);
  }

  close(): void {
    this.#client.close();
  }

  /** Read anew for each request: a file may be given another token. */
  #authorization(): { readonly header?: string; readonly problem?: string } {
    const { authorization_env: variable, authorization_file: path } = this.#settings;
    if (variable !== undefined) return headerOf(this.#options.env[variable], `the variable ${variable}`);
    if (path === undefined) return {};
    const { bytes, fault } = readOwnFile(path, MAX_SECRET_BYTES);
    return fault === undefined ? headerOf(bytes.toString(), path) : { problem: `${path} ${fault}` };
  }
}

/** A bare token is a bearer's; anything else has its scheme before it. */
function headerOf(secret: string | undefined, source: string): { readonly header?: string; readonly problem?: string } {
  const text = secret?.trim() ?? '';
  if (text === '') return { problem: `${source} is not set` };
  if (/[^\x20-\x7e]/.test(text)) return { problem: `${source} is not a token of one line` };
  return { header: text.includes(' ') ? text : `Bearer ${text}` };
}

/** Lines of the same millisecond stay in their order, and a line that is sent twice has the same time twice, so that Loki keeps one of them. */
function nanoseconds(timeMs: number, seq: number): string {
  return (BigInt(timeMs) * NANOSECONDS + BigInt(seq % Number(NANOSECONDS))).toString();
}

/** The rest of such a request may be there already; it is sent again, since it may also have been refused for something else. */
function tooOld(entries: readonly Shipment[], text: string): Delivery | undefined {
  const oldest = Date.parse(OLDEST.exec(text)?.[1] ?? '');
  const hopeless = entries.filter(({ timeMs }) => timeMs < oldest).length;
  return hopeless === 0 ? undefined : { kind: 'rejected', problem: 'it takes nothing that old', hopeless };
}
