// The gate in the built server, on every way by which text reaches a shell. What is forbidden or dangerous here are stubs that only say that they ran.
import { chmodSync, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runProgram } from '../cli/program.ts';
import { startServer, type Facts, type Harness } from '../support/harness.ts';
import { Home } from '../support/home.ts';
import { removeAtEnd } from '../support/leftovers.ts';
import { forEachShell } from '../support/shells.ts';

const SAFE = 'echo fine';
const DANGEROUS = 'sudo id';
const REJECT = 'mkfs.ext4 /dev/sdzz';

/** A home with stubs of the programs that are refused: each writes into the file `ran` that it was run. */
class Stubs {
  readonly home = new Home();
  readonly ran = path.join(this.home.dir, 'ran');
  readonly env: Readonly<Record<string, string>>;

  constructor() {
    removeAtEnd(this.home.root);
    for (const name of ['sudo', 'mkfs.ext4']) chmodSync(this.home.write(`bin/${name}`, `#!/bin/sh\necho "stub ${name} $*"\necho ${name} >> '${this.ran}'\n`), 0o755);
    this.env = { PATH: `${path.join(this.home.dir, 'bin')}:${this.home.environment()['PATH'] ?? ''}` };
  }

  get hasRun(): boolean {
    return existsSync(this.ran);
  }
}

const stubs = new Stubs();
let server: Harness;
beforeAll(async () => {
  server = await startServer({ home: stubs.home, env: stubs.env });
});
afterAll(async () => {
  await server.close();
});

interface Refused {
  readonly code: string | undefined;
  readonly class: unknown;
  readonly matched: unknown;
}

async function refusalOf(name: string, args: Readonly<Record<string, unknown>>, from = server): Promise<Refused> {
  const { facts, isError, text } = await from.callTool(name, args);
  if (!isError) return { code: undefined, class: facts['classification'], matched: undefined };
  const { error, classification } = facts as Facts & { readonly error: { readonly matched?: string }; readonly classification?: { readonly class: string } };
  expect(text.split('\n'), 'R137 the code and the message, the hint, the audit entry').toHaveLength(3);
  return { code: facts.error?.code, class: classification?.class, matched: error.matched };
}

const OVERRIDE = 'DANGEROUS_COMMAND_REQUIRES_OVERRIDE';

/** A call for each code that a caller can bring about at once. */
const FAULTS: readonly (readonly [code: string, tool: string, args: Readonly<Record<string, unknown>>])[] = [
  ['FORBIDDEN_COMMAND', 'run', { command: REJECT }],
  [OVERRIDE, 'run', { command: DANGEROUS }],
  ['INVALID_CWD', 'run', { command: SAFE, cwd: '/nowhere' }],
  ['INVALID_ARGUMENT', 'run', { command: SAFE, timeout_ms: -1 }],
  ['SESSION_NOT_FOUND', 'session_run', { session_id: 's_nothing', command: SAFE }],
  ['TASK_NOT_FOUND', 'task_poll', { task_id: 't_nothing' }],
];

test.each(FAULTS)('R134 R135 R137 %s is a code with a message, a hint and where it is documented, marked as an error', async (code, tool, args) => {
  const { facts, isError, text } = await server.callTool(tool, args);
  const { message, hint, documentation } = facts.error as unknown as Record<'message' | 'hint' | 'documentation', string>;
  expect([isError, facts.error?.code, documentation]).toEqual([true, code, `docs/tools.md#${tool}`]);
  expect([text.startsWith(`${code}: ${message}`), text.endsWith(`\n${hint}\n[${String(facts['audit_id'])}]`)], text).toEqual([true, true]);
  expect(hint.length).toBeGreaterThan(20);
  expect(readFileSync('docs/tools.md', 'utf8')).toContain(`## ${tool}\n`);
});

/** The ways that commands take, each as a call. */
const WAYS: readonly (readonly [string, (command: string, more?: object) => Promise<readonly [string, Record<string, unknown>]>])[] = [
  ['run', (command, more = {}) => Promise.resolve(['run', { command, ...more }])],
  ['task_spawn', (command, more = {}) => Promise.resolve(['task_spawn', { command, ...more }])],
  ['session_run', async (command, more = {}) => ['session_run', { session_id: (await server.openSession('bash')).id, command, ...more }]],
];

