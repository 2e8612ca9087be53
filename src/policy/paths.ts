// What a path means for the machine: compared by its text, since nothing is looked up here.
import { posix } from 'node:path';
import { FROM_NETWORK, GLOB_ONE, GLOB_STAR, hasGlob, hasUnknown, PLAIN } from '../syntax/marks.ts';

export interface Ground {
  readonly home: string;
  readonly allowedRoots: readonly string[];
}

/** Where recursive deletion leads. `protected` is the machine or a person's all; `unknown` may be anything. */
export type DeletionPlace = 'protected' | 'allowed' | 'precious' | 'root' | 'elsewhere' | 'unknown';

/** Nothing in these is the user's own; what lies below counts as they do. */
const SYSTEM: readonly string[] = ['/bin', '/boot', '/dev', '/etc', '/lib', '/lib32', '/lib64', '/libx32', '/proc', '/root', '/run', '/sbin', '/sys', '/usr', '/var', '/System', '/Library', '/Applications', '/nix', '/private/etc', '/private/var'];
const SYSTEM_NAMES = new Set(SYSTEM);
const SYSTEM_PARTS = SYSTEM.map((system) => system.split('/'));
/** In a home directory: keys, settings and what programs keep. */
const PRECIOUS = /^\.(?:ssh|gnupg|config|local|password-store|aws|kube|mozilla|thunderbird|docker)$/;
/** What a temporary file may lie in. */
export const TEMPORARY = ['/tmp', '/var/tmp', '/private/tmp', '/dev/shm'];

/** The path as it is found from a directory; a marked part keeps its mark. */
export function absolute(path: string, directory: string): string {
  const joined = path.startsWith('/') ? path : `${directory}/${path}`;
  const known = joined.includes(PLAIN) ? joined.replaceAll(PLAIN, 'x0') : joined;
  // most paths are as they ought to be
  return stripSlash(known.includes('/.') || known.includes('//') ? posix.normalize(known) : known);
}

/** What deleting a path and everything below it means, the worst over the directories it may be found from. */
export function deletionPlace(path: string, directories: readonly string[], ground: Ground): DeletionPlace {
  const [first, ...more] = directories;
  if (path.startsWith('/')) return placeOf(path, '/', ground);
  if (first === undefined) return 'unknown';
  let worst = placeOf(path, first, ground);
  for (const directory of more) {
    const place = placeOf(path, directory, ground);
    if (FROM_WORST.indexOf(place) < FROM_WORST.indexOf(worst)) worst = place;
  }
  return worst;
}

const FROM_WORST: readonly DeletionPlace[] = ['protected', 'unknown', 'precious', 'root', 'elsewhere', 'allowed'];

function placeOf(path: string, directory: string, ground: Ground): DeletionPlace {
  if (path === '' ) return 'elsewhere'; // rm says "No such file"
  if (hasUnknown(path) || hasUnknown(directory)) return unknownPlace(path, directory, ground);
  const whole = absolute(path, directory);
  if (isProtected(whole, ground)) return 'protected';
  if (/(?:^|\/)\.\uFDD5$/.test(path) && isProtected(posix.dirname(posix.dirname(whole)), ground)) return 'unknown'; // `.*` finds `..` too, in an older bash
  if (isPrecious(whole, ground)) return 'precious';
  if (ground.allowedRoots.some((root) => isBelow(whole, root))) return 'allowed';
  return ground.allowedRoots.includes(whole) ? 'root' : 'elsewhere';
}

/** What begins with a known directory below an allowed root stays there, unless the rest climbs out on purpose. */
function unknownPlace(path: string, directory: string, ground: Ground): DeletionPlace {
  const at = path.search(/[\uFDD0-\uFDD3]/);
  if (at === 0 || path.includes(FROM_NETWORK) || hasUnknown(directory) || path.slice(at).includes('/..')) return 'unknown';
  const prefix = path.slice(0, path.lastIndexOf('/', at));
  if (at > 0 && prefix === '' && !path.slice(0, at).includes('/')) {
    // `build-$x`: at least the known beginning stays in the name
    return ground.allowedRoots.some((root) => isBelow(absolute(path.slice(0, at), directory), root)) && path.slice(0, at) !== '.' ? 'allowed' : 'unknown';
  }
  const known = absolute(prefix === '' ? '/' : prefix, directory);
  const hasName = path.slice(path.lastIndexOf('/', at) + 1, at) !== '';
  if (isProtected(known, ground) && !(hasName && TEMPORARY.includes(known))) return 'unknown';
  return ground.allowedRoots.some((root) => isBelow(known, root) || (hasName && known === root)) ? 'allowed' : 'unknown';
}

