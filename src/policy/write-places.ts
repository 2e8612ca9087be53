// What writing to a path means: devices, the system, files that run or are believed later, and the server's own.
import { asSource, hasGlob, isKnown } from '../syntax/marks.ts';
import { absolute, couldMatch, isBelow, matches, systemsOf, TEMPORARY } from './paths.ts';
import type { Ground } from './paths.ts';

export type WritePlace = 'device' | 'sysrq' | 'system' | 'startup' | 'own' | 'elsewhere';

const DEVICE = /^\/dev\/(?:sd|hd|vd|xvd|nvme|mmcblk|disk|rdisk|dm-|md|mapper\/|loop|nbd|zd|sr|fd\d|mtd|pmem|bcache|drbd|block\/|disk\/|mem$|kmem$|port$)/;
/** Also what bash takes for a connection. */
const HARMLESS_DEVICE = /^\/dev\/(?:null|zero|full|random|urandom|stdin|stdout|stderr|tty\w*|ptmx|shm|fd|tcp|udp)(?:\/|$)|^\/dev\/pts\//;
const OWN = /(?:\/(?:\.config|\.local\/share|\.local\/state|\.cache)\/shellkeep(?:\/.*)?|\/\.shellkeep\.toml|\/\.bash-mcp\.toml)$/;

/** In a home directory: files that shells, editors, debuggers and the like run, or take commands from. */
const STARTUP_FILES = new Set([
  '.bashrc', '.bash_profile', '.bash_login', '.bash_logout', '.bash_aliases', '.profile', '.zshrc', '.zshenv', '.zprofile', '.zlogin', '.zlogout', '.cshrc', '.tcshrc', '.kshrc', '.login', '.logout',
  '.inputrc', '.direnvrc', '.pam_environment', '.xinitrc', '.xsession', '.xsessionrc', '.xprofile', '.xbindkeysrc', '.screenrc', '.tmux.conf', '.lessfilter', '.lesskey', '.mailcap', '.forward', '.procmailrc',
  '.vimrc', '.gvimrc', '.exrc', '.nvimrc', '.emacs', '.gdbinit', '.lldbinit', '.irbrc', '.pryrc', '.Rprofile', '.pythonrc', '.pythonrc.py', '.psqlrc', '.sqliterc', '.mylogin.cnf', '.guile', '.ocamlinit', '.erlang',
  '.gitconfig', '.hgrc', '.npmrc', '.yarnrc', '.yarnrc.yml', '.netrc', '.curlrc', '.wgetrc', '.mcp.json', '.claude.json', '.docker/config.json', '.kube/config',
  '.cargo/config', '.cargo/config.toml', '.cargo/env', '.nvm/nvm.sh', '.rvm/scripts/rvm', '.gradle/init.gradle', '.m2/settings.xml', '.pip/pip.conf', '.sdkman/bin/sdkman-init.sh', '.config/starship.toml', '.config/mimeapps.list',
]);
/** The same for what lies in these, and for them as a whole unless a slash ends the name. */
const STARTUP_FOLDERS = new Set([
  '.ssh', '.gnupg', '.claude', '.codex', '.gemini', '.cursor', '.continue', '.windsurf', '.vscode', '.aws/', '.bashrc.d', '.profile.d', '.zsh', '.zshrc.d', '.oh-my-zsh', '.oh-my-bash', '.vim', '.emacs.d', '.doom.d', '.local/bin/', 'bin/', '.cargo/bin/', '.gradle/init.d',
  '.local/share/systemd', '.local/share/applications/', 'Library/LaunchAgents', 'Library/Application Support/Claude',
  ...['fish', 'zsh', 'bash', 'nushell', 'git', 'autostart', 'systemd', 'environment.d', 'direnv', 'tmux', 'claude', 'Claude', 'Code', 'Cursor', 'zed', 'goose', 'nvim', 'vim', 'emacs', 'doom', 'gdb', 'pip', 'gh', 'i3', 'sway', 'hypr', 'kitty', 'alacritty', 'wezterm', 'ghostty'].map((name) => `.config/${name}`),
]);
/** In any directory: files whose text is run, or believed, by programs that come later. */
const STARTUP_ANYWHERE = /\/(?:\.git\/(?:(?:modules|worktrees)\/.*\/)?(?:hooks(?:\/.*)?|config(?:\.worktree)?|info\/attributes)|\.githooks\/.*|\.husky\/.*|\.mcp\.json|\.cursor\/.*|\.claude\/.*|\.codex\/.*|\.gemini\/.*|\.vscode\/(?:tasks|settings|mcp|launch)\.json|\.envrc|\.exrc|\.gdbinit|\.lldbinit|claude_desktop_config\.json|\.ssh\/(?:authorized_keys|config|rc|environment|id_\w+)|site-packages\/(?:(?:user|site)customize\.py|[^/]*\.pth))$/;
const OTHER_HOMES = /^\/(?:(?:home|Users)\/[^/]+|root)\/\.(?:bashrc|zshrc|zshenv|profile|bash_profile)$/;

