// The one command that a session outside of the allowed roots may run: `cd` into them, and nothing else.
import { ExpectedError } from '../errors.ts';
import type { Roots, SessionPlace } from './roots.ts';

/**
 * `cd PATH`, `cd -- PATH` or `builtin cd PATH`, with an absolute path or one from `~`: bare, without anything that a shell
 * would read in it, or in quotes. It means the same in bash, zsh and fish, and has nothing to do with CDPATH.
 */
const CD = /^[ \t]*(?:builtin[ \t]+)?cd[ \t]+(?:--[ \t]+)?(?:(~|~?\/[\w@%+=:,.\/-]*)|'(\/[^'\\\p{Cc}]*)'|"(\/[^"\\$`!\p{Cc}]*)")[ \t]*;?[ \t]*\n?$/u;

/** Whether a command only goes to a directory that the session may be in. `home` is what its shell means by `~`, if that is known. */
export async function isWayBack(text: string, place: SessionPlace, { roots, home }: { readonly roots: Pick<Roots, 'resolve'>; readonly home: string | undefined }): Promise<boolean> {
  const [, bare, single, double] = CD.exec(text) ?? [];
  const path = bare ?? single ?? double;
  if (path === undefined) return false;
  try {
    await roots.resolve(home !== undefined && path.startsWith('~') ? home + path.slice(1) : path, place);
    return true;
  } catch (error) {
    if (error instanceof ExpectedError) return false;
    throw error;
  }
}
