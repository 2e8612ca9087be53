// The gate by itself: which class needs what, what confirms it, and what is told to whoever is refused.
import { expect, test } from 'vitest';
import { ExpectedError } from '../../src/errors.ts';
import { Gate, type GateOptions, type Permission } from '../../src/policy/gate.ts';
import { TypedInput, type Typed } from '../../src/policy/typed-input.ts';
import { CONTEXT } from './support.ts';

const SAFE = 'echo hello';
const DANGEROUS = 'sudo id';
const REJECT = 'mkfs.ext4 /dev/sdzz';

let clock = 0;

function gateWith(options: Partial<GateOptions> = {}): Gate {
  let tokens = 0;
  const { home, allowedRoots } = CONTEXT;
  return new Gate({ home, allowedRoots, profile: 'standard', allowedCommands: undefined, userRules: [], fishTree: () => Promise.resolve(undefined), confirm: 'flag', maxClass: 'dangerous', makeToken: () => `token-${++tokens}`, now: () => clock, ...options });
}

const HERE = { shell: 'bash', cwd: CONTEXT.cwd, environment: {} } as const;
const NO: Permission = { dangerous: false, ask: () => Promise.reject(new Error('nobody is to be asked')) };
const YES: Permission = { ...NO, dangerous: true };

async function outcome(promise: Promise<unknown>): Promise<string> {
  return promise.then(() => 'runs', (error: unknown) => (error instanceof ExpectedError ? error.code : Promise.reject(error)));
}

async function refusal(promise: Promise<unknown>): Promise<ExpectedError> {
  const error = await promise.then(() => undefined, (reason: unknown) => reason);
  if (!(error instanceof ExpectedError)) throw new Error('it was let through');
  return error;
}

const OVERRIDE = 'DANGEROUS_COMMAND_REQUIRES_OVERRIDE';

test.each([
  [SAFE, {}, 'runs', 'runs'],
  [DANGEROUS, {}, OVERRIDE, 'runs'],
  [REJECT, {}, 'FORBIDDEN_COMMAND', 'FORBIDDEN_COMMAND'],
  [`${DANGEROUS}; ${REJECT}`, {}, 'FORBIDDEN_COMMAND', 'FORBIDDEN_COMMAND'],
  [SAFE, { maxClass: 'safe' }, 'runs', 'runs'],
  [DANGEROUS, { maxClass: 'safe' }, 'FORBIDDEN_COMMAND', 'FORBIDDEN_COMMAND'],
  [DANGEROUS, { profile: 'open' }, 'runs', 'runs'],
  [REJECT, { profile: 'open' }, 'FORBIDDEN_COMMAND', 'FORBIDDEN_COMMAND'],
  [SAFE, { allowedCommands: ['ls'] }, 'FORBIDDEN_COMMAND', 'FORBIDDEN_COMMAND'],
  ['ls -la', { allowedCommands: ['ls'] }, 'runs', 'runs'],
  ['pip install x', { userRules: [{ id: 'pip', class: 'safe', match: [['pip', 'pip3'], 'install'], reason: 'in a container' }] }, 'runs', 'runs'],
  [SAFE, { userRules: [{ id: 'no-echo', class: 'dangerous', match: ['echo'], reason: 'is loud' }] }, OVERRIDE, 'runs'],
] satisfies [string, Partial<GateOptions>, string, string][])('R123 R127 %s under %j: %s, and with "dangerous" %s', async (text, options, without, withDangerous) => {
  const gate = gateWith(options);
  expect([await outcome(gate.approve(text, HERE, NO)), await outcome(gate.approve(text, HERE, YES))]).toEqual([without, withDangerous]);
});

test('what was let through is the text byte for byte, with its class and what decided it (R128)', async () => {
  const text = '  sudo  id\t# "é"\n';
  const command = await gateWith().approve(text, HERE, YES);
  expect([command.text, command.classification, command.isOverridden]).toEqual([text, { class: 'dangerous', rule: 'privileges', matched: 'sudo  id' }, true]);
  expect((await gateWith().approve(SAFE, HERE, NO)).classification).toEqual({ class: 'safe' });
});

