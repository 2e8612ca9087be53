// Text that bash runs although it is quoted: where it expects a number or a name, it evaluates the subscript of `a[$(…)]`.
import { assignmentTexts, expandText, expandWord } from './expand.ts';
import type { Lookup } from './expand.ts';
import type { Node } from './parse.ts';

const SUBSCRIPT_CODE = /[A-Za-z_]\w*\[[^]*(?:\$\(|`|<\()/;
/** Operators of `[[` whose operands are arithmetic, or names of variables. */
const EVALUATING = new Set(['-eq', '-ne', '-lt', '-le', '-gt', '-ge', '-v', '-R']);

/** Whether a decoded text has a subscript with code in it. */
export function hasSubscriptCode(text: string): boolean {
  return SUBSCRIPT_CODE.test(text);
}

/** What a node gives to a variable, or to an operator that evaluates it. */
export function evaluatedTexts(node: Node, lookup: Lookup): readonly string[] {
  switch (node.type) {
    case 'Assignment': return assignmentTexts(node, lookup);
    case 'For': case 'Select': return node.wordlist?.flatMap((word) => expandWord(word, lookup).flat()) ?? [];
    case 'TestUnary': return EVALUATING.has(node.operator) ? expandText(node.operand, lookup) : [];
    case 'TestBinary': return EVALUATING.has(node.operator) ? [node.left, node.right].flatMap((word) => expandText(word, lookup)) : [];
    default: return [];
  }
}
