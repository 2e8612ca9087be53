// Turns a list of words into a command, and follows what it makes run: wrappers, code in options, code from standard input.
import type { Redirection } from './command.ts';
import { escapedCode, hasEscapes } from './escapes.ts';
import { innerFor, isShell } from './inner.ts';
import { xargsWords } from './inner-search.ts';
import type { Inner } from './inner.ts';
import { readInline } from './inline-reading.ts';
import { hasSubscriptCode } from './late-evaluation.ts';
import { recipesOf } from './makefile.ts';
import { DECODED, FROM_NETWORK, hasUnknown, isKnown, quoted, UNKNOWN, UNKNOWN_WORDS } from './marks.ts';
import { optionValues, parseArguments } from './options.ts';
import type { Outputs } from './outputs.ts';
import { perName } from './per-name.ts';
import { isDecoder, isFetcher } from './producers.ts';
import { alone, contained, through } from './place.ts';
import type { Place } from './place.ts';
import type { Reader } from './reader.ts';
import { sedScript } from './sed.ts';

interface Found {
  readonly place: Place;
  readonly assignments: readonly string[];
  readonly redirections: readonly Redirection[];
  readonly text: string;
}

/** Options with which programs work in another directory. */
const ENTERING: Readonly<Record<string, string>> = { env: 'C', sudo: 'D', git: 'C', make: 'C', tar: 'C' };
/** Commands that change what later ones mean. */
const CHANGING = new Set(['cd', 'pushd', 'chdir', 'popd', 'prevd', 'nextd', 'cdh', 'alias', 'set', 'shift', 'read', 'printf', 'env', 'sudo', 'git', 'make', 'tar']);
/** fish goes to a directory that is written alone, and so does zsh where it is told to. Programs have other names. */
const A_DIRECTORY = /^(?:\/|\.\.?|.*\/(?:\.\.?)?|\/[^/]+|\/(?:home|Users)\/[^/]+)$/;
const SOURCING = new Set(['source', '.']);
/** `env env env … rm`: more is no daily work. */
const MAX_WRAPPERS = 32;

const NOTHING_APPENDED: readonly [readonly string[], readonly string[]] = [[], []];

export class Recorder {
  readonly #reader: Reader;
  readonly #outputs: Outputs | undefined;
  /** Those that are being followed. */
  #aliases: Set<string> | undefined;

  constructor(reader: Reader, outputs?: Outputs) {
    this.#reader = reader;
    this.#outputs = outputs;
  }

