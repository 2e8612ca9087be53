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

forEachShell((shell) => {
  describe('a program on the alternate screen', () => {
    test('shows its screen instead of what it draws, and afterwards only what it prints then', async () => {
      const session = await table.open(shell);
      const drawn = await session.run(DRAWS);
      expect(drawn).toMatchObject({ state: 'full_screen', awaiting: { kind: 'keys', program: 'python3', prompt: '' }, screen: { text: '\n\n    DRAWN', row: 3, column: 10, isAlternate: true } });
      expect(drawn.output.text).toBe('before\n');
      const ended = await session.send({ text: 'q', enter: false });
      expect([ended.state, ended.exitCode, ended.output.text]).toEqual(['done', 0, 'after\n']);
      expect((await session.read({ view: 'screen' })).screen?.text).toContain('after');
      await session.destroy();
    });
  });
});
