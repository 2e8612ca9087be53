import { PassThrough } from 'node:stream';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { expect, test } from 'vitest';
import { StdioTransport } from '../../src/mcp/stdio.ts';

const PING = { jsonrpc: '2.0', id: 1, method: 'ping' };

async function started() {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const transport = new StdioTransport({ input, output });
  const messages: JSONRPCMessage[] = [];
  transport.onmessage = (message) => messages.push(message);
  const closed = new Promise<void>((resolve) => (transport.onclose = resolve));
  await transport.start();
  const answers: Record<string, unknown>[] = [];
  let pending = '';
  output.on('data', (chunk: Buffer) => {
    const lines = (pending + chunk.toString()).split('\n');
    pending = lines.pop() ?? '';
    answers.push(...lines.map((line) => JSON.parse(line) as Record<string, unknown>));
  });
  /** Sends a line and a ping after it, and waits for the ping. */
  const feed = async (line: string | Buffer): Promise<void> => {
    const seen = messages.length;
    input.write(line);
    input.write(`\n${JSON.stringify({ ...PING, id: 'end' })}\n`);
    await expect.poll(() => messages.slice(seen).some((message) => 'id' in message && message.id === 'end')).toBe(true);
    messages.splice(seen, messages.length, ...messages.slice(seen).filter((message) => !('id' in message && message.id === 'end')));
  };
  return { transport, input, output, messages, answers, closed, feed };
}

const refusal = (id: unknown, code: number) => ({ jsonrpc: '2.0', id, error: { code, message: expect.any(String) } });

test('a message of the client is passed on, in whatever form its line ends', async () => {
  const { feed, messages, answers } = await started();
  await feed(JSON.stringify(PING));
  await feed(`${JSON.stringify({ ...PING, id: 2 })}\r`);
  expect(messages).toEqual([PING, { ...PING, id: 2 }]);
  expect(answers).toEqual([]);
});

test.each(['{', 'hello', '{"jsonrpc":"2.0","id":1,"method":"ping"', '{"a":NaN}', "{'a':1}", '\u0000', '[1,2'])('"%s" is answered as no JSON', async (line) => {
  const { feed, answers, messages } = await started();
  await feed(line);
  expect(answers).toEqual([refusal(null, -32_700)]);
  expect(messages).toEqual([]);
});

test.each<[string, unknown]>([
  ['5', null],
  ['null', null],
  ['"text"', null],
  ['[]', null],
  [`[${JSON.stringify(PING)}]`, null],
  ['{}', null],
  ['{"id":7}', 7],
  ['{"jsonrpc":"1.0","id":7,"method":"ping"}', 7],
  ['{"jsonrpc":"2.0","id":"a","method":5}', 'a'],
  ['{"jsonrpc":"2.0","id":null,"method":"ping"}', null],
  ['{"jsonrpc":"2.0","id":1.5,"method":"ping"}', null],
  ['{"jsonrpc":"2.0","id":7,"method":"ping","params":[]}', 7],
  ['{"jsonrpc":"2.0","id":7,"method":"ping","extra":1}', 7],
])('%s is answered as no request, with the id %s', async (line, id) => {
  const { feed, answers, messages } = await started();
  await feed(line);
  expect(answers).toEqual([refusal(id, -32_600)]);
  expect(messages).toEqual([]);
});

test('empty lines are no messages', async () => {
  const { feed, answers } = await started();
  await feed('\n  \n\r\n');
  expect(answers).toEqual([]);
});

test('bytes that are no UTF-8 do not stop the reading', async () => {
  const { feed, messages } = await started();
  await feed(Buffer.concat([Buffer.from('{"jsonrpc":"2.0","id":1,"method":"a'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')]));
  expect(messages).toEqual([{ jsonrpc: '2.0', id: 1, method: 'a\ufffd\ufffd' }]);
});

test('a line of 10 MB is a message like any other', async () => {
  const { feed, messages } = await started();
  await feed(JSON.stringify({ ...PING, params: { text: 'x'.repeat(10_000_000) } }));
  expect(messages).toHaveLength(1);
});

test('a line over 32 MiB is skipped, answered, and the next one is read', async () => {
  const { feed, answers, messages } = await started();
  await feed(Buffer.alloc(32 * 1024 * 1024 + 1, 'x'));
  expect(answers).toEqual([{ jsonrpc: '2.0', id: null, error: { code: -32_600, message: 'a line of 33554433 bytes is over the limit of 33554432 and was skipped' } }]);
  expect(messages).toEqual([]);
});

test('a message is one line, whatever is in it', async () => {
  const { transport, answers } = await started();
  const message: JSONRPCMessage = { jsonrpc: '2.0', id: 1, result: { text: 'a\nb\u2028c\ud800' } };
  await transport.send(message);
  await expect.poll(() => answers.length).toBe(1);
  expect(answers).toEqual([message]);
});

test.each(['end', 'destroy'] as const)('the %s of the input closes the connection', async (way) => {
  const { input, closed } = await started();
  input[way]();
  await closed;
});

test('a broken output closes the connection, once, and what is sent afterwards is dropped', async () => {
  const { transport, input, output, closed } = await started();
  let closings = 0;
  const onclose = transport.onclose;
  transport.onclose = () => {
    closings++;
    onclose?.();
  };
  output.destroy(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
  await closed;
  await transport.send({ jsonrpc: '2.0', id: 1, result: {} });
  input.end();
  await transport.close();
  expect(closings).toBe(1);
});

test('a message that waits for a reader is resolved when it was read', async () => {
  const [input, output] = [new PassThrough(), new PassThrough({ highWaterMark: 1 })];
  const transport = new StdioTransport({ input, output });
  await transport.start();
  let isSent = false;
  const first = transport.send({ jsonrpc: '2.0', id: 1, result: { text: 'x'.repeat(100_000) } });
  const sent = transport.send({ jsonrpc: '2.0', id: 2, result: {} }).then(() => (isSent = true));
  await Promise.resolve();
  expect(isSent).toBe(false);
  output.resume();
  await Promise.all([first, sent]);
});
