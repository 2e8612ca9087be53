// What a path means for the machine: compared by its text, since nothing is looked up here.
import { posix } from 'node:path';
import { asSource, FROM_NETWORK, hasGlob, hasUnknown, isKnown, PLAIN } from '../syntax/marks.ts';

export interface Ground {
  readonly home: string;
  readonly allowedRoots: readonly string[];
}

/** Where recursive deletion leads. `protected` is the machine or a person's all; `unknown` may be anything. */
export type DeletionPlace = 'protected' | 'allowed' | 'precious' | 'root' | 'elsewhere' | 'unknown';

/** Nothing in these is the user's own; what lies below counts as they do. */
const SYSTEM = ['/bin', '/boot', '/dev', '/etc', '/lib', '/lib32', '/lib64', '/libx32', '/proc', '/root', '/run', '/sbin', '/sys', '/usr', '/var', '/System', '/Library', '/Applications', '/nix', '/private/etc', '/private/var'];
/** In a home directory: keys, settings and what programs keep. */
const PRECIOUS = /^\.(?:ssh|gnupg|config|local|password-store|aws|kube|mozilla|thunderbird|docker)$/;
/** What a temporary file may lie in. */
const TEMPORARY = ['/tmp', '/var/tmp', '/private/tmp', '/dev/shm'];

/** The path as it is found from a directory; a marked part keeps its mark. */
export function absolute(path: string, directory: string): string {
  const joined = path.startsWith('/') ? path : `${directory}/${path}`;
  return stripSlash(posix.normalize(joined.replaceAll(PLAIN, 'x0')));
}

/** What deleting a path and everything below it means, the worst over the directories it may be found from. */
export function deletionPlace(path: string, directories: readonly string[], ground: Ground): DeletionPlace {
  const order: readonly DeletionPlace[] = ['protected', 'unknown', 'precious', 'root', 'elsewhere', 'allowed'];
  const places = (path.startsWith('/') ? ['/'] : directories).map((directory) => placeOf(path, directory, ground));
  return order.find((place) => places.includes(place)) ?? 'unknown';
}

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
  const isPattern = hasGlob(path);
  return SYSTEM.some((system) => (path === system || isBelow(path, system) || (isPattern && (matches(path, system) || couldMatch(path, system)))) && !ground.allowedRoots.some((root) => isBelow(root, system) && (isBelow(path, root) || path === root)));
}

/** An allowed root, or a directory for temporary files: protected as a whole, but much in it is anybody's. */
export function isShared(path: string, ground: Ground): boolean {
  return TEMPORARY.includes(path) || ground.allowedRoots.includes(path);
}

