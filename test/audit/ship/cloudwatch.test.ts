// Shipping to CloudWatch Logs: a receiver that computes the signature itself and knows groups, streams and the limits of the service.
import { createHash, createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { call, linesOf } from '../support.ts';
import { answer, HttpPeer, type Behaviour, type Received } from './http-peer.ts';
import { eventually, ship, untilStopped } from './support.ts';

const KEY_ID = 'AKIDEXAMPLE';
const SECRET = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY';
const TOKEN = 'session/token==';
const REGION = 'eu-central-1';
const CREDENTIALS = { AWS_ACCESS_KEY_ID: KEY_ID, AWS_SECRET_ACCESS_KEY: SECRET };

const sha256 = (data: string | Buffer): string => createHash('sha256').update(data).digest('hex');
const hmac = (key: string | Buffer, data: string): Buffer => createHmac('sha256', key).update(data).digest();

/** The signature that a request must carry, after the description of Signature Version 4. */
function expectedAuthorization({ method, url, headers, body }: Received): string {
  const signed = /SignedHeaders=([^,]+)/.exec(headers.authorization ?? '')?.[1] ?? '';
  const date = String(headers['x-amz-date']);
  const scope = `${date.slice(0, 8)}/${REGION}/logs/aws4_request`;
  const canonicalHeaders = signed.split(';').map((name) => `${name}:${String(headers[name]).trim().replaceAll(/ +/g, ' ')}\n`).join('');
  const canonical = [method, new URL(url, 'http://x').pathname, '', canonicalHeaders, signed, sha256(body)].join('\n');
  const toSign = ['AWS4-HMAC-SHA256', date, scope, sha256(canonical)].join('\n');
  const key = ['logs', 'aws4_request'].reduce(hmac, hmac(hmac(`AWS4${SECRET}`, date.slice(0, 8)), REGION));
  return `AWS4-HMAC-SHA256 Credential=${KEY_ID}/${scope}, SignedHeaders=${signed}, Signature=${hmac(key, toSign).toString('hex')}`;
}

interface PutLogEvents {
  readonly logGroupName: string;
  readonly logStreamName: string;
  readonly logEvents: readonly { readonly timestamp: number; readonly message: string }[];
}

/** As much of the service as the protocol shows. */
class Service {
  readonly streams = new Map<string, PutLogEvents['logEvents'][number][]>();
  readonly calls: string[] = [];
  /** Before which nothing is taken. */
  oldest = -Infinity;
  readonly handle: Behaviour = (response, request) => {
    const { status, body } = this.#answer(request);
    response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(body));
  };

  #answer(request: Received): { status: number; body: object } {
    const action = String(request.headers['x-amz-target']).replace('Logs_20140328.', '');
    this.calls.push(action);
    for (const name of ['host', 'x-amz-date', 'x-amz-target']) expect(request.headers.authorization).toMatch(new RegExp(`SignedHeaders=[^,]*\\b${name}\\b`));
    if (Math.abs(Date.parse(String(request.headers['x-amz-date']).replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z')) - Date.now()) > 300_000) return refused('InvalidSignatureException');
    if (request.headers.authorization !== expectedAuthorization(request)) return refused('InvalidSignatureException', 'The request signature we calculated does not match');
    const input = JSON.parse(request.body.toString()) as PutLogEvents;
    if (input.logGroupName !== 'agents') return refused('ResourceNotFoundException', 'The specified log group does not exist.');
    const stream = this.streams.get(input.logStreamName);
    if (action === 'CreateLogStream' && stream !== undefined) return refused('ResourceAlreadyExistsException');
    if (action === 'CreateLogStream') this.streams.set(input.logStreamName, []);
    if (action === 'CreateLogStream') return { status: 200, body: {} };
    if (stream === undefined) return refused('ResourceNotFoundException', 'The specified log stream does not exist.');
    return this.#put(stream, input.logEvents);
  }

  #put(stream: PutLogEvents['logEvents'][number][], events: PutLogEvents['logEvents']): { status: number; body: object } {
    const bytes = events.reduce((sum, { message }) => sum + Buffer.byteLength(message) + 26, 0);
    const isOrdered = events.every(({ timestamp }, i) => i === 0 || timestamp >= (events[i - 1]?.timestamp ?? 0));
    const span = (events.at(-1)?.timestamp ?? 0) - (events[0]?.timestamp ?? 0);
    if (events.length === 0 || events.length > 10_000 || bytes > 1_048_576 || !isOrdered || span > 86_400_000) return refused('InvalidParameterException', 'Log events in a single PutLogEvents request must be in chronological order.');
    if (events.some(({ message }) => message.includes('poison'))) return refused('InvalidParameterException', 'it does not like this one');
    const tooOld = events.filter(({ timestamp }) => timestamp < this.oldest).length;
    stream.push(...events.slice(tooOld));
    return { status: 200, body: tooOld === 0 ? {} : { rejectedLogEventsInfo: { tooOldLogEventEndIndex: tooOld } } };
  }
}

function refused(type: string, message = type): { status: number; body: object } {
  return { status: 400, body: { __type: `com.amazonaws.logs#${type}`, message } };
}

async function cloudwatch(): Promise<{ service: Service; peer: HttpPeer; sink: object }> {
  const service = new Service();
  const peer = await HttpPeer.start(service.handle);
  return { service, peer, sink: { to: 'cloudwatch', region: REGION, group: 'agents', stream: 'laptop', endpoint: peer.url } };
}

test('entries are signed, the missing stream is made, and every line arrives once with its time (R227)', async () => {
  const { service, sink } = await cloudwatch();
  const { log, shipping } = await ship([sink], { env: CREDENTIALS });
  for (let i = 0; i < 100; i++) log.append(call(`entry ${i} ünïcödé`));
  await eventually(() => expect(shipping.status).toMatchObject([{ ok: true, shipped: 100, dropped: 0, lagEntries: 0 }]));
  const lines = linesOf(log.status.path ?? '');
  expect(service.streams.get('laptop')).toEqual(lines.map((line) => ({ timestamp: Date.parse((JSON.parse(line) as { ts: string }).ts), message: line })));
  expect(service.calls.slice(0, 3)).toEqual(['PutLogEvents', 'CreateLogStream', 'PutLogEvents']);
});

test('a session token is signed and sent, and credentials of our own name come before the usual ones', async () => {
  const { peer, service, sink } = await cloudwatch();
  const env = { AWS_ACCESS_KEY_ID: 'other', AWS_SECRET_ACCESS_KEY: 'other', SHELLKEEP_AWS_ACCESS_KEY_ID: KEY_ID, SHELLKEEP_AWS_SECRET_ACCESS_KEY: SECRET, SHELLKEEP_AWS_SESSION_TOKEN: TOKEN };
  const { shipping } = await ship([sink], { env, before: (log) => void log.append(call('one')) });
  await eventually(() => expect(shipping.status).toMatchObject([{ shipped: 1 }]));
  expect(peer.requests[0]?.headers['x-amz-security-token']).toBe(TOKEN);
  expect(peer.requests[0]?.headers.authorization).toMatch(/SignedHeaders=[^,]*x-amz-security-token/);
  expect(service.streams.get('laptop')).toHaveLength(1);
});

test.each([
  ['no credentials', {}, 'there are no credentials: SHELLKEEP_AWS_ACCESS_KEY_ID and SHELLKEEP_AWS_SECRET_ACCESS_KEY are not set, nor the same without SHELLKEEP_'],
  ['a wrong secret', { ...CREDENTIALS, AWS_SECRET_ACCESS_KEY: 'wrong' }, 'InvalidSignatureException: The request signature we calculated does not match'],
])('%s: nothing is dropped, the problem is told and it is tried again', async (_what, env, problem) => {
  const { sink } = await cloudwatch();
  const { shipping, told } = await ship([sink], { env, wait: untilStopped, before: (log) => void log.append(call('one')) });
  await eventually(() => expect(shipping.status).toMatchObject([{ ok: false, problem, dropped: 0, lagEntries: 1 }]));
  expect(told).toEqual([`the audit log cannot be sent to cloudwatch group agents in ${REGION}: ${problem}; it is tried again`]);
  expect(JSON.stringify([told, shipping.status])).not.toContain(SECRET);
});

test('a group that is missing is asked for, not made', async () => {
  const { service, sink } = await cloudwatch();
  const { shipping } = await ship([{ ...sink, group: 'nobody' }], { env: CREDENTIALS, wait: untilStopped, before: (log) => void log.append(call('one')) });
  await eventually(() => expect(shipping.status).toMatchObject([{ ok: false, problem: 'there is no log group nobody: make it first', dropped: 0 }]));
  expect(service.calls).toEqual(['PutLogEvents', 'CreateLogStream']);
});

test('being told to slow down drops nothing', async () => {
  const { peer, sink } = await cloudwatch();
  const slower = answer(400, JSON.stringify({ __type: 'ThrottlingException', message: 'Rate exceeded' }));
  peer.next(slower, slower, answer(500, 'no json'), answer(503, '{"__type":"ServiceUnavailableException"}'));
  const { shipping, waits } = await ship([sink], { env: CREDENTIALS, before: (log) => void log.append(call('one')) });
  await eventually(() => expect(shipping.status).toMatchObject([{ ok: true, shipped: 1, dropped: 0 }]));
  expect(waits.slice(0, 4)).toEqual([500, 1_000, 2_000, 4_000]);
});

test('what the service says it threw away is counted, and what it refuses is found among the others', async () => {
  const { service, sink } = await cloudwatch();
  let now = Date.parse('2026-11-01T00:00:00Z');
  service.oldest = Date.parse('2026-11-15T00:00:00Z');
  const before = (log: { append: (entry: ReturnType<typeof call>) => void }): void => {
    for (let i = 0; i < 10; i++) log.append(call(`old ${i}`));
    now = Date.parse('2026-11-20T00:00:00Z');
    for (let i = 0; i < 10; i++) log.append(call(i === 4 ? 'poison' : `new ${i}`));
  };
  const { shipping } = await ship([sink], { env: CREDENTIALS, log: { now: () => new Date(now) }, before });
  await eventually(() => expect(shipping.status).toMatchObject([{ ok: true, shipped: 9, dropped: 11, lagEntries: 0 }]));
  expect(service.streams.get('laptop')?.map(({ message }) => (JSON.parse(message) as { detail: string }).detail)).toEqual([0, 1, 2, 3, 5, 6, 7, 8, 9].map((i) => `new ${i}`));
});

test('requests stay within the limits of the service: size, count, order and a span of 24 hours', async () => {
  const { service, sink } = await cloudwatch();
  let now = Date.parse('2026-11-01T00:00:00Z');
  const before = (log: { append: (entry: ReturnType<typeof call>) => void }): void => {
    for (let i = 0; i < 2_500; i++) {
      now += i % 100 === 0 ? 3_600_000 : i % 100 === 1 ? -1_000 : 1;
      log.append(call('x'.repeat(i % 480), { args: { values: { command: 'y'.repeat(i % 50 === 0 ? 4_000 : 10) }, redacted: 0 } }));
    }
  };
  const { shipping } = await ship([sink], { env: CREDENTIALS, log: { now: () => new Date(now), maxBytes: 100_000, backups: 100 }, before });
  await eventually(() => expect(shipping.status).toMatchObject([{ ok: true, shipped: 2_500, dropped: 0 }]));
  expect(service.streams.get('laptop')).toHaveLength(2_500);
});
