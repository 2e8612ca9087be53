// Shipping to syslog: a real rsyslogd, and receivers of our own for what it cannot show.
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { framed, syslogMessage } from '../../../src/audit/ship/syslog-message.ts';
import { testWith } from '../../support/programs.ts';
import { call, linesOf, openLog } from '../support.ts';
import { startRsyslog, type Understood } from './rsyslog.ts';
import { eventually, ship, untilStopped } from './support.ts';

const details = (messages: readonly Understood[]): string[] => messages.map(({ message }) => (JSON.parse(message) as { detail: string }).detail);
const ENTRIES = 120;
const long = { args: { values: { command: 'x'.repeat(9_000) }, redacted: 0 } };

for (const transport of ['udp', 'tcp'] as const) {
  testWith(['rsyslogd'], `a real rsyslogd understands every field of what comes over ${transport}, and gets every line as it is (R227)`, async () => {
    const { port, messages } = await startRsyslog();
    const { log, shipping } = await ship([{ to: 'syslog', transport, host: '127.0.0.1', port, facility: 'local3' }]);
    for (let i = 0; i < ENTRIES; i++) log.append(call(`entry ${i} ünïcödé | ]"\\`, i === 50 ? long : {}));
    await eventually(() => expect(messages()).toHaveLength(ENTRIES));
    const lines = linesOf(log.status.path ?? '');
    expect(messages().map(({ message }) => message)).toEqual(lines);
    const [first] = messages();
    const { ts, server } = JSON.parse(lines[0] ?? '') as { ts: string; server: string };
    expect(first).toEqual({
      version: '1', facility: 'local3', severity: 'info', time: expect.stringMatching(new RegExp(`^${ts.slice(0, -1)}(Z|\\+00:00)$`)) as string, host: hostname(), app: 'shellkeep', processId: server.split('-')[0], messageId: 'audit', data: '-', message: lines[0],
    });
    await eventually(() => expect(shipping.status).toMatchObject([{ ok: true, shipped: ENTRIES, dropped: 0, lagEntries: 0 }]));
  });
}

testWith(['rsyslogd'], 'a local socket that takes streams is spoken to as TCP is', async () => {
  const { streamPath, messages } = await startRsyslog();
  const { log, shipping } = await ship([{ to: 'syslog', transport: 'local', path: streamPath }]);
  for (let i = 0; i < ENTRIES; i++) log.append(call(`entry ${i}`));
  await eventually(() => expect(messages().map(({ message }) => message)).toEqual(linesOf(log.status.path ?? '')));
  expect(messages()[0]).toMatchObject({ version: '1', facility: 'authpriv', severity: 'info', app: 'shellkeep', messageId: 'audit' });
  await eventually(() => expect(shipping.status).toMatchObject([{ to: `syslog at ${streamPath}`, ok: true, shipped: ENTRIES }]));
});

testWith(['rsyslogd', 'logger'], 'a local socket that takes datagrams, as /dev/log does, is reached through logger(1)', async () => {
  const { datagramPath, messages } = await startRsyslog();
  const { log, shipping } = await ship([{ to: 'syslog', transport: 'local', path: datagramPath, facility: 'local5' }]);
  for (let i = 0; i < ENTRIES; i++) log.append(call(`entry ${i} ünïcödé %s $HOME`, i === 50 ? long : {}));
  await eventually(() => expect(messages().map(({ message }) => message.trim())).toEqual(linesOf(log.status.path ?? '')));
  expect(messages()[0]).toMatchObject({ facility: 'local5', severity: 'info', app: 'shellkeep', processId: String(process.pid) });
  await eventually(() => expect(shipping.status).toMatchObject([{ ok: true, shipped: ENTRIES, dropped: 0 }]));
});

testWith(['logger'], 'a local socket where nobody listens is a problem that is told, and nothing is dropped', async () => {
  const { shipping } = await ship([{ to: 'syslog', transport: 'local', path: '/tmp/shellkeep-nobody-listens-here' }], { wait: untilStopped, before: (log) => void log.append(call('one')) });
  await eventually(() => expect(shipping.status).toMatchObject([{ ok: false, problem: 'logger(1) ended with exit code 1', dropped: 0, lagEntries: 1 }]));
});

testWith(['rsyslogd'], 'an rsyslogd that is killed and comes back has every entry, none out of order', async () => {
  const { port, messages, stop, start } = await startRsyslog();
  const { log, shipping, told } = await ship([{ to: 'syslog', transport: 'tcp', host: '127.0.0.1', port }], { wait: shortly });
  log.append(call('before'));
  await eventually(() => expect(messages()).toHaveLength(1));
  await stop();
  for (let i = 0; i < 20; i++) log.append(call(`meanwhile ${i}`));
  await eventually(() => expect(shipping.status).toMatchObject([{ ok: false, problem: 'connection refused', lagEntries: 20, retryAt: expect.any(String) as string }]));
  await start();
  await eventually(() => expect(shipping.status).toMatchObject([{ ok: true, lagEntries: 0, dropped: 0 }]));
  await eventually(() => expect([...new Set(details(messages()))]).toEqual(['before', ...Array.from({ length: 20 }, (_, i) => `meanwhile ${i}`)]));
  expect(told).toEqual([
    `the audit log cannot be sent to syslog at tcp://127.0.0.1:${port}: connection refused; it is tried again`,
    `the audit log can be sent to syslog at tcp://127.0.0.1:${port} again`,
  ]);
});

