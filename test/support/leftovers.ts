// What the harness has to remember until the end of a test file, for the check that nothing is left.
import { existsSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';

const tags = new Set<bigint>();
const temporary = new Set<string>();
const unwanted = new Set<string>();
/** Of the shells themselves: fish tells its other instances of changed variables through it, and never removes it. */
const NOT_OURS = new Set(['fish_universal_variables.notifier']);

/** Tags of the servers that this file has started: they find daemons that dropped their environment. */
export function serverTags(): ReadonlySet<bigint> {
  return tags;
}

export function rememberTag(tag: bigint): void {
  tags.add(tag);
}

/** A directory that a server uses for its temporary files, to be empty when the server has ended. */
export function rememberTemporary(dir: string): void {
  temporary.add(dir);
}

/** A directory to remove when the check is over. */
export function removeAtEnd(dir: string): void {
  unwanted.add(dir);
}

/** The files that servers left in their temporary directories. What is to be removed is removed. */
export function leftFiles(): string[] {
  const left = [...temporary].flatMap((dir) => (existsSync(dir) ? filesBelow(dir) : []));
  for (const dir of unwanted) rmSync(dir, { recursive: true, force: true, maxRetries: 3 });
  return left;
}

function filesBelow(dir: string): string[] {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory() && !NOT_OURS.has(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name));
}
