// What a script says about its variables, directories and names, without running it: every value that a name is given anywhere in it.
import { posix } from 'node:path';
import type { Lookup } from './expand.ts';
import { LimitReached, MAX_ALTERNATIVES, MAX_DIRECTORY, MAX_DIRECTORY_CHANGES, MAX_EVALUATIONS, MAX_NODES, MAX_SUBSTITUTIONS } from './limits.ts';
import { asSource, hasUnknown, PLAIN, UNKNOWN } from './marks.ts';
import { forEachChild } from './parse.ts';
import type { CommandNode, Node, Tree } from './parse.ts';
import { textsOf, withoutIndex } from './value-texts.ts';
import type { Value } from './value-texts.ts';

/** Numbers and names that the shell or the login sets; they hold no blanks and no slashes. */
const PLAIN_VARIABLES = new Set(['$', '!', '?', '#', '-', 'UID', 'EUID', 'PPID', 'RANDOM', 'SRANDOM', 'SECONDS', 'LINENO', 'USER', 'LOGNAME', 'HOSTNAME', 'OSTYPE', 'MACHTYPE', 'HOSTTYPE', 'SHLVL', 'BASHPID', 'EPOCHSECONDS', 'EPOCHREALTIME', 'COLUMNS', 'LINES', 'OPTIND', 'BASH_VERSION', 'ZSH_VERSION']);
const DECLARING = new Set(['export', 'declare', 'typeset', 'local', 'readonly']);
/** They give variables a text that is only known when they run. */
const READING = new Set(['read', 'mapfile', 'readarray', 'getopts', 'printf', 'unset']);

/** What no text without an assignment, a definition or a loop is without, however its words are quoted. */
const ASSIGNING = /=|\(\s*\)|\\\n|\b(?:function|for|select|while|until|declare|typeset|local)\b/;

interface FoundFunction {
  readonly body: Node;
  readonly tree: Tree;
  readonly source: string;
}

const NO_FUNCTIONS: ReadonlyMap<string, FoundFunction> = new Map();
const NO_ALIASES: ReadonlyMap<string, string> = new Map();
const NO_NAMES: ReadonlySet<string> = new Set();

export class Scope {
  // Most scripts define nothing: a collection is made for the first that is put into it.
  #functions: Map<string, FoundFunction> | undefined;
  #aliases: Map<string, string> | undefined;
  /** Variables that are read in lower or upper case, and those that stand for another one. */
  #cases: Map<string, 'l' | 'u'> | undefined;
  #references: Map<string, string> | undefined;
  #defined: Set<string> | undefined;
  #values: Map<string, Value[]> | undefined;
  #expanding: Set<string> | undefined;
  #evaluations = 0;
  #changes = 0;
  #directories: string[];
  /** Loops and functions run their parts in another order than they stand in. */
  hasLoops = false;
  #positional: readonly string[] | undefined;
  /** How many of them may be gone. */
  #shifted = 0;
  /** Which process the code that is read runs in; 0 is the shell itself. */
  process = 0;

  constructor(cwd: string) {
    this.#directories = [cwd];
  }

  get functions(): ReadonlyMap<string, FoundFunction> {
    return this.#functions ?? NO_FUNCTIONS;
  }

  get aliases(): ReadonlyMap<string, string> {
    return this.#aliases ?? NO_ALIASES;
  }

  /** The names of functions and aliases. */
  get defined(): ReadonlySet<string> {
    return this.#defined ?? NO_NAMES;
  }

