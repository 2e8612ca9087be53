// What a server keeps for its clients over HTTP is bounded, whatever they do or leave.
import { once } from 'node:events';
import { createServer, request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { expect, test } from 'vitest';
import type { TokenEntry } from '../../src/config/token-list.ts';
import { createServer as createMcpServer } from '../../src/mcp/server.ts';
import { Connections } from '../../src/mcp/http/connections.ts';
import { EventBudget, EventLog } from '../../src/mcp/http/event-store.ts';
import { send } from '../../src/mcp/http/exchange.ts';
import { FailedTokens } from '../../src/mcp/http/failed-tokens.ts';
import { INITIALIZE } from '../support/served.ts';

const note = (text: string): JSONRPCMessage => ({ jsonrpc: '2.0', method: 'note', params: { text } });
const answer = (id: number): JSONRPCMessage => ({ jsonrpc: '2.0', id, result: {} });

async function replayed(log: EventLog, after: string): Promise<readonly JSONRPCMessage[]> {
  const messages: JSONRPCMessage[] = [];
  await log.replayEventsAfter(after, { send: async (_, message) => void messages.push(message) });
  return messages;
}

test('events are given again from where a stream broke, of that stream only, and the empty one that opened it is none', async () => {
  const log = new EventLog(new EventBudget());
  const opened = await log.storeEvent('one', {} as JSONRPCMessage);
  await log.storeEvent('two', note('other'));
  const first = await log.storeEvent('one', note('first'));
  const last = await log.storeEvent('one', answer(1));
  expect(await replayed(log, opened)).toEqual([note('first'), answer(1)]);
  expect(await replayed(log, first)).toEqual([answer(1)]);
  expect([log.restOf(opened), log.restOf(first), log.restOf(last)]).toEqual([2, 1, 0]);
  expect(log.restOf('2')).toBeUndefined(); // its stream has not ended
  expect([await log.getStreamIdForEventId(first), await log.getStreamIdForEventId('99')]).toEqual(['one', undefined]);
});

test('all logs together keep so many bytes: whoever has most forgets its oldest', async () => {
  const budget = new EventBudget(100_000);
  const [quiet, loud] = [new EventLog(budget), new EventLog(budget)];
  const kept = await quiet.storeEvent('s', note('kept'));
  for (let count = 0; count < 1_000; count++) await loud.storeEvent('s', note('x'.repeat(1_000)));
  expect(budget.bytes).toBeLessThanOrEqual(100_000);
  expect(await quiet.getStreamIdForEventId(kept)).toBe('s');
  expect([await loud.getStreamIdForEventId('1'), await loud.getStreamIdForEventId('1000')]).toEqual([undefined, 's']);
  loud.close();
  quiet.close();
  expect(budget.bytes).toBe(0);
});

test('a connection keeps a thousand events, however small', async () => {
  const log = new EventLog(new EventBudget());
  for (let count = 0; count < 1_500; count++) await log.storeEvent('s', note(''));
  expect([await log.getStreamIdForEventId('500'), await log.getStreamIdForEventId('501')]).toEqual([undefined, 's']);
});

test('a client that takes nothing of a large answer is disconnected, and the stream is let go', async () => {
  let cancelled = (): void => {};
  const isCancelled = new Promise<void>((resolve) => (cancelled = resolve));
  const endless = (): ReadableStream<Uint8Array> => new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(1024 * 1024)), cancel: () => cancelled() });
  const server = createServer((_, response) => void send(new Response(endless()), response, { stallMs: 100 })).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const asked = request({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' }).end();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  response.pause();
  await isCancelled;
  asked.on('error', () => {});
  asked.destroy();
  server.close();
});

const caller = (owner: string): TokenEntry => ({ owner, sha256: owner, createdAt: '' });

function connections(known = new Set(['anna', 'ben'])): Connections {
  const nothing = (): Promise<never> => Promise.reject(new Error('no tool is called'));
  return new Connections({
    isKnown: ({ owner }) => known.has(owner),
    createServer: ({ connection, onClose }) => createMcpServer({ tools: [], results: 'text', version: '0', owner: 'x', connection, services: nothing, audit: nothing, log: () => {}, onClose }),
  });
}

const begin = (open: Connections, owner: string): ReturnType<Connections['of']> =>
  open.of({ headers: { accept: 'text/event-stream' } } as IncomingMessage, caller(owner), { jsonrpc: '2.0', id: 1, method: 'initialize', params: INITIALIZE });

test('of clients that only come, the one that was quiet longest goes for each that is too many; another owner\'s stay', async () => {
  const open = connections();
  const ben = await begin(open, 'ben');
  for (let count = 0; count < 1_000; count++) await begin(open, 'anna');
  expect(open.count).toBeLessThanOrEqual(130);
  expect('id' in ben && 'id' in (await open.of({ headers: { 'mcp-session-id': ben.id } } as unknown as IncomingMessage, caller('ben'), undefined))).toBe(true);
});

test('clients that are not heard of for a day go, and those whose token was revoked at once', async () => {
  const known = new Set(['anna', 'ben']);
  const open = connections(known);
  for (const owner of ['anna', 'ben']) await begin(open, owner);
  open.sweep();
  expect(open.count).toBe(2);
  known.delete('ben');
  open.sweep();
  expect(open.count).toBe(1);
  open.sweep(performance.now() + 25 * 60 * 60 * 1_000);
  expect([open.count, open.events.bytes]).toEqual([0, 0]);
});

test('wrong tokens are counted by address for a minute, of a thousand addresses at most', () => {
  const failed = new FailedTokens();
  for (let count = 1; count <= 20; count++) expect(failed.note('a', 0)).toBe(0);
  expect([failed.note('a', 0), failed.note('a', 30_000), failed.note('b', 0)]).toEqual([60, 30, 0]);
  expect(failed.note('a', 60_000)).toBe(0);
  for (let count = 0; count < 20; count++) failed.note('b', 0);
  for (let count = 0; count < 1_000; count++) failed.note(`other-${count}`, 0);
  expect(failed.note('b', 0)).toBe(0); // forgotten
});