test('R136 a forbidden command is told that no override helps, a dangerous one how to override or what to do instead', async () => {
  const forbidden = await refusal(gateWith().approve(REJECT, HERE, NO));
  expect(forbidden.message).toMatch(/^"mkfs\.ext4 \/dev\/sdzz" never runs here \(rule [\w-]+\)$/);
  expect(forbidden.hint).toMatch(/"dangerous" does not help.*nothing was run$/);
  const dangerous = await refusal(gateWith().approve(DANGEROUS, HERE, NO));
  expect(dangerous.hint).toMatch(/^runs with the rights of another user: do without, or ask the person\. .*dangerous: true; nothing was run$/);
  expect(dangerous.classification).toEqual({ class: 'dangerous', rule: 'privileges', matched: 'sudo id' });
});

test('R129 R131 what is foretold is what happens, in the same words', async () => {
  for (const maxClass of ['safe', 'dangerous'] as const) {
    for (const confirm of ['flag', 'token', 'ask'] as const) {
      for (const text of [SAFE, DANGEROUS, REJECT]) {
        const gate = gateWith({ maxClass, confirm });
        const { verdict, refusal: foretold } = await gate.foretell(text, HERE, {});
        const error = await gate.approve(text, HERE, NO).then(() => undefined, (reason: unknown) => reason);
        expect([foretold?.code, foretold?.message, foretold?.hint]).toEqual(error instanceof ExpectedError ? [error.code, error.message, error.hint] : [undefined, undefined, undefined]);
        expect(foretold === undefined).toBe(verdict.class === 'safe');
      }
    }
  }
});

const BY_OWNER = 'is dangerous, and the token of this client lets only safe commands run (rule privileges)';
const BY_SETTING = 'is dangerous, and the setting max_class lets only safe commands run (rule privileges)';

test.each([
  [undefined, 'dangerous', undefined],
  ['dangerous', 'dangerous', undefined],
  ['safe', 'dangerous', BY_OWNER],
  ['safe', 'safe', BY_SETTING],
  ['dangerous', 'safe', BY_SETTING],
] as const)('of the max_class of the owner (%s) and of the setting (%s) the stricter counts, for commands, for input, and beforehand', async (own, setting, said) => {
  for (const confirm of ['flag', 'token', 'ask'] as const) {
    const gate = gateWith({ maxClass: setting, confirm });
    const { refusalWithDangerous, confirmToken } = await gate.foretell(DANGEROUS, HERE, { maxClass: own });
    const permission = { ...YES, confirmToken, maxClass: own, ask: () => Promise.resolve('accepted' as const) };
    const typed = { text: DANGEROUS, enter: true, keys: [] };
    const attempts = [gate.approve(DANGEROUS, HERE, permission), ...(confirm === 'token' ? [] : [gate.approveInput(new TypedInput(), typed, HERE, permission)])];
    const told = await Promise.all(attempts.map((attempt) => attempt.then(() => undefined, (error: ExpectedError) => `${error.code} ${error.message}`)));
    const expected = said === undefined ? undefined : `FORBIDDEN_COMMAND "sudo id" ${said}`;
    expect([...told, refusalWithDangerous && `${refusalWithDangerous.code} ${refusalWithDangerous.message}`]).toEqual([...told, undefined].map(() => expected));
    expect(confirmToken === undefined).toBe(said !== undefined || confirm !== 'token');
    expect(await outcome(gate.approve(SAFE, HERE, permission))).toBe('runs');
    expect(await outcome(gate.approve(REJECT, HERE, permission))).toBe('FORBIDDEN_COMMAND');
  }
});

test('R130 an empty text is safe to classify; that running it is an error is told at the edge of both', async () => {
  expect((await gateWith().foretell('', HERE, {})).verdict.class).toBe('safe');
});

