// Why a program cannot be started where it was asked to: node-pty does not say at all, and spawn(2) says ENOENT for both.
import { accessSync, closeSync, constants, openSync, statSync } from 'node:fs';
import { ExpectedError } from '../errors.ts';

/** What is wrong with the program or the directory; undefined when both would do. Takes about 20 µs. */
export function startObstacle(file: string, cwd: string): ExpectedError | undefined {
  const cwdProblem = directoryProblem(cwd);
  if (cwdProblem !== undefined) return new ExpectedError('INVALID_CWD', `cwd "${cwd}" ${cwdProblem}`);
  if (!isExecutable(file)) return new ExpectedError('SHELL_NOT_FOUND', `"${file}" is not a program that can be started`);
  return undefined;
}

/** For looks at processes, for ending them, for files that are open for a moment: with less, nothing that runs could be ended. */
const SPARE_DESCRIPTORS = 8;

/** To be asked before a descriptor is taken for long. Throws RESOURCE_EXHAUSTED when hardly any is left. Takes about 20 µs. */
export function requireSpareDescriptors(): void {
  const spare: number[] = [];
  try {
    while (spare.length < SPARE_DESCRIPTORS) spare.push(openSync('/dev/null', 'r'));
  } catch (error) {
    throw exhausted('descriptor', error);
  } finally {
    for (const fd of spare) closeSync(fd);
  }
}

/** An error for a fork, pipe or terminal that the system did not give. */
export function exhausted(what: string, cause: unknown): ExpectedError {
  return new ExpectedError('RESOURCE_EXHAUSTED', `the system has no ${what} to spare`, { cause });
}

function directoryProblem(cwd: string): string | undefined {
  const entry = statSync(cwd, { throwIfNoEntry: false });
  if (entry === undefined) return 'does not exist';
  if (!entry.isDirectory()) return 'is not a directory';
  return canAccess(cwd) ? undefined : 'may not be entered by this user';
}

function isExecutable(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isFile() === true && canAccess(file);
}

function canAccess(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