/** A `*` that is left here was quoted: a name like any other, and of nothing that is there. */
function isTopLevel(path: string): boolean {
  return /^\/[^/*]+$/.test(path) && path !== '/x0';
}

/** Names that match whatever is there. */
function isEverything(name: string): boolean {
  if (!hasGlob(name)) return false;
  return /^\.?[\uFDD5]+$/.test(name) || /^\.\[[!^]\.\]\uFDD5$/.test(name) || /^\.\uFDD6\uFDD5$/.test(name) || /^\uFDD6\uFDD5$|^\uFDD5\uFDD6$/.test(name);
}

/** A path with patterns that may be a directory or lie in it. */
function couldMatch(path: string, directory: string): boolean {
  const firstGlob = path.search(/[\uFDD5\uFDD6]/);
  if (!directory.startsWith(path.slice(0, Math.min(path.lastIndexOf('/', firstGlob), directory.length)))) return false;
  const [own, other] = [path.split('/'), directory.split('/')];
  return own.length >= other.length && other.every((part, index) => matches(own[index] ?? '', part));
}

/** Whether a text with patterns can be another text. */
function matches(pattern: string, text: string): boolean {
  if (!hasGlob(pattern)) return pattern === text;
  const source = pattern.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/\uFDD5+/g, '[^/]*').replaceAll('\uFDD6', '[^/]');
  return new RegExp(`^${source}$`).test(text);
}

function isPrecious(path: string, { home }: Ground): boolean {
  if (!isBelow(path, home)) return false;
  return PRECIOUS.test(path.slice(home.length + 1).split('/')[0] ?? '') && path.slice(home.length + 1).split('/').length <= 2;
}

/** Whether a path is below a directory, and not that directory. */
export function isBelow(path: string, directory: string): boolean {
  return path.length > directory.length && path.startsWith(directory) && (directory.endsWith('/') || path[directory.length] === '/');
}

function stripSlash(path: string): string {
  if (path.length > 1) return path.endsWith('/') ? path.replace(/\/+$/, '') || '/' : path;
  return path || '/';
}

export type WritePlace = 'device' | 'sysrq' | 'system' | 'startup' | 'own' | 'elsewhere';

const DEVICE = /^\/dev\/(?:sd|hd|vd|xvd|nvme|mmcblk|disk|rdisk|dm-|md|mapper\/|loop|nbd|zd|sr|fd\d|mtd|pmem|bcache|drbd|block\/|disk\/|mem$|kmem$|port$)/;
const HARMLESS_DEVICE = /^\/dev\/(?:null|zero|full|random|urandom|stdin|stdout|stderr|tty\w*|ptmx|shm|fd)(?:\/|$)|^\/dev\/pts\//;
const STARTUP = /^(?:\.(?:bashrc|bash_profile|bash_login|bash_logout|bash_aliases|profile|zshrc|zshenv|zprofile|zlogin|zlogout|inputrc|xinitrc|xsession|xprofile|vimrc|gitconfig|npmrc|netrc|pam_environment|screenrc|tmux\.conf|cshrc|tcshrc|kshrc|pythonrc|mcp\.json|claude\.json)|\.(?:ssh|gnupg)(?:\/.*)?|\.(?:claude|codex|gemini|cursor|continue|windsurf)(?:\/.*)?|\.config\/(?:fish|git|autostart|systemd|environment\.d|claude|Claude|Code|Cursor|zed|goose|nvim|pip)(?:\/.*)?|\.local\/share\/systemd(?:\/.*)?|\.local\/bin\/.*|Library\/(?:LaunchAgents|Application Support\/Claude)(?:\/.*)?|\.vscode(?:\/.*)?|\.docker\/config\.json|\.kube\/config|\.aws\/.*|\.cargo\/config(?:\.toml)?|\.pip\/pip\.conf)$/;
/** In any directory: files whose text is run, or believed, by programs that come later. */
const STARTUP_ANYWHERE = /\/(?:\.git\/(?:hooks(?:\/.*)?|config)|\.githooks\/.*|\.husky\/.*|\.mcp\.json|\.cursor\/.*|\.claude\/.*|\.codex\/.*|\.gemini\/.*|\.vscode\/(?:tasks|settings|mcp|launch)\.json|\.envrc|claude_desktop_config\.json|\.ssh\/(?:authorized_keys|config|rc|environment|id_\w+))$/;
const OWN = /(?:\/(?:\.config|\.local\/share|\.local\/state|\.cache)\/shellkeep(?:\/.*)?|\/\.shellkeep\.toml|\/\.bash-mcp\.toml)$/;

/** What writing to a path means. */
export function writePlace(path: string, directories: readonly string[], ground: Ground): WritePlace {
  for (const directory of path.startsWith('/') ? ['/'] : directories) {
    if (hasUnknown(path) && path.search(/[\uFDD0-\uFDD3]/) === 0) continue;
    const place = writeOne(absolute(path, directory), ground);
    if (place !== 'elsewhere') return place;
  }
  return 'elsewhere';
}

function writeOne(path: string, ground: Ground): WritePlace {
  if (/^\/proc\/(?:sysrq-trigger|sys\/kernel\/sysrq)$/.test(path)) return 'sysrq';
  if (DEVICE.test(path)) return 'device';
  if (HARMLESS_DEVICE.test(path) || /^\/proc\/(?:self|\d+|thread-self)\/fd\/\d+$/.test(path)) return 'elsewhere';
  const isPattern = hasGlob(path);
  if ((isPattern && couldMatch(path, '/dev')) || path.startsWith('/dev/')) return isKnown(path) ? 'system' : 'device';
  if (OWN.test(path)) return 'own';
  if (isBelow(path, ground.home) && STARTUP.test(asSource(path.slice(ground.home.length + 1)))) return 'startup';
  if (/^\/(?:(?:home|Users)\/[^/]+|root)\/\.(?:bashrc|zshrc|zshenv|profile|bash_profile)$/.test(path) || STARTUP_ANYWHERE.test(path)) return 'startup';
  if (ground.allowedRoots.some((root) => root !== '/' && isBelow(path, root))) return 'elsewhere';
  if (TEMPORARY.some((root) => isBelow(path, root))) return 'elsewhere';
  return path === '/' || SYSTEM.some((system) => path === system || isBelow(path, system) || (isPattern && couldMatch(path, system))) ? 'system' : 'elsewhere';
}
