// Walks the tree of a script: pipelines, functions, loops, substitutions. What a simple command is about is left to recorder.ts.
import type { Fact, Input, Reading, SimpleCommand } from './command.ts';
import { expandQuoted, expandText, expandWord, plainValue } from './expand.ts';
import type { Lookup } from './expand.ts';
import { Budget, LimitReached, MAX_ALTERNATIVES, MAX_NESTING, MAX_UPSTREAM } from './limits.ts';
import { asSource, DECODED, FROM_NETWORK, hasUnknown, UNKNOWN, UNKNOWN_WORDS } from './marks.ts';
import { forEachChild, isPlainBody } from './parse.ts';
import type { CommandNode, FunctionNode, Node, PipelineNode, RedirectionNode, Tree } from './parse.ts';
import { parseBounded } from './prescan.ts';
import { isFetcher, isShellSetup, outputOf, trimmed } from './producers.ts';
import { Recorder } from './recorder.ts';
import { Scope } from './scope.ts';
import { inputOf } from './input.ts';
import { isForkBomb } from './fork-bomb.ts';
import { hasCommand, isBalanced } from './misread.ts';

/** Where a command stands: what it inherits from around it. */
export interface Place {
  readonly tree: Tree;
  readonly source: string;
  readonly input: Input | undefined;
  readonly upstream: readonly SimpleCommand[];
  readonly wrappers: readonly string[];
  readonly origin: readonly string[];
  readonly contained: boolean;
}

export interface ReaderOptions {
  readonly cwd: string;
  readonly home: string;
  readonly shell: string;
}

export class Reader {
  readonly commands: SimpleCommand[] = [];
  readonly facts: Fact[] = [];
  readonly budget = new Budget();
  readonly home: string;
  readonly scope: Scope;
  /** How code of fish is read; without it a script of fish inside another is not. */
  fishCode: ((code: string, place: Omit<Place, 'tree' | 'source'>) => void) | undefined;
  readonly #recorder: Recorder;
  readonly #isFish: boolean;
  /** That of the tree that was asked for last. */
  #lookup: (Lookup & { readonly tree: Tree }) | undefined;
  #nesting = 0;
  #processes = 0;

  constructor({ cwd, home, shell }: ReaderOptions) {
    this.#isFish = shell === 'fish';
    this.home = home;
    this.scope = new Scope(cwd);
    this.#recorder = new Recorder(this);
  }

  reading(): Reading {
    return { commands: this.commands, facts: this.facts, defined: this.scope.defined };
  }

