import { afterAll, describe, expect, test } from 'vitest';
import { TestTable } from '../support/session-table.ts';
import { forEachShell } from '../support/shells.ts';

const table = new TestTable();
afterAll(() => table.close());

/** Takes the alternate screen, draws, waits for a key, gives the screen back. */
const DRAWS = `python3 -c "
import sys, termios, tty
print('before', flush=True)
modes = termios.tcgetattr(0)
tty.setraw(0)
sys.stdout.write('\\x1b[?1049h\\x1b[2J\\x1b[3;5HDRAWN'); sys.stdout.flush()
sys.stdin.read(1)
sys.stdout.write('\\x1b[?1049lafter\\r\\n'); sys.stdout.flush()
termios.tcsetattr(0, termios.TCSADRAIN, modes)
"`;

function lineWith(text = '', part: string): string | undefined {
  return text.split('\n').find((line) => line.includes(part));
}

forEachShell((shell) => {
  test('the screen begins with the first prompt of its shell, also of one that took the place of another', async () => {
    const session = await table.open(shell);
    for (const word of ['one', 'two']) {
      await session.run(`echo ${word}`);
      const { screen } = await session.read({ view: 'screen' });
      const { output } = await session.read({ view: 'transcript', cursor: 0 });
      expect(lineWith(screen?.text, `echo ${word}`)).toBe(lineWith(output.text, `echo ${word}`)); // with the prompt before it; fish's is in neither
      await session.run('exit 3');
    }
    await session.destroy();
  });

  describe('a program on the alternate screen', () => {
    test('shows its screen instead of what it draws, and afterwards only what it prints then', async () => {
      const session = await table.open(shell);
      const drawn = await session.run(DRAWS);
      expect(drawn).toMatchObject({ state: 'full_screen', awaiting: { kind: 'keys', program: 'python3', prompt: '' }, screen: { text: '\n\n    DRAWN', row: 3, column: 10, isAlternate: true } });
      expect(drawn.output.text).toBe('before\n');
      const ended = await session.send({ text: 'q', enter: false });
      expect([ended.state, ended.exitCode, ended.output.text]).toEqual(['done', 0, 'after\n']);
      expect((await session.read({ view: 'screen' })).screen?.text).toContain('after');
      const whole = await session.read();
      expect([whole.output.text, whole.output.bytes]).toEqual(['before\nafter\n', expect.any(Number)]);
      expect((await session.read({ view: 'transcript', cursor: 0 })).output.text).toContain('DRAWN');
      await session.destroy();
    });

    test('leaves nothing of what it draws in the output when it does all in one call, twice', async () => {
      const session = await table.open(shell);
      const once = String.raw`printf 'a\n\033[?1049h\033[2J\033[3;5HDRAWN\033[?1049lb\n'`;
      expect(await session.text(`${once}; ${once}`)).toBe('a\nb\na\nb\n');
      expect((await session.read({ cursor: 14 })).output.text).toBe('b\na\nb\n');
      await session.destroy();
    });

    test('leaves nothing of what it draws in answers that end in the middle of it', async () => {
      const session = await table.open(shell);
      const { cursor: end } = await session.run(String.raw`printf 'one\n\033[?1049hDRAWN DRAWN DRAWN\033[?1049ltwo\n'`);
      for (let maxOutputBytes = 1; maxOutputBytes < 9; maxOutputBytes++) {
        let text = '';
        for (let cursor = 0; cursor < end;) {
          const piece = await session.read({ cursor, maxOutputBytes });
          text += piece.output.text;
          expect(piece.cursor).toBeGreaterThan(cursor);
          cursor = piece.cursor;
        }
        expect(text, `${maxOutputBytes} bytes at once`).toBe('one\ntwo\n');
      }
      await session.destroy();
    });

    test('leaves nothing of what it draws when it is interrupted, or killed', async () => {
      const session = await table.open(shell);
      for (const graceMs of [2_000, 0]) {
        expect((await session.run(DRAWS)).output.text).toBe('before\n');
        expect((await session.interrupt({ graceMs })).output.text).not.toContain('DRAWN');
        expect((await session.read()).output.text).toMatch(/^before\n(?!.*DRAWN)/s);
      }
      await session.destroy();
    });
  });
});
