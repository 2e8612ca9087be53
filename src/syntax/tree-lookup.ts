// What the words of one tree are expanded with: the values of its variables, and what its substitutions print.
import type { Lookup } from './expand.ts';
import { UNKNOWN } from './marks.ts';
import type { Outputs } from './outputs.ts';
import type { Tree } from './parse.ts';
import type { Reader } from './reader.ts';

export class TreeLookup implements Lookup {
  readonly tree: Tree;
  readonly home: string;
  readonly #reader: Reader;
  readonly #outputs: Outputs;

  constructor(reader: Reader, outputs: Outputs, tree: Tree) {
    this.tree = tree;
    this.home = reader.home;
    this.#reader = reader;
    this.#outputs = outputs;
  }

  variable(name: string, position: number): readonly string[] | undefined {
    const { scope } = this.#reader;
    const values = scope.values(name, { tree: this.tree, position, lookup: this });
    return values === undefined || scope.isOwn(name) || name === 'HOME' || name === 'PWD' || /^[\d@*]$/.test(name) ? values : [...new Set([...values, UNKNOWN])];
  }

  substitution(script: Tree | undefined): readonly string[] {
    return this.#reader.budget.output(() => this.#outputs.ofScript(script)) ?? [UNKNOWN];
  }

  opened(texts: readonly string[]): string {
    return this.#outputs.opened(texts);
  }
}
