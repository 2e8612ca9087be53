// fish scripts, read from fish's own tree of them. Without a tree only what needs no quoting can be read.
import type { Reading, Redirection } from './command.ts';
import type { ReadOptions } from './commands.ts';
import { plainAssignments } from './fish-assignments.ts';
import { isComplete } from './fish-complete.ts';
import { parseFishTree } from './fish-tree.ts';
import type { FishNode } from './fish-tree.ts';
import { expandFishWord } from './fish-words.ts';
import type { FishLookup } from './fish-words.ts';
import { inputOf } from './input.ts';
import { LimitReached, MAX_NESTING } from './limits.ts';
import { FROM_NETWORK, UNKNOWN } from './marks.ts';
import { alone, behind, inTree, OUTSIDE, reading } from './place.ts';
import type { Place } from './place.ts';
import { isFetcher, outputOf } from './producers.ts';
import { Reader } from './reader.ts';
import { Recorder } from './recorder.ts';

/** Reads a fish script. */
export function readFish(text: string, options: ReadOptions): Reading {
  const reader = new Reader(options);
  reader.guarded(() => new FishWalker(reader, options).readText(text, OUTSIDE));
  return reader.reading();
}

/** Reads fish code that stands inside a script. */
export function readFishCode(reader: Reader, code: string, { place, options }: { readonly place: Place; readonly options: ReadOptions }): void {
  new FishWalker(reader, options).readText(code, place);
}

class FishWalker {
  readonly #reader: Reader;
  readonly #recorder: Recorder;
  readonly #options: ReadOptions;
  readonly #variables = new Map<string, string[]>();
  /** Assignments of the text that is read, which its tree has not come to; and those of the command that comes next. */
  #assigned: { readonly name: string; readonly value: string }[] = [];
  readonly #pending: string[] = [];
  /** Functions by their names. */
  readonly #functions = new Map<string, FishNode>();
  #nesting = 0;

  constructor(reader: Reader, options: ReadOptions) {
    this.#reader = reader;
    this.#options = options;
    this.#recorder = new Recorder(reader);
    reader.fishCode = (code, place) => this.readText(code, place);
  }

  readText(text: string, place: Place): void {
    if (text.trim() === '') return;
    if (++this.#nesting > MAX_NESTING) throw new LimitReached(`code inside code, more than ${MAX_NESTING} deep`);
    if (this.#nesting > 1) this.#reader.budget.reparse(text.length);
    const dump = this.#options.fishTree?.(text);
    const tree = dump === undefined ? undefined : parseFishTree(dump, text);
    if (tree !== undefined && (some(tree, isError) || !isComplete(text))) this.#reader.fact('syntax-error', 'fish cannot read it');
    if (tree !== undefined) this.#walkTree(tree, text, place);
    else this.#readWithoutTree(text);
    this.#nesting--;
  }

  #walkTree(tree: FishNode, text: string, place: Place): void {
    const outer = this.#assigned;
    this.#assigned = plainAssignments(text, count(tree, 'variable_assignment')) ?? [];
    this.#walk(tree, inTree(place, { tree: place.tree, source: text }));
    this.#assigned = outer;
  }

  /** Quotes, escapes and substitutions mean other things in bash: a script that has any is not read as one. */
  #readWithoutTree(text: string): void {
    if (/[('\\"`{]/.test(text.replace(/"[^"$\\`(]*"/g, ''))) this.#reader.fact('foreign-syntax', 'quotes or substitutions of fish, and no fish to read them');
    else this.#reader.readText(text.replace(/(^|[;\n])\s*end\b/g, '$1 :'));
  }

  #walk(node: FishNode, place: Place): void {
    this.#reader.budget.node();
    if (node.type === 'job') return this.#job(node, place);
    if (node.type === 'decorated_statement') return this.#command(node, place);
    if (node.type === 'for_header') this.#loop(node, place);
    if (node.type === 'block_statement') this.#function(node);
    if (node.type === 'variable_assignment') this.#assign();
    if (node.type === 'argument' || node.type === 'argument_or_redirection_list') this.#words([node], place);
    for (const child of node.children) this.#walk(child, place);
  }

  #job(node: FishNode, place: Place): void {
    let { upstream, input } = place;
    const stages = [...node.children.filter(({ type }) => type !== 'job_continuation_list'), ...node.children.filter(({ type }) => type === 'job_continuation_list').flatMap(({ children }) => children)];
    for (const stage of stages) {
      const from = this.#reader.commands.length;
      this.#walk(stage, behind(place, { input, upstream }));
      const added = this.#reader.commands.slice(from);
      if (added.length === 0) continue;
      upstream = [...upstream, ...added];
      const [only] = added;
      input = { from: 'pipe', texts: added.length === 1 && only !== undefined ? outputOf([only.path, ...only.args], { input: input?.texts, directories: only.directories }) : undefined };
    }
  }

  #command(node: FishNode, place: Place): void {
    const name = node.children.find(({ type }) => type === 'string')?.text ?? '';
    const items = node.children.filter(({ type }) => type === 'argument_or_redirection_list').flatMap(({ children }) => children.flatMap(({ children: own }) => own));
    const argv = this.#words([{ type: 'argument', text: name, children: [] }, ...items.filter(({ type }) => type === 'argument')], place);
    const redirections = items.filter(({ type }) => type === 'redirection').map((item) => this.#redirection(item, place));
    this.#setVariables(argv);
    const input = inputOf(redirections.map((redirection) => ({ ...redirection, fd: undefined }))) ?? place.input;
    this.#recorder.record(argv, { place: reading(place, input), assignments: this.#pending.splice(0), redirections, text: [name, ...items.map(({ text }) => text)].join(' ').slice(0, 200) });
  }

  /** The next variable in front of a command; it holds for the command alone, but is kept like any other. */
  #assign(): void {
    const next = this.#assigned.shift();
    if (next === undefined) return this.#reader.fact('unknown-code', 'a variable in front of a command, whose value cannot be told');
    this.#pending.push(`${next.name}=${next.value}`);
    this.#variables.set(next.name, [...(this.#variables.get(next.name) ?? []), next.value]);
  }

