// Fork bombs by their structure: a function that starts itself twice at once, or behind its own back. Its name and what else it does are nothing to go by.
import { forEachChild } from './parse.ts';
import type { Node } from './parse.ts';

type Functions = ReadonlyMap<string, { readonly body: Node }>;

/** Whether a function runs itself, or one that leads back to it, in a pipeline or in the background. */
export function isForkBomb(name: string, functions: Functions): boolean {
  const body = functions.get(name)?.body;
  return body !== undefined && parallelCalls(body).some((called) => reaches(called, name, functions));
}

/** Names that are called in a pipeline of several, or with `&`. */
function parallelCalls(body: Node): string[] {
  const found: string[] = [];
  const visit = (node: Node, isParallel: boolean): void => {
    if (node.type === 'Command' && isParallel && node.name !== undefined) found.push(node.name.value);
    const starts = (node.type === 'Pipeline' && node.commands.length > 1) || (node.type === 'Statement' && node.background === true) || node.type === 'Coproc' || node.type === 'ProcessSubstitution';
    forEachChild(node, (child) => visit(child, isParallel || starts));
  };
  visit(body, false);
  return found;
}

function reaches(from: string, name: string, functions: Functions): boolean {
  const seen = new Set<string>();
  const queue = [from];
  for (let called = queue.pop(); called !== undefined; called = queue.pop()) {
    if (called === name) return true;
    const body = functions.get(called)?.body;
    if (seen.has(called) || body === undefined) continue;
    seen.add(called);
    queue.push(...calls(body));
  }
  return false;
}

function calls(node: Node): string[] {
  const found: string[] = [];
  const visit = (child: Node): void => {
    if (child.type === 'Command' && child.name !== undefined) found.push(child.name.value);
    forEachChild(child, visit);
  };
  visit(node);
  return found;
}
