// Where a command stands in a script: what it inherits from around it.
import type { Input, SimpleCommand } from './command.ts';
import { parseScript } from './parse.ts';
import type { Node, Tree } from './parse.ts';

export interface Place {
  readonly tree: Tree;
  readonly source: string;
  readonly input: Input | undefined;
  readonly upstream: readonly SimpleCommand[];
  readonly wrappers: readonly string[];
  readonly origin: readonly string[];
  readonly contained: boolean;
  /** What a `>(…)` here reads: the output of the command that it stands in. */
  readonly fed: { readonly input: Input; readonly upstream: readonly SimpleCommand[] } | undefined;
}

/** Nowhere yet. Every other place is made from it, so that all have their fields in the same order: the engine then reads them fast. */
export const OUTSIDE: Place = { tree: parseScript(''), source: '', input: undefined, upstream: [], wrappers: [], origin: [], contained: false, fed: undefined };

/** What stands inside a command reads and follows nothing that the command does. */
export function alone(place: Place): Place {
  return place.input === undefined && place.upstream.length === 0 && place.fed === undefined ? place : { ...place, input: undefined, upstream: [], fed: undefined };
}

/** The part of the source that a node stands for. */
export function textOf({ pos, end }: Node, { tree, source }: Place): string {
  return (tree.source ?? source).slice(pos, end);
}