/** `/`, a top-level or system directory, a home directory, everything in one of these, or what holds them. */
export function isProtected(path: string, ground: Ground): boolean {
  if (path === '/' || isTopLevel(path)) return true;
  const nameAt = path.lastIndexOf('/') + 1;
  if (isEverything(path.slice(nameAt))) {
    const parent = stripSlash(path.slice(0, Math.max(nameAt - 1, 0)));
    if (parent === '/' || (isProtected(parent, ground) && !TEMPORARY.includes(parent))) return true;
  }
  if (matches(path, ground.home) || isBelow(ground.home, path)) return true;
  if (/^\/(?:home|Users)\/[^/]+$/.test(path) && !ground.allowedRoots.includes(path)) return true;
  if (TEMPORARY.some((root) => isBelow(path, root))) return false;
  return systemsOf(path).some((system) => !ground.allowedRoots.some((root) => isBelow(root, system) && (isBelow(path, root) || path === root)));
}

/** The directories of the system that a path is, or lies in; with a pattern those that it may. */
export function systemsOf(path: string): readonly string[] {
  if (hasGlob(path)) {
    const own = path.split('/');
    return SYSTEM.filter((_, index) => leadsTo(own, SYSTEM_PARTS[index] ?? []));
  }
  const end = path.indexOf('/', path.startsWith('/private/') ? '/private/'.length : 1);
  const top = end < 0 ? path : path.slice(0, end);
  return SYSTEM_NAMES.has(top) ? [top] : NO_SYSTEM;
}

const NO_SYSTEM: readonly string[] = [];

/** An allowed root, or a directory for temporary files: protected as a whole, but much in it is anybody's. */
export function isShared(path: string, ground: Ground): boolean {
  return TEMPORARY.includes(path) || ground.allowedRoots.includes(path);
}

/** A `*` that is left here was quoted: a name like any other, and of nothing that is there. */
function isTopLevel(path: string): boolean {
  return /^\/[^/*]+$/.test(path) && path !== '/x0';
}

/** Names that match whatever is there. */
export function isEverything(name: string): boolean {
  if (!hasGlob(name)) return false;
  return /^\.?[\uFDD5]+$/.test(name) || /^\.\[[!^]\.\]\uFDD5$/.test(name) || /^\.\uFDD6\uFDD5$/.test(name) || /^\uFDD6\uFDD5$|^\uFDD5\uFDD6$/.test(name);
}

/** A path with patterns that may be a directory or lie in it. */
export function couldMatch(path: string, directory: string): boolean {
  return leadsTo(path.split('/'), directory.split('/'));
}

function leadsTo(path: readonly string[], directory: readonly string[]): boolean {
  return path.length >= directory.length && directory.every((part, index) => matches(path[index] ?? '', part));
}

/** Whether a text with patterns can be another text. A star takes nothing at first, and one character more, but no slash, each time that what follows it does not fit. */
export function matches(pattern: string, text: string): boolean {
  if (!hasGlob(pattern)) return pattern === text;
  let [at, from, star, taken] = [0, 0, -1, 0];
  while (from < text.length) {
    const character = pattern[at];
    if (character === GLOB_STAR) {
      star = at++;
      taken = from;
    } else if (character === text[from] || (character === GLOB_ONE && text[from] !== '/')) {
      at++;
      from++;
    } else if (star >= 0 && text[taken] !== '/') {
      at = star + 1;
      from = ++taken;
    } else return false;
  }
  while (pattern[at] === GLOB_STAR) at++;
  return at === pattern.length;
}

function isPrecious(path: string, { home }: Ground): boolean {
  if (!isBelow(path, home)) return false;
  const own = path.slice(home.length + 1);
  if (!own.startsWith('.')) return false;
  const [name = '', ...deeper] = own.split('/');
  return PRECIOUS.test(name) && deeper.length <= 1;
}

/** Whether a path is below a directory, and not that directory. */
export function isBelow(path: string, directory: string): boolean {
  return path.length > directory.length && path.startsWith(directory) && (directory.endsWith('/') || path[directory.length] === '/');
}

function stripSlash(path: string): string {
  if (path.length > 1) return path.endsWith('/') ? path.replace(/\/+$/, '') || '/' : path;
  return path || '/';
}
