// An owner that may run safe commands only, on each way by which text reaches a shell, beside a connection of the same owner that may more.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Facts } from '../support/harness.ts';
import { TestApp } from '../support/test-app.ts';

/** Dangerous to the policy, and harmless: no process can have that number. */
const DANGEROUS = 'kill -9 2147483646';
const LIMITED = { maxClass: 'safe' } as const;

let app: TestApp;
let session: string;
let nested: string;
let task: string;
beforeAll(async () => {
  app = await TestApp.start();
  const open = async (): Promise<string> => (await app.facts('alice', 'session_create', { shell: 'bash' })).session_id ?? '';
  [session, nested] = [await open(), await open()];
  await app.facts('alice', 'session_run', { session_id: nested, command: 'bash --norc', dangerous: true });
  task = (await app.facts('alice', 'task_spawn', { command: 'bash', shell: 'bash', stdin: 'pipe', dangerous: true })).task_id ?? '';
});
afterAll(() => app.close());

const WAYS: readonly (readonly [tool: string, args: () => object])[] = [
  ['run', () => ({ command: DANGEROUS, dangerous: true })],
  ['run', () => ({ command: 'bash', stdin: DANGEROUS, dangerous: true })],
  ['task_spawn', () => ({ command: DANGEROUS, dangerous: true })],
  ['session_run', () => ({ session_id: session, command: DANGEROUS, dangerous: true })],
  ['session_send', () => ({ session_id: nested, text: DANGEROUS })],
  ['task_write', () => ({ task_id: task, text: `${DANGEROUS}\n` })],
];

test.each(WAYS)('%s lets an owner do no more than its max_class, and says that it is that (%#)', async (tool, args) => {
  const { error } = (await app.call('alice', tool, args(), LIMITED)).structured as Facts;
  expect(error).toMatchObject({ code: 'FORBIDDEN_COMMAND', message: expect.stringContaining('the token of this client lets only safe commands run') as string, hint: expect.stringContaining('nothing was run') as string });
  expect(await app.code('alice', tool, args()), 'without the limit').toBeUndefined();
});

test('safe commands run as for everybody, and classify says beforehand what would not', async () => {
  expect(await app.facts('alice', 'run', { command: 'echo fine' }, LIMITED)).toMatchObject({ stdout: 'fine\n' });
  expect(await app.facts('alice', 'session_run', { session_id: session, command: 'echo fine' }, LIMITED)).toMatchObject({ output: 'fine\n' });
  const asked = { command: DANGEROUS };
  expect(await app.facts('alice', 'classify', asked, LIMITED)).toMatchObject({ class: 'dangerous', would_execute: false, would_execute_with_dangerous_true: false });
  expect(await app.facts('alice', 'classify', asked)).toMatchObject({ class: 'dangerous', would_execute: false, would_execute_with_dangerous_true: true });
});
