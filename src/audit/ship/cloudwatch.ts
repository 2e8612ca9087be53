// CloudWatch Logs: PutLogEvents, signed. A stream that is missing is made; a group, which has a price and a retention, is not.
import { z } from 'zod';
import type { SinkSettings } from '../../config/ship-schema.ts';
import { deliveryOf, HttpClient, type Answer } from './http.ts';
import { excerptOf } from './problem.ts';
import { signedHeaders } from './sign.ts';
import type { Delivery, Limits, Shipment, Sink } from './sink.ts';

type CloudWatchSettings = Extract<SinkSettings, { to: 'cloudwatch' }>;

export interface CloudWatchOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly host: string;
}

const DAY_MS = 24 * 3_600_000;
/** These say that it is the entries; everything else is said about the caller, the service, or the way there. */
const ABOUT_ENTRIES = new Set(['InvalidParameterException', 'SerializationException', 'ValidationException']);

/** What a refusal is called: it may have a namespace before it and an address behind it. */
const errorSchema = z.object({ __type: z.string().transform((type) => type.replace(/^.*#/, '').replace(/:.*$/, '')), message: z.string().optional(), Message: z.string().optional() });
const count = z.number().int().min(0).optional();
const takenSchema = z.object({
  rejectedLogEventsInfo: z.object({ tooNewLogEventStartIndex: count, tooOldLogEventEndIndex: count, expiredLogEventEndIndex: count }).nullish(),
});

export class CloudWatchSink implements Sink {
  readonly name: string;
  /** 1 MB and 10,000 events are what the service takes; less is sent, so that nobody else waits for long. */
  readonly limits: Limits = { entries: 1_000, bytes: 512 * 1024, overheadBytes: 26, spanMs: DAY_MS };
  readonly #settings: CloudWatchSettings;
  readonly #env: CloudWatchOptions['env'];
  readonly #place: { readonly logGroupName: string; readonly logStreamName: string };
  readonly #url: URL;
  readonly #client: HttpClient;

  constructor(settings: CloudWatchSettings, { env, host }: CloudWatchOptions) {
    this.#settings = settings;
    this.#env = env;
    this.#place = { logGroupName: settings.group, logStreamName: settings.stream ?? host.replaceAll(/[:*]/g, '-') };
    this.#url = new URL(settings.endpoint ?? `https://logs.${settings.region}.amazonaws.com/`);
    this.name = `cloudwatch group ${settings.group} in ${settings.region}`;
    this.#client = new HttpClient(this.#url);
  }

  async deliver(entries: readonly Shipment[], _server: string, signal: AbortSignal): Promise<Delivery> {
    const logEvents = entries.map(({ timeMs, line }) => ({ timestamp: timeMs, message: line }));
    const answer = await this.#call('PutLogEvents', { ...this.#place, logEvents }, signal);
    if ('kind' in answer) return answer;
    if (answer.status === 200) return taken(answer, entries.length);
    const { type, delivery } = refusal(answer);
    if (type !== 'ResourceNotFoundException') return delivery;
    return (await this.#makeStream(signal)) ?? this.deliver(entries, _server, signal);
  }

  close(): void {
    this.#client.close();
  }

  /** Undefined when it is there now. */
  async #makeStream(signal: AbortSignal): Promise<Delivery | undefined> {
    const answer = await this.#call('CreateLogStream', this.#place, signal);
    if ('kind' in answer) return answer;
    if (answer.status === 200) return undefined;
    const { type, delivery } = refusal(answer);
    if (type === 'ResourceNotFoundException') return { kind: 'failed', problem: `there is no log group ${this.#place.logGroupName}: make it first` };
    // another server made it at the same moment; the next attempt will find it
    return delivery.kind === 'rejected' || type === 'ResourceAlreadyExistsException' ? { kind: 'failed', problem: delivery.problem } : delivery;
  }

  async #call(action: string, input: unknown, signal: AbortSignal): Promise<Answer | Extract<Delivery, { kind: 'failed' }>> {
    const body = Buffer.from(JSON.stringify(input));
    const headers = { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': `Logs_20140328.${action}` };
    const signed = await signedHeaders({ url: this.#url, headers, body }, { region: this.#settings.region, env: this.#env, now: new Date() });
    if (signed === undefined) return { kind: 'failed', problem: 'there are no credentials: SHELLKEEP_AWS_ACCESS_KEY_ID and SHELLKEEP_AWS_SECRET_ACCESS_KEY are not set, nor the same without SHELLKEEP_' };
    return this.#client.post({ headers: signed, body, signal });
  }
}

/** The service takes what it can of a request and says where in it the rest stands. */
function taken({ text }: Answer, total: number): Delivery {
  const { tooNewLogEventStartIndex = total, tooOldLogEventEndIndex = 0, expiredLogEventEndIndex = 0 } = takenSchema.safeParse(parsed(text)).data?.rejectedLogEventsInfo ?? {};
  const discarded = Math.min(total, Math.max(tooOldLogEventEndIndex, expiredLogEventEndIndex) + Math.max(0, total - tooNewLogEventStartIndex));
  return discarded === 0 ? { kind: 'accepted' } : { kind: 'accepted', discarded, why: 'it takes nothing that old, or that far in the future' };
}

type Refused = Exclude<Delivery, { kind: 'accepted' }>;

function refusal(answer: Answer): { readonly type: string | undefined; readonly delivery: Refused } {
  const error = errorSchema.safeParse(parsed(answer.text)).data;
  const general = deliveryOf(answer);
  const problem = error === undefined ? `it answered ${answer.status}: ${excerptOf(answer.text)}` : excerptOf(`${error.__type}: ${error.message ?? error.Message ?? ''}`);
  const isAboutEntries = error === undefined ? general.kind === 'rejected' : answer.status === 413 || ABOUT_ENTRIES.has(error.__type);
  if (isAboutEntries) return { type: error?.__type, delivery: { kind: 'rejected', problem } };
  return { type: error?.__type, delivery: { kind: 'failed', problem, retryAfterMs: general.kind === 'failed' ? general.retryAfterMs : undefined } };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // something in between has answered
  }
}
