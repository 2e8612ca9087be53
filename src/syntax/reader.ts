// Walks the tree of a script: pipelines, functions, loops, substitutions. What a simple command is about is left to recorder.ts.
import type { Fact, Reading, SimpleCommand } from './command.ts';
import { argvOf, redirectionOf } from './command-words.ts';
import type { FoundRedirection } from './command-words.ts';
import { assignmentTexts, expandText, expandWord } from './expand.ts';
import type { Lookup } from './expand.ts';
import { Budget, LimitReached, MAX_CALLS, MAX_NESTING, MAX_UPSTREAM } from './limits.ts';
import { asSource, DECODED, FROM_NETWORK, hasUnknown, UNKNOWN } from './marks.ts';
import { forEachChild } from './parse.ts';
import type { CommandNode, FunctionNode, Node, PipelineNode, RedirectionNode, Tree, Word } from './parse.ts';
import { Outputs } from './outputs.ts';
import { alone, behind, feeding, inText, inTree, OUTSIDE, reading, textOf } from './place.ts';
import type { Place } from './place.ts';
import { parseBounded } from './prescan.ts';
import { Recorder } from './recorder.ts';
import { Scope } from './scope.ts';
import { TreeLookup } from './tree-lookup.ts';
import { inputOf } from './input.ts';
import { isEndlessFork, isForkBomb, multipliesItself } from './fork-bomb.ts';
import { evaluatedTexts, hasSubscriptCode } from './late-evaluation.ts';
import { COMMAND_UNKNOWN, hasCommand, isBalanced } from './misread.ts';
import { foreignSyntax } from './zsh.ts';

export interface ReaderOptions {
  readonly cwd: string;
  readonly home: string;
  readonly shell: string;
  readonly hasCdPath?: boolean | undefined;
}

export class Reader {
  readonly commands: SimpleCommand[] = [];
  readonly facts: Fact[] = [];
  readonly budget = new Budget();
  readonly home: string;
  readonly shell: string;
  /** `cd` may lead elsewhere. */
  readonly hasCdPath: boolean;
  readonly scope: Scope;
  /** How code of fish is read; without it a script of fish inside another is not. */
  fishCode: ((code: string, place: Place) => void) | undefined;
  readonly #recorder: Recorder;
  readonly #outputs: Outputs;
  /** That of the tree that was asked for last. */
  #lookup: TreeLookup | undefined;
  /** Functions that are being followed. */
  #calling: Set<string> | undefined;
  #calls = 0;
  /** The function whose body is being read. */
  #defining: string | undefined;
  #nesting = 0;
  #processes = 0;

  constructor({ cwd, home, shell, hasCdPath = false }: ReaderOptions) {
    this.shell = shell;
    this.hasCdPath = hasCdPath;
    this.home = home;
    this.scope = new Scope(cwd);
    this.#outputs = new Outputs(this);
    this.#recorder = new Recorder(this, this.#outputs);
  }

  reading(): Reading {
    return { commands: this.commands, facts: this.facts, defined: this.scope.defined, directories: this.scope.directories };
  }