test.each(WAYS)('R122 R127 R133 %s lets safe commands run, refuses dangerous ones without "dangerous", and rejected ones with and without', async (_, call) => {
  const before = stubs.hasRun;
  expect(await refusalOf(...(await call(DANGEROUS)))).toEqual({ code: OVERRIDE, class: 'dangerous', matched: DANGEROUS });
  for (const dangerous of [false, true]) expect(await refusalOf(...(await call(REJECT, { dangerous })))).toEqual({ code: 'FORBIDDEN_COMMAND', class: 'reject', matched: REJECT });
  expect(stubs.hasRun, 'nothing was run').toBe(before);
  expect(await refusalOf(...(await call(SAFE)))).toEqual({ code: undefined, class: { class: 'safe' }, matched: undefined });
  const [tool, args] = await call(DANGEROUS, { dangerous: true });
  const done = await server.callTool(tool, args);
  expect([done.isError, done.facts['classification']]).toEqual([false, { class: 'dangerous', rule: 'privileges', matched: DANGEROUS }]);
  expect(done.text).toContain('dangerous');
  const output = tool === 'task_spawn' ? (await server.facts('task_poll', { task_id: done.facts.task_id, wait_ms: 10_000 })).stdout : (done.facts.stdout ?? done.facts.output);
  expect(output).toBe('stub sudo id\n');
});

test.each(WAYS)('%s runs what was classified byte for byte', async (_, call) => {
  const command = `printf '%s|' 'a  b' "$((1+1))"  $'\\x41' \\\\ # é\nprintf '%s' "${'x'.repeat(5_000)}"`;
  const [tool, args] = await call(command);
  const { facts } = await server.callTool(tool, args);
  const output = tool === 'task_spawn' ? (await server.facts('task_poll', { task_id: facts.task_id, wait_ms: 10_000 })).stdout : (facts.stdout ?? facts.output);
  expect(output).toBe(`a  b|2|A|\\|${'x'.repeat(5_000)}`);
});

test('standard input of a run is judged when a shell reads it', async () => {
  for (const command of ['bash', 'exec bash -s', 'cat | sh']) {
    const more = { command, dangerous: true };
    expect((await refusalOf('run', { ...more, stdin: `${REJECT}\n` })).code).toBe('FORBIDDEN_COMMAND');
  }
  expect((await refusalOf('run', { command: 'bash', stdin: DANGEROUS })).code).toBe(OVERRIDE);
  expect((await server.facts('run', { command: 'bash', stdin: DANGEROUS, dangerous: true })).stdout).toBe('stub sudo id\n');
  expect((await server.facts('run', { command: 'cat', stdin: REJECT })).stdout).toBe(REJECT);
});

test('what is written to a task is judged when a shell reads it, be it in pieces', async () => {
  const { task_id: id } = await server.facts('task_spawn', { command: 'sleep 0.2; bash', shell: 'bash', stdin: 'pipe' });
  const write = (text: string) => refusalOf('task_write', { task_id: id, text });
  expect((await write(`${REJECT}\n`)).code, 'before the shell is there').toBe('FORBIDDEN_COMMAND');
  expect((await write('mkfs.ext4 ')).code).toBeUndefined();
  expect((await write('/dev/sdzz\n')).code).toBe('FORBIDDEN_COMMAND');
  expect((await refusalOf('task_write', { task_id: id, text: '/dev/sdzz', eof: true })).code).toBe('FORBIDDEN_COMMAND');
  expect((await write('/dev/sdzz\n')).code, 'the line is what it was').toBe('FORBIDDEN_COMMAND');
  await server.facts('task_poll', { task_id: id, terminate: true });
});

test('what is written to a task counts where lines lead that the shell has not read yet', async () => {
  const { task_id: id } = await server.facts('task_spawn', { command: 'cd /usr; sleep 0.3; dash', stdin: 'pipe' });
  const write = (text: string) => refusalOf('task_write', { task_id: id, text });
  expect((await write('rm -rf lib\n')).code, 'before the shell is there').toBe('FORBIDDEN_COMMAND');
  expect((await write('cd /; sleep 1; cd /opt\n')).code).toBeUndefined();
  expect((await write('rm -rf usr\n')).code).toBe('FORBIDDEN_COMMAND');
  await expect.poll(async () => (await refusalOf('task_write', { task_id: id, text: 'rm -rf usr\n' })).code, { timeout: 5_000, interval: 200 }).toBe(OVERRIDE);
  await server.facts('task_poll', { task_id: id, terminate: true });
});