test.each([
  ['resets the connection', (socket: Socket) => void socket.resetAndDestroy(), 'connection reset by peer'],
  ['reads a part and closes', (socket: Socket) => void socket.once('data', () => socket.destroy()), 'connection reset by peer'],
])('a receiver that %s has not got the entries: they are sent again', async (_what, behave, problem) => {
  const received: Buffer[] = [];
  let connections = 0;
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    connections += 1;
    if (connections === 1) behave(socket);
    else socket.on('data', (piece) => received.push(piece));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const big = { args: { values: { command: 'x'.repeat(40_000) }, redacted: 0 } };
  const { shipping, told } = await ship([{ to: 'syslog', transport: 'tcp', host: '127.0.0.1', port }], { log: { backups: 100 }, before: (log) => { for (let i = 0; i < 200; i++) log.append(call(`entry ${i}`, big)); } });
  await eventually(() => expect(shipping.status).toMatchObject([{ ok: true, shipped: 200, lagEntries: 0 }]));
  expect(told[0]).toMatch(new RegExp(`: (${problem}|broken pipe); it is tried again$`));
  expect(new Set(parsed(Buffer.concat(received)).map((message) => /"detail":"([^"]+)"/.exec(message)?.[1])).size).toBe(200);
});

test('over UDP an entry that no datagram can hold is given up and counted, the others arrive', async () => {
  const sample = openLog();
  sample.log.append(call('two', { args: { values: { command: '' }, redacted: 0 } }));
  const lineLength = linesOf(sample.log.status.path ?? '')[0]?.length ?? 0;
  await sample.log.close();
  const receiver = createSocket('udp4');
  receiver.bind(0, '127.0.0.1');
  await once(receiver, 'listening');
  onTestFinished(() => void receiver.close());
  const got: string[] = [];
  receiver.on('message', (message) => got.push(/"detail":"([^"]+)"/.exec(message.toString())?.[1] ?? ''));
  const huge = { args: { values: { command: 'x'.repeat(65_520 - lineLength) }, redacted: 0 } }; // less than a line may have, more than fits with a header
  const { shipping } = await ship([{ to: 'syslog', transport: 'udp', host: '127.0.0.1', port: receiver.address().port }], {
    before: (log) => { for (const name of ['one', 'two', 'three']) log.append(call(name, name === 'two' ? huge : {})); },
  });
  await eventually(() => expect(shipping.status).toMatchObject([{ ok: true, shipped: 2, dropped: 1 }]));
  expect(new Set(got)).toEqual(new Set(['one', 'three']));
});

test('over UDP it is noticed when nobody listens on a machine that answers', async () => {
  const receiver = createSocket('udp4').bind(0, '127.0.0.1');
  await once(receiver, 'listening');
  const { port } = receiver.address();
  receiver.close();
  const { shipping } = await ship([{ to: 'syslog', transport: 'udp', host: '127.0.0.1', port }], { wait: untilStopped, before: (log) => void log.append(call('one')) });
  await eventually(() => expect(shipping.status).toMatchObject([{ ok: false, problem: 'connection refused', lagEntries: 1, dropped: 0 }]));
});

test('logger that is not on this machine is named', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'shellkeep-logger-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const { feedTool } = await import('../../../src/process/fed-tool.ts');
  const signal = AbortSignal.timeout(5_000);
  expect(await feedTool(join(folder, 'logger'), [], { input: Buffer.from('x'), signal })).toBe('is not there');
  writeFileSync(join(folder, 'slow'), '#!/bin/sh\nexec sleep 100\n', { mode: 0o755 });
  expect(await feedTool(join(folder, 'slow'), [], { input: Buffer.alloc(1_000_000), signal: AbortSignal.timeout(200) })).toBe('took too long');
});

test('what RFC 5424 limits is limited, and octets are counted, not characters', () => {
  const header = { facility: 'user' as const, host: `h o\ns t${'x'.repeat(300)}ü`, server: '12-ab' };
  const message = syslogMessage({ line: '{"ü":1}', timeMs: 0 }, header);
  expect(message.toString()).toBe(`<14>1 1970-01-01T00:00:00.000Z ${`host${'x'.repeat(251)}`} shellkeep 12 audit - {"ü":1}`);
  expect(syslogMessage({ line: '{}', timeMs: 0 }, { ...header, host: 'ü', server: '' }).toString()).toBe('<14>1 1970-01-01T00:00:00.000Z - shellkeep - audit - {}');
  expect(parsed(framed([message, message]))).toEqual([message.toString(), message.toString()]);
});

/** Messages of a stream that counts octets. A torn one at the end of a connection is told by its start. */
function parsed(stream: Buffer): string[] {
  const messages: string[] = [];
  for (let at = 0; at < stream.length; ) {
    const space = stream.indexOf(' ', at);
    const length = Number(stream.toString('latin1', at, space));
    expect(length).toBeGreaterThan(0);
    messages.push(stream.toString('utf8', space + 1, space + 1 + length));
    at = space + 1 + length;
  }
  return messages;
}

/** Real waits, but short ones. */
function shortly(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms === 60_000 ? ms : 20).unref();
    signal.addEventListener('abort', () => resolve());
  });
}