  /** Reads a whole script; a limit or a fault of the parser ends it, and is noted. */
  readText(text: string): void {
    this.guarded(() => this.#readTree(parseBounded(text), text, OUTSIDE));
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
  readCode(code: string, name: string, { place, isProcess, positional }: { readonly place: Place; readonly isProcess: boolean; readonly positional?: readonly string[] | undefined }): void {
    const text = asSource(code);
    if (text.trim() === '') return;
    if (text.includes(FROM_NETWORK)) this.fact('network-code', name);
    else if (text.includes(DECODED)) this.fact('decoded-code', name);
    else if (hasUnknown(text) && (name !== 'trap' || COMMAND_UNKNOWN.test(text))) this.fact('unknown-code', name);
    const foreign = name.startsWith('zsh') || (this.shell === 'zsh' && !isProcess) ? foreignSyntax(text, false) : undefined; // in quotes it was not looked at
    if (foreign !== undefined) this.fact('foreign-syntax', foreign);
    this.budget.reparse(text.length);
    if (++this.#nesting > MAX_NESTING) throw new LimitReached(`code inside code, more than ${MAX_NESTING} deep`);
    const { process: parent, positional: hadPositional } = this.scope;
    if (isProcess) this.scope.process = ++this.#processes;
    if (isProcess) this.scope.positional = positional ?? [];
    try {
      const within = inText(place, name);
      // what fish evaluates itself is fish, and so is the code of `fish -c`
      if (name === 'fish -c' || (this.shell === 'fish' && !isProcess)) this.#readFish(text, within);
      else this.#readTree(parseBounded(text), text, within);
    } finally {
      this.#nesting--;
      this.scope.process = parent;
      this.scope.positional = hadPositional;
    }
  }

  #readFish(text: string, place: Place): void {
    if (this.fishCode === undefined) this.fact('foreign-syntax', 'code of fish, and no fish to read it');
    else this.fishCode(text, place);
  }

  #readTree(tree: Tree, source: string, place: Place): void {
    this.scope.collect(tree, source);
    if (source.includes('$') && /\$\{?(?:0|BASH_SOURCE)\b/.test(source) && multipliesItself(tree)) this.fact('fork-bomb', '$0');
    this.#suspectFork(tree, tree);
    this.#visit(tree, inTree(place, { tree, source }));
  }

  #visit(node: Node, place: Place): void {
    this.budget.node();
    switch (node.type) {
      case 'Word':
        return node.parts === undefined ? undefined : this.#children(node, place);
      case 'Script':
        for (const error of node.errors ?? []) this.fact('syntax-error', error.message);
        for (const command of node.commands) this.#visit(command, node === place.tree ? place : inTree(place, { tree: node, source: place.source }));
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
      case 'While': case 'ArithmeticFor':
        if (isEndlessFork(node)) this.fact('fork-bomb', this.#slice(node, place));
        return this.#children(node, place);
      case 'For': case 'Select':
        if (/^[A-Z]/.test(node.name.value)) this.#recorder.recordAssignments((node.wordlist?.flatMap((word) => expandText(word, this.lookup(place.tree))) ?? [UNKNOWN]).map((text) => `${node.name.value}=${text}`), place, node.name.text);
        this.#suspect(node, place);
        return this.#children(node, place);
      case 'Assignment': case 'TestUnary': case 'TestBinary':
        this.#suspect(node, place);
        return this.#children(node, place);
      case 'Function':
        return this.#function(node, place);
      case 'Redirected': {
        const redirections = node.redirects.flatMap((redirect) => this.redirection(redirect, place.tree));
        this.#recorder.recordRedirections(redirections, place, this.#slice(node, place));
        const input = inputOf(redirections) ?? place.input;
        const from = this.commands.length;
        this.#visit(node.command, reading(place, input));
        const fed = { input: { from: 'pipe' as const }, upstream: this.commands.slice(from, from + MAX_UPSTREAM) };
        for (const redirect of node.redirects) this.#children(redirect, feeding(place, fed));
        return;
      }
      case 'ParameterExpansion':
        if (node.operation?.type === 'Transform' && node.operation.operand.value.includes('P')) this.fact('late-evaluation', node.text);
        if (node.operation?.type === 'Default' && node.operation.operator.includes('=')) this.#recorder.recordAssignments(expandText(node.operation.operand, this.lookup(place.tree)).map((text) => `${node.parameter}=${text}`), place, node.text);
        this.#readTornPattern(node, place);
        return this.#children(node, place);
      case 'ArithmeticCommand': case 'ArithmeticExpansion':
        if (hasCommand(textOf(node, place))) this.fact('unaccounted', this.#slice(node, place));
        return this.#children(node, place);
      case 'CommandExpansion': case 'ProcessSubstitution':
        if (node.script === undefined) this.fact('syntax-error', 'a substitution that cannot be read');
        this.budget.enter();
        this.#children(node, node.type === 'ProcessSubstitution' && node.operator === '>' && place.fed !== undefined ? feeding(behind(place, place.fed), undefined) : alone(place));
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

  /** A value that arithmetic would evaluate later. */
  #suspect(node: Node, place: Place): void {
    const text = this.#slice(node, place);
    if (/[[\\$]/.test(text) && evaluatedTexts(node, this.lookup(place.tree)).some(hasSubscriptCode)) this.fact('late-evaluation', text);
  }

  /** What a function of the script does when it is called with these arguments. */
  followCall(name: string, args: readonly string[], place: Place): void {
    const called = this.scope.functions.get(name);
    if (called === undefined || args.length === 0 || this.#calling?.has(name) === true || this.#calls >= MAX_CALLS) return;
    const text = (called.tree.source ?? called.source).slice(called.body.pos, called.body.end);
    if (!/\$\{?[!#]?[1-9@*]/.test(text)) return;
    const { positional } = this.scope;
    this.#calls++;
    const calling = (this.#calling ??= new Set<string>());
    calling.add(name);
    this.scope.positional = ['', ...args];
    this.#visit(called.body, inTree(place, called));
    this.scope.positional = positional;
    calling.delete(name);
  }

  #children(node: Node, place: Place): void {
    forEachChild(node, (child) => this.#visit(child, place));
  }

  #pipeline(node: PipelineNode, place: Place): void {
    let upstream = place.upstream;
    let { input } = place;
    for (const [index, stage] of node.commands.entries()) {
      const from = this.commands.length;
      this.#visit(stage, behind(place, { input, upstream }));
      upstream = [...upstream, ...this.commands.slice(from)];
      if (upstream.length > MAX_UPSTREAM) throw new LimitReached(`more than ${MAX_UPSTREAM} commands in one pipeline`);
      if (index === node.commands.length - 1) break;
      input = { from: 'pipe', texts: stage.type === 'Command' ? this.#outputs.ofCommand(stage, place.tree, input?.texts) : undefined };
    }
  }

  #function(node: FunctionNode, place: Place): void {
    const outer = this.#defining;
    this.#defining = node.name.value;
    this.#suspectFork(undefined, place.tree);
    const { positional } = this.scope;
    this.scope.positional = undefined;
    this.#visit(node.body, place);
    this.scope.positional = positional;
    this.#defining = outer;
  }

  /** Whether the function that is being read multiplies itself, by its body or by code that it evaluates. */
  #suspectFork(body: Tree | undefined, tree: Tree): void {
    const name = this.#defining;
    if (name === undefined) return;
    const resolve = (word: Word): readonly string[] => (/^"?\$\{?FUNCNAME\b/.test(word.text) ? [name] : expandWord(word, this.lookup(tree)).flatMap(([first]) => first ?? []));
    if (isForkBomb(name, this.scope.functions, { resolve, ...(body === undefined ? {} : { body }) })) this.fact('fork-bomb', name);
  }

  #command(node: CommandNode, place: Place): void {
    const lookup = this.lookup(place.tree);
    const redirections = node.redirects.length === 0 ? [] : node.redirects.flatMap((redirect) => this.redirection(redirect, place.tree));
    const input = inputOf(redirections) ?? place.input;
    const assignments = node.prefix.length === 0 ? [] : node.prefix.flatMap((part) => (part.type === 'Assignment' ? assignmentTexts(part, lookup) : []));
    const found = { place: reading(place, input), assignments, redirections, text: this.#slice(node, place) };
    const from = this.commands.length;
    for (const argv of this.argv(node, lookup)) this.#recorder.record(argv, found);
    if (isPlain(node)) return;
    const within = alone(place);
    const fed = found.text.includes('>(') ? { input: { from: 'pipe' as const, texts: this.#outputs.ofCommand(node, place.tree, input?.texts) }, upstream: [...place.upstream, ...this.commands.slice(from)] } : undefined;
    this.#children(node, fed === undefined ? within : feeding(within, fed));
  }

  /** The lists of words that a command may become. */
  argv(node: CommandNode, lookup: Lookup): readonly (readonly string[])[] {
    return argvOf(node, lookup, this.budget);
  }

  redirection(node: RedirectionNode, tree: Tree): readonly FoundRedirection[] {
    // bash takes the tabs off the lines, but not off the word that ends them
    if (node.type === 'HereDoc' && node.operator === '<<-' && node.delimiter?.value.startsWith('\t') === true) this.fact('unaccounted', node.delimiter.text);
    return redirectionOf(node, this.lookup(tree));
  }

  lookup(tree: Tree): Lookup {
    if (this.#lookup?.tree === tree) return this.#lookup;
    this.#lookup = new TreeLookup(this, this.#outputs, tree);
    return this.#lookup;
  }

  #slice(node: Node, place: Place): string {
    return textOf(node, place).slice(0, 200);
  }
}

/** Whether nothing in the words of a command is expanded, and nothing stands beside them. */
function isPlain({ prefix, redirects, name, args }: CommandNode): boolean {
  return prefix.length === 0 && redirects.length === 0 && name?.parts === undefined && args.every((arg) => arg.type === 'Word' && arg.parts === undefined);
}