test.runIf(process.platform === 'linux')('a shell in a group of its own is found by who has started it', async () => {
  const script = stubs.home.write('apart.sh', '#!/bin/sh\necho ready\nsetsid -w dash\n');
  chmodSync(script, 0o755);
  const { task_id: id } = await server.facts('task_spawn', { command: script, stdin: 'pipe' });
  await server.facts('task_poll', { task_id: id, until: { output: 'ready' } });
  await expect.poll(async () => (await refusalOf('task_write', { task_id: id, text: `${REJECT}\n` })).code).toBe('FORBIDDEN_COMMAND');
  await server.facts('task_poll', { task_id: id, terminate: true });
});

test('a script that becomes a shell is seen when it is written to, and a program that is none takes anything', async () => {
  const script = stubs.home.write('shell.sh', '#!/bin/sh\necho ready\nexec bash\n');
  chmodSync(script, 0o755);
  const { task_id: id } = await server.facts('task_spawn', { command: script, stdin: 'pipe' });
  await server.facts('task_poll', { task_id: id, until: { output: 'ready' } });
  await expect.poll(async () => (await refusalOf('task_write', { task_id: id, text: `${REJECT}\n` })).code).toBe('FORBIDDEN_COMMAND');
  await server.facts('task_poll', { task_id: id, terminate: true });
  const { task_id: cat } = await server.facts('task_spawn', { command: 'cat', stdin: 'pipe' });
  expect((await refusalOf('task_write', { task_id: cat, text: `${REJECT}\n`, eof: true })).code).toBeUndefined();
  expect((await server.facts('task_wait', { task_ids: [cat] }))['tasks']).toMatchObject([{ stdout: `${REJECT}\n` }]);
});

forEachShell((shell) => {
  test('R133 what is sent to a nested shell is judged, and what another program is told is not', async () => {
    const session = await server.openSession(shell);
    const send = (args: object, id = session.id) => refusalOf('session_send', { session_id: id, ...args });
    const before = stubs.hasRun ? readFileSync(stubs.ran, 'utf8') : '';
    for (const inner of ['bash --norc', 'sh']) {
      await session.run(inner, { until: { output: '[#$] $' } });
      expect(await send({ text: REJECT })).toEqual({ code: 'FORBIDDEN_COMMAND', class: 'reject', matched: REJECT });
      expect((await send({ text: DANGEROUS })).code).toBe(OVERRIDE);
      expect((await send({ text: 'mkfs.ext4 ', enter: false, timeout_ms: 0 })).code).toBeUndefined();
      expect((await send({ text: '/dev/sdzz' })).code).toBe('FORBIDDEN_COMMAND');
      expect((await send({ keys: ['ctrl-u'], timeout_ms: 0 })).code).toBeUndefined();
      expect((await session.send({ text: 'echo in-$((40+2))' })).output).toContain('in-42');
      await session.send({ text: 'exit' });
    }
    expect(stubs.hasRun ? readFileSync(stubs.ran, 'utf8') : '', 'nothing was run').toBe(before);
    await session.run('cat');
    expect((await session.send({ text: REJECT })).output).toContain(REJECT);
    await session.send({ keys: ['ctrl-d'] });
    await session.run('bash --norc');
    await session.send({ text: 'cat' });
    expect((await session.send({ text: `it's ${REJECT}` })).output, 'a program of the nested shell').toContain(REJECT);
    await session.destroy();
  });

  test('a shell under another name is a shell', async () => {
    const session = await server.openSession(shell);
    for (const inner of [`python3 -c 'import os; os.execvp("bash", ["other", "--norc"])'`, 'ln -sf "$(command -v bash)" other; ./other --norc']) {
      await session.run(inner, { until: { output: '[#$] $' } });
      expect((await refusalOf('session_send', { session_id: session.id, text: REJECT })).code, inner).toBe('FORBIDDEN_COMMAND');
      await session.send({ text: 'exit' });
    }
    await session.destroy();
  });

  test('an answer to a question of the session\'s own shell is no command', async () => {
    const session = await server.openSession(shell);
    const asking = shell === 'fish' ? 'read -l answer; echo "[$answer]"' : 'read -r answer; echo "[$answer]"';
    await session.run(asking);
    expect((await session.send({ text: "it's rm -rf /" })).output).toContain("[it's rm -rf /]");
    await session.destroy();
  });

  test('what is typed before the nested shell reads, or while its program runs, is judged, too', async () => {
    const session = await server.openSession(shell);
    const send = (text: string) => refusalOf('session_send', { session_id: session.id, text, timeout_ms: 0 });
    await session.run('sleep 0.3; bash --norc', { timeout_ms: 1 });
    expect((await send(REJECT)).code).toBe('FORBIDDEN_COMMAND');
    await session.read({ timeout_ms: 10_000 });
    await session.send({ text: 'sleep 0.5', timeout_ms: 0 });
    await expect.poll(async () => (await send(REJECT)).code).toBe('FORBIDDEN_COMMAND');
    expect((await send('echo early')).code).toBeUndefined();
    await session.destroy();
  });

  test('a shell that was started with "dangerous" takes dangerous lines, never rejected ones', async () => {
    const session = await server.openSession(shell);
    await session.run('bash --norc', { dangerous: true });
    expect((await session.send({ text: DANGEROUS })).output).toContain('stub sudo id');
    expect((await refusalOf('session_send', { session_id: session.id, text: REJECT })).code).toBe('FORBIDDEN_COMMAND');
    await session.destroy();
  });

  test('a variable with code that was exported in the session is remembered, until it is gone', async () => {
    const session = await server.openSession(shell);
    const assign = (value: string) => (shell === 'fish' ? `set -gx GIT_SSH_COMMAND '${value}'` : `export GIT_SSH_COMMAND='${value}'`);
    expect((await refusalOf('session_run', { session_id: session.id, command: assign('sh x') })).code).toBe(OVERRIDE);
    await session.run(assign('sh x'), { dangerous: true });
    expect((await refusalOf('session_run', { session_id: session.id, command: 'git --version' })).code).toBe(OVERRIDE);
    expect((await refusalOf('run', { session_id: session.id, command: 'git --version' })).code).toBe(OVERRIDE);
    expect((await refusalOf('session_run', { session_id: session.id, command: SAFE })).code).toBeUndefined();
    await session.run(shell === 'fish' ? 'set -e GIT_SSH_COMMAND' : 'unset GIT_SSH_COMMAND');
    expect((await refusalOf('session_run', { session_id: session.id, command: 'git --version' })).code).toBeUndefined();
    await session.destroy();
  });
});

