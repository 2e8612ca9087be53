// Bad input over the real tools: a code, a hint that names what to do, and everything that was there before untouched.
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServer, withServer, type Harness, type Session } from '../support/harness.ts';
import { Home } from '../support/home.ts';
import { removeAtEnd } from '../support/leftovers.ts';

const isRoot = process.getuid?.() === 0;
const GONE_TASK = 't_23456789abcd';

let server: Harness;
let session: Session;
let taskId: string;
/** Ids of what has ended, as a caller may still know them. */
let endedSession: string;

beforeAll(async () => {
  const home = new Home();
  removeAtEnd(home.root);
  mkdirSync(path.join(home.dir, 'closed'), { mode: 0o000 });
  writeFileSync(path.join(home.dir, 'file'), '');
  server = await startServer({ home });
  session = await server.openSession('bash');
  await session.run('cd /tmp; kept=1; export KEPT=2');
  ({ task_id: taskId = '' } = await server.facts('task_spawn', { command: 'echo kept; exec cat', stdin: 'pipe' }));
  const ended = await server.openSession('bash');
  endedSession = ended.id;
  await ended.destroy();
});
afterAll(async () => {
  chmodSync(path.join(server.process.home.dir, 'closed'), 0o755);
  await server.close();
});

type Args = Record<string, unknown>;
interface Case {
  readonly tool: string;
  /** A thunk where ids or directories of the server are in it. */
  readonly args: Args | (() => Args);
  readonly code?: string;
  readonly message: RegExp;
  readonly hint: RegExp;
}

/** Once for each tool that takes a command. */
const withCommand = (args: Args, rest: Omit<Case, 'tool' | 'args'>): Case[] => [
  { tool: 'run', args, ...rest },
  { tool: 'task_spawn', args, ...rest },
  { tool: 'session_run', args: () => ({ session_id: session.id, ...args }), ...rest },
];

/** Once for each argument that is a time. */
const withTime = (value: unknown, said: string): Case[] =>
  (
    [
      ['run', 'timeout_ms', { command: 'true' }, '1 to 600000'],
      ['task_spawn', 'timeout_ms', { command: 'true' }, '1 to 2147483647'],
      ['session_run', 'timeout_ms', { command: 'true' }, '1 to 600000'],
      ['session_run', 'queue_ms', { command: 'true' }, '0 to 600000'],
      ['session_interrupt', 'grace_ms', {}, '0 to 60000'],
      ['task_poll', 'wait_ms', { task_id: GONE_TASK }, '0 to 600000'],
    ] as const
  )
    .filter(([, , , range]) => !(value === 0 && range.startsWith('0')) && !(value === 2 ** 31 && range.endsWith('2147483648')))
    .map(([tool, name, args, range]) => ({
      tool,
      args: () => ({ ...(tool.startsWith('session') ? { session_id: session.id } : {}), ...args, [name]: value }),
      message: new RegExp(`argument "${name}" is ${said}; it must be a whole number from ${range}`),
      hint: value === null ? /leave "\w+" out if it has no value; nothing was run/ : /correct it and call again; nothing was run/,
    }));

const inHome = (name: string): string => path.join(server.process.home.dir, name);
const ROOTS = /allowed roots: "\/.*setting allowed_roots.*nothing was run/;