test('a token confirms one command once: these bytes, in this directory, for this session, within a minute', async () => {
  const gate = gateWith({ confirm: 'token' });
  const token = async (sessionId?: string): Promise<string> => (await gate.foretell(DANGEROUS, HERE, { sessionId })).confirmToken ?? '';
  const use = (confirmToken: string | undefined, text = DANGEROUS, cwd = HERE.cwd, sessionId?: string) => outcome(gate.approve(text, { ...HERE, cwd }, { ...YES, confirmToken, sessionId }));
  expect(await use(undefined)).toBe(OVERRIDE);
  expect(await use('made-up')).toBe(OVERRIDE);
  const first = await token();
  expect(await use(first, `${DANGEROUS} `), 'other bytes').toBe(OVERRIDE);
  expect(await use(first, DANGEROUS, '/tmp'), 'another directory').toBe(OVERRIDE);
  expect(await use(first, DANGEROUS, HERE.cwd, 's_1'), 'a session').toBe(OVERRIDE);
  expect(await outcome(gate.approve(DANGEROUS, HERE, { ...NO, confirmToken: first })), 'without dangerous').toBe(OVERRIDE);
  expect(await use(first)).toBe('runs');
  expect(await use(first), 'a second time').toBe(OVERRIDE);
  expect(await use(await token('s_1'), DANGEROUS, HERE.cwd, 's_1')).toBe('runs');
  const late = await token();
  clock += 60_001;
  const error = await refusal(gate.approve(DANGEROUS, HERE, { ...YES, confirmToken: late }));
  expect(error.message).toContain('is older than 60 s');
  expect(error.hint).toContain('call classify');
});

test('a token confirms what its owner was told, not what a variable or another shell adds to it', async () => {
  const gate = gateWith({ confirm: 'token' });
  const token = async (text: string): Promise<string> => (await gate.foretell(text, HERE, {})).confirmToken ?? '';
  const loaded = { ...HERE, environment: { LD_PRELOAD: '/tmp/x.so' } };
  expect(await outcome(gate.approve(DANGEROUS, loaded, { ...YES, confirmToken: await token(DANGEROUS) }))).toBe(OVERRIDE);
  const text = 'sudo ls; repeat 3 ls';
  expect(await outcome(gate.approve(text, { ...HERE, shell: 'zsh' }, { ...YES, confirmToken: await token(text) }))).toBe(OVERRIDE);
  expect(await outcome(gate.approve(DANGEROUS, { ...HERE, shell: 'zsh' }, { ...YES, confirmToken: await token(DANGEROUS) }))).toBe('runs');
});

test('another owner\'s token reads as one that never was, and nobody can push another\'s out', async () => {
  const gate = gateWith({ confirm: 'token' });
  const given = async (owner: string) => (await gate.foretell(DANGEROUS, HERE, { owner })).confirmToken ?? '';
  const use = (owner: string, confirmToken: string) => gate.approve(DANGEROUS, HERE, { ...YES, owner, confirmToken });
  const token = await given('alice');
  expect((await refusal(use('bob', token))).message.replace(token, 'TOKEN')).toBe((await refusal(use('bob', 'made-up'))).message.replace('made-up', 'TOKEN'));
  for (let index = 0; index < 1_000; index++) await given('bob');
  expect(await outcome(use('alice', token))).toBe('runs');
});

test('tokens are only given where they confirm, and for what they can confirm', async () => {
  const given = async (text: string, options: Partial<GateOptions>) => (await gateWith(options).foretell(text, HERE, {})).confirmToken;
  expect(await given(DANGEROUS, { confirm: 'token' })).toBe('token-1');
  for (const [text, options] of [[DANGEROUS, {}], [SAFE, { confirm: 'token' }], [REJECT, { confirm: 'token' }], [DANGEROUS, { confirm: 'token', maxClass: 'safe' }]] as const) expect(await given(text, options)).toBeUndefined();
});

test.each([['accepted', 'runs'], ['declined', 'CONFIRMATION_DECLINED'], ['unable', 'CONFIRMATION_DECLINED']] as const)('a person who is asked and answers "%s": %s', async (answer, expected) => {
  const questions: string[] = [];
  const ask = (question: string): Promise<typeof answer> => Promise.resolve(answer).finally(() => questions.push(question));
  const gate = gateWith({ confirm: 'ask' });
  expect(await outcome(gate.approve(DANGEROUS, HERE, { dangerous: true, ask }))).toBe(expected);
  expect(questions).toEqual([expect.stringContaining(`Run this command in ${HERE.cwd}?\n\n${DANGEROUS}\n`)]);
  expect(await outcome(gate.approve(SAFE, HERE, { dangerous: true, ask }))).toBe('runs');
  expect(await outcome(gate.approve(REJECT, HERE, { dangerous: true, ask }))).toBe('FORBIDDEN_COMMAND');
  expect(await outcome(gate.approve(DANGEROUS, HERE, { dangerous: false, ask }))).toBe(OVERRIDE);
  expect(questions).toHaveLength(1);
});

