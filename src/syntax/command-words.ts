// The words and the redirections of a simple command, expanded.
import { assignmentTexts, expandQuoted, expandText, expandWord, plainValue } from './expand.ts';
import type { Lookup } from './expand.ts';
import { MAX_ALTERNATIVES } from './limits.ts';
import type { Budget } from './limits.ts';
import { UNKNOWN_WORDS } from './marks.ts';
import { isPlainBody } from './parse.ts';
import type { CommandNode, RedirectionNode } from './parse.ts';

export interface FoundRedirection {
  readonly operator: string;
  readonly targets: readonly string[];
  readonly fd: number | undefined;
  /** What is read, when it is the output of a substitution. */
  readonly texts?: readonly string[];
}

/** The lists of words that a command may become. */
export function argvOf(node: CommandNode, lookup: Lookup, budget: Budget): readonly (readonly string[])[] {
  if (node.name === undefined) return [[]];
  let lists: string[][] = expandWord(node.name, lookup);
  for (const arg of node.args) {
    if (arg.type === 'Word' && arg.parts === undefined && lists.length === 1) {
      lists[0]?.push(plainValue(arg, lookup));
      budget.node();
      continue;
    }
    lists = withNext(lists, arg.type === 'Word' ? expandWord(arg, lookup) : assignmentTexts(arg, lookup).map((text) => [text]));
    if (lists.length === 1) budget.node();
  }
  return lists;
}

/** Each list with each of the alternatives behind it. */
function withNext(lists: string[][], own: readonly (readonly string[])[]): string[][] {
  if (own.length < 2 || lists.length >= MAX_ALTERNATIVES) {
    // in place, since long lists would be copied for each word; when there are many, each takes another alternative
    for (const [index, list] of lists.entries()) list.push(...(index === MAX_ALTERNATIVES - 1 && own.length > 1 ? [UNKNOWN_WORDS] : own[index % own.length] ?? []));
    return lists;
  }
  const next = lists.flatMap((list) => own.map((fields) => [...list, ...fields]));
  return next.length > MAX_ALTERNATIVES ? [...next.slice(0, MAX_ALTERNATIVES - 1), ...lists.slice(-1).map((list) => [...list, UNKNOWN_WORDS])] : next;
}

export function redirectionOf(node: RedirectionNode, lookup: Lookup): readonly FoundRedirection[] {
  const fd = node.descriptor?.type === 'FileDescriptor' ? node.descriptor.value : undefined;
  if (node.type === 'HereDoc') {
    const texts = isPlainBody(node.body.text) || node.body.parts === undefined ? [node.body.text] : expandQuoted(node.body.parts, lookup);
    return [{ operator: '<<', targets: node.operator === '<<-' ? texts.map((text) => text.replace(/^\t+/gm, '')) : texts, fd }];
  }
  if (node.target === undefined) return [];
  const [only, ...more] = node.target.parts ?? [];
  const isOutput = node.operator === '<' && only?.type === 'ProcessSubstitution' && only.operator === '<' && more.length === 0;
  // a pattern that finds one file is that file
  const isPattern = node.target.parts?.some(({ type }) => type === 'Glob') === true;
  const targets = isPattern ? expandWord(node.target, lookup).flat() : expandText(node.target, lookup);
  return [isOutput ? { operator: node.operator, targets, fd, texts: lookup.substitution(only.script) } : { operator: node.operator, targets, fd }];
}
