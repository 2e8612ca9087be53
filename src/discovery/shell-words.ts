// What a word means at the prompt of a session, as its shell would tell: `type -t` of bash and fish, `whence -w` of zsh.
import type { SessionShellName } from '../shell/shell.ts';

/** What is known of a session's shell as of its last prompt. */
export interface SessionWords {
  readonly shell: SessionShellName;
  readonly shellPath: string;
  readonly cwd: string;
  /** $PATH as it is exported; undefined when it is not. */
  readonly path: string | undefined;
  readonly aliases: readonly string[];
  readonly functions: readonly string[];
  readonly options: readonly string[];
}

/** What the shell itself brings. */
export interface OwnWords {
  readonly keywords: ReadonlySet<string>;
  readonly builtins: ReadonlySet<string>;
}

/** What stands before the programs of the search path. */
export type WordKind = 'alias' | 'function' | 'builtin';

/** fish looks there when there is no $PATH at all; bash looks in the current folder, zsh nowhere. */
const FISH_PATH = ['/usr/local/bin', '/usr/bin', '/bin'];

/** undefined when only a program can have that name. A keyword counts as built in. */
export function kindOfWord(name: string, words: SessionWords, own: OwnWords): WordKind | undefined {
  if (isAlias(name, words)) return 'alias';
  if (own.keywords.has(name)) return 'builtin';
  if (words.functions.includes(name)) return 'function';
  return own.builtins.has(name) ? 'builtin' : undefined;
}

/** Where the shell looks for programs. */
export function searchEntries({ shell, path }: Pick<SessionWords, 'shell' | 'path'>): readonly string[] {
  if (path !== undefined) return path.split(':');
  return { bash: [''], zsh: [], fish: FISH_PATH }[shell];
}

/** In fish an alias is a function. In bash an interactive shell may have been told not to expand them. */
function isAlias(name: string, { shell, aliases, options }: SessionWords): boolean {
  if (shell === 'bash' && !options.includes('expand_aliases')) return false;
  return shell !== 'fish' && aliases.includes(name);
}