  record(argv: readonly string[], found: Found): void {
    this.#reader.budget.command();
    const path = argv[0] ?? '';
    const args = argv.slice(1);
    const name = named(path);
    const { program } = name;
    const { place } = found;
    this.#reader.commands.push({
      program, path, args, assignments: found.assignments, redirections: found.redirections, input: place.input, upstream: place.upstream,
      wrappers: place.wrappers, origin: place.origin, contained: place.contained, directories: this.#reader.scope.directories, text: found.text,
    });
    if (path === '') return;
    if (name.isDirectory && args.length === 0) this.#reader.scope.enter(path, this.#reader.home);
    if (name.isChanging) this.#changeScope(program, args, place);
    // an unset variable leaves the rest, and one that is set may be sudo, options of a wrapper, or a shell
    const rest = name.isUnknown && path.startsWith(UNKNOWN_WORDS) ? args.findIndex((arg) => !arg.startsWith(UNKNOWN_WORDS)) : -1;
    if (rest >= 0) this.record(args.slice(rest), found);
    if (name.isUnknown && args[0] === '-c' && args[1] !== undefined) this.#reader.readCode(args[1], '… -c', { place, isProcess: true, positional: args.slice(2) });
    if (place.wrappers.length >= MAX_WRAPPERS) {
      this.#reader.fact('limit', `more than ${MAX_WRAPPERS} wrappers`);
      return;
    }
    if (name.inner !== undefined) {
      const [words, lines] = this.#appended(program, args, place);
      for (const inner of name.inner(args, words, lines)) this.#follow(inner, program, found);
    }
    if (path === program && this.#reader.scope.defined.size > 0) this.#followName(path, args, found);
  }

  /** What a name that the script itself defines stands for. */
  #followName(name: string, args: readonly string[], found: Found): void {
    const { scope } = this.#reader;
    if (scope.functions.has(name)) {
      if (args.some(hasSubscriptCode)) this.#reader.fact('late-evaluation', found.text);
      this.#reader.followCall(name, args, found.place);
    }
    const text = scope.aliases.get(name);
    if (text === undefined || this.#aliases?.has(name) === true) return;
    const following = (this.#aliases ??= new Set<string>());
    following.add(name); // `alias ls='ls --color'` does not go round
    if (/^[\w./@%+=:, -]*$/.test(text)) this.record([...text.split(' ').filter((word) => word !== ''), ...args], found);
    else if (args.every(isKnown)) this.#reader.readCode([text, ...args.map(quoted)].join(' '), 'alias', { place: found.place, isProcess: false });
    following.delete(name);
  }

  /** Redirections of a compound command: a command without a name. */
  recordRedirections(redirections: readonly Redirection[], place: Place, text: string): void {
    if (redirections.length > 0) this.record([], { place, assignments: [], redirections, text });
  }

  /** What `${name:=text}` gives to a variable: a command without a name, too. */
  recordAssignments(assignments: readonly string[], place: Place, text: string): void {
    this.record([], { place, assignments, redirections: [], text });
  }

  #follow(inner: Inner, program: string, found: Found): void {
    const { place } = found;
    const within = through(place, program);
    switch (inner.kind) {
      case 'argv':
        return this.record(inner.argv, { ...found, place: inner.contained === true ? contained(within) : within, assignments: inner.assignments ?? [], redirections: [] });
      case 'code':
        return this.#reader.readCode(inner.code, inner.name, { place: within, isProcess: inner.isProcess === true, positional: inner.positional });
      case 'inline':
        return this.#inline(inner.code, inner.language, found);
      case 'input':
        return this.#readInput(inner.language, program, found);
      case 'file':
        return this.#runFile(inner, program, found);
    }
  }

  /** Only of what a process substitution gives the text may be known. */
  #runFile({ path, positional }: Inner & { kind: 'file' }, program: string, found: Found): void {
    const texts = isShell(program) || SOURCING.has(program) ? this.#outputs?.textsAt(path) : undefined;
    if (path.includes(FROM_NETWORK)) this.#reader.fact('network-code', `${program} ${path}`);
    else if (texts !== undefined) for (const text of texts) this.#reader.readCode(text, isShell(program) ? `${program} -c` : program, { place: through(found.place, program), isProcess: isShell(program), positional });
    else if (/^https?:/.test(path)) this.#reader.fact('unknown-code', `${program} ${path}`); // deno and bun fetch it
    else if (isDescriptor(path)) this.#reader.fact(found.redirections.some(({ targets }) => targets.some((target) => target.includes(FROM_NETWORK))) ? 'network-code' : 'unknown-code', `${program} ${path}`);
  }

  /** A shell, or an interpreter, that reads what to do. */
  #readInput(language: string, program: string, found: Found): void {
    const { place } = found;
    if ((language === 'sh' || language === 'ssh') && found.redirections.some(({ targets }) => targets.some(isFromConnection))) this.#reader.fact('unknown-code', program);
    if (place.input === undefined) return; // a terminal, or nothing
    const { texts, from } = place.input;
    if (hasEscapes(language)) {
      const within = through(alone(place), program);
      for (const code of (texts ?? []).filter(isKnown).flatMap((text) => escapedCode(language, text))) this.#reader.readCode(code, `${program}'s input`, { place: within, isProcess: true });
      return;
    }
    if (from === 'file' && found.redirections.some(({ operator, targets }) => operator === '<&' && targets.some((target) => target !== '0'))) this.#reader.fact('unknown-code', `${program} <&…`);
    if (from === 'pipe' && place.upstream.some((command) => isFetcher(command.program))) {
      this.#reader.fact('network-code', `… | ${program}`);
      return;
    }
    if (texts?.some((text) => text.includes(FROM_NETWORK)) === true) this.#reader.fact('network-code', program);
    else if (from === 'pipe' && place.upstream.some((command) => isDecoder(command.program, command.args)) || texts?.some((text) => text.includes(DECODED)) === true) this.#reader.fact('decoded-code', `… | ${program}`);
    else if (from === 'pipe' && (texts === undefined || texts.some(hasUnknown))) this.#reader.fact('unknown-code', `… | ${program}`);
    for (const text of texts ?? []) {
      if (text.includes(DECODED) || text.includes(FROM_NETWORK)) continue;
      const within = through(alone(place), program);
      if (language === 'sh' || language === 'ssh') this.#reader.readCode(text, `${program}'s input`, { place: within, isProcess: true });
      else this.#inline(text, language, { ...found, place: within });
    }
  }

  #inline(code: string, language: string, found: Found): void {
    if (language === 'sed') {
      for (const inner of sedScript(code)) this.#follow(inner, 'sed', found);
      return;
    }
    if (language === 'make') {
      for (const recipe of recipesOf(code)) this.#reader.readCode(recipe, 'a makefile', { place: found.place, isProcess: true });
      return;
    }
    const within = through(found.place, language);
    if (code.includes(FROM_NETWORK)) this.#reader.fact('network-code', language);
    else if (hasUnknown(code) && /^[\uFDD0-\uFDD3\s]*$/.test(code)) this.#reader.fact('unknown-code', language);
    const { shell, argv, deletes, writes, isOpaque, isForkLoop } = readInline(code, language);
    if (isForkLoop) this.#reader.fact('fork-bomb', language);
    if (isOpaque) this.#reader.fact('inline-code', language);
    for (const text of shell) this.#reader.readCode(text, `code of ${language}`, { place: within, isProcess: true });
    for (const words of argv) this.record(words, { ...found, place: within, assignments: [], redirections: [] });
    for (const path of writes) this.record(['tee', this.#expanded(path)], { ...found, place: within, assignments: [], redirections: [] });
    for (const path of deletes) this.record(['rm', '-rf', path], { ...found, place: within, assignments: [], redirections: [] });
  }

  /** `~/x`, as expanduser() and its like make it. */
  #expanded(path: string): string {
    return path.startsWith('~/') ? this.#reader.home + path.slice(1) : path;
  }

  /** What xargs and parallel append from their input: its words, or its lines. */
  #appended(program: string, args: readonly string[], { input, upstream }: Place): readonly [readonly string[], readonly string[]] {
    if (program !== 'xargs' && program !== 'parallel') return NOTHING_APPENDED;
    if (upstream.some((command) => isFetcher(command.program))) return [[FROM_NETWORK], []];
    const known = input?.texts?.filter(isKnown) ?? [];
    if (known.length === 0) return [[UNKNOWN_WORDS], []];
    const words = known.flatMap((text) => (program === 'xargs' ? xargsWords(args, text) : text.split(/\s+/).filter((piece) => piece !== '')));
    return [[...words, ...(known.length === input?.texts?.length ? [] : [UNKNOWN_WORDS])], known.flatMap((text) => text.split('\n').filter((piece) => piece.trim() !== ''))];
  }

  /** `name=text`; in fish also `name text`. */
  #define(args: readonly string[]): void {
    const { scope } = this.#reader;
    const [name = '', ...rest] = args;
    const definitions = args.some((arg) => arg.includes('=')) || rest.length === 0 ? args : [`${name}=${rest.join(' ')}`];
    for (const definition of definitions) {
      const at = definition.indexOf('=');
      scope.define(at < 0 ? definition : definition.slice(0, at));
      if (at > 0) scope.alias(definition.slice(0, at), definition.slice(at + 1));
      // bash looks for the here-document behind the alias, and runs the lines that seem to be it
      if (/<<[^<][^\n]*\n/.test(definition)) this.#reader.fact('unaccounted', definition);
    }
  }

  #changeScope(program: string, args: readonly string[], place: Place): void {
    const { scope, home } = this.#reader;
    if (program === 'cd' || program === 'pushd' || program === 'chdir') {
      const targets = args.filter((arg) => !/^-[LPe@]+$/.test(arg) && arg !== '--');
      if (targets[0] === '-' || /^[-+]\d/.test(targets[0] ?? '')) scope.goBack(home);
      // zsh replaces one by the other in the path; CDPATH may lead anywhere
      else scope.enter(targets.length > 1 || ((this.#reader.hasCdPath || scope.isGiven('CDPATH') || scope.isGiven('cdpath')) && isSearched(targets[0])) ? UNKNOWN : targets[0], home);
    }
    if (program === 'popd' || program === 'prevd' || program === 'nextd' || program === 'cdh') scope.goBack(home);
    if (program === 'alias') this.#define(args);
    if (program === 'set') {
      const at = args.indexOf('--');
      const words = at >= 0 ? args.slice(at + 1) : parseArguments(args, { values: 'o', stopsAtOperand: true }).operands;
      if ((at >= 0 || words.length > 0) && this.#reader.shell !== 'fish') scope.positional = ['', ...words];
    }
    if (program === 'shift') scope.shift(Number(args[0] ?? 1));
    if (program === 'read' && place.input?.texts !== undefined) {
      const names = args.filter((arg) => /^[A-Za-z_]\w*$/.test(arg));
      for (const text of place.input.texts) {
        for (const line of text.split('\n').slice(0, 16)) {
          const words = line.trim().split(/\s+/);
          if (hasSubscriptCode(line)) this.#reader.fact('late-evaluation', line);
          (names.length === 0 ? ['REPLY'] : names).forEach((name, index) => scope.give(name, (index === names.length - 1 ? words.slice(index).join(' ') : words[index]) ?? '', place.tree));
        }
      }
    }
    if (program === 'printf' && args[0] === '-v' && args[1] !== undefined && /^\w+$/.test(args[1]) && args.length >= 3 && args.slice(2).every(isKnown) && args[2] === '%s') scope.give(args[1], args[3] ?? '', place.tree);
    const letters = ENTERING[program];
    if (letters !== undefined) for (const directory of optionValues(parseArguments(args, { values: letters, longValues: ['chdir', 'directory'], stopsAtOperand: program !== 'make' && program !== 'tar' }), letters, 'chdir', 'directory')) scope.enter(directory, home);
  }
}

/** Whether `cd` looks for it in CDPATH. */
function isSearched(target: string | undefined): boolean {
  return target !== undefined && !/^(?:\/|\.\.?(?:\/|$))/.test(target);
}

/** A descriptor other than the input, by its name as a file. */
function isDescriptor(path: string): boolean {
  return /^\/(?:dev|proc\/(?:self|\$\$|\d+))\/fd\/[^0]/.test(path);
}

/** What bash opens as a connection. */
function isFromConnection(target: string): boolean {
  return /^\/dev\/(?:tcp|udp)\//.test(target);
}

/** What the first word of a command says by itself. */
const named = perName((path) => {
  const program = programOf(path);
  return { program, inner: innerFor(program), isUnknown: hasUnknown(path), isDirectory: A_DIRECTORY.test(path), isChanging: CHANGING.has(program) };
});

/** The last part of a path. */
function programOf(path: string): string {
  if (!/[/\\.]/.test(path)) return path;
  if (/^\/proc\/(?:self|thread-self|\d+)\/exe$/.test(path)) return 'bash'; // the shell itself
  const clean = path.replace(/\/+$/, '');
  const name = clean.slice(clean.lastIndexOf('/') + 1);
  return name.endsWith('.exe') ? name : name.replace(/^\\/, '');
}
