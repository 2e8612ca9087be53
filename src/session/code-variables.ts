// Variables that a session was given, or that a command set in it for other programs to run: the policy remembers them.
import type { Surroundings } from '../policy/judge.ts';
import type { SessionShellName } from '../shell/shell.ts';

/** The shell itself uses these, exported or not. */
const OF_THE_SHELL = /^(?:PROMPT_COMMAND|CDPATH|PS\d|SHELLOPTS|BASHOPTS|FCEDIT|fish_\w+)$/;

export class CodeVariables {
  readonly #known: Map<string, string>;

  constructor(given: Readonly<Record<string, string>>) {
    this.#known = new Map(Object.entries(given));
  }

  /** A command that was let through leaves these. */
  note(remember: Readonly<Record<string, string>>): void {
    for (const [name, value] of Object.entries(remember)) this.#known.set(name, value);
  }

  /** Those that are there, with what they hold now. */
  now(exported: ReadonlyMap<string, string> | undefined): Record<string, string> {
    const found: Record<string, string> = {};
    for (const [name, noted] of this.#known) {
      const value = exported?.get(name) ?? (exported === undefined || OF_THE_SHELL.test(name) ? noted : undefined);
      if (value !== undefined) found[name] = value;
    }
    return found;
  }
}

/** What of a session a command's class depends on. */
interface Place {
  readonly options: { readonly shell: { readonly name: SessionShellName } };
  readonly cwd: string;
  readonly code: CodeVariables;
  readonly shellState: { readonly exported: ReadonlyMap<string, string> } | undefined;
}

/** Where a command runs that is given to a session now, with variables of its own. */
export function surroundingsOf({ options, cwd, code, shellState }: Place, env: Readonly<Record<string, string>> = {}): Surroundings {
  const exported = shellState?.exported;
  const home = exported === undefined ? {} : { HOME: exported.get('HOME') ?? '' }; // `~` means this one, and nothing at all without
  return { shell: options.shell.name, cwd, environment: { ...home, ...code.now(exported), ...env } };
}
