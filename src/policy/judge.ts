// Verdicts about command texts under the settings of one server. Loaded when the first command comes.
import { readScript } from '../syntax/commands.ts';
import { isKnown } from '../syntax/marks.ts';
import type { SimpleCommand } from '../syntax/command.ts';
import { shellReadingInput } from '../shell/reads-commands.ts';
import type { ShellName } from '../shell/shell.ts';
import { classify, type ClassifyContext } from './classify.ts';
import type { Profile } from './rule.ts';
import { carriersOf } from './rules-environment.ts';
import type { UserRule } from './user-rules.ts';
import type { Verdict } from './verdict.ts';

export interface JudgeOptions {
  readonly home: string;
  readonly allowedRoots: readonly string[];
  readonly profile: Profile;
  readonly allowedCommands: readonly string[] | undefined;
  readonly userRules: readonly UserRule[];
  /** fish's own tree of a text; undefined when it cannot be had. */
  readonly fishTree: (text: string) => Promise<string | undefined>;
}

/** Where a text would run. */
export interface Surroundings {
  readonly shell: ShellName;
  /** Absolute. */
  readonly cwd: string;
  /** Variables that were given to the shell, or set in it, for this purpose or another. */
  readonly environment: Readonly<Record<string, string>>;
  /** Typed at the prompt of the shell, not handed to it as a script. */
  readonly isTyped?: boolean;
}

export interface Judgement {
  readonly verdict: Verdict;
  /** The language of the commands that it would read from its standard input. */
  readonly inputShell: ShellName | undefined;
}

/** Agents repeat themselves; what is longer is not repeated. */
const CACHE_ENTRIES = 256;
const CACHED_LENGTH = 4_096;
/** Of texts of fish in one command, and of texts in one another: more are read without. */
const MAX_TREES = 32;
const MAX_ROUNDS = 8;
const NAMES_A_SHELL = /sh\b|stdin|fd\/0/;

export class Judge {
  readonly #options: JudgeOptions;
  readonly #cache = new Map<string, Judgement>();

  constructor(options: JudgeOptions) {
    this.#options = options;
  }

  /** What the policy says about a text. */
  async judge(text: string, where: Surroundings): Promise<Judgement> {
    const { shell, cwd, isTyped = false } = where;
    const environment = codeIn(where.environment);
    const code = Object.entries(environment);
    const key = text.length > CACHED_LENGTH ? undefined : [shell, cwd, String(isTyped), ...code.flat(), text].join('\0');
    const known = key === undefined ? undefined : this.#cache.get(key);
    if (known !== undefined) return known;
    const judgement = await this.#judgeWithTrees(text, { ...this.#options, shell, cwd, environment, isTyped });
    if (key !== undefined) this.#keep(key, judgement);
    return judgement;
  }

  /** Reading says which trees it needs; with them it reads again. A program that takes 5 ms must not hold up the server. */
  async #judgeWithTrees(text: string, options: Omit<ClassifyContext, 'fishTree'>): Promise<Judgement> {
    const trees = new Map<string, string | undefined>();
    for (let round = 0; ; round++) {
      const missing = new Set<string>();
      const fishTree = (asked: string): string | undefined => {
        if (!trees.has(asked) && round < MAX_ROUNDS && trees.size + missing.size < MAX_TREES) missing.add(asked);
        return trees.get(asked);
      };
      const judgement = judged(text, { ...options, fishTree });
      if (missing.size === 0) return judgement;
      await Promise.all([...missing].map(async (asked) => trees.set(asked, await this.#options.fishTree(asked))));
    }
  }

  #keep(key: string, judgement: Judgement): void {
    const [oldest] = this.#cache.keys();
    if (oldest !== undefined && this.#cache.size >= CACHE_ENTRIES) this.#cache.delete(oldest);
    this.#cache.set(key, judgement);
  }
}

function judged(text: string, context: ClassifyContext): Judgement {
  return { verdict: classify(text, context), inputShell: NAMES_A_SHELL.test(text) ? inputShellOf(readScript(text, context).commands) : undefined };
}

/** Those variables whose value is code that some program runs. */
function codeIn(environment: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const assignments = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  return assignments.length === 0 ? {} : carriersOf({ ...NO_COMMAND, assignments });
}

const NO_COMMAND: SimpleCommand = { program: '', path: '', args: [], assignments: [], redirections: [], input: undefined, upstream: [], wrappers: [], origin: [], contained: false, directories: [], text: '' };

/** A shell behind a pipe may get from there what our input holds; one that is fed a text or a file does not. */
function inputShellOf(commands: readonly SimpleCommand[]): ShellName | undefined {
  for (const { path, args, input } of commands) {
    if (input !== undefined && (input.from !== 'pipe' || input.texts?.every(isKnown) === true)) continue;
    const shell = shellReadingInput(path, args);
    if (shell !== undefined) return shell;
  }
  return undefined;
}
