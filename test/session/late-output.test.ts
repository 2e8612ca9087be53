// What is written when no command runs, to which stream, and what belongs to which command.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { withTable, type TestSession, type TestTable } from '../support/session-table.ts';
import { forEachShell, type TestedShell } from '../support/shells.ts';

/** Writes when a file is there. */
function waitThen(file: string, script: string): string {
  return `sh -c 'until [ -e ${file} ]; do sleep 0.02; done; ${script}; : > ${file}.done' &`;
}

function go(table: TestTable, file: string): void {
  writeFileSync(path.join(table.work, file), '');
}

async function transcriptOf(session: TestSession): Promise<string> {
  return (await session.read({ view: 'transcript', cursor: 0, maxOutputBytes: 1_000_000 })).output.text;
}

const NUMBERS = Array.from({ length: 100 }, (_, index) => index);
const LOOPS: Readonly<Record<TestedShell, string>> = {
  bash: `for i in {0..99}; do echo "o$i"; echo "e$i" >&2; sh -c "echo O$i; echo E$i >&2"; done`,
  zsh: `for i in {0..99}; do echo "o$i"; echo "e$i" >&2; sh -c "echo O$i; echo E$i >&2"; done`,
  fish: `for i in (seq 0 99); echo "o$i"; echo "e$i" >&2; sh -c "echo O$i; echo E$i >&2"; end`,
};

forEachShell((shell) => {
  test('what a job writes between two commands is in the transcript and belongs to none of them', async () => {
    await withTable({}, async (table) => {
      const session = await table.open(shell);
      const first = await session.run(`echo first; ${waitThen('go', 'echo late out; echo late err >&2')}`);
      expect(first.background?.length).toBe(1);
      go(table, 'go');
      await expect.poll(() => transcriptOf(session), { timeout: 8_000, interval: 20 }).toMatch(/late out\nlate err\n/);
      const next = await session.run('echo next');
      expect(next.output.text).toBe('next\n');
      expect((await session.read({ commandId: first.commandId ?? '' })).output.text).not.toContain('late');
      expect(await transcriptOf(session)).toMatch(/first\n[\s\S]*late out\nlate err\n[\s\S]*echo next\nnext\n/);
      expect(await transcriptOf(session)).not.toMatch(/__sk|133;|\x1b/);
    });
  });

  test('B86 B95: what a job writes while a command runs is in that command\'s output, and a warning names the job', async () => {
    await withTable({}, async (table) => {
      const session = await table.open(shell);
      await session.run(waitThen('go', 'echo from the job'));
      const report = await session.run('echo start; : > go; until test -e go.done; do sleep 0.02; done; echo end'.replace(/until.*done;/, shell === 'fish' ? 'while not test -e go.done; sleep 0.02; end;' : '$&'));
      expect(report.output.text).toMatch(/^start\n[\s\S]*from the job\n[\s\S]*end\n/);
      expect(report.warnings).toEqual([expect.stringMatching(/^a background job may have written into this output: \[\d+\] sh -c 'until/)]);
    });
  });

  test('a hundred writes to each stream, by the shell and by programs, arrive whole and in order', async () => {
    await withTable({}, async (table) => {
      const session = await table.open(shell);
      const report = await session.run(LOOPS[shell], { stderr: 'separate' });
      expect(report.output.text).toBe(NUMBERS.map((number) => `o${number}\nO${number}\n`).join(''));
      expect(report.stderr?.text).toBe(NUMBERS.map((number) => `e${number}\nE${number}\n`).join(''));
      const merged = await session.run(LOOPS[shell]);
      expect(merged.output.text).toBe(NUMBERS.map((number) => `o${number}\ne${number}\nO${number}\nE${number}\n`).join(''));
      expect(merged.stderr).toBeUndefined();
    });
  });

  test('errors that a job writes apart, later, are in the transcript', async () => {
    await withTable({}, async (table) => {
      const session = await table.open(shell);
      const first = await session.run(`echo err >&2; ${waitThen('go', 'echo late err >&2')}`, { stderr: 'separate' });
      expect(first.stderr?.text).toMatch(/^err\n/);
      go(table, 'go');
      await expect.poll(() => transcriptOf(session), { timeout: 8_000, interval: 20 }).toContain('late err\n');
      const next = await session.run('echo next; echo mine >&2', { stderr: 'separate' });
      expect([next.output.text, next.stderr?.text]).toEqual(['next\n', 'mine\n']);
    });
  });

  test('errors of a command whose shell ends are whole', async () => {
    await withTable({}, async (table) => {
      const session = await table.open(shell);
      const report = await session.run('echo out; seq 1 5000 >&2; exit 7', { stderr: 'separate' });
      expect([report.state, report.exitCode]).toEqual(['ended', 7]);
      expect(report.output.text).toMatch(/^out\n/);
      expect(report.stderr?.text).toContain(`1\n2\n3\n`);
      expect(report.stderr?.bytes).toBeGreaterThanOrEqual(23_893);
      expect(await session.run('echo again >&2', { stderr: 'separate' })).toMatchObject({ state: 'done', stderr: { text: 'again\n' } });
    });
  });
});