  /** Reads a whole script; a limit or a fault of the parser ends it, and is noted. */
  readText(text: string): void {
    this.guarded(() => this.#readTree(parseBounded(text), { source: text, input: undefined, upstream: [], wrappers: [], origin: [], contained: false }));
  }

  guarded(action: () => void): void {
    try {
      action();
    } catch (error) {
      if (error instanceof LimitReached) this.fact('limit', error.message);
      else if (error instanceof RangeError) this.fact('limit', 'too deeply nested'); // the stack, or the length of a string
      else this.fact('syntax-error', 'the parser gave up');
    }
  }

  fact(kind: Fact['kind'], detail: string): void {
    if (this.facts.length < 64 && !this.facts.some((fact) => fact.kind === kind && fact.detail === detail)) this.facts.push({ kind, detail });
  }

  /** Reads code that stands in the script as text. */
  readCode(code: string, name: string, { place, isProcess, positional }: { readonly place: Omit<Place, 'tree' | 'source'>; readonly isProcess: boolean; readonly positional?: readonly string[] | undefined }): void {
    const text = asSource(code);
    if (text.trim() === '') return;
    if (text.includes(FROM_NETWORK)) this.fact('network-code', name);
    else if (text.includes(DECODED)) this.fact('decoded-code', name);
    else if (hasUnknown(text)) this.fact('unknown-code', name);
    this.budget.reparse(text.length);
    if (++this.#nesting > MAX_NESTING) throw new LimitReached(`code inside code, more than ${MAX_NESTING} deep`);
    const { process: parent, positional: hadPositional } = this.scope;
    if (isProcess) this.scope.process = ++this.#processes;
    if (isProcess) this.scope.positional = positional ?? [];
    try {
      const within = { ...place, origin: [...place.origin, name] };
      // what fish evaluates itself is fish, and so is the code of `fish -c`
      if (name === 'fish -c' || (this.#isFish && !isProcess)) this.#readFish(text, within);
      else this.#readTree(parseBounded(text), { ...within, source: text });
    } finally {
      this.#nesting--;
      this.scope.process = parent;
      this.scope.positional = hadPositional;
    }
  }

  #readFish(text: string, place: Omit<Place, 'tree' | 'source'>): void {
    if (this.fishCode === undefined) this.fact('foreign-syntax', 'code of fish, and no fish to read it');
    else this.fishCode(text, place);
  }

  #readTree(tree: Tree, place: Omit<Place, 'tree'>): void {
    this.scope.collect(tree, place.source);
    this.#visit(tree, { ...place, tree });
  }

  #visit(node: Node, place: Place): void {
    this.budget.node();
    switch (node.type) {
      case 'Word':
        return node.parts === undefined ? undefined : this.#children(node, place);
      case 'Script':
        for (const error of node.errors ?? []) this.fact('syntax-error', error.message);
        for (const command of node.commands) this.#visit(command, node === place.tree ? place : { ...place, tree: node });
        return;
      case 'Statement':
        return this.#visit(node.command, place);
      case 'AndOr': case 'CompoundList':
        for (const command of node.commands) this.#visit(command, place);
        return;
      case 'Pipeline':
        return this.#pipeline(node, place);
      case 'Command':
        return this.#command(node, place);
      case 'Function':
        return this.#function(node, place);
      case 'Redirected': {
        const redirections = node.redirects.flatMap((redirect) => this.#redirection(redirect, place));
        this.#recorder.recordRedirections(redirections, place, this.#slice(node, place));
        const input = inputOf(redirections) ?? place.input;
        this.#visit(node.command, { ...place, input });
        for (const redirect of node.redirects) this.#children(redirect, place);
        return;
      }
      case 'ParameterExpansion':
        if (node.operation?.type === 'Transform' && node.operation.operand.value.includes('P')) this.fact('late-evaluation', node.text);
        this.#readTornPattern(node, place);
        return this.#children(node, place);
      case 'ArithmeticCommand': case 'ArithmeticExpansion':
        if (hasCommand(textOf(node, place))) this.fact('unaccounted', this.#slice(node, place));
        return this.#children(node, place);
      case 'CommandExpansion': case 'ProcessSubstitution':
        if (node.script === undefined) this.fact('syntax-error', 'a substitution that cannot be read');
        this.budget.enter();
        this.#children(node, alone(place));
        return this.budget.leave();
      default:
        return this.#children(node, place);
    }
  }

  /** The parser ends the pattern of `${x/…/…}` at a slash inside its substitution: what was torn is read again, whole. */
  #readTornPattern({ text, operation, pos }: Node & { type: 'ParameterExpansion' }, place: Place): void {
    if (operation?.type !== 'Replace' || isBalanced(operation.pattern.text)) return;
    this.fact('unaccounted', text);
    this.readCode(`: "${text.slice(operation.operatorEnd - pos, -1)}"`, 'a pattern', { place, isProcess: false });
  }

  #children(node: Node, place: Place): void {
    forEachChild(node, (child) => this.#visit(child, place));
  }

  #pipeline(node: PipelineNode, place: Place): void {
    let upstream = place.upstream;
    let { input } = place;
    for (const [index, stage] of node.commands.entries()) {
      const from = this.commands.length;
      this.#visit(stage, { ...place, upstream, input });
      upstream = [...upstream, ...this.commands.slice(from)];
      if (upstream.length > MAX_UPSTREAM) throw new LimitReached(`more than ${MAX_UPSTREAM} commands in one pipeline`);
      if (index === node.commands.length - 1) break;
      input = { from: 'pipe', texts: stage.type === 'Command' ? this.#outputs(stage, place, input?.texts) : undefined };
    }
  }

  #function(node: FunctionNode, place: Place): void {
    if (isForkBomb(node.name.value, this.scope.functions)) this.fact('fork-bomb', node.name.value);
    const { positional } = this.scope;
    this.scope.positional = undefined;
    this.#visit(node.body, place);
    this.scope.positional = positional;
  }

  #command(node: CommandNode, place: Place): void {
    const lookup = this.lookup(place.tree);
    const redirections = node.redirects.length === 0 ? [] : node.redirects.flatMap((redirect) => this.#redirection(redirect, place));
    const input = inputOf(redirections) ?? place.input;
    const assignments = node.prefix.length === 0 ? [] : node.prefix.flatMap((part) => (part.type === 'Assignment' ? this.assignmentTexts(part, lookup) : []));
    const found = { place: input === place.input ? place : { ...place, input }, assignments, redirections, text: this.#slice(node, place) };
    for (const argv of this.#argv(node, lookup)) this.#recorder.record(argv, found);
    this.#children(node, alone(place));
  }

  /** The lists of words that a command may become. */
  #argv(node: CommandNode, lookup: Lookup): readonly (readonly string[])[] {
    if (node.name === undefined) return [[]];
    let lists: string[][] = expandWord(node.name, lookup);
    for (const arg of node.args) {
      if (arg.type === 'Word' && arg.parts === undefined && lists.length === 1) {
        lists[0]?.push(plainValue(arg, lookup));
        this.budget.node();
        continue;
      }
      const own = arg.type === 'Word' ? expandWord(arg, lookup) : this.assignmentTexts(arg, lookup).map((text) => [text]);
      if (own.length < 2 || lists.length >= MAX_ALTERNATIVES) {
        // in place, since long lists would be copied for each word; when there are many, each takes another alternative
        for (const [index, list] of lists.entries()) list.push(...(index === MAX_ALTERNATIVES - 1 && own.length > 1 ? [UNKNOWN_WORDS] : own[index % own.length] ?? []));
      } else {
        const next = lists.flatMap((list) => own.map((fields) => [...list, ...fields]));
        lists = next.length > MAX_ALTERNATIVES ? [...next.slice(0, MAX_ALTERNATIVES - 1), ...lists.slice(-1).map((list) => [...list, UNKNOWN_WORDS])] : next;
      }
      if (lists.length === 1) this.budget.node();
    }
    return lists;
  }

  /** `NAME=value` as texts, each element of an array on its own. */
  assignmentTexts(node: Node & { type: 'Assignment' }, lookup: Lookup): string[] {
    const name = node.name ?? '';
    if (node.name === undefined) return [];
    if (node.value.type === 'ArrayValue') return node.value.elements.flatMap((element) => expandText(element, lookup)).slice(0, MAX_ALTERNATIVES).map((text) => `${name}=${text}`);
    return expandText(node.value, lookup).map((text) => `${name}=${text}`);
  }

  #redirection(node: RedirectionNode, place: Place): { operator: string; targets: readonly string[]; fd: number | undefined }[] {
    const lookup = this.lookup(place.tree);
    const fd = node.descriptor?.type === 'FileDescriptor' ? node.descriptor.value : undefined;
    if (node.type === 'HereDoc') {
      const texts = isPlainBody(node.body.text) || node.body.parts === undefined ? [node.body.text] : expandQuoted(node.body.parts, lookup);
      return [{ operator: '<<', targets: node.operator === '<<-' ? texts.map((text) => text.replace(/^\t+/gm, '')) : texts, fd }];
    }
    if (node.target === undefined) return [];
    return [{ operator: node.operator, targets: expandText(node.target, lookup), fd }];
  }

  lookup(tree: Tree): Lookup {
    if (this.#lookup?.tree === tree) return this.#lookup;
    const lookup: Lookup & { readonly tree: Tree } = {
      tree,
      home: this.home,
      variable: (name, position) => {
        const values = this.scope.values(name, { tree, position, lookup });
        return values === undefined || this.scope.isOwn(name) || name === 'HOME' || name === 'PWD' || /^[\d@*]$/.test(name) ? values : [...new Set([...values, UNKNOWN])];
      },
      substitution: (script) => this.budget.output(() => this.#substitution(script)) ?? [UNKNOWN],
    };
    this.#lookup = lookup;
    return lookup;
  }

  /** What a substitution gives: one simple command or pipeline may be known, anything else only by its sources. */
  #substitution(script: Tree | undefined): readonly string[] {
    if (script === undefined) return [UNKNOWN];
    if (script.commands.length === 0) return [''];
    const place: Place = { tree: script, source: '', input: undefined, upstream: [], wrappers: [], origin: [], contained: false };
    const command = script.commands.length === 1 ? script.commands[0]?.command : undefined;
    if (command?.type === 'Command') return trimmed(this.#outputs(command, place, undefined));
    if (command?.type === 'Pipeline' && command.commands.every((stage) => stage.type === 'Command')) {
      let texts: readonly string[] | undefined;
      for (const stage of command.commands) {
        if (stage.type !== 'Command') continue;
        const next = this.#outputs(stage, place, texts);
        texts = texts?.some((text) => text.includes(FROM_NETWORK)) === true && next.every((text) => hasUnknown(text)) ? [FROM_NETWORK] : texts?.includes(DECODED) === true && next.includes(UNKNOWN) ? [DECODED] : next;
      }
      return trimmed(texts ?? [UNKNOWN]);
    }
    return [this.#sourceOf(script)];
  }

  /** Whether anything in a script fetches or decodes. */
  #sourceOf(node: Node): string {
    let found = UNKNOWN;
    forEachChild(node, (child) => {
      this.budget.node();
      const own = child.type === 'Command' && child.name !== undefined ? (isFetcher(child.name.value.replace(/^.*\//, '')) ? FROM_NETWORK : UNKNOWN) : this.#sourceOf(child);
      if (own !== UNKNOWN) found = own;
    });
    return found;
  }

  /** The output of a simple command. Programs whose output is made for eval give no text, and no doubt. */
  #outputs(node: CommandNode, place: Place, input: readonly string[] | undefined): readonly string[] {
    this.budget.words(node.args.length + node.redirects.length + 1);
    const lookup = this.lookup(place.tree);
    const redirections = node.redirects.flatMap((redirect) => this.#redirection(redirect, place));
    const own = inputOf(redirections);
    if (node.name === undefined) return redirections.some(({ targets }) => targets.some((target) => target.includes(FROM_NETWORK))) ? [FROM_NETWORK] : [UNKNOWN];
    const lists = this.#argv(node, lookup);
    return lists.slice(0, MAX_ALTERNATIVES).flatMap((argv) => this.#outputOf(argv, own?.texts ?? input));
  }

  #outputOf(argv: readonly string[], input: readonly string[] | undefined): readonly string[] {
    const program = (argv[0] ?? '').replace(/^.*\//, '');
    if (isShellSetup(program) && argv.length > 1) return [''];
    const wrapped = ['sudo', 'env', 'command', 'timeout', 'builtin'].includes(program) ? argv.slice(1).find((arg) => isFetcher(arg.replace(/^.*\//, ''))) : undefined;
    if (wrapped !== undefined) return [FROM_NETWORK];
    return outputOf(argv, { input, directories: this.scope.directories });
  }

  #slice(node: Node, place: Place): string {
    return textOf(node, place).slice(0, 200);
  }
}

/** What stands inside a command reads and follows nothing that the command does. */
function alone(place: Place): Place {
  return place.input === undefined && place.upstream.length === 0 ? place : { ...place, input: undefined, upstream: [] };
}

function textOf({ pos, end }: Node, { tree, source }: Place): string {
  return (tree.source ?? source).slice(pos, end);
}