forEachShell((shell) => {
  test('`~` and `cd` are judged by the HOME and the CDPATH that the session has by then', async () => {
    const session = await server.openSession(shell);
    const refused = async (command: string, more: object = {}) => (await refusalOf('session_run', { session_id: session.id, command, dangerous: true, ...more })).code;
    const assign = (name: string, value: string) => (shell === 'fish' ? `set -gx ${name} ${value}` : `export ${name}=${value}`);
    expect(await refused('rm -rf ~/lib', { env: { HOME: '/usr' } })).toBe('FORBIDDEN_COMMAND');
    expect((await refusalOf('session_run', { session_id: session.id, command: SAFE, env: { PWD: '/usr' } })).code).toBe('INVALID_ARGUMENT');
    await session.run(assign('HOME', '/usr'));
    for (const command of ['rm -rf ~/lib', 'rm -rf $HOME/lib', 'cd; rm -rf lib']) expect(await refused(command), command).toBe('FORBIDDEN_COMMAND');
    expect((await refusalOf('run', { session_id: session.id, command: 'rm -rf ~/lib', dangerous: true })).code).toBe('FORBIDDEN_COMMAND');
    await session.run(shell === 'fish' ? 'set -gx CDPATH /' : 'CDPATH=/');
    expect((await refusalOf('session_run', { session_id: session.id, command: 'cd nowhere-41 && rm -rf lib' })).code).toBe(OVERRIDE);
    await session.destroy();
  });
});

test('a HOME that a call gives is the one that its `~` means', async () => {
  for (const name of ['run', 'task_spawn']) expect((await refusalOf(name, { command: 'rm -rf ~/lib', env: { HOME: '/usr' }, dangerous: true })).code).toBe('FORBIDDEN_COMMAND');
  expect((await refusalOf('run', { command: 'cd /usr && bash', stdin: 'rm -rf lib', dangerous: true })).code).toBe('FORBIDDEN_COMMAND');
});

test('the class of a command in a session is that of where the session is when its turn comes', async () => {
  const session = await server.openSession('bash');
  await session.run('mkdir -p deep');
  const slow = session.run('sleep 0.4; cd /usr');
  const queued = refusalOf('session_run', { session_id: session.id, command: 'rm -rf deep/../lib', queue_ms: 10_000 });
  await slow;
  expect(await queued).toMatchObject({ code: 'FORBIDDEN_COMMAND', class: 'reject' });
  expect((await session.run(SAFE)).output, 'the session is free again').toBe('fine\n');
  await session.run('cd /opt');
  const again = session.run('sleep 0.4; cd ~');
  const told = session.run('rm -rf deep/x', { queue_ms: 10_000, dangerous: true });
  await again;
  expect((await told)['classification'], 'of where it has run').toEqual({ class: 'safe' });
  await session.destroy();
});

