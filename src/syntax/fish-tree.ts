// The tree that `fish_indent --dump-parse-tree` prints, read back from its text.

export interface FishNode {
  readonly type: string;
  /** The source of a leaf, as written: quotes, escapes and all. */
  readonly text: string;
  readonly children: FishNode[];
}

const LINE = /^((?:! )*)([a-z_]+)(?:: '([^]*)')?$/;
const LEAF_START = /^((?:! )*)(string|argument|redirection|keyword|variable_assignment): ?'?/;

/**
 * The root of a tree, or undefined when the text is none.
 * A word with line ends goes over several lines of the dump; a script whose own lines look like lines of a dump is refused.
 */
export function parseFishTree(dump: string, source: string): FishNode | undefined {
  if (/\n(?:! )/.test(source)) return undefined;
  const start = dump.search(/^job_list$/m);
  if (start < 0) return undefined;
  const root: FishNode = { type: 'job_list', text: '', children: [] };
  const stack: FishNode[] = [root];
  const lines = dump.slice(start).split('\n').slice(1);
  for (let at = 0; at < lines.length; at++) {
    let line = lines[at] ?? '';
    if (line === '') continue;
    while (LEAF_START.test(line) && at + 1 < lines.length && !/^(?:! )/.test(lines[at + 1] ?? '') && (lines[at + 1] !== '' || at + 2 < lines.length)) line += `\n${lines[++at] ?? ''}`;
    const depth = /^(?:! )*/.exec(line)?.[0].length ?? 0;
    const level = depth / 2;
    const parent = stack[level - 1];
    if (parent === undefined) return undefined;
    const node = nodeOf(line, depth);
    parent.children.push(node);
    stack.length = level;
    stack.push(node);
  }
  return root;
}

function nodeOf(line: string, depth: number): FishNode {
  const [, , type, text] = LINE.exec(line.trimEnd()) ?? [];
  if (type !== undefined) return { type, text: text ?? '', children: [] };
  const rest = line.slice(depth);
  const [, named, leaf, bare] = /^([a-z_]+): ?(?:'([^]*)'|(.*))/.exec(rest) ?? [];
  return { type: named ?? rest, text: leaf ?? bare ?? '', children: [] };
}