test('a client that cannot ask is told so', async () => {
  const error = await refusal(gateWith({ confirm: 'ask' }).approve(DANGEROUS, HERE, { dangerous: true, ask: () => Promise.resolve('unable') }));
  expect(error.message).toContain('this client cannot ask the person');
});

test('a verdict depends on the shell, the directory and variables with code, and a remembered one does not hide that', async () => {
  const gate = gateWith();
  for (let round = 0; round < 2; round++) {
    expect(await outcome(gate.approve('rm -rf build', HERE, NO))).toBe('runs');
    expect(await outcome(gate.approve('rm -rf build', { ...HERE, cwd: '/opt/x' }, NO))).toBe(OVERRIDE);
    expect(await outcome(gate.approve('ls', { ...HERE, environment: { LD_PRELOAD: '/tmp/x.so' } }, NO))).toBe(OVERRIDE);
    expect(await outcome(gate.approve('ls', { ...HERE, environment: { NODE_ENV: 'test', PAGER: 'cat' } }, NO))).toBe('runs');
    expect(await outcome(gate.approve('repeat 3 ls', { ...HERE, shell: 'zsh' }, NO))).toBe(OVERRIDE);
  }
});

test('a home directory and a CDPATH of the place count, and a remembered verdict does not hide that', async () => {
  const gate = gateWith();
  for (let round = 0; round < 2; round++) {
    for (const text of ['rm -rf ~/lib', 'rm -rf $HOME/lib', 'cd; rm -rf lib']) {
      expect(await outcome(gate.approve(text, { ...HERE, environment: { HOME: '/usr' } }, YES)), text).toBe('FORBIDDEN_COMMAND');
      expect(await outcome(gate.approve(text, { ...HERE, environment: { HOME: '' } }, YES)), text).not.toBe('runs');
    }
    expect(await outcome(gate.approve('rm -rf ~/proj/lib', { ...HERE, environment: { HOME: CONTEXT.home } }, NO))).toBe('runs');
    expect(await outcome(gate.approve('cd lib && rm -rf x', HERE, NO))).toBe('runs');
    expect(await outcome(gate.approve('cd lib && rm -rf x', { ...HERE, environment: { CDPATH: '/usr' } }, NO))).toBe(OVERRIDE);
    expect(await outcome(gate.approve('cd ./lib && rm -rf x', { ...HERE, environment: { CDPATH: '/usr' } }, NO))).toBe('runs');
  }
});

test.each([
  ['bash', 'bash'], ['exec zsh -f', 'zsh'], ['env fish --no-config', 'fish'], ['sh -s -- a', 'sh'], ['bash --rcfile x -i', 'bash'], ['bash -', 'bash'], ['bash /dev/stdin', 'bash'], ['. /dev/stdin', 'bash'], ['cd x && timeout 5 bash', 'bash'], ['bash -euo pipefail', 'bash'], ['zsh -df', 'zsh'], ["fish -C 'set x 1'", 'fish'],
  ['bash </dev/stdin', 'bash'], ['sh < /dev/fd/0', 'sh'], ['sh <&0', 'sh'], ['sh 0<&0', 'sh'], ['sh < /proc/self/fd/0', 'sh'], ['$0', 'bash'], ['exec "$BASH"', 'bash'], ['/proc/self/exe', 'bash'], ["s''h", 'sh'], ['x=das; ${x}h', 'sh'],
  ['bash x.sh', undefined], ["bash -c 'echo hi'", undefined], ['bash --version', undefined], ["bash -euo pipefail -c 'echo hi'", undefined], ['bash -o pipefail x.sh', undefined], ['bash <<< ls', undefined], ['bash < x.sh', undefined], ['cat', undefined], ['echo ls | bash', undefined], ['grep sh x', undefined],
])('%s reads commands of %s from its input', async (text, shell) => {
  expect((await gateWith().approve(text, HERE, YES)).readers[0]?.shell).toBe(shell);
});

