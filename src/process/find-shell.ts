// Where the shells are.
import { execFile } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { basename, isAbsolute, join } from 'node:path';
import { ExpectedError } from '../errors.ts';
import type { SessionShellName, Shell, ShellName } from '../shell/shell.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Searched after PATH: servers are often started with a very short one. */
const USUAL_PLACES = ['/bin', '/usr/bin', '/usr/local/bin', '/opt/homebrew/bin', '/opt/local/bin'];
/** In the order in which one stands in for another. */
const NAMES: readonly ShellName[] = ['bash', 'zsh', 'fish', 'sh'];
const VERSION_TIMEOUT_MS = 2_000;

/** By name and search path: a look at every folder takes longer than the start of a shell. */
const found = new Map<string, Shell>();
const versions = new Map<string, Promise<string | undefined>>();

/**
 * The shell of that name; without a name bash, which models write, or what there is instead.
 * Throws SHELL_NOT_FOUND, which names the shells that are there.
 */
export function findShell(name: ShellName | undefined, env: Environment): Shell {
  for (const each of name === undefined ? NAMES : [name]) {
    const shell = lookUp(each, env);
    if (shell !== undefined) return shell;
  }
  const list = installedShells(env).map((shell) => `${shell.name} (${shell.path})`).join(', ');
  throw new ExpectedError('SHELL_NOT_FOUND', `no shell "${name ?? 'sh'}" on this machine`, { hint: `found here: ${list || 'none'}` });
}

/** One of each name that is on this machine. */
export function installedShells(env: Environment): Shell[] {
  return NAMES.flatMap((name) => lookUp(name, env) ?? []);
}

/** Absolute path of a bash; undefined when there is none. */
export function findBash(env: Environment): string | undefined {
  return lookUp('bash', env)?.path;
}

/** The user's own shell for sessions: $SHELL, else the account's, else the first of bash, zsh and fish that is there. */
export function userShell(env: Environment): Shell & { name: SessionShellName } {
  for (const path of [env['SHELL'], userInfo().shell]) {
    const name = path === undefined || path === null ? undefined : sessionName(basename(path));
    if (name !== undefined && path && isAbsolute(path) && isProgram(path)) return { name, path };
  }
  const shell = (['bash', 'zsh', 'fish'] as const).flatMap((each) => lookUp(each, env) ?? [])[0];
  const name = shell === undefined ? undefined : sessionName(shell.name);
  if (shell === undefined || name === undefined) {
    throw new ExpectedError('SHELL_NOT_FOUND', 'none of bash, zsh and fish is on this machine');
  }
  return { name, path: shell.path };
}

/** The version, e.g. `5.2.15`; undefined when the shell does not tell (sh). Asks the program once. */
export function shellVersion(shell: Shell): Promise<string | undefined> {
  const known = versions.get(shell.path);
  if (known !== undefined) return known;
  const asked = shell.name === 'sh' ? Promise.resolve(undefined) : askVersion(shell.path);
  versions.set(shell.path, asked);
  return asked;
}

function askVersion(path: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    // only what the loader needs: BASH_ENV and the like must not run here
    const options = { timeout: VERSION_TIMEOUT_MS, env: { LC_ALL: 'C' } };
    execFile(path, ['--version'], options, (_error, stdout) => resolve(/\d+\.\d+[\w.]*/.exec(stdout)?.[0]));
  });
}

function lookUp(name: ShellName, env: Environment): Shell | undefined {
  const key = `${name} ${env['PATH'] ?? ''}`;
  const known = found.get(key);
  if (known !== undefined) return known; // if it is gone since, its start says so
  const folders = [...(env['PATH'] ?? '').split(':'), ...USUAL_PLACES].filter(isAbsolute);
  const path = folders.map((folder) => join(folder, name)).find(isProgram);
  if (path === undefined) return undefined;
  const shell = { name, path };
  found.set(key, shell);
  return shell;
}

function sessionName(name: string): SessionShellName | undefined {
  return name === 'bash' || name === 'zsh' || name === 'fish' ? name : undefined;
}

function isProgram(path: string): boolean {
  try {
    if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return false;
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false; // not for this user
  }
}
