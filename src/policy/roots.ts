// Which directories a command may start in. Real paths are compared, so that neither ".." nor a symbolic link leads out.
import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { ExpectedError } from '../errors.ts';
import { expandHome } from '../lib/home-path.ts';
import { shorten } from '../lib/shorten.ts';

export interface RootsOptions {
  /** Absolute paths; they need not exist. */
  readonly roots: readonly string[];
  readonly home: string | undefined;
  /** The directory the server was started in. */
  readonly startDirectory: string;
}

/** The allowed roots of one server. */
export class Roots {
  readonly #options: RootsOptions;

  constructor(options: RootsOptions) {
    this.#options = options;
  }

  /**
   * The real path of the directory that a caller names: absolute, `~…`, or relative to `beside` (a session's cwd).
   * Whether it is allowed comes before whether it exists, so that nothing is told about what is outside.
   * @throws ExpectedError INVALID_CWD
   */
  resolve(cwd: string, beside?: string): string {
    const named = this.#absolute(cwd, beside);
    const real = realPath(named);
    if (!this.#isAllowed(real)) throw this.#refusal(`cwd ${shorten(cwd)} is outside the allowed roots`);
    const fault = faultOf(real);
    if (fault !== undefined) throw this.#refusal(`cwd ${shorten(cwd)} ${fault}`);
    return real;
  }

  /**
   * Where a command starts that names no cwd: the client's first root, else the start directory, else home,
   * else one of the allowed roots: the first of these that is allowed and there.
   * @throws ExpectedError INVALID_CWD when there is none
   */
  defaultDirectory(clientRoot: string | undefined): string {
    const { roots, home, startDirectory } = this.#options;
    for (const candidate of [clientRoot, startDirectory, home, ...roots]) {
      if (candidate === undefined || !isAbsolute(candidate)) continue;
      const real = realPath(candidate);
      if (this.#isAllowed(real) && faultOf(real) === undefined) return real;
    }
    throw this.#refusal('no cwd was given, and none of the usual ones is allowed');
  }

  #absolute(cwd: string, beside: string | undefined): string {
    if (cwd.trim() === '') throw this.#refusal('cwd is empty');
    const expanded = expandHome(cwd, this.#options.home);
    if (isAbsolute(expanded)) return expanded;
    if (beside !== undefined) return `${beside}/${expanded}`; // not join(): it would take ".." away before links are followed
    throw this.#refusal(`cwd ${shorten(cwd)} is relative: it must be absolute or begin with "~/"`);
  }

  #isAllowed(real: string): boolean {
    return this.#options.roots.some((root) => isWithin(real, realPath(root)));
  }

  #refusal(message: string): ExpectedError {
    const roots = this.#options.roots.map((root) => `"${root}"`).join(', ');
    const hint = roots === '' ? 'this server allows no directory: the setting allowed_roots is empty' : `allowed roots: ${roots} (setting allowed_roots)`;
    return new ExpectedError('INVALID_CWD', message, { hint: `${hint}; nothing was run` });
  }
}

/** Whether a path is a root or below it, by whole components: /tmpfoo is not in /tmp. */
function isWithin(path: string, root: string): boolean {
  return path === root || path.startsWith(root.endsWith('/') ? root : `${root}/`);
}

/** The path with every link followed as the kernel would; what does not exist is kept as it is named. */
function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realPath(parent), basename(path)); // the fault itself is told by faultOf()
  }
}

/** Why a directory cannot be started in, as the end of a sentence; undefined when it can. */
function faultOf(path: string): string | undefined {
  try {
    if (!statSync(path).isDirectory()) return 'is a file, not a directory';
    accessSync(path, constants.R_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    return faultOfCode(error instanceof Error && 'code' in error ? String(error.code) : '');
  }
}

function faultOfCode(code: string): string {
  if (code === 'ENOENT') return 'does not exist';
  if (code === 'ENOTDIR') return 'leads through a file';
  if (code === 'EACCES' || code === 'EPERM') return 'is not readable for this user';
  return `cannot be used (${code})`;
}
