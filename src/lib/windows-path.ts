// Paths as Windows writes them, and where that is on this machine: its drives are folders in WSL, its network is nowhere.
import { shorten } from './shorten.ts';

/** How WSL shows Windows here. */
export interface WindowsView {
  /** The folder with a folder for each drive, with a slash at its end: `/mnt/`. */
  readonly mountRoot: string;
  /** What Windows calls this system: `Ubuntu`; undefined where that is not known. */
  readonly distribution: string | undefined;
}

/** Where nothing else is configured, and outside of WSL, too: `C:\foo` is absolute nowhere but on Windows, so that it can mean nothing else. */
export const USUAL_VIEW: WindowsView = { mountRoot: '/mnt/', distribution: undefined };

/** What a path means here. */
export type PlaceHere =
  /** As it is, or as its drive is mounted. */
  | { readonly kind: 'here'; readonly path: string }
  /** What was meant can be told, but is no way to name a directory: `C:foo` depends on what Windows remembers. */
  | { readonly kind: 'guessed'; readonly path: string; readonly why: string }
  | { readonly kind: 'nowhere'; readonly why: string; readonly hint: string };

/** A drive with what follows it; any other path is as it is. */
const DRIVE = /^([A-Za-z]):(.*)$/s;
/** `\\?\C:\foo`, also with slashes; `\\.\` is for devices, and drives are among them. */
const VERBATIM = /^(?:\\\\[?.]\\|\/\/[?.]\/)(.*)$/s;
/** `\\server\share`. With slashes that is an ordinary path here, unless its server is WSL itself. */
const NETWORK = /^(?:\\\\|\/\/(?=wsl(?:\$|\.localhost)(?:\/|$)))([^\\/]+)(?:[\\/]+([^\\/]*)(.*))?$/is;
const OF_WSL = /^wsl(?:\$|\.localhost)$/i;

/** What to do where a path is in a form that leads nowhere here by itself. */
export function insteadOf(place: Exclude<PlaceHere, { kind: 'here' }>): string {
  return place.kind === 'guessed' ? `write ${JSON.stringify(place.path)}` : place.hint;
}

/** `C:\foo` or `C:/foo`. */
export function isDrivePath(path: string): boolean {
  return /^[A-Za-z]:[\\/]/.test(path);
}

/** What a path that a caller wrote means on this machine. */
export function placeHere(path: string, view: WindowsView): PlaceHere {
  if (/^file:/i.test(path)) return fromUrl(path, view);
  const [, verbatim] = VERBATIM.exec(path) ?? [];
  if (verbatim !== undefined) return fromVerbatim(verbatim, view);
  const [, server, share = '', rest = ''] = NETWORK.exec(path) ?? [];
  if (server !== undefined) return fromNetwork({ server, share, rest }, view);
  const [, drive, below] = DRIVE.exec(path) ?? [];
  if (drive === undefined || below === undefined) return { kind: 'here', path };
  const mounted = onDrive(drive, below, view);
  return isDrivePath(path) ? { kind: 'here', path: mounted } : { kind: 'guessed', path: mounted, why: 'is relative to a drive of Windows' };
}

/**
 * The path in a file: URL, as its system would write it: `/home/me`, `C:/Users/me`, `//wsl.localhost/Ubuntu/home/me`.
 * Undefined for what is no such URL, and for other machines.
 */
export function pathInUrl(url: string): string | undefined {
  try {
    const { protocol, host, pathname } = new URL(url);
    const path = decodeURIComponent(pathname);
    if (protocol !== 'file:' || /%2f/i.test(pathname)) return undefined; // no name can have a slash in it
    const server = decodeURIComponent(host);
    if (OF_WSL.test(server)) return `//${server}${path}`;
    return server === '' ? path.replace(/^\/(?=[A-Za-z]:(?:\/|$))/, '') : undefined;
  } catch {
    return undefined;
  }
}

/** The value of `root` in the section `[automount]` of an /etc/wsl.conf, with a slash at its end. */
export function mountRootIn(configuration: string): string | undefined {
  let section = '';
  let found: string | undefined;
  for (const line of configuration.split(/\r?\n/)) {
    section = /^\s*\[([^\]]*)\]/.exec(line)?.[1]?.trim().toLowerCase() ?? section;
    const value = /^\s*root\s*=\s*("?)(\/[^"#]*)\1\s*(?:#.*)?$/i.exec(line)?.[2]?.trim();
    if (section === 'automount' && value !== undefined) found = value;
  }
  return found?.replace(/\/*$/, '/');
}

function onDrive(drive: string, below: string, { mountRoot }: WindowsView): string {
  const names = below.split(/[\\/]+/).filter((name) => name !== '');
  return [`${mountRoot}${drive.toLowerCase()}`, ...names].join('/');
}

function fromVerbatim(path: string, view: WindowsView): PlaceHere {
  const [, share] = /^UNC[\\/](.*)$/is.exec(path) ?? [];
  if (share !== undefined) return placeHere(`\\\\${share}`, view);
  if (!DRIVE.test(path)) return { kind: 'nowhere', why: 'is a device of Windows', hint: 'give the path of a directory of this machine' };
  return guessed(placeHere(path, view), 'is a path of Windows in its verbatim form');
}

function fromUrl(url: string, view: WindowsView): PlaceHere {
  const path = pathInUrl(url);
  if (path === undefined) return { kind: 'nowhere', why: 'is the URL of a file that is not on this machine', hint: 'give the path of a directory of this machine' };
  return guessed(placeHere(path, view), 'is a URL, not a path');
}

/** A form that is not taken, around one that is. */
function guessed(inner: PlaceHere, why: string): PlaceHere {
  return inner.kind === 'here' ? { kind: 'guessed', path: inner.path, why } : inner;
}

interface NetworkPath {
  readonly server: string;
  readonly share: string;
  readonly rest: string;
}

/** The files of this and other systems in WSL are shares to Windows. */
function fromNetwork({ server, share, rest }: NetworkPath, { distribution }: WindowsView): PlaceHere {
  const inside = `/${rest.split(/[\\/]+/).filter((name) => name !== '').join('/')}`;
  if (!OF_WSL.test(server)) return { kind: 'nowhere', why: 'is a network path of Windows', hint: `mount it first, in WSL with sudo mount -t drvfs ${shorten(`\\\\${server}\\${share}`)} /mnt/NAME, and give that directory` };
  if (share === '') return { kind: 'guessed', path: '/', why: 'is a path that Windows has for WSL' };
  if (share.toLowerCase() === (distribution ?? share).toLowerCase()) return { kind: 'guessed', path: inside, why: `is what Windows calls a directory of ${distribution === undefined ? shorten(share) : 'this system'}` };
  return { kind: 'nowhere', why: `is in another system of WSL, ${shorten(share)}`, hint: `this is ${shorten(distribution)}, which does not see its files` };
}
