// Real programs that tests run in real shells. A missing one is a skipped test that names it.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'vitest';
import { quote } from '../../src/shell/quote.ts';
import { findProgram, type TestedShell } from './shells.ts';

/** The search path with the node that runs the tests in front. */
export const PATH_WITH_NODE = `${path.dirname(process.execPath)}${path.delimiter}${process.env['PATH'] ?? ''}`;

/** A test that needs programs; skipped, with the name of the first missing one, where they are not installed. */
export function testWith(needs: readonly string[], title: string, run: () => Promise<void>): void {
  const missing = needs.find((name) => name !== 'node' && findProgram(name) === undefined);
  if (missing === undefined) test(title, run);
  else test.skip(`${title} (there is no ${missing} on this machine)`, () => {});
}

/** A Python program as a command line of that shell. */
export function python(shell: TestedShell, source: string): string {
  return `python3 -c ${quote(shell, source)}`;
}

/** A JavaScript program as a command line of that shell. */
export function javascript(shell: TestedShell, source: string): string {
  return `node -e ${quote(shell, source)}`;
}

/** Makes a repository with so many commits of one file. */
export function makeRepository(dir: string, commits: number): void {
  const git = (...args: string[]): void => {
    execFileSync('git', ['-C', dir, '-c', 'user.name=tester', '-c', 'user.email=tester@example.org', ...args], { stdio: 'ignore' });
  };
  execFileSync('git', ['init', '-q', dir], { stdio: 'ignore' });
  for (let index = 1; index <= commits; index++) {
    writeFileSync(path.join(dir, 'file'), `${index}\n`);
    git('add', 'file');
    git('commit', '-q', '-m', `commit ${index}`);
  }
  git('config', 'user.name', 'tester');
  git('config', 'user.email', 'tester@example.org');
}
