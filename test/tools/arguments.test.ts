// What a call answers to arguments that are wrong: code, name, value, what is allowed. Nothing reaches a service.
import { expect, test } from 'vitest';
import { AUDIT_ID } from '../support/memory-trail.ts';
import { Double, settingsWith } from './double.ts';
import { catalogue } from '../../src/tools/catalogue.ts';
import type { Tool } from '../../src/tools/tool.ts';
import { MAX_TEXT_BYTES } from '../../src/tools/fields.ts';

const SESSION = 's_k3v9x2m7qp4t';

async function refusal(tool: string, args: unknown): Promise<{ message: string; hint: string }> {
  const double = new Double();
  const result = await double.call(tool, args);
  expect(double.asked).toEqual([]);
  const { code, message, hint } = result.structured['error'] as Record<string, string>;
  expect({ code, isError: result.isError }).toEqual({ code: 'INVALID_ARGUMENT', isError: true });
  expect(result.text).toBe(`INVALID_ARGUMENT: ${message}${message?.endsWith('?') === true ? '' : '.'}\n${hint}\n[${AUDIT_ID}]`);
  expect(hint).toMatch(/nothing was run$/);
  return { message: message ?? '', hint: hint ?? '' };
}

const TIMEOUTS = ['run', 'session_run'] as const;

test.each(TIMEOUTS.flatMap((tool) => [0, -1, NaN, '5s', 2 ** 31, 1e400, 1.5, true, null, []].map((value) => [tool, value] as const)))(
  '%s names the timeout %s and the range',
  async (tool, value) => {
    const { message } = await refusal(tool, { session_id: SESSION, command: 'true', timeout_ms: value });
    const shown = typeof value === 'number' ? String(value) : JSON.stringify(value);
    expect(message).toBe(`argument "timeout_ms" is ${shown}; it must be a whole number from 1 to 600000`);
  },
);

test.each([
  ['task_spawn', { command: 'true', timeout_ms: 2 ** 31 }, 'argument "timeout_ms" is 2147483648; it must be a whole number from 1 to 2147483647'],
  ['task_poll', { task_id: 't', wait_ms: -1 }, 'argument "wait_ms" is -1; it must be a whole number from 0 to 600000'],
  ['task_poll', { task_id: 't', signal: 'SIGTREM' }, 'argument "signal" is "SIGTREM", which is no signal; did you mean "SIGTERM"?'],
  ['task_poll', { task_id: 't', signal: 'toString' }, 'argument "signal" is "toString", which is no signal; signals are named like SIGINT'],
  ['task_wait', { task_ids: [] }, 'argument "task_ids" is []; it must be a list of 1 to 1000 texts'],
  ['task_wait', { task_ids: 't_k3v9x2m7qp4t' }, 'argument "task_ids" is "t_k3v9x2m7qp4t"; it must be a list of 1 to 1000 texts'],
  ['task_wait', { task_ids: ['t', 5] }, 'argument "task_ids.1" is 5; it must be text'],
  ['session_create', { cols: 0 }, 'argument "cols" is 0; it must be a whole number from 10 to 1000'],
  ['session_create', { name: 'n'.repeat(65) }, `argument "name" is "${'n'.repeat(60)}"… (5 more characters); it must be text of 1 to 64 characters`],
  ['session_create', { name: '' }, 'argument "name" is ""; it must be text of 1 to 64 characters'],
  ['session_create', { name: 'a\nb' }, 'argument "name" contains a control character'],
  ['session_create', { shell: 'tcsh' }, 'argument "shell" is "tcsh"; it must be one of bash, zsh, fish'],
  ['session_run', { session_id: SESSION, command: 'true', stderr: 'both' }, 'argument "stderr" is "both"; it must be one of merged, separate'],
  ['run', { command: 'true', login: 'yes' }, 'argument "login" is "yes"; it must be true or false'],
  ['run', { command: 'true', cwd: 'a\0b' }, 'argument "cwd" contains a NUL character, which no shell can take'],
  ['run', {}, 'argument "command" is missing'],
  ['run', { command: 5 }, 'argument "command" is 5; it must be text'],
  ['run', [], 'the arguments of run are []; they must be an object'],
  ['session_send', { session_id: SESSION, keys: 'enter' }, 'argument "keys" is "enter"; it must be a list of 0 to 1000 texts'],
])('%s refuses %j', async (tool, args, message) => {
  expect((await refusal(tool, args)).message).toBe(message);
});

test.each(['run', 'task_spawn', 'session_run'])('%s takes no command that is missing, blank or has a NUL', async (tool) => {
  const args = { session_id: SESSION };
  expect((await refusal(tool, { ...args, command: '' })).message).toBe('argument "command" is empty');
  expect((await refusal(tool, { ...args, command: ' \t\n' })).message).toBe('argument "command" is blank');
  expect((await refusal(tool, { ...args, command: 'echo a\0b' })).message).toBe('argument "command" contains a NUL character, which no shell can take');
});

test('a command of 10 MB is refused with its size, the limit and a way out', async () => {
  const { message, hint } = await refusal('run', { command: 'x'.repeat(10_000_000) });
  expect(message).toBe('argument "command" has 10000000 bytes; at most 8388608 are allowed');
  expect(hint).toBe('write the data to a file in smaller pieces and name the file in the command; nothing was run');
});