  #redirection(node: FishNode, place: Place): Redirection {
    const operator = node.children.find(({ type }) => type === 'redirection')?.text ?? '>';
    const target = node.children.find(({ type }) => type === 'string' || type === 'argument')?.text ?? '';
    return { operator, targets: expandFishWord(target, this.#lookup(place)) };
  }

  #words(nodes: readonly FishNode[], place: Place): string[] {
    return nodes.flatMap(({ text }) => expandFishWord(text, this.#lookup(place)));
  }

  #loop(node: FishNode, place: Place): void {
    const name = node.children.find(({ type }) => type === 'string')?.text ?? '';
    const list = node.children.find(({ type }) => type === 'argument_list')?.children ?? [];
    this.#variables.set(name, this.#words(list, place));
  }

  /** A function that runs itself, by whatever way, in a pipeline or in the background; a loop that never ends of background jobs. */
  #function(node: FishNode): void {
    const [first] = node.children;
    if (first?.type === 'while_header' && callsOf(first).join() === 'true') {
      const jobs = node.children.filter(({ type }) => type === 'job_list').flatMap(({ children }) => children).flatMap(({ children }) => children.filter(({ type }) => type === 'job'));
      if (jobs.length > 0 && jobs.every(isBackground)) this.#reader.fact('fork-bomb', 'while true');
    }
    const header = node.children.find(({ type }) => type === 'function_header');
    const name = header?.children.find(({ type }) => type === 'argument')?.text;
    if (name === undefined) return;
    this.#reader.scope.define(name);
    this.#functions.set(name, node);
    for (const [own, body] of this.#functions) if (parallelCallsOf(body).some((called) => this.#reaches(called, own))) this.#reader.fact('fork-bomb', own);
  }

  #reaches(from: string, name: string): boolean {
    const seen = new Set<string>();
    const queue = [from];
    for (let called = queue.pop(); called !== undefined; called = queue.pop()) {
      if (called === name) return true;
      const body = this.#functions.get(called);
      if (seen.has(called) || body === undefined) continue;
      seen.add(called);
      queue.push(...callsOf(body));
    }
    return false;
  }

  #setVariables(argv: readonly string[]): void {
    if (argv[0] !== 'set') return;
    const at = argv.findIndex((word, index) => index > 0 && !word.startsWith('-'));
    const [name, ...values] = at < 0 ? [] : argv.slice(at);
    if (name !== undefined && !argv.includes('-e')) this.#variables.set(name, [...(this.#variables.get(name) ?? []), ...values]);
  }

  #lookup(place: Place): FishLookup {
    return {
      home: this.#options.home,
      variable: (name) => (name === 'HOME' ? [this.#options.home] : name === 'PWD' ? this.#reader.scope.directories : name === 'SHELL' ? ['/usr/bin/fish'] : this.#variables.get(name)),
      substitution: (code) => this.#substitution(code, place),
    };
  }

  /** Reads the commands of a substitution, and gives its output where one simple command makes it. */
  #substitution(code: string, place: Place): readonly string[] {
    const from = this.#reader.commands.length;
    this.readText(code, alone(place));
    const added = this.#reader.commands.slice(from);
    const [only] = added;
    if (added.at(-1)?.program === 'psub') return [`/dev/fd/${added.some(({ program }) => isFetcher(program)) ? FROM_NETWORK : UNKNOWN}`];
    if (only === undefined || added.length > 1) return added.some(({ program }) => isFetcher(program)) ? [FROM_NETWORK] : [UNKNOWN];
    return outputOf([only.path, ...only.args], { input: undefined, directories: only.directories }).map((text) => text.trimEnd());
  }
}

function isError({ type, text }: FishNode): boolean {
  return /error|unsourced/.test(type) || (type === 'keyword' && /unknown|error/.test(text));
}

function count(node: FishNode, type: string): number {
  return (node.type === type ? 1 : 0) + node.children.reduce((sum, child) => sum + count(child, type), 0);
}

function some(node: FishNode, test: (node: FishNode) => boolean): boolean {
  return test(node) || node.children.some((child) => some(child, test));
}

function isBackground(job: FishNode): boolean {
  return job.children.some(({ type }) => type === "a '&'");
}

/** What is called in the background, or in a pipeline of several. */
function parallelCallsOf(node: FishNode): string[] {
  const isParallel = node.type === 'job' && (isBackground(node) || node.children.some(({ type, children }) => type === 'job_continuation_list' && children.length > 0));
  return isParallel ? callsOf(node) : node.children.flatMap(parallelCallsOf);
}

function callsOf(node: FishNode): string[] {
  const own = node.type === 'decorated_statement' ? node.children.filter(({ type }) => type === 'string').map(({ text }) => text) : [];
  return [...own, ...node.children.flatMap(callsOf)];
}
