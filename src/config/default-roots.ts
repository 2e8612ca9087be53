// The directories that a cwd may be in when the operator names none.

/** Nothing in these is a project, so a server that was started there was not started there on purpose. */
const SYSTEM_DIRECTORIES = [
  '/bin', '/boot', '/dev', '/etc', '/lib', '/lib32', '/lib64', '/libx32', '/proc', '/run', '/sbin', '/sys',
  '/usr/bin', '/usr/include', '/usr/lib', '/usr/lib32', '/usr/lib64', '/usr/libexec', '/usr/sbin', '/usr/share',
  '/System', '/Library', '/private/etc',
];
/** Too wide to be a root; what is below them may be one. */
const WIDE_DIRECTORIES = ['/', '/Applications', '/Users', '/home', '/media', '/mnt', '/opt', '/private', '/srv', '/usr', '/usr/local', '/var', '/var/lib'];
/** A program of Windows that starts us through WSL is often in its System32 itself. Windows does not tell upper from lower case. */
const OF_WINDOWS = /^\/mnt\/c(?:\/users|\/(?:windows|program files(?: \(x86\))?|programdata)(?:\/.*)?)?$/is;

export interface StartPlace {
  readonly home: string | undefined;
  /** The directory the server was started in, absolute. */
  readonly startDirectory: string;
}

/** Home, /tmp, /var/tmp and the start directory unless it is `/` or a directory of the system; no path twice. */
export function defaultRoots({ home, startDirectory }: StartPlace): string[] {
  const roots = [home, '/tmp', '/var/tmp', isSystemDirectory(startDirectory) ? undefined : startDirectory];
  return [...new Set(roots.filter((root) => root !== undefined))];
}

function isSystemDirectory(path: string): boolean {
  if (WIDE_DIRECTORIES.includes(path) || OF_WINDOWS.test(path)) return true;
  return SYSTEM_DIRECTORIES.some((system) => path === system || path.startsWith(`${system}/`));
}
