// Verdicts about command texts under the settings of one server. Loaded when the first command comes.
import { readScript } from '../syntax/commands.ts';
import { hasUnknown, isKnown, UNKNOWN } from '../syntax/marks.ts';
import type { Reading, SimpleCommand } from '../syntax/command.ts';
import { STANDARD_INPUT } from '../syntax/inner-shell.ts';
import { shellReadingInput } from '../shell/reads-commands.ts';
import type { ShellName } from '../shell/shell.ts';
import { classifyReading, type ClassifyContext } from './classify.ts';
import { otherHomes } from './homes.ts';
import type { Profile } from './rule.ts';
import { carriersOf, codeForShells } from './rules-environment.ts';
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
  /** Where commands would be read from its standard input: by which shells, in every directory that they may be in. */
  readonly readers: readonly Surroundings[];
  /** Where its shell may be afterwards. */
  readonly directories: readonly string[];
}

/** Agents repeat themselves; what is longer is not repeated. */
const CACHE_ENTRIES = 256;
const CACHED_LENGTH = 4_096;
/** Of texts of fish in one command, and of texts in one another: more are read without. */
const MAX_TREES = 32;
const MAX_ROUNDS = 8;
/** Of shells and directories in which one input is judged; where there are more, it is judged as in an unknown one. */
const MAX_READERS = 16;

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
    const { HOME: home = this.#options.home, CDPATH: cdPath = '' } = where.environment;
    const givenHome = home === this.#options.home ? undefined : home;
    const hasCdPath = cdPath !== '';
    const code = Object.entries(environment);
    const key = text.length > CACHED_LENGTH ? undefined : [shell, cwd, String(isTyped), String(hasCdPath), home, ...code.flat(), text].join('\0');
    const known = key === undefined ? undefined : this.#cache.get(key);
    if (known !== undefined) return known;
    const { allowedRoots, profile, allowedCommands, userRules } = this.#options;
    const trees = new FishTrees(this.#options.fishTree);
    // written out: the engine is slow to read, over and over, what was made by adding to a copy
    const context: ClassifyContext = { shell, cwd, home: this.#options.home, allowedRoots, profile, allowedCommands, userRules, environment, givenHome, hasCdPath, isTyped, fishTree: (asked) => trees.of(asked) };
    let judgement = judged(text, context);
    while (await trees.fetched()) judgement = judged(text, context);
    if (key !== undefined) this.#keep(key, judgement);
    return judgement;
  }

  /** The names of the variables whose code a shell would run that starts with them. */
  codeAtStart(environment: Surroundings['environment']): readonly string[] {
    return codeForShells(environment);
  }

  #keep(key: string, judgement: Judgement): void {
    const [oldest] = this.#cache.keys();
    if (oldest !== undefined && this.#cache.size >= CACHE_ENTRIES) this.#cache.delete(oldest);
    this.#cache.set(key, judgement);
  }
}

/** Reading says which trees it needs; with them it reads again. A program that takes 5 ms must not hold up the server. */
class FishTrees {
  readonly #read: JudgeOptions['fishTree'];
  readonly #known = new Map<string, string | undefined>();
  readonly #missing = new Set<string>();
  #rounds = 0;

  constructor(read: JudgeOptions['fishTree']) {
    this.#read = read;
  }

  /** The tree of a text, once it is there. */
  of(text: string): string | undefined {
    if (!this.#known.has(text) && this.#rounds < MAX_ROUNDS && this.#known.size + this.#missing.size < MAX_TREES) this.#missing.add(text);
    return this.#known.get(text);
  }

  /** Gets those that were asked for in vain, and says whether there were any. */
  async fetched(): Promise<boolean> {
    if (this.#missing.size === 0) return false;
    const missing = [...this.#missing];
    this.#missing.clear();
    this.#rounds++;
    await Promise.all(missing.map(async (text) => this.#known.set(text, await this.#read(text))));
    return true;
  }
}

function judged(text: string, context: ClassifyContext): Judgement {
  const reading = readScript(text, context);
  return { verdict: classifyReading(text, reading, context), readers: readersOf(text, reading, context), directories: reading.directories ?? [UNKNOWN] };
}

/** Those variables whose value is code that some program runs. */
function codeIn(environment: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const assignments = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  return assignments.length === 0 ? {} : carriersOf({ ...NO_COMMAND, assignments });
}

const NO_COMMAND: SimpleCommand = { program: '', path: '', args: [], assignments: [], redirections: [], input: undefined, upstream: [], wrappers: [], origin: [], contained: false, directories: [], text: '' };

function readersOf(text: string, reading: Reading, { environment = {}, home, givenHome, hasCdPath }: ClassifyContext): readonly Surroundings[] {
  const readers: Surroundings[] = [];
  for (const command of reading.commands) {
    const shell = shellReadingInput(command.program === '' ? command.path : command.program, command.args);
    if (shell === undefined || !readsOurInput(command)) continue;
    const { directories } = command;
    const inherited = { ...environment, HOME: otherHomes(text, reading, { home, given: givenHome }).at(-1) ?? home, ...(hasCdPath === true ? { CDPATH: '/' } : {}) };
    for (const cwd of directories.length > MAX_READERS ? [UNKNOWN] : directories) {
      if (!readers.some((known) => known.shell === shell && known.cwd === cwd)) readers.push({ shell, cwd, environment: inherited });
    }
  }
  return readers;
}

/** A shell behind a pipe may get from there what our input holds; one that is fed a text or another file does not. */
function readsOurInput({ input, redirections }: SimpleCommand): boolean {
  if (input === undefined) return true;
  if (input.from === 'pipe') return input.texts?.every(isKnown) !== true;
  return input.from === 'file' && redirections.some(({ operator, targets }) => operator.startsWith('<') && targets.some((target) => operator === '<&' || hasUnknown(target) || STANDARD_INPUT.test(target)));
}