test.each([
  ['cd /usr && bash', 'rm -rf lib', 'FORBIDDEN_COMMAND'],
  ['pushd /usr; exec sh', 'rm -rf lib', 'FORBIDDEN_COMMAND'],
  ['env -C /usr bash', 'rm -rf lib', 'FORBIDDEN_COMMAND'],
  ['cd "$x"; bash', 'rm -rf lib', OVERRIDE],
  ['bash; fish', "echo 'a\\'' ; mkfs.ext4 /dev/sdzz #'", OVERRIDE],
  ['cd build && bash', 'rm -rf lib', 'runs'],
  ['HOME=/usr bash', 'rm -rf ~/lib', 'FORBIDDEN_COMMAND'],
  ['export HOME=/usr; bash', 'rm -rf ~/lib', 'FORBIDDEN_COMMAND'],
  ['cat', REJECT, 'runs'],
])('what %s is given on its standard input is judged by the shell that reads it, where that is: %s', async (text, stdin, expected) => {
  const gate = gateWith();
  const command = await gate.approve(text, HERE, YES);
  expect(await outcome(gate.approveStandardInput(stdin, command, NO))).toBe(expected);
});

/** Types into a nested shell; each step says what becomes of it. */
async function typing(steps: readonly (readonly [Partial<Typed>, string])[], permission = NO, options: Partial<GateOptions> = {}): Promise<void> {
  const gate = gateWith(options);
  const input = new TypedInput();
  for (const [typed, expected] of steps) {
    expect(await outcome(gate.approveInput(input, { text: '', enter: false, keys: [], ...typed }, HERE, permission)), JSON.stringify(typed)).toBe(expected);
  }
}

const line = (text: string): Partial<Typed> => ({ text, enter: true });

test.each([
  ['whole lines', [[line('ls'), 'runs'], [line(DANGEROUS), OVERRIDE], [line(REJECT), 'FORBIDDEN_COMMAND'], [line('ls'), 'runs']]],
  ['a line in pieces', [[{ text: 'mkfs.ext4 ' }, 'runs'], [{ text: '/dev/sd' }, 'runs'], [line('zz'), 'FORBIDDEN_COMMAND'], [{ keys: ['ctrl-u'] }, 'runs'], [line('zz'), 'runs']]],
  ['a line that was left with Ctrl-C, which drops it', [[{ text: 'mkfs.ext4 ' }, 'runs'], [{ keys: ['ctrl-c'] }, 'runs'], [line('/dev/sdzz'), 'runs'], [line('mkfs.ext4 /dev/sdzz'), 'FORBIDDEN_COMMAND']]],
  ['a line that was left with Ctrl-Z, which a line editor keeps', [[{ text: 'mkfs.ext4 ' }, 'runs'], [{ keys: ['ctrl-z'] }, 'runs'], [line('/dev/sdzz'), 'FORBIDDEN_COMMAND'], [line('ls'), 'runs'], [line('/dev/sdzz'), 'runs']]],
  ['Enter as a key, and as a character', [[{ text: REJECT, keys: ['enter'] }, 'FORBIDDEN_COMMAND'], [{ text: `${REJECT}\r` }, 'FORBIDDEN_COMMAND'], [{ text: `ls\n${REJECT}\n` }, 'FORBIDDEN_COMMAND'], [{ text: REJECT, keys: ['ctrl-j'] }, 'FORBIDDEN_COMMAND']]],
  ['a line that goes on', [[line('mkfs.ext4 \\'), 'runs'], [line('/dev/sdzz'), 'FORBIDDEN_COMMAND']]],
  ['keys that change the line', [[{ text: 'lss', keys: ['backspace', 'enter'] }, OVERRIDE], [{ keys: ['up'] }, 'runs'], [line(''), OVERRIDE], [{ keys: ['ctrl-c'] }, 'runs'], [line('ls'), 'runs'], [{ text: 'ls /t\t', enter: true }, OVERRIDE]]],
  ['keys that do not', [[{ keys: ['ctrl-l'] }, 'runs'], [line('ls'), 'runs'], [{ keys: ['ctrl-d'] }, 'runs'], [{ keys: ['ctrl-z'] }, 'runs'], [line('ls'), 'runs']]],
  ['a line that goes on for long', [[line('mkfs.ext4 \\'), 'runs'], ...Array.from({ length: 20 }, () => [line(`${' '.repeat(4_000)}\\`), 'runs'] as [Partial<Typed>, string]), [line('/dev/sdzz'), 'FORBIDDEN_COMMAND']]],
  ['an open quote', [[line("echo 'a"), OVERRIDE]]],
  ['another home directory', [[line('HOME=/usr'), 'runs'], [line('rm -rf ~/lib'), 'FORBIDDEN_COMMAND']]],
  ['a CDPATH', [[line('CDPATH=/usr'), 'runs'], [line('cd lib && rm -rf x'), OVERRIDE]]],
  ['a variable that is code', [[line('export LD_PRELOAD=/tmp/x.so'), OVERRIDE]]],
] satisfies [string, [Partial<Typed>, string][]][])('typed into a shell: %s', async (_, steps) => {
  await typing(steps);
});