test('variables of a call that are code make its command dangerous', async () => {
  for (const name of ['run', 'task_spawn']) expect((await refusalOf(name, { command: 'ls', env: { LD_PRELOAD: '/tmp/none.so' } })).code).toBe(OVERRIDE);
  const session = await server.openSession('bash');
  expect((await refusalOf('session_run', { session_id: session.id, command: 'bash x.sh', env: { BASH_ENV: '/tmp/none' } })).code).toBe(OVERRIDE);
  await session.destroy();
});

test.each(['PROMPT_COMMAND', 'PS0', 'PS1', 'PS4', 'LD_PRELOAD', 'ZDOTDIR', 'BASH_ENV', 'BASH_FUNC_ls%%'])('no session is opened whose shell would run %s by itself', async (name) => {
  const value = name.startsWith('PS') ? `$(${REJECT})` : name.startsWith('BASH_FUNC') ? `() { ${REJECT}; }` : REJECT;
  const { facts, isError } = await server.callTool('session_create', { shell: 'bash', env: { [name]: value } });
  expect([isError, facts.error?.code, facts['classification']]).toEqual([true, OVERRIDE, { class: 'dangerous', rule: 'code-in-environment', matched: name }]);
  const session = await server.openSession('bash', { env: { PS1: '$ ', PAGER: 'cat', GIT_SSH_COMMAND: 'sh x' } });
  expect((await refusalOf('session_run', { session_id: session.id, command: 'git --version' })).code, 'what a later program runs').toBe(OVERRIDE);
  await session.destroy();
});

test('R129 classify tells what would happen and runs nothing, for a session where it is', async () => {
  const before = stubs.hasRun ? readFileSync(stubs.ran, 'utf8') : '';
  const told = async (args: object) => {
    const { class: found, rules, would_execute: runs, would_execute_with_dangerous_true: runsWith } = await server.facts('classify', { ...args });
    return [found, (rules as { rule: string }[])[0]?.rule, runs, runsWith];
  };
  expect(await told({ command: SAFE })).toEqual(['safe', undefined, true, true]);
  expect(await told({ command: DANGEROUS })).toEqual(['dangerous', 'privileges', false, true]);
  expect(await told({ command: REJECT })).toEqual(['reject', 'write-device', false, false]);
  expect((await told({ command: 'rm -rf lib', cwd: '/usr' }))[0]).toBe('reject');
  expect((await told({ command: 'rm -rf x', cwd: '~/not/there' }))[0]).toBe('safe');
  const session = await server.openSession('bash');
  await session.run('cd /usr');
  expect((await told({ command: 'rm -rf lib', session_id: session.id }))[0]).toBe('reject');
  await session.destroy();
  const hint = (await server.facts('classify', { command: DANGEROUS }))['hint_with_dangerous_false'];
  expect((await server.callTool('run', { command: DANGEROUS })).facts.error?.hint).toBe(hint);
  expect((await refusalOf('classify', { command: '' })).code).toBe('INVALID_ARGUMENT');
  expect(stubs.hasRun ? readFileSync(stubs.ran, 'utf8') : '').toBe(before);
});

test('a token of classify confirms over the wire, once', async () => {
  const other = await startServer({ env: stubs.env, args: ['--confirm', 'token'] });
  const run = (more: object) => refusalOf('run', { command: DANGEROUS, dangerous: true, ...more }, other);
  expect((await run({})).code).toBe(OVERRIDE);
  const { confirm_token: token } = await other.facts('classify', { command: DANGEROUS });
  expect((await run({ confirm_token: token, cwd: '/tmp' })).code).toBe(OVERRIDE);
  expect((await run({ confirm_token: token })).code).toBeUndefined();
  expect((await run({ confirm_token: token })).code).toBe(OVERRIDE);
  await other.close();
});

test.each([['accept', undefined], ['decline', 'CONFIRMATION_DECLINED'], ['cancel', 'CONFIRMATION_DECLINED']] as const)('a person who is asked through the client and chooses "%s": %s', async (action, code) => {
  const other = await startServer({ env: stubs.env, args: ['--confirm', 'ask'], elicitation: true });
  const questions: string[] = [];
  other.client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
    questions.push(params.message);
    return { action, ...(action === 'accept' ? { content: {} } : {}) };
  });
  expect((await refusalOf('run', { command: DANGEROUS, dangerous: true }, other)).code).toBe(code);
  expect(questions).toEqual([expect.stringContaining(DANGEROUS)]);
  await other.close();
});

