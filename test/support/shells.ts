// The shells that tests run in. A missing one is a skipped test that names it.
import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'vitest';

export type TestedShell = 'bash' | 'zsh' | 'fish';

export const ALL_SHELLS: readonly TestedShell[] = ['bash', 'zsh', 'fish'];

/** Those of the three shells that are on this machine. */
export function shells(): TestedShell[] {
  return ALL_SHELLS.filter((name) => findProgram(name) !== undefined);
}

/** Runs the same tests once in each shell. */
export function forEachShell(define: (shell: TestedShell) => void, which: readonly TestedShell[] = ALL_SHELLS): void {
  for (const shell of which) forShell(shell, define);
}

/** Tests of one shell; a skipped one in their place where the shell is missing. */
export function forShell(shell: TestedShell, define: (shell: TestedShell) => void): void {
  if (findProgram(shell) === undefined) {
    test.skip(`${shell} is not on this machine`, () => {});
    return;
  }
  describe(shell, () => define(shell));
}

/** The absolute path of a program on PATH. */
export function findProgram(name: string): string | undefined {
  return (process.env['PATH'] ?? '').split(path.delimiter).map((dir) => path.join(dir, name)).find((file) => {
    try {
      accessSync(file, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
