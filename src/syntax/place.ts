// Where a command stands in a script: what it inherits from around it.
import type { Input, SimpleCommand } from './command.ts';
import { parseScript } from './parse.ts';
import type { Node, Tree } from './parse.ts';

interface Fields {
  tree: Tree;
  source: string;
  input: Input | undefined;
  upstream: readonly SimpleCommand[];
  /** Programs that were looked through, outermost first. */
  wrappers: readonly string[];
  /** The texts that it was read from, outermost first. */
  origin: readonly string[];
  contained: boolean;
  /** What a `>(…)` here reads: the output of the command that it stands in. */
  fed: Fed | undefined;
}

/** What a command reads, and the commands that write it. */
export interface Fed {
  readonly input: Input | undefined;
  readonly upstream: readonly SimpleCommand[];
}

export type Place = Readonly<Fields>;

/** Nowhere yet. */
export const OUTSIDE: Place = { tree: parseScript(''), source: '', input: undefined, upstream: [], wrappers: [], origin: [], contained: false, fed: undefined };

const NOTHING_BEFORE: readonly SimpleCommand[] = [];

/** Every other place is made here, its fields in the same order: the engine reads what has one shape fast, and is slow to make copies with `...` of several. */
function copyOf({ tree, source, input, upstream, wrappers, origin, contained, fed }: Place): Fields {
  return { tree, source, input, upstream, wrappers, origin, contained, fed };
}

/** In a tree of its own, and the text that it was made from. */
export function inTree(place: Place, { tree, source }: { readonly tree: Tree; readonly source: string }): Place {
  const copy = copyOf(place);
  copy.tree = tree;
  copy.source = source;
  return copy;
}

/** Where something else is read. */
export function reading(place: Place, input: Input | undefined): Place {
  if (input === place.input) return place;
  const copy = copyOf(place);
  copy.input = input;
  return copy;
}

/** Behind other commands of its pipeline. */
export function behind(place: Place, { input, upstream }: Fed): Place {
  const copy = copyOf(place);
  copy.input = input;
  copy.upstream = upstream;
  return copy;
}

/** Where a `>(…)` reads something. */
export function feeding(place: Place, fed: Fed | undefined): Place {
  if (fed === place.fed) return place;
  const copy = copyOf(place);
  copy.fed = fed;
  return copy;
}

/** What stands inside a command reads and follows nothing that the command does. */
export function alone(place: Place): Place {
  return place.input === undefined && place.upstream.length === 0 && place.fed === undefined ? place : feeding(behind(place, { input: undefined, upstream: NOTHING_BEFORE }), undefined);
}

/** Behind a program that was looked through. */
export function through(place: Place, program: string): Place {
  const copy = copyOf(place);
  copy.wrappers = [...place.wrappers, program];
  return copy;
}

/** In a container, when the program that was looked through makes one. */
export function contained(place: Place): Place {
  const copy = copyOf(place);
  copy.contained = true;
  return copy;
}

/** In a text that was found in another. */
export function inText(place: Place, name: string): Place {
  const copy = copyOf(place);
  copy.origin = [...place.origin, name];
  return copy;
}

/** The part of the source that a node stands for. */
export function textOf({ pos, end }: Node, { tree, source }: Place): string {
  return (tree.source ?? source).slice(pos, end);
}