/** What writing to a path means, from the first directory in which it means something. */
export function writePlace(path: string, directories: readonly string[], ground: Ground): WritePlace {
  if (path.startsWith('/')) return writeOne(absolute(path, '/'), ground);
  if (/^[\uFDD0-\uFDD3]/.test(path)) return 'elsewhere';
  for (const directory of directories) {
    const place = writeOne(absolute(path, directory), ground);
    if (place !== 'elsewhere') return place;
  }
  return 'elsewhere';
}

function writeOne(path: string, ground: Ground): WritePlace {
  const isDevice = path.startsWith('/dev/');
  if (isDevice && DEVICE.test(path)) return 'device';
  if (isDevice && HARMLESS_DEVICE.test(path)) return 'elsewhere';
  if (isDevice || (hasGlob(path) && couldMatch(path, '/dev'))) return isKnown(path) ? 'system' : 'device';
  if (/^\/proc\/(?:sysrq-trigger|sys\/kernel\/sysrq)$/.test(path)) return 'sysrq';
  if (/^\/proc\/(?:self|\d+|thread-self)\/fd\/\d+$/.test(path)) return 'elsewhere';
  if (OWN.test(path)) return 'own';
  if (isBelow(path, ground.home) && isStartup(path.slice(ground.home.length + 1))) return 'startup';
  if (OTHER_HOMES.test(path) || STARTUP_ANYWHERE.test(path)) return 'startup';
  if (ground.allowedRoots.some((root) => root !== '/' && (path === root || isBelow(path, root)))) return 'elsewhere';
  if (TEMPORARY.some((root) => isBelow(path, root))) return 'elsewhere';
  return path === '/' || /^\/[\uFDD0-\uFDD3]/.test(path) || systemsOf(path).length > 0 ? 'system' : 'elsewhere';
}

/** Whether something in a home directory is run later; a pattern may find such a file. */
function isStartup(path: string): boolean {
  const source = asSource(path);
  if (STARTUP_FILES.has(source) || STARTUP_FOLDERS.has(source) || isInStartupFolder(source)) return true;
  return hasGlob(path) && path.startsWith('.') && [...STARTUP_FILES].some((name) => matches(path, name));
}

/** How deep in a home directory they are at most. */
const DEEPEST = Math.max(...[...STARTUP_FOLDERS].map((folder) => folder.replace(/\/$/, '').split('/').length));

function isInStartupFolder(path: string): boolean {
  for (let slash = path.indexOf('/'), depth = 0; slash >= 0 && depth < DEEPEST; slash = path.indexOf('/', slash + 1), depth++) {
    if (STARTUP_FOLDERS.has(path.slice(0, slash)) || STARTUP_FOLDERS.has(path.slice(0, slash + 1))) return true;
  }
  return false;
}