const CASES: readonly Case[] = [
  ...withCommand({ command: '' }, { message: /argument "command" is empty/, hint: /give the command to run/ }),
  ...withCommand({ command: ' \n\t ' }, { message: /argument "command" is blank/, hint: /give the command to run/ }),
  ...withCommand({ command: 'echo a\0b' }, { message: /argument "command" contains a NUL character/, hint: /call again; nothing was run/ }),
  ...withCommand({ command: 'x'.repeat(10_000_000) }, { message: /argument "command" has 10000000 bytes; at most 8388608 are allowed/, hint: /write the data to a file/ }),
  ...withCommand({}, { message: /argument "command" is missing/, hint: /needs .*command/ }),
  ...withCommand({ command: ['ls'] }, { message: /argument "command" is \["ls"\]; it must be/, hint: /call again/ }),
  ...withCommand({ command: 'true', comand: 1 }, { message: /has no argument "comand"/, hint: /did you mean "command"\? .* takes / }),
  ...withCommand({ command: 'true', env: { 'A=B': '1' } }, { message: /variable name "A=B", which contains "="/, hint: /call again/ }),
  ...withCommand({ command: 'true', env: { '': '1' } }, { message: /variable without a name/, hint: /call again/ }),
  ...withCommand({ command: 'true', env: { A: 'a\0b' } }, { message: /"env.A" contains a NUL/, hint: /call again/ }),
  ...withCommand({ command: 'true', env: { 'A\0': 'b' } }, { message: /variable name ".*which contains a NUL/, hint: /call again/ }),
  ...withCommand({ command: 'true', env: { A: 1 } }, { message: /"env.A" is 1; it must be text/, hint: /call again/ }),
  ...withCommand({ command: 'true', env: { A: null } }, { message: /"env.A" is null/, hint: /leave "env.A" out/ }),
  ...withCommand({ command: 'true', env: ['A=1'] }, { message: /"env" is \["A=1"\]; it must be an object/, hint: /call again/ }),
  ...withCommand({ command: 'true', env: { A: 'x'.repeat(200_000) } }, { message: /the variable "A" of more than 131071 bytes/, hint: /write the data to a file/ }),
  ...[-1, 0.5, 2 ** 31, 'NaN', '5', '5 s', null, true].flatMap((value) => withTime(value, typeof value === 'string' ? `"${value}"` : String(value))),
  ...withTime(0, '0'),
  ...withTime(2 ** 53, '9007199254740992'),
  ...['run', 'task_spawn', 'session_create'].flatMap((tool) => {
    const args = tool === 'session_create' ? {} : { command: 'touch ran' };
    const bad = { tool, code: 'INVALID_CWD', hint: ROOTS };
    return [
      { ...bad, args: () => ({ ...args, cwd: inHome('missing') }), message: /cwd ".*" does not exist/ },
      { ...bad, args: () => ({ ...args, cwd: inHome('file') }), message: /cwd ".*" is a file, not a directory/ },
      { ...bad, args: () => ({ ...args, cwd: inHome('file/below') }), message: /cwd ".*" leads through a file/ },
      { ...bad, args: { ...args, cwd: 'relative' }, message: /cwd "relative" is relative/ },
      { ...bad, args: { ...args, cwd: '' }, message: /cwd is empty/ },
      { ...bad, args: { ...args, cwd: '/etc' }, message: /cwd "\/etc" is outside the allowed roots/ },
      { ...bad, args: { ...args, cwd: '/tmp/../etc' }, message: /outside the allowed roots/ },
      { ...bad, args: { ...args, cwd: '/tmpfoo' }, message: /outside the allowed roots/ },
      { ...bad, args: { ...args, cwd: '/proc/self/root/etc' }, message: /outside the allowed roots/ },
      { ...bad, args: { ...args, cwd: '/tmp\n/etc' }, message: /outside|does not exist/ },
      { ...bad, args: { ...args, cwd: 'C:\\x' }, message: /is outside/ },
      { ...bad, code: 'INVALID_ARGUMENT', args: { ...args, cwd: `/${'x'.repeat(5_000)}` }, message: /has 5001 bytes/, hint: /path of a directory/ },
      { ...bad, code: 'INVALID_ARGUMENT', args: { ...args, cwd: '/tmp\0' }, message: /NUL/, hint: /call again/ },
      ...(isRoot ? [] : [{ ...bad, args: () => ({ ...args, cwd: inHome('closed') }), message: /is not readable/ }]),
    ];
  }),
  ...['session_create', 'task_spawn'].flatMap((tool) => [
    { tool, args: { command: 'true', name: 'n'.repeat(65) }, message: /argument "name" .*1 to 64 characters/, hint: /call again/ },
    { tool, args: { command: 'true', name: 'a\nb' }, message: /argument "name" contains a control character/, hint: /call again/ },
  ].map((entry) => (tool === 'session_create' ? { ...entry, args: { name: entry.args.name } } : entry))),
  ...['', 's_', 's_unknown', 's_23456789abcd', '../../x', '__proto__', 'constructor', 'a\0b', 't_23456789abcd', 'x'.repeat(1_000_000)].flatMap((id) => [
    { tool: 'session_run', args: { session_id: id, command: 'true' }, code: 'SESSION_NOT_FOUND', message: /^no session "/, hint: /open sessions: s_/ },
    { tool: 'run', args: { session_id: id, command: 'true' }, code: 'SESSION_NOT_FOUND', message: /^no session "/, hint: /open sessions: s_/ },
    { tool: 'session_destroy', args: { session_id: id }, code: 'SESSION_NOT_FOUND', message: /^no session "/, hint: /open sessions: s_/ },
  ]),
  { tool: 'session_read', args: () => ({ session_id: endedSession }), code: 'SESSION_NOT_FOUND', message: /^no session "s_/, hint: /open sessions: s_/ },
  { tool: 'session_read', args: () => ({ session_id: session.id, command_id: 'c_23456789abcd' }), code: 'COMMAND_NOT_FOUND', message: /c_23456789abcd/, hint: /its latest commands: c_/ },
  { tool: 'session_read', args: () => ({ session_id: session.id, cursor: 2 ** 40 }), message: /cursor .* beyond the end/, hint: /cursor of an earlier answer/ },
  ...['', 't_', 't_23456789abcd', '../../x', '__proto__', 's_23456789abcd', 'x'.repeat(1_000_000)].flatMap((id) => [
    { tool: 'task_poll', args: { task_id: id }, code: 'TASK_NOT_FOUND', message: /^no task "/, hint: /tasks: t_/ },
    { tool: 'task_wait', args: () => ({ task_ids: [taskId, id] }), code: 'TASK_NOT_FOUND', message: /^no task "/, hint: /tasks: t_/ },
    { tool: 'task_write', args: { task_id: id, text: 'x' }, code: 'TASK_NOT_FOUND', message: /^no task "/, hint: /tasks: t_/ },
  ]),
  { tool: 'task_wait', args: { task_ids: [] }, message: /argument "task_ids" is \[\]/, hint: /call again/ },
  { tool: 'task_poll', args: () => ({ task_id: taskId, stdout_cursor: 2 ** 40 }), message: /cursor/, hint: /cursor/ },
  { tool: 'task_poll', args: () => ({ task_id: taskId, signal: 'SIGKIL' }), message: /is no signal/, hint: /SIGKILL|call again/ },
  { tool: 'session_create', args: { shell: 'ksh' }, message: /argument "shell" is "ksh"; it must be one of bash, zsh, fish/, hint: /call again/ },
  { tool: 'session_create', args: { cols: 1 }, message: /"cols" is 1/, hint: /call again/ },
  { tool: 'session_send', args: () => ({ session_id: session.id, keys: ['entr'] }), code: 'UNKNOWN_KEY', message: /no key "entr"/, hint: /nearest: enter/ },
  { tool: 'session_send', args: () => ({ session_id: session.id, text: 'rm -r' }), message: /./, hint: /session_run/ },
  ...['cols', 'rows'].flatMap((name) => [0, 100_000].map((value) => ({ tool: 'session_send', args: () => ({ session_id: session.id, [name]: value }), message: new RegExp(`"${name}" is ${value}; it must be a whole number from`), hint: /call again/ }))),
  { tool: 'session_send', args: () => ({ session_id: session.id, text: 'x'.repeat(9_000_000) }), message: /"text" has 9000000 bytes; at most 8388608/, hint: /write the data to a file/ },
  { tool: 'session_send', args: () => ({ session_id: session.id, text: 'x', until: { port: 1, output: 'x' } }), message: /"until" names (?:port and output|output and port)/, hint: /exactly one/ },
  { tool: 'session_run', args: () => ({ session_id: session.id, command: 'true', until: { output: '(' } }), code: 'BAD_PATTERN', message: /./, hint: /./ },
  { tool: 'session_read', args: () => ({ session_id: session.id, search: '(?=x)' }), code: 'BAD_PATTERN', message: /./, hint: /./ },
  { tool: 'session_send', args: () => ({ session_id: session.id }), message: /nothing to send/, hint: /"text", "keys"/ },
  { tool: 'session_run', args: () => ({ session_id: session.id, command: 'true', env: { UID: '5' } }), message: /UID/, hint: /./ },
];

describe('each is refused with a code and a way out', () => {
  test.each(CASES.map((entry, index) => [`${index} ${entry.tool} ${JSON.stringify(typeof entry.args === 'function' ? '…' : entry.args).slice(0, 70)} ${entry.message.source.slice(0, 60)}`, entry] as const))('%s', async (_, entry) => {
    const { tool, args, code = 'INVALID_ARGUMENT', message, hint } = entry;
    const { facts, text, isError } = await server.callTool(tool, typeof args === 'function' ? args() : args);
    expect(facts.error).toMatchObject({ code, message: expect.stringMatching(message) as string, hint: expect.stringMatching(hint) as string });
    expect(isError).toBe(true);
    expect(text).toBe(`${code}: ${facts.error?.message}${facts.error?.message.endsWith('?') === true ? '' : '.'}\n${facts.error?.hint}\n[${String(facts['audit_id'])}]`);
    expect(text.length).toBeLessThan(2_000);
  });
});

test('after all of them the session, the task and the server are as they were, and nothing has run', async () => {
  expect(await session.run('echo $kept $KEPT $PWD; jobs; ls ~/ran')).toMatchObject({ state: 'done', exit_code: 2, output: expect.stringMatching(/^1 2 \/tmp\nls: /) as string });
  await server.facts('task_write', { task_id: taskId, text: 'alive', eof: true });
  expect(await server.facts('task_poll', { task_id: taskId, wait_ms: 5_000 })).toMatchObject({ stdout: 'kept\nalive', exit_code: 0 });
  expect(await server.facts('session_list')).toMatchObject({ count: 1, sessions: [{ commands_run: 2 }] });
  expect(await server.facts('task_list', { include_collected: true })).toMatchObject({ count: 1 });
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  expect(server.process.stderr).toBe('');
  expect(server.stray).toEqual([]);
});

describe('a shell that cannot be used', () => {
  /** A folder in front of PATH with a bash of our own in it. */
  async function withBash(script: string | undefined, use: (server: Harness) => Promise<void>): Promise<void> {
    const home = new Home();
    removeAtEnd(home.root);
    const bin = path.join(home.root, 'bin');
    mkdirSync(bin);
    if (script !== undefined) writeFileSync(path.join(bin, 'zsh'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    await withServer({ home, args: ['--start-timeout-ms', '700'], env: { PATH: script === undefined ? bin : `${bin}:${home.environment()['PATH']}` } }, use);
  }

  test('exits at once: what it said is in the error, and no session is left', async () => {
    await withBash('echo "licence expired" >&2; exit 3', async (own) => {
      const { facts } = await own.callTool('session_create', { shell: 'zsh' });
      expect(facts.error).toMatchObject({ code: 'SHELL_START_FAILED', message: expect.stringMatching(/exit code 3.*licence expired/s) as string, hint: expect.stringMatching(/another shell/) as string });
      expect(await own.facts('session_list')).toMatchObject({ count: 0 });
      expect(await (await own.openSession('bash')).run('echo ok')).toMatchObject({ output: 'ok\n' });
    });
  });

  test('never shows a prompt: the start is bounded, each step of it', async () => {
    await withBash('exec sleep 600', async (own) => {
      const from = performance.now();
      expect((await own.callTool('session_create', { shell: 'zsh' })).facts.error).toMatchObject({ code: 'SHELL_START_FAILED' });
      expect(performance.now() - from).toBeLessThan(6_000);
      expect(await own.facts('session_list')).toMatchObject({ count: 0 });
    });
  });

  test('is kept from its prompt by its startup files: the next step without them works, and says so', async () => {
    await withServer({ args: ['--start-timeout-ms', '700'] }, async (own) => {
      const session = await own.openSession('bash', { rc: 'echo hello; sleep 600' });
      expect(session.created).toMatchObject({ integration: 'no_rc', warnings: [expect.stringMatching(/with the startup files .*hello$/) as string, expect.stringMatching(/without their prompt/) as string] });
      expect(await session.run('echo ok')).toMatchObject({ output: 'ok\n', exit_code: 0 });
    });
  });

  test('is not on a search path that has next to nothing: what is in the usual places is found, what is nowhere is named', async () => {
    await withServer({ env: { PATH: '/missing' } }, async (own) => {
      expect(await own.facts('run', { command: 'echo ok' })).toMatchObject({ stdout: 'ok\n' });
      const session = await own.openSession('bash');
      expect(await session.run('echo ok; echo err >&2', { stderr: 'separate' })).toMatchObject({ output: 'ok\n', stderr: 'err\n' });
      const { facts } = await own.callTool('run', { command: 'echo ok', shell: 'fish' });
      if (facts.error !== undefined) expect(facts.error).toMatchObject({ code: 'SHELL_NOT_FOUND', hint: expect.stringMatching(/^found here: bash \(/) as string });
    });
  });
});
