import { expect, test } from 'vitest';
import { readTerminalMode, type TerminalMode } from '../../src/process/terminal-mode.ts';
import { openDescriptors, zombies } from './support.ts';
import { python, testProgram, watch, type TerminalProgram } from './terminal-programs.ts';

const PATIENCE = { interval: 5, timeout: 10_000 };

const LINE = { isCanonical: true, hasEcho: true, makesSignals: true };
const SECRET = { isCanonical: true, hasEcho: false, makesSignals: true };
/** Whether the interrupt key makes a signal differs among line editors. */
const KEYS = { isCanonical: false, hasEcho: false };

const PROGRAMS: readonly (TerminalProgram & { readonly mode: Partial<TerminalMode> })[] = [
  { program: 'cat', command: 'cat', mode: LINE },
  { program: 'bash', command: 'read x; :', mode: LINE },
  { program: 'bash', command: 'read -s x; :', mode: SECRET },
  { program: 'python3', command: python('input()'), mode: LINE },
  { program: 'python3', command: python('import getpass', 'getpass.getpass()'), mode: SECRET },
  { program: 'stty', command: 'stty raw -echo; cat', mode: { ...KEYS, makesSignals: false } },
  { program: 'stty', command: 'stty -icanon; cat', mode: { isCanonical: false, hasEcho: true, makesSignals: true } },
  { program: 'stty', command: 'stty -isig; cat', mode: { ...LINE, makesSignals: false } },
  { program: 'bash', command: 'bash --norc -i', mode: KEYS },
  { program: 'zsh', command: 'zsh -f -i', mode: KEYS },
  { program: 'fish', command: 'fish -N -i', mode: KEYS },
  { program: 'vim', command: 'vim -u NONE', mode: KEYS },
  { program: 'less', command: 'less /etc/passwd', mode: KEYS },
  { program: 'node', command: 'node -i', mode: KEYS },
];

testProgram(PROGRAMS, ({ command }) => `the modes are those that the program has set: ${command}`, async ({ command, mode }) => {
  const { pty, look } = watch(command);
  await expect.poll(() => look().kind, PATIENCE).toBe('waiting');
  await expect.poll(() => readTerminalMode(pty.terminalPath), PATIENCE).toMatchObject(mode);
});

test.each([['/dev/pts/missing'], ['/dev/null'], ['/etc/passwd'], ['']])('"%s" has no modes', async (path) => {
  expect(await readTerminalMode(path)).toBeUndefined();
});

test('nothing is left of asking, also of many at once and of a terminal whose program has ended', async () => {
  const { pty, ended } = watch('exit 0');
  await ended;
  const before = openDescriptors();
  const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => readTerminalMode(index % 2 === 0 ? pty.terminalPath : '/dev/pts/missing')));
  expect(answers).toEqual(answers.map((_, index) => (index % 2 === 0 ? LINE : undefined)));
  await expect.poll(() => openDescriptors(), PATIENCE).toBe(before);
  expect(zombies()).toEqual([]);
});