test('a shell that was started with "dangerous" takes dangerous lines, and never rejected ones, whatever quote stands open', async () => {
  await typing([[line(DANGEROUS), 'runs'], [line(REJECT), 'FORBIDDEN_COMMAND'], [line("echo 'a"), 'runs'], [line(REJECT), 'FORBIDDEN_COMMAND'], [line("b'; ls"), 'runs']], YES);
});

test('a line cannot carry a token, so where tokens confirm it is refused, and the hint says what to do instead', async () => {
  await typing([[line('ls'), 'runs'], [line(DANGEROUS), OVERRIDE]], YES, { confirm: 'token' });
  const error = await refusal(gateWith().approveInput(new TypedInput(), { text: DANGEROUS, enter: true, keys: [] }, HERE, NO));
  expect(error.hint).toContain('session_run');
});

test('half a line that another process may have left in the terminal counts with the next one, a line that it was sent does not', async () => {
  const gate = gateWith();
  const input = new TypedInput();
  const send = (typed: Partial<Typed>): Promise<string> => outcome(gate.approveInput(input, { text: '', enter: false, keys: [], ...typed }, HERE, NO));
  input.readBy(1);
  expect(await send({ text: 'mkfs.ext4 ' })).toBe('runs');
  input.readBy(2);
  expect(await send(line('/dev/sdzz'))).toBe('FORBIDDEN_COMMAND');
  expect(await send(line('ls'))).toBe('runs');
  input.readBy(undefined);
  input.pass({ text: 'mkfs.ext4 ', enter: true, keys: ['escape'] });
  input.pass({ text: 'mkfs.', enter: false, keys: ['up'] });
  input.readBy(2);
  expect(await send(line('ext4 /dev/sdzz'))).toBe('FORBIDDEN_COMMAND');
  expect(await send(line('/dev/sdzz'))).toBe('runs');
});

test('a line counts where those before it may have led, until the shell is seen to have read them', async () => {
  const [gate, input] = [gateWith(), new TypedInput()];
  const send = (text: string) => outcome(gate.approveInput(input, { text: `${text}\n`, enter: false, keys: [] }, HERE, NO));
  expect([await send('rm -rf lib'), await send('sleep 1; cd /usr'), await send('rm -rf lib')]).toEqual(['runs', 'runs', 'FORBIDDEN_COMMAND']);
  input.settle();
  expect(await send('rm -rf lib')).toBe('runs');
  for (let index = 0; index < 10; index++) expect(await send(`cd sub${index}`)).toBe('runs');
  expect(await send('rm -rf lib'), 'in more places than are kept').toBe(OVERRIDE);
});

test('inputs that come at once are judged in their order', async () => {
  const [gate, input] = [gateWith(), new TypedInput()];
  const send = (text: string) => outcome(gate.approveInput(input, { text, enter: false, keys: [] }, HERE, NO));
  expect(await Promise.all([send('ls\nmkfs.ext4 '), send('/dev/sdzz\n'), send('/dev/sdzz\n')])).toEqual(['runs', 'FORBIDDEN_COMMAND', 'FORBIDDEN_COMMAND']);
});

test('fish is asked for each of its texts once, also for those in others, and not for more than 32', async () => {
  const asked: string[] = [];
  const gate = gateWith({ fishTree: (text) => Promise.resolve(undefined).finally(() => asked.push(text)) });
  await gate.approve("fish -c 'echo one'", HERE, YES);
  await gate.approve("fish -c 'echo one'", HERE, YES);
  expect(asked).toEqual(['echo one']);
  await gate.approve(Array.from({ length: 100 }, (_, index) => `fish -c 'echo ${index}'`).join('\n'), HERE, YES);
  expect(asked).toHaveLength(1 + 32);
});