test('a path longer than the kernel takes is refused', async () => {
  expect((await refusal('run', { command: 'true', cwd: '/'.repeat(4_097) })).message).toBe('argument "cwd" has 4097 bytes; at most 4096 are allowed');
});

test('a command of exactly 8 MiB passes, counted in bytes', async () => {
  const double = new Double();
  expect((await double.call('run', { command: 'é'.repeat(MAX_TEXT_BYTES / 2) })).isError).toBe(false);
  expect((await refusal('run', { command: 'é'.repeat(MAX_TEXT_BYTES / 2 + 1) })).message).toContain('8388610 bytes');
});

test.each<[unknown, string]>([
  [{ A: null }, 'argument "env.A" is null; it must be text'],
  [{ PORT: 3000 }, 'argument "env.PORT" is 3000; it must be text'],
  [{ A: { b: 1 } }, 'argument "env.A" is {"b":1}; it must be text'],
  [{ 'A=B': 'x' }, 'argument "env" has the variable name "A=B", which contains "="'],
  [{ 'A\0': 'x' }, 'argument "env" has the variable name "A\\u0000", which contains a NUL character'],
  [{ '': 'x' }, 'argument "env" has a variable without a name'],
  [{ A: 'x\0' }, 'argument "env.A" contains a NUL character, which no shell can take'],
  [{ A: 'x'.repeat(131_072) }, 'argument "env" has the variable "A" of more than 131071 bytes, which the kernel refuses'],
  ['A=B', 'argument "env" is "A=B"; it must be an object of names and texts, like {"NAME": "value"}'],
  [['A=B'], 'argument "env" is ["A=B"]; it must be an object of names and texts, like {"NAME": "value"}'],
])('an environment with a fault is refused by the name of the variable (%#)', async (env, message) => {
  for (const tool of ['run', 'task_spawn', 'session_create', 'session_run']) {
    const args = tool === 'session_create' ? { env } : { session_id: SESSION, command: 'true', env };
    expect((await refusal(tool, args)).message).toBe(message);
  }
});

test('a value that is null can be left out, says the hint', async () => {
  expect((await refusal('run', { command: 'true', env: { A: null } })).hint).toContain('leave "env.A" out if it has no value');
});

test('an empty value is a value', async () => {
  const double = new Double();
  await double.call('run', { command: 'true', env: { B: '' } });
  expect(double.argsOf('runner.run')[2]).toMatchObject({ env: { B: '' } });
});

test.each([
  ['run', 'timeot_ms', 'timeout_ms'],
  ['run', 'timeoutMs', 'timeout_ms'],
  ['run', 'working_dir', undefined],
  ['session_run', 'sessionId', 'session_id'],
  ['task_poll', 'wait', 'wait_ms'],
])('%s has no "%s", and the nearest is %s', async (tool, name, meant) => {
  const { message, hint } = await refusal(tool, { [name]: 1 });
  expect(message).toContain(`${tool} has no argument "${name}"`);
  expect(hint).toContain(meant === undefined ? `${tool} takes ` : `did you mean "${meant}"? ${tool} takes `);
});

test('a tool without arguments says so', async () => {
  expect((await refusal('session_list', { all: true })).hint).toContain('session_list takes no arguments');
});

test('several faults are named together', async () => {
  const { message } = await refusal('run', { command: '', timeout_ms: 0, x: 1 });
  expect(message).toBe('argument "command" is empty; argument "timeout_ms" is 0; it must be a whole number from 1 to 600000; run has no argument "x"');
});

test('a confirm_token is an argument where tokens confirm, of what runs commands, and refused elsewhere rather than ignored', async () => {
  const takers = (tools: readonly Tool[]): string[] => tools.filter(({ inputSchema }) => 'confirm_token' in inputSchema.properties).map(({ name }) => name);
  expect(takers(catalogue(await settingsWith()))).toEqual([]);
  expect(takers(catalogue(await settingsWith({ confirm: 'token' })))).toEqual(['run', 'session_run', 'task_spawn']);
  expect((await refusal('run', { command: 'true', confirm_token: 'x' })).message).toContain('"confirm_token"');
});

test.each(['session_send', 'task_write', 'classify'])('%s takes no "dangerous", and refuses it rather than ignoring it', async (tool) => {
  expect((await refusal(tool, { session_id: SESSION, task_id: 't', command: 'true', text: 'x', dangerous: true })).message).toContain('"dangerous"');
});

test('bounds and defaults follow the settings', async () => {
  const [run] = catalogue(await settingsWith({ max_timeout_ms: '5000', max_output_bytes: '1000', run_shell: 'zsh', login: 'true' }));
  expect(run?.inputSchema.properties).toMatchObject({
    timeout_ms: { maximum: 5_000, default: 5_000 },
    max_output_bytes: { default: 1_000 },
    login: { default: true },
    shell: { description: 'default: zsh' },
  });
});

test('there must be something to send', async () => {
  const double = new Double();
  const result = await double.call('session_send', { session_id: SESSION });
  expect(result.text).toBe('INVALID_ARGUMENT: there is nothing to send.\ngive "text", "keys", or "cols" and "rows"; session_read waits without sending\n' + `[${AUDIT_ID}]`);
  expect(double.asked).toEqual([]);
});
