// What a project file makes of the allowed roots: it cuts them; only one that a person has trusted, byte for byte, may add to them.
import { dirname } from 'node:path';
import { expandHome } from '../lib/home-path.ts';
import { shorten } from '../lib/shorten.ts';
import { insteadOf, placeHere, type PlaceHere, type WindowsView } from '../lib/windows-path.ts';
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

/** What the paths of a project file are read with. */
export interface Surroundings {
  readonly home: string | undefined;
  readonly windows: WindowsView;
}

/** The roots of a project whose file was found from a directory in `roots`, which are real paths. */
export function viewOfProject(roots: readonly string[], file: ProjectFile, { trust, ...around }: Surroundings & { readonly trust: Trust }): View {
  const { path: projectFile, fault } = file;
  const folder = dirname(projectFile);
  if (fault !== undefined) return { roots: intersection(roots, [folder]), projectFile, warnings: [faultWarning(file, folder)] };
  const named = rootsOf(file, around);
  const unknown = [...unknownKeysWarning(file), ...unusableWarnings(file, around)];
  if (trust === 'trusted') return { roots: file.mode === 'replace' ? named : unique([...roots, ...named]), projectFile, warnings: unknown };
  const asksForMore = named.some((root) => !isWithinAny(root, roots));
  const warnings = [...unknown, ...(asksForMore ? [trustWarning(projectFile, trust)] : [])];
  return { roots: file.mode === 'replace' ? intersection(roots, named) : roots, projectFile, warnings };
}

/** The real paths that a project file names, from its own directory. */
export function rootsOf({ path, allowedRoots }: ProjectFile, around: Surroundings): string[] {
  const named = allowedRoots.map((root) => placeOf(root, around)).flatMap((place) => (place.kind === 'here' ? [place.path] : []));
  return unique(named.map((root) => (root.startsWith('/') ? root : `${dirname(path)}/${root}`)).map(realPath));
}

function placeOf(root: string, { home, windows }: Surroundings): PlaceHere {
  return placeHere(expandHome(root, home), windows);
}

function unknownKeysWarning({ path, unknownKeys }: ProjectFile): string[] {
  return unknownKeys.length === 0 ? [] : [`${JSON.stringify(path)}: ${unknownKeys.map(shorten).join(', ')} means nothing in a project file, which has mode and allowed_roots`];
}

/** Roots in a form of Windows that leads nowhere here: the others count. */
function unusableWarnings({ path, allowedRoots }: ProjectFile, around: Surroundings): string[] {
  return allowedRoots.flatMap((root) => {
    const place = placeOf(root, around);
    return place.kind === 'here' ? [] : [`${JSON.stringify(path)}: the root ${shorten(root)} ${place.why}; ${insteadOf(place)}`];
  });
}

function faultWarning({ path, fault = '' }: ProjectFile, folder: string): string {
  return `${JSON.stringify(path)}${fault}; until it is corrected or removed only what is in ${JSON.stringify(folder)} is allowed from here`;
}

function trustWarning(path: string, trust: Trust): string {
  const why = trust === 'changed' ? 'has changed since it was trusted' : 'is not trusted';
  return `${JSON.stringify(path)} ${why}, so it adds no roots; a person who has read it can allow that on the command line: shellkeep trust ${quote('bash', path)}`;
}
