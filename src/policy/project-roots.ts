// What a project file makes of the allowed roots: it cuts them; only one that a person has trusted, byte for byte, may add to them.
import { dirname } from 'node:path';
import { expandHome } from '../lib/home-path.ts';
import { shorten } from '../lib/shorten.ts';
import { quote } from '../shell/quote.ts';
import type { ProjectFile } from './project-file.ts';
import { intersection, isWithinAny, realPath, unique } from './real-path.ts';

/** Whether a person has trusted this content of a file, or another one. */
export type Trust = 'trusted' | 'changed' | 'unknown';

/** The roots as they are seen from a directory. */
export interface View {
  /** Real paths. */
  readonly roots: readonly string[];
  /** The project file that has a say in them. */
  readonly projectFile?: string;
  readonly warnings: readonly string[];
}

/** The roots of a project whose file was found from a directory in `roots`, which are real paths. */
export function viewOfProject(roots: readonly string[], file: ProjectFile, { trust, home }: { readonly trust: Trust; readonly home: string | undefined }): View {
  const { path: projectFile, fault } = file;
  const folder = dirname(projectFile);
  if (fault !== undefined) return { roots: intersection(roots, [folder]), projectFile, warnings: [faultWarning(file, folder)] };
  const named = rootsOf(file, home);
  const unknown = file.unknownKeys.length === 0 ? [] : [`${JSON.stringify(projectFile)}: ${file.unknownKeys.map(shorten).join(', ')} means nothing in a project file, which has mode and allowed_roots`];
  if (trust === 'trusted') return { roots: file.mode === 'replace' ? named : unique([...roots, ...named]), projectFile, warnings: unknown };
  const asksForMore = named.some((root) => !isWithinAny(root, roots));
  const warnings = [...unknown, ...(asksForMore ? [trustWarning(projectFile, trust)] : [])];
  return { roots: file.mode === 'replace' ? intersection(roots, named) : roots, projectFile, warnings };
}

/** The real paths that a project file names, from its own directory. */
export function rootsOf({ path, allowedRoots }: ProjectFile, home: string | undefined): string[] {
  const absolute = allowedRoots.map((root) => expandHome(root, home)).map((root) => (root.startsWith('/') ? root : `${dirname(path)}/${root}`));
  return unique(absolute.map(realPath));
}

function faultWarning({ path, fault = '' }: ProjectFile, folder: string): string {
  return `${JSON.stringify(path)}${fault}; until it is corrected or removed only what is in ${JSON.stringify(folder)} is allowed from here`;
}

function trustWarning(path: string, trust: Trust): string {
  const why = trust === 'changed' ? 'has changed since it was trusted' : 'is not trusted';
  return `${JSON.stringify(path)} ${why}, so it adds no roots; a person who has read it can allow that on the command line: shellkeep trust ${quote('bash', path)}`;
}
