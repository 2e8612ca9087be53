import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { CallToolResult, JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { expect, test } from 'vitest';
import { PlainCalls, type PlainCall } from '../../src/mcp/plain-calls.ts';

/** A transport of which is noted what is sent, and what is left to the SDK. */
function attached(answer: (call: PlainCall) => Promise<CallToolResult>) {
  const sent: JSONRPCMessage[] = [];
  const left: JSONRPCMessage[] = [];
  const transport: Transport = {
    start: async () => {},
    close: async () => {},
    send: async (message) => void sent.push(message),
    onmessage: (message) => void left.push(message),
  };
  const calls = new PlainCalls(answer);
  calls.attach(transport);
  const receive = (message: object): void => transport.onmessage?.(message as JSONRPCMessage);
  return { calls, sent, left, receive };
}

const RESULT: CallToolResult = { content: [{ type: 'text', text: 'ok' }] };

function call(params: object): object {
  return { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
}

test.each<[string, object, Partial<PlainCall>]>([
  ['with arguments', { name: 'run', arguments: { command: 'ls' } }, { name: 'run', arguments: { command: 'ls' }, progressToken: undefined }],
  ['without', { name: 'task_list' }, { name: 'task_list', arguments: {} }],
  ['that wants to hear of its progress', { name: 'run', _meta: { progressToken: 0, 'example.com/more': [] } }, { progressToken: 0 }],
])('a call %s is answered', async (_, params, expected) => {
  const seen: PlainCall[] = [];
  const { sent, left, receive } = attached(async (asked) => {
    seen.push(asked);
    return RESULT;
  });
  receive(call(params));
  await expect.poll(() => sent).toEqual([{ jsonrpc: '2.0', id: 1, result: RESULT }]);
  expect(seen).toMatchObject([expected]);
  expect(left).toEqual([]);
});

test.each([
  ['another request', { jsonrpc: '2.0', id: 1, method: 'tools/list' }],
  ['an answer', { jsonrpc: '2.0', id: 1, result: {} }],
  ['a call without id', { jsonrpc: '2.0', method: 'tools/call', params: { name: 'run' } }],
  ['a call of nothing', call({})],
  ['a call without parameters', { jsonrpc: '2.0', id: 1, method: 'tools/call' }],
  ['a name that is none', call({ name: 1 })],
  ['arguments that are a text', call({ name: 'run', arguments: 'ls' })],
  ['arguments that are a list', call({ name: 'run', arguments: [] })],
  ['arguments that are null', call({ name: 'run', arguments: null })],
  ['a call that is to be a task', call({ name: 'run', task: {} })],
  ['a token that is none', call({ name: 'run', _meta: { progressToken: {} } })],
  ['a call that belongs to a task', call({ name: 'run', _meta: { 'io.modelcontextprotocol/related-task': { taskId: 't' } } })],
])('%s is left to the SDK', (_, message) => {
  const { sent, left, receive } = attached(() => Promise.resolve(RESULT));
  receive(message);
  expect(left).toEqual([message]);
  expect(sent).toEqual([]);
});

test('a call that is cancelled, or outlives the connection, gets no reply; the others do', async () => {
  const ended: string[] = [];
  const { calls, sent, left, receive } = attached(({ name, signal }) => new Promise((resolve) => {
    signal.addEventListener('abort', () => {
      ended.push(name);
      resolve(RESULT);
    });
    if (name === 'quick') resolve(RESULT);
  }));
  for (const [id, name] of [['a', 'long'], ['b', 'longer'], ['c', 'quick']]) receive({ jsonrpc: '2.0', id, method: 'tools/call', params: { name } });
  const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'a' } };
  receive(cancel);
  expect(ended).toEqual(['long']);
  expect(left).toEqual([cancel]); // it may be about one of the SDK's own
  await expect.poll(() => sent).toMatchObject([{ id: 'c' }]);
  calls.close();
  expect(ended).toEqual(['long', 'longer']);
  await new Promise((resolve) => setImmediate(resolve));
  expect(sent).toHaveLength(1);
});

test('an answer that fails is an error of the protocol', async () => {
  const { sent, receive } = attached(() => Promise.reject(new Error('a bug')));
  receive(call({ name: 'run' }));
  await expect.poll(() => sent).toEqual([{ jsonrpc: '2.0', id: 1, error: { code: -32_603, message: 'a bug' } }]);
});
