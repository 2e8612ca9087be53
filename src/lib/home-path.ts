// "~" at the start of a path, as people write it.

/** `~` and `~/…` with the home directory in place of the tilde; any other path as it is, also when there is no home. */
export function expandHome(path: string, home: string | undefined): string {
  if (home === undefined) return path;
  if (path === '~') return home;
  return path.startsWith('~/') ? home.replace(/\/$/, '') + path.slice(1) : path;
}
