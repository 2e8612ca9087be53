// Which directories a command may start in. Real paths are compared, so that neither ".." nor a symbolic link leads out.
import { isAbsolute } from 'node:path';
import { ExpectedError } from '../errors.ts';
import { expandHome } from '../lib/home-path.ts';
import { shorten } from '../lib/shorten.ts';
import { insteadOf, isDrivePath, placeHere, USUAL_VIEW, type PlaceHere, type WindowsView } from '../lib/windows-path.ts';
import { ProjectFiles } from './project-file.ts';
import { viewOfProject } from './project-roots.ts';
import type { Trust, View } from './project-roots.ts';
import { directoryFault, isWithinAny, realPath } from './real-path.ts';

export interface RootsOptions {
  /** Absolute paths; they need not exist. */
  readonly roots: readonly string[];
  readonly home: string | undefined;
  /** The directory the server was started in. */
  readonly startDirectory: string;
  /** What a person has said about a project file with this content; nothing when absent. */
  readonly trust?: (path: string, sha256: string) => Trust;
  /** Where the drives of Windows are; where they usually are when absent. */
  readonly windows?: WindowsView | undefined;
}

/** A directory in which a command may start. */
export interface AllowedDirectory {
  /** Real. */
  readonly path: string;
  /** The roots that it was allowed by, as real paths. */
  readonly roots: readonly string[];
  /** What is to be said about the project file. */
  readonly warnings: readonly string[];
}

/** Where a session is, and where it began: its project's roots stay those of the session. */
export interface SessionPlace {
  readonly cwd: string;
  readonly startedIn: string;
}

/** Where a session stands. */
export interface Standing extends AllowedDirectory {
  readonly isAllowed: boolean;
}

/** The allowed roots of one server. */
export class Roots {
  readonly #options: RootsOptions;
  readonly #projectFiles: ProjectFiles;
  readonly #windows: WindowsView;

  constructor(options: RootsOptions) {
    this.#options = options;
    this.#windows = options.windows ?? USUAL_VIEW;
    this.#projectFiles = new ProjectFiles(options.home === undefined ? undefined : realPath(options.home));
  }

  /**
   * The directory that a caller names: absolute, `~…`, or relative to the cwd of a session that it is beside.
   * Whether it is allowed comes before whether it exists, so that nothing is told about what is outside.
   * Rejects with INVALID_CWD.
   */
  async resolve(cwd: string, beside?: SessionPlace): Promise<AllowedDirectory> {
    const absolute = this.absolute(cwd, beside);
    const path = realPath(absolute);
    const view = await this.#viewFrom(path, beside);
    const named = isDrivePath(cwd) ? `cwd ${shorten(cwd)} (here ${JSON.stringify(absolute)})` : `cwd ${shorten(cwd)}`;
    if (!isWithinAny(path, view.roots)) throw this.#refusal(`${named} is outside the allowed roots`, view);
    const fault = directoryFault(path);
    if (fault !== undefined) throw this.#refusal(`${named} ${fault}`, view);
    return { path, roots: view.roots, warnings: view.warnings };
  }

  /**
   * The path that a caller names, whether it may be used or not, and whether it is there or not.
   * @throws ExpectedError INVALID_CWD for what names none
   */
  absolute(cwd: string, beside?: SessionPlace): string {
    if (cwd.trim() === '') throw this.#refusal('cwd is empty', this.#global());
    const place = placeHere(expandHome(cwd, this.#options.home), this.#windows);
    if (place.kind !== 'here') throw refusalOfForm(cwd, place);
    if (isAbsolute(place.path)) return place.path;
    if (beside !== undefined) return `${beside.cwd}/${place.path}`; // not join(): it would take ".." away before links are followed
    throw this.#refusal(`cwd ${shorten(cwd)} is relative: it must be absolute or begin with "~/"`, this.#global());
  }

  /**
   * Where a command starts that names no cwd: the client's first root, else the start directory, else home,
   * else one of the allowed roots: the first of these that is allowed and there. Rejects with INVALID_CWD when there is none.
   */
  async defaultDirectory(clientRoot: string | undefined): Promise<AllowedDirectory> {
    const { roots, home, startDirectory } = this.#options;
    for (const candidate of [this.#clientRoot(clientRoot), startDirectory, home, ...roots]) {
      if (candidate === undefined || !isAbsolute(candidate)) continue;
      const path = realPath(candidate);
      const view = await this.#viewFrom(path);
      if (isWithinAny(path, view.roots) && directoryFault(path) === undefined) return { path, roots: view.roots, warnings: view.warnings };
    }
    throw this.#refusal('no cwd was given, and none of the usual ones is allowed', this.#global());
  }

  /** Where a session stands: outside when no call could start there, or when the project that it began in does not reach so far. */
  async standing(place: SessionPlace): Promise<Standing> {
    const path = realPath(place.cwd);
    const { roots, warnings } = await this.#viewFrom(path, place);
    return { path, roots, warnings, isAllowed: isWithinAny(path, roots) };
  }

  /** A client may be a program of Windows: it is told nothing, so that what it meant is good enough. */
  #clientRoot(root: string | undefined): string | undefined {
    const place = root === undefined ? undefined : placeHere(root, this.#windows);
    return place?.kind === 'nowhere' ? undefined : place?.path;
  }

  /** The roots as a directory sees them: those of the server, then the project's that the session began in, then its own project's. */
  async #viewFrom(directory: string, beside?: SessionPlace): Promise<View> {
    const began = beside === undefined ? this.#global() : await this.#withProject(realPath(beside.startedIn), this.#global());
    return this.#withProject(directory, began);
  }

  async #withProject(directory: string, view: View): Promise<View> {
    const file = await this.#projectFiles.find(directory);
    if (file === undefined) return view;
    const { home, trust: trustOf } = this.#options;
    const trust = (file.sha256 === undefined ? undefined : trustOf?.(file.path, file.sha256)) ?? 'unknown';
    if (trust === 'unknown' && !isWithinAny(directory, view.roots)) return view; // it could add nothing, and is nobody's business
    return viewOfProject(view.roots, file, { trust, home, windows: this.#windows });
  }

  #global(): View {
    return { roots: this.#options.roots.map(realPath), warnings: [] };
  }

  #refusal(message: string, { roots, projectFile, warnings }: View): ExpectedError {
    const source = projectFile === undefined ? 'setting allowed_roots' : `setting allowed_roots and project file "${projectFile}"`;
    const named = (projectFile === undefined ? this.#options.roots : roots).map((root) => `"${root}"`).join(', ');
    const nothing = projectFile === undefined ? 'this server allows no directory: the setting allowed_roots is empty' : `no directory is allowed by "${projectFile}"`;
    const hint = named === '' ? nothing : `allowed roots: ${named} (${source})`;
    return new ExpectedError('INVALID_CWD', message, { hint: [hint, ...warnings, 'nothing was run'].join('; ') });
  }
}

/** A form that leads to no directory by itself: what to write instead, where that can be told. */
function refusalOfForm(cwd: string, place: Exclude<PlaceHere, { kind: 'here' }>): ExpectedError {
  return new ExpectedError('INVALID_CWD', `cwd ${shorten(cwd)} ${place.why}`, { hint: `${insteadOf(place)}; nothing was run` });
}
