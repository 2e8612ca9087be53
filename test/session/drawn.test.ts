// What programs draw on the alternate screen, and what they ask on a stream of their own, in whatever way it is read.
import { afterAll, expect, test } from 'vitest';
import { PATH_WITH_NODE, python, testWith } from '../support/programs.ts';
import { TestTable } from '../support/session-table.ts';
import { forEachShell } from '../support/shells.ts';

const table = new TestTable({ env: { PATH: PATH_WITH_NODE } });
afterAll(() => table.close());

const ONCE = String.raw`printf 'one\n\033[?1049hDRAWNDRAWNDRAWN\033[?1049ltwo\n\033[?47hD\033cthree\n'`;

forEachShell((shell) => {
  test('what was drawn is in no answer that is read by a cursor, and found by no search', async () => {
    const session = await table.open(shell);
    const { output, cursor: end } = await session.run(ONCE);
    expect(output.text).toBe('one\ntwo\nthree\n');
    for (const maxOutputBytes of [1, 2, 5, 11]) {
      let text = '';
      for (let cursor = 0; cursor < end;) {
        const piece = await session.read({ cursor, maxOutputBytes });
        expect(piece.cursor).toBeGreaterThan(cursor);
        text += piece.output.text;
        cursor = piece.cursor;
      }
      expect(text, `in pieces of ${maxOutputBytes}`).toBe('one\ntwo\nthree\n');
    }
    expect((await session.read({ search: { pattern: 'D', contextLines: 0 } })).found?.total).toBe(0);
    expect((await session.read({ search: { pattern: '^two$', contextLines: 0 } })).found?.total).toBe(1);
    await session.destroy();
  });

  test('however often the screen is taken, what is printed between is there', async () => {
    const session = await table.open(shell);
    const steps = Array.from({ length: 1_200 }, (_, index) => `step ${index}\\n\\033[?1049hDRAWN\\033[?1049l`).join('');
    const { output } = await session.run(`printf '${steps}'`, { maxOutputBytes: 1_000_000 });
    expect(output.text.match(/step \d+\n/g)?.length).toBe(1_200);
    await session.destroy();
  });

  test('a screen that is never given back is told of', async () => {
    const session = await table.open(shell);
    const left = await session.run(String.raw`printf 'before\n\033[?1049h'; echo lost`);
    expect([left.output.text, left.warnings]).toEqual(['before\n', [expect.stringMatching(/the alternate screen was left on: the last [56] bytes/)]]);
    await session.destroy();
  });

  test('a question on standard error that was answered is not asked again', async () => {
    const session = await table.open(shell);
    const asked = await session.run(`sh -c 'printf "Q? " >&2; read a; echo thanks; read b'`, { stderr: 'separate' });
    expect(asked.awaiting?.prompt).toBe('Q? ');
    expect((await session.send({ text: 'x' })).awaiting?.prompt).toBe('');
    await session.destroy(0);
  });

  testWith(['python3'], 'what comes on standard error alone is no quiet', async () => {
    const session = await table.open(shell);
    const errors = "import sys, time\nfor i in range(8): print(i, file=sys.stderr, flush=True); time.sleep(0.1)\ntime.sleep(60)";
    const { stderr } = await session.run(python(shell, errors), { stderr: 'separate', until: { kind: 'quiet', quietMs: 500 } });
    expect(stderr?.text).toBe('0\n1\n2\n3\n4\n5\n6\n7\n');
    await session.destroy(0);
  });
});