  define(name: string): void {
    (this.#defined ??= new Set()).add(name);
  }

  alias(name: string, text: string): void {
    (this.#aliases ??= new Map()).set(name, text);
  }

  get positional(): readonly string[] | undefined {
    return this.#positional;
  }

  set positional(words: readonly string[] | undefined) {
    this.#positional = words;
    this.#shifted = 0;
  }

  /** In a loop it may happen any number of times. */
  shift(count: number): void {
    this.#shifted = this.hasLoops || Number.isNaN(count) ? MAX_ALTERNATIVES : this.#shifted + count;
  }

  get directories(): readonly string[] {
    return this.#directories;
  }

  /** Takes in every assignment and definition of a tree, before it is walked; most texts show at once that they have none. */
  collect(tree: Tree, source: string): void {
    if (!ASSIGNING.test(source)) return;
    let nodes = 0;
    // What lies beyond a limit is left out here; whoever walks the tree meets the same limit, and says so.
    const visit = (node: Node, depth: number): void => {
      const isSubstitution = node.type === 'CommandExpansion' || node.type === 'ProcessSubstitution';
      const within = isSubstitution ? depth + 1 : depth;
      if (++nodes > MAX_NODES || within > MAX_SUBSTITUTIONS) return;
      if (node.type === 'Word' && node.parts === undefined) return;
      this.#note(node, tree, source);
      forEachChild(node, isSubstitution ? (child) => visit(child, within) : depth === 0 ? outermost : (child) => visit(child, depth));
    };
    const outermost = (child: Node): void => visit(child, 0);
    visit(tree, 0);
  }

  /** A text that a variable has from `read`, `printf -v` and the like. */
  give(name: string, text: string, tree: Tree): void {
    this.#add(name, { word: text, tree, position: 0, isPartial: false, appends: false });
  }

  /** Every `cd` adds where it may lead; the directories before stay possible, since it may not be reached. */
  enter(target: string | undefined, home: string): void {
    const next = target === undefined ? [home] : this.#directories.map((directory) => (hasUnknown(target) ? (/^[^\uFDD0-\uFDD3]*\/[^/]/.test(target) ? resolveIn(directory, target) : UNKNOWN) : resolveIn(directory, target)));
    if (++this.#changes > MAX_DIRECTORY_CHANGES) throw new LimitReached(`more than ${MAX_DIRECTORY_CHANGES} changes of the directory`);
    const all = [...new Set([...this.#directories, ...next.map((directory) => (directory.length > MAX_DIRECTORY ? UNKNOWN : directory))])];
    this.#directories = all.length > MAX_ALTERNATIVES ? [UNKNOWN, ...all.slice(1 - MAX_ALTERNATIVES)] : all;
  }

  /** `cd -`, `popd`: back to where the script has been, or to where the shell was before it. */
  goBack(home: string): void {
    if (this.#changes === 0) this.enter(UNKNOWN, home);
  }

  /** Whether the script gives a variable a value. */
  isGiven(name: string): boolean {
    return this.#values?.has(name) === true;
  }

  /** The values of a variable where it is used, or undefined when nothing is known of it. */
  values(name: string, use: { readonly tree: Tree; readonly position: number; readonly lookup: Lookup }): readonly string[] | undefined {
    const values = this.#values?.get(name);
    if (values === undefined) return this.#builtIn(name, use.lookup);
    const expanding = (this.#expanding ??= new Set<string>());
    if (expanding.has(name)) return undefined;
    this.#evaluations += values.length;
    if (this.#evaluations > MAX_EVALUATIONS) throw new LimitReached('values that refer to one another too often');
    expanding.add(name);
    try {
      const own = values.flatMap((value) => textsOf(value, use.lookup));
      const isUnsure = values.every((value) => value.isPartial || (value.tree === use.tree && value.position > use.position && !this.hasLoops));
      const endings = values.flatMap((value) => (value.appends ? textsOf(value, use.lookup) : []));
      this.#evaluations += own.length * endings.length;
      const appended = endings.length === 0 ? [] : own.slice(0, MAX_ALTERNATIVES).flatMap((first) => endings.slice(0, MAX_ALTERNATIVES).map((text) => first + text));
      const all = [...new Set([...this.#declaredAs(name, own, use), ...appended, ...(isUnsure ? (this.#builtIn(name, use.lookup) ?? [UNKNOWN]) : [])])];
      return all.length > MAX_ALTERNATIVES ? [...all.slice(0, MAX_ALTERNATIVES - 1), UNKNOWN] : all;
    } finally {
      expanding.delete(name);
    }
  }

  /** The values as `declare -l`, `-u` or `-n` makes them. */
  #declaredAs(name: string, own: readonly string[], use: { readonly tree: Tree; readonly position: number; readonly lookup: Lookup }): readonly string[] {
    const kind = this.#cases?.get(name);
    if (kind !== undefined) return [...own, ...own.map((text) => (kind === 'l' ? text.toLowerCase() : text.toUpperCase()))];
    const other = this.#references?.get(name);
    return other === undefined ? own : [...own, ...(this.values(other, use) ?? []), UNKNOWN];
  }

  #builtIn(name: string, { home }: Lookup): readonly string[] | undefined {
    if (name === 'HOME') return [home];
    if (name === 'PWD') return this.#directories;
    if (name === 'SHELL' || name === 'BASH' || (name === '0' && this.positional === undefined)) return ['/bin/bash']; // which shell it is makes no difference to what it is told
    if (name === 'IFS') return [' \t\n'];
    if (PLAIN_VARIABLES.has(name)) return [PLAIN];
    if (this.positional === undefined) return undefined;
    const { length } = this.positional;
    const words = this.positional;
    const shifts = Array.from({ length: 1 + Math.min(this.#shifted, length, MAX_ALTERNATIVES - 1) }, (_, count) => count);
    if (/^\d$/.test(name)) return name === '0' ? [words[0] ?? ''] : [...new Set(shifts.map((count) => words[Number(name) + count] ?? ''))];
    if (name === '@' || name === '*') return [...new Set(shifts.map((count) => words.slice(1 + count).join(' ')))];
    return undefined;
  }

  /** Whether the process that is read gives a variable its value itself. */
  isOwn(name: string): boolean {
    return this.process === 0 || this.#values?.get(name)?.some(({ process }) => process === this.process) === true;
  }

  #add(name: string, given: Omit<Value, 'process'>): void {
    const all = (this.#values ??= new Map<string, Value[]>());
    const values = all.get(name);
    if (values !== undefined && values.length >= MAX_ALTERNATIVES) return;
    const { word, tree, position, isPartial, appends } = given; // one by one: the engine is slow to add to a copy
    const value = { word, tree, position, isPartial, appends, process: this.process };
    if (values === undefined) all.set(name, [value]);
    else values.push(value);
  }

  #note(node: Node, tree: Tree, source: string): void {
    switch (node.type) {
      case 'Function':
        (this.#functions ??= new Map()).set(node.name.value, { body: node.body, tree, source });
        this.define(node.name.value);
        this.hasLoops = true;
        return;
      case 'While': case 'ArithmeticFor':
        this.hasLoops = true;
        return;
      case 'For': case 'Select':
        this.hasLoops = true;
        for (const word of node.wordlist ?? [UNKNOWN]) this.#add(node.name.value, { word, tree, position: node.pos, isPartial: false, appends: false });
        return;
      case 'Assignment':
        if (node.name !== undefined) this.#assign(node, tree, false);
        return;
      case 'ParameterExpansion':
        if (node.operation?.type === 'Default' && node.operation.operator.includes('=')) this.#add(node.parameter, { word: node.operation.operand, tree, position: node.pos, isPartial: true, appends: false });
        return;
      case 'Command':
        return this.#noteCommand(node, tree);
    }
  }

  #assign(node: Node & { type: 'Assignment' }, tree: Tree, isPartial: boolean): void {
    const { value, name, append } = node;
    const words = value.type === 'ArrayValue' ? value.elements.map(withoutIndex) : [value];
    for (const word of words) this.#add(name, { word, tree, position: node.pos, isPartial, appends: append === true });
    if (value.type === 'ArrayValue') this.#add(`${name}[@]`, { word: words, tree, position: node.pos, isPartial, appends: append === true });
    if (words.length === 0) this.#add(name, { word: '', tree, position: node.pos, isPartial, appends: false });
  }

  #noteCommand(node: CommandNode, tree: Tree): void {
    const name = node.name?.value;
    if (name === undefined) return;
    // An assignment in front of a command is gone after it, and is not seen by the expansions of that command itself.
    for (const part of node.prefix) if (part.type === 'Assignment') this.#assign(part, tree, true);
    if (!READING.has(name) && !DECLARING.has(name)) return;
    const words = node.args.flatMap((arg) => (arg.type === 'Word' ? [arg.value] : []));
    if (READING.has(name)) {
      const names = name === 'printf' ? words.slice(words.indexOf('-v') + 1, words.includes('-v') ? words.indexOf('-v') + 2 : 0) : words;
      // without one of its elements an array is another list of words
      for (const [, array = ''] of words.flatMap((word) => (name === 'unset' ? [/^([A-Za-z_]\w*)\[/.exec(word) ?? []] : []))) if (array !== '') this.#add(`${array}[@]`, { word: UNKNOWN, tree, position: node.pos, isPartial: false, appends: false });
      for (const word of name === 'unset' ? [] : [...names, ...(name === 'read' ? ['REPLY'] : [])]) if (/^[A-Za-z_]\w*$/.test(word)) this.#add(word, { word: UNKNOWN, tree, position: node.pos, isPartial: false, appends: false });
    }
    if (DECLARING.has(name)) {
      this.#noteKinds(node, words);
      for (const word of words) {
        const [, variable = '', text = ''] = /^([A-Za-z_]\w*)=([^]*)$/.exec(word) ?? [];
        if (variable !== '') this.#add(variable, { word: /[$`]/.test(text) ? UNKNOWN : text, tree, position: node.pos, isPartial: false, appends: false });
      }
    }
  }

  /** `declare -l name`, `declare -n name=other`. */
  #noteKinds(node: CommandNode, words: readonly string[]): void {
    const letters = words.filter((word) => /^-[A-Za-z]+$/.test(word)).join('');
    if (!/[lnu]/.test(letters)) return;
    const given = [...words.filter((word) => /^[A-Za-z_]/.test(word)), ...node.args.flatMap((arg) => (arg.type === 'Assignment' ? [`${arg.name ?? ''}=${arg.value.type === 'ArrayValue' ? '' : arg.value.value}`] : []))];
    for (const word of given) {
      const [name = '', other] = word.split('=', 2);
      if (!letters.includes('n')) (this.#cases ??= new Map()).set(name, letters.includes('l') ? 'l' : 'u');
      else if (other !== undefined) {
        const references = (this.#references ??= new Map<string, string>());
        references.set(name, other);
        references.set(other, name); // what is given to either, both have
      }
    }
  }
}

/** A path as it is found from a directory, `..` taken away by its text. */
export function resolveIn(directory: string, path: string): string {
  const source = asSource(path);
  if (source.startsWith('/')) return posix.normalize(source);
  return directory.startsWith('/') ? posix.normalize(`${directory}/${source}`) : UNKNOWN;
}
