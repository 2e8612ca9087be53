import { expect, test } from 'vitest';
import { withTable } from '../support/session-table.ts';
import { forEachShell } from '../support/shells.ts';

forEachShell((shell) => {
  test.each([['as it is', ''], ['with startup files that fail in their last line', 'false\n']])('the first command in a shell %s finds no failure before it', async (_, rc) => {
    await withTable({}, async (table) => {
      table.home.writeRc(shell, rc);
      const session = await table.open(shell, { env: { GIVEN: '1' } });
      expect(await session.text(shell === 'fish' ? 'echo $status' : 'echo $?')).toBe('0\n');
      const other = await table.open(shell);
      expect(await other.text(shell === 'fish' ? 'set -g nothing 1' : ': $?')).toBe('');
      expect(await other.text(shell === 'fish' ? 'echo $status' : 'echo $?')).toBe('0\n');
    });
  });
});
