// Asking programs for their version: what counts as an answer, and that whatever a program does is over with the call.
import { setMaxListeners } from 'node:events';
import { readFileSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { liveProcesses } from '../support/processes.ts';
import { openDescriptors, zombies } from '../process/support.ts';
import { Machine } from './support.ts';

const machine = new Machine();
afterAll(() => machine.close());

test.each([
  ['the first line of --version (R176)', 'echo "tool 1.2"; echo more', 'tool 1.2', ['--version']],
  ['else that of -version', '[ "$1" = -version ] || exit 1; echo "tool 1.3"', 'tool 1.3', ['--version', '-version']],
  ['else that of -V', '[ "$1" = -V ] || { echo usage; exit 2; }; echo "tool 1.4"', 'tool 1.4', ['--version', '-version', '-V']],
  ['on standard error, when standard output is empty', 'echo "tool 1.5" >&2', 'tool 1.5', ['--version']],
  ['on standard output, when both have something', 'echo warning >&2; echo "tool 1.6"', 'tool 1.6', ['--version']],
  ['behind empty lines', 'echo; echo "  "; echo " tool 1.7 "', 'tool 1.7', ['--version']],
  ['without colours and control characters', String.raw`printf '\033[1mtool\033[0m\t1.8\a\r\n'`, 'tool 1.8', ['--version']],
  ['at most 200 characters', `printf '%s' ${'é'.repeat(250)}`, 'é'.repeat(200), ['--version']],
  ['with what is no UTF-8 replaced', String.raw`printf 'tool \377 1.9'`, 'tool \ufffd 1.9', ['--version']],
  ['none of a program that fails', 'echo "unknown option"; exit 1', undefined, ['--version', '-version', '-V']],
  ['none of one that is killed', 'echo "tool 2"; kill -KILL $$', undefined, ['--version', '-version', '-V']],
  ['none of one that says nothing', ':', undefined, ['--version', '-version', '-V']],
])('a version is %s', async (title, script, version, flags) => {
  const name = title.replaceAll(/\W+/g, '-');
  const file = machine.program(name, script);
  expect(await machine.version(name)).toBe(version);
  expect(machine.asked(file)).toEqual(flags);
});

test.each([
  ['a program that goes on for ever is ended after 2 s, and asked nothing more', 'sleep 71641 & exec sleep 71641'],
  ['so is one that ignores signals', 'trap "" TERM HUP INT; while :; do sleep 71641; done'],
  ['so is one whose output has no end', 'sleep 71641 & exec yes "tool 3"'],
  ['a stopped one, too', 'sleep 71641 & kill -STOP $$'],
])('%s (R174)', async (title, script) => {
  const name = title.replaceAll(/\W+/g, '-');
  const file = machine.program(name, script);
  const startedAt = performance.now();
  expect(await machine.version(name)).toBeUndefined();
  expect(performance.now() - startedAt).toBeLessThan(6_000);
  expect(machine.asked(file)).toEqual(['--version']);
  expect(left('71641')).toEqual([]);
  expect(machine.turns.load).toEqual({ active: 0, queued: 0 });
});

test.each([
  ['in the background, with the pipes', 'sleep 71642 & echo 4.1'],
  ['in a POSIX session of its own', 'setsid sleep 71642 & echo 4.1'],
  ['as a daemon without our descriptors', 'setsid -f sleep 71642 >/dev/null 2>&1 </dev/null; echo 4.1'],
  ['with another environment, deaf to signals', `env -i setsid sh -c 'trap "" HUP TERM INT; sleep 71642; :' >/dev/null 2>&1 & echo 4.1`],
])('what a program leaves %s is ended before the answer', async (title, script) => {
  machine.program(title.replaceAll(/\W+/g, '-'), script);
  expect(await machine.version(title.replaceAll(/\W+/g, '-'))).toBe('4.1');
  expect(left('71642')).toEqual([]);
});

test('a program has nothing to read, no terminal, no descriptor of ours, and is in the root directory', async () => {
  machine.program('curious', 'read -r line; echo "[$line] $(tty) $(pwd) $(ls /proc/self/fd | tr "\\n" " ") $( (: </dev/tty) 2>&1 | grep -c /dev/tty)"');
  expect(await machine.version('curious')).toBe('[] not a tty / 0 1 2 3  1');
});

test('an answer is kept for a minute, for all who ask, until the program changes', async () => {
  const file = machine.program('kept', 'echo 5.0');
  expect(await Promise.all([machine.version('kept'), machine.version('kept')])).toEqual(['5.0', '5.0']);
  expect(await machine.version('kept')).toBe('5.0');
  expect(machine.asked(file)).toHaveLength(1);
  machine.program('kept', 'echo 5.0.1');
  expect(await machine.version('kept')).toBe('5.0.1');
});

test('a program that the policy does not let run is found and not asked', async () => {
  const asked: string[] = [];
  const strict = new Machine({ mayRun: ([name, flag]) => Promise.resolve(asked.push(`${name} ${flag}`) === 0) });
  const file = strict.program('secret', 'echo 6');
  expect(await strict.discovery.which('secret', '/')).toEqual({ name: 'secret', kind: 'file', path: file });
  expect([asked, strict.asked(file)]).toEqual([['secret --version'], []]);
  await strict.close();
});

test('never more than max_concurrent programs are asked at once, and all of them in the end (R170)', async () => {
  const small = new Machine({ max: 3 });
  const names = Array.from({ length: 12 }, (_, index) => `slow${index}`);
  const log = `${small.kernel.root}/log`;
  for (const name of names) small.program(name, `echo + >>${log}; sleep 0.05; echo - >>${log}; echo ${name}`);
  const found = await small.discovery.binaries(names, '/', new AbortController().signal);
  expect(found.map(({ version }) => version)).toEqual([...names].sort());
  let running = 0;
  const counts = readFileSync(log, 'utf8').trim().split('\n').map((sign) => (running += sign === '+' ? 1 : -1));
  expect(Math.max(...counts)).toBeLessThanOrEqual(3);
  expect(small.turns.load).toEqual({ active: 0, queued: 0 });
  await small.close();
});

test('T84: a probe waits in the turns of whoever asks, behind no queue of another owner', async () => {
  const small = new Machine({ max: 1 });
  small.program('quick', 'echo 5');
  const abort = new AbortController();
  setMaxListeners(0, abort.signal);
  const other = small.turns.of('other');
  await other.take();
  const queued = Promise.allSettled(Array.from({ length: 256 }, () => other.take(abort.signal)));
  const asked = small.version('quick');
  await expect.poll(() => small.turns.of('local').load.queued).toBe(1);
  for (let turn = 0; turn < 2; turn++) other.end(); // the one that it had, and the one that came before the probe's
  expect(await asked).toBe('5');
  abort.abort();
  await queued;
  other.end(); // it had the turn after the probe
  expect(small.turns.load).toEqual({ active: 0, queued: 0 });
  await small.close();
});

test('a call that is cancelled asks no more, and leaves nothing', async () => {
  const small = new Machine({ max: 1 });
  const names = ['one', 'two', 'three'];
  const abort = new AbortController();
  const files = names.map((name) => small.program(name, 'exec sleep 71643'));
  const listed = small.discovery.binaries(names, '/', abort.signal);
  await expect.poll(() => left('71643').length).toBe(1);
  abort.abort(new Error('enough'));
  await expect(listed).rejects.toThrow('enough');
  expect(files.flatMap((file) => small.asked(file))).toEqual(['--version']);
  expect(left('71643')).toEqual([]);
  expect(small.turns.load).toEqual({ active: 0, queued: 0 });
  await small.close();
});

test('a hundred answers leave no descriptor and no zombie', async () => {
  for (let index = 0; index < 100; index++) machine.program(`many${index}`, 'echo 7');
  const names = Array.from({ length: 100 }, (_, index) => `many${index}`);
  await machine.version('many0');
  const before = openDescriptors();
  await machine.discovery.binaries(names, '/', new AbortController().signal);
  expect(zombies()).toEqual([]);
  await expect.poll(openDescriptors).toBeLessThanOrEqual(before);
});

/** Living processes that sleep for so many seconds. */
function left(seconds: string): string[] {
  return liveProcesses().filter(({ command }) => command.includes(seconds)).map(({ command }) => command);
}