test('where the person is to be asked, a client that cannot is told so', async () => {
  const other = await startServer({ env: stubs.env, args: ['--confirm', 'ask'] });
  const { facts } = await other.callTool('run', { command: DANGEROUS, dangerous: true });
  expect([facts.error?.code, facts.error?.message]).toEqual(['CONFIRMATION_DECLINED', expect.stringContaining('this client cannot ask')]);
  await other.close();
});

const OWN = 'id = "no-deploy"\nclass = "reject"\nmatch = ["make", ["deploy", "release"]]\nreason = "a person deploys"\n';

test.each([
  ['examples = ["make test"]', 'rule "no-deploy" does not match its example "make test"'],
  ['not_examples = ["cd x && make deploy"]', 'rule "no-deploy" matches "cd x && make deploy", which is one of its not_examples'],
  [`[[rule]]\n${OWN}`, 'rule "no-deploy": there are two rules with this id'],
  [`[[rule]]\n${OWN.replace('no-deploy', 'other').replace('"reject"', '"safe"').replace('"deploy", "release"', '"release", "deploy"')}`, 'rule "other" (safe) contradicts rule "no-deploy" (reject)'],
  [`[[rule]]\n${OWN.replace('no-deploy', 'other')}`, 'rule "other" is the same as rule "no-deploy"'],
  [`[[rule]]\n${OWN.replace('no-deploy', 'kill-hard').replace('make', 'mk')}`, 'rule "kill-hard": this id is one of the built-in rules'],
])('R138 rules that do not do what they say stop the start, with a line that names the rule: %s', async (more, message) => {
  const home = new Home();
  removeAtEnd(home.root);
  home.write('.config/shellkeep/config.toml', `[[rule]]\n${OWN}${more}\n`);
  const { stderr, end } = await runProgram(['config'], { home });
  expect([end, stderr.trim().split('\n').length]).toEqual([2, 1]);
  expect(stderr).toContain(message);
});

test('rules of the person, and a list of programs, hold in the server', async () => {
  const home = new Home();
  removeAtEnd(home.root);
  home.write('.config/shellkeep/config.toml', `allowed_commands = ["make", "echo"]\n[[rule]]\n${OWN}examples = ["make deploy"]\nnot_examples = ["make"]\n`);
  const other = await startServer({ home });
  expect(await refusalOf('run', { command: 'x=1 make release', dangerous: true }, other)).toMatchObject({ code: 'FORBIDDEN_COMMAND', matched: 'x=1 make release' });
  expect((await refusalOf('run', { command: 'echo a | ls' }, other)).code).toBe('FORBIDDEN_COMMAND');
  expect((await refusalOf('run', { command: SAFE }, other)).code).toBeUndefined();
  await other.close();
});

test('a person who types a dangerous command means it, and a rejected one does not run for a person either', async () => {
  expect(await runProgram(['run', '--', DANGEROUS], { home: stubs.home, env: stubs.env })).toMatchObject({ stdout: 'stub sudo id\n', end: 0 });
  const { stderr, stdout, end } = await runProgram(['run', '--', REJECT], { home: stubs.home, env: stubs.env });
  expect([stdout, end, stderr]).toEqual(['', 2, expect.stringContaining('never runs here')]);
});

forEachShell((shell) => {
  test('half a line that a program in a nested shell has not read is judged with the Enter that sends it off', async () => {
    const session = await server.openSession(shell);
    expect(await session.run('bash --norc --noediting', { env: { HISTFILE: '' } })).toMatchObject({ state: 'awaiting_input' });
    await session.send({ text: 'sleep 0.5', timeout_ms: 0 });
    await session.send({ text: REJECT, enter: false, timeout_ms: 5_000 });
    expect(await refusalOf('session_send', { session_id: session.id, keys: ['enter'] })).toMatchObject({ code: 'FORBIDDEN_COMMAND' });
    await session.send({ keys: ['ctrl-c'] });
    expect((await session.send({ text: 'echo next' })).output).toContain('next\n');
    expect(stubs.hasRun && readFileSync(stubs.ran, 'utf8').includes('mkfs')).toBe(false);
    await server.facts('session_destroy', { session_id: session.id });
  });
});
