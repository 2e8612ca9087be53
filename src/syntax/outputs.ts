// What substitutions and stages of a pipeline print, where it can be told from their words.
import { DECODED, FROM_NETWORK, hasUnknown, isKnown, OPENED, UNKNOWN } from './marks.ts';
import { MAX_ALTERNATIVES, MAX_UPSTREAM } from './limits.ts';
import { inputOf } from './input.ts';
import { forEachChild } from './parse.ts';
import type { CommandNode, Node, Tree } from './parse.ts';
import { isFetcher, outputOf, trimmed } from './producers.ts';
import type { Reader } from './reader.ts';

/** The path of a process substitution whose text is known, by its number; no text makes such a path itself. */
const NUMBERED = new RegExp(`^/dev/fd/${UNKNOWN}${OPENED}(\\d+)${OPENED}$`);

export class Outputs {
  readonly #reader: Reader;
  /** What the process substitutions give whose text is known. */
  readonly #opened: (readonly string[])[] = [];

  constructor(reader: Reader) {
    this.#reader = reader;
  }

  /** What a substitution gives: one simple command or pipeline may be known, anything else only by its sources. */
  ofScript(script: Tree | undefined): readonly string[] {
    if (script === undefined) return [UNKNOWN];
    if (script.commands.length === 0) return [''];
    const command = script.commands.length === 1 ? script.commands[0]?.command : undefined;
    if (command?.type === 'Command') return trimmed(this.ofCommand(command, script, undefined));
    if (command?.type === 'Pipeline' && command.commands.length <= MAX_UPSTREAM && command.commands.every((stage) => stage.type === 'Command')) {
      let texts: readonly string[] | undefined;
      for (const stage of command.commands) {
        if (stage.type !== 'Command') continue;
        const next = this.ofCommand(stage, script, texts);
        texts = texts?.some((text) => text.includes(FROM_NETWORK)) === true && next.every((text) => hasUnknown(text)) ? [FROM_NETWORK] : texts?.includes(DECODED) === true && next.includes(UNKNOWN) ? [DECODED] : next;
      }
      return trimmed(texts ?? [UNKNOWN]);
    }
    return [this.#sourceOf(script)];
  }

  /** The path of a process substitution; a program that only sets up the shell counts as if it wrote nothing. */
  opened(texts: readonly string[]): string {
    if (texts.some((text) => text.includes(FROM_NETWORK))) return `/dev/fd/${FROM_NETWORK}`;
    if (texts.every((text) => text === '')) return '/dev/null';
    return texts.every(isKnown) ? `/dev/fd/${UNKNOWN}${OPENED}${this.#opened.push(texts) - 1}${OPENED}` : `/dev/fd/${UNKNOWN}`;
  }

  /** What is read from such a path, when that is known. */
  textsAt(path: string): readonly string[] | undefined {
    const [, number] = NUMBERED.exec(path) ?? [];
    return number === undefined ? undefined : this.#opened[Number(number)];
  }

  /** Whether anything in a script fetches or decodes. */
  #sourceOf(node: Node): string {
    let found = UNKNOWN;
    forEachChild(node, (child) => {
      this.#reader.budget.node();
      const own = child.type === 'Command' && child.name !== undefined ? (isFetcher(child.name.value.replace(/^.*\//, '')) ? FROM_NETWORK : UNKNOWN) : this.#sourceOf(child);
      if (own !== UNKNOWN) found = own;
    });
    return found;
  }

  /** The output of a simple command. */
  ofCommand(node: CommandNode, tree: Tree, input: readonly string[] | undefined): readonly string[] {
    this.#reader.budget.words(node.args.length + node.redirects.length + 1);
    const lookup = this.#reader.lookup(tree);
    const redirections = node.redirects.flatMap((redirect) => this.#reader.redirection(redirect, tree));
    const own = inputOf(redirections);
    if (node.name === undefined) return redirections.some(({ targets }) => targets.some((target) => target.includes(FROM_NETWORK))) ? [FROM_NETWORK] : [UNKNOWN];
    const lists = this.#reader.argv(node, lookup);
    return lists.slice(0, MAX_ALTERNATIVES).flatMap((argv) => this.#outputOf(argv, own?.texts ?? input));
  }

  #outputOf(argv: readonly string[], input: readonly string[] | undefined): readonly string[] {
    const program = (argv[0] ?? '').replace(/^.*\//, '');
    const wrapped = ['sudo', 'env', 'command', 'timeout', 'builtin'].includes(program) ? argv.slice(1).find((arg) => isFetcher(arg.replace(/^.*\//, ''))) : undefined;
    if (wrapped !== undefined) return [FROM_NETWORK];
    return outputOf(argv, { input, directories: this.#reader.scope.directories });
  }
}
