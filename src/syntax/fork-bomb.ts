// Fork bombs by their structure: a function that starts itself twice at once, or behind its own back. Its name and what else it does are nothing to go by.
import { forEachChild } from './parse.ts';
import type { Node, Word } from './parse.ts';

type Functions = ReadonlyMap<string, { readonly body: Node }>;

/** What the name of a command may be, where it is no plain word. */
type Resolve = (name: Word) => readonly string[];

/** Whether a function runs itself, or one that leads back to it, in a pipeline or in the background; `body` may be code that it evaluates. */
export function isForkBomb(name: string, functions: Functions, { resolve, body = functions.get(name)?.body }: { readonly resolve: Resolve; readonly body?: Node | undefined }): boolean {
  return body !== undefined && parallelCalls(body, resolve).some((called) => reaches(called, name, { functions, resolve }));
}

/** Whether a loop that never ends starts something in the background each time, and waits for nothing; or starts the script itself. */
export function isEndlessFork(loop: Node & { readonly type: 'While' | 'ArithmeticFor' }): boolean {
  if (!isEndless(loop) || calls(loop.body, plainNames).some((name) => ENDING.has(name))) return false;
  const started = loop.body.commands.filter(({ background }) => background === true);
  return started.length > 0 && (started.length === loop.body.commands.length || started.some((statement) => selfRuns(statement).length > 0));
}

const ENDING = new Set(['break', 'return', 'exit', 'wait']);

function isEndless(loop: Node & { readonly type: 'While' | 'ArithmeticFor' }): boolean {
  if (loop.type === 'ArithmeticFor') return loop.test === undefined;
  const [only, ...more] = loop.clause.commands;
  if (more.length === 0 && loop.kind === 'while' && only !== undefined && isConstant(only.command)) return true;
  const name = only?.command.type === 'Command' ? only.command.name?.value : undefined;
  return more.length === 0 && name !== undefined && (loop.kind === 'while' ? [':', 'true'] : ['false']).includes(name);
}

/** `[ 1 ]`, `test x`, `((1))`. */
function isConstant(command: Node): boolean {
  if (command.type === 'ArithmeticCommand') return /^\s*[1-9]\d*\s*$/.test(command.body);
  if (command.type !== 'Command') return false;
  const words = command.args.flatMap((arg) => (arg.type === 'Word' && arg.parts === undefined ? [arg.value] : ['$']));
  return (command.name?.value === '[' && words.length === 2 && words[0] !== '$' && words[0] !== '') || (command.name?.value === 'test' && words.length === 1 && words[0] !== '$' && words[0] !== '');
}

/** Whether a script starts itself twice at once. With arguments it is meant to do something else the second time. */
export function multipliesItself(script: Node): boolean {
  let count = 0;
  const visit = (node: Node): void => {
    const isParallel = (node.type === 'Pipeline' && node.commands.length > 1) || (node.type === 'Statement' && node.background === true);
    if (isParallel) count += selfRuns(node).filter((isPlain) => isPlain).length;
    else forEachChild(node, visit);
  };
  visit(script);
  return count > 1;
}

const SELF = /^"?\$(?:0|\{0\}|BASH_SOURCE|\{BASH_SOURCE(?:\[0\])?\})"?$/;

/** The commands that run the script that they stand in; each says whether that is all they do. */
function selfRuns(node: Node): boolean[] {
  const found: boolean[] = [];
  const visit = (child: Node): void => {
    if (child.type === 'Command') {
      const words = [child.name, ...child.args].flatMap((word) => (word?.type === 'Word' ? [word.text] : []));
      const at = words.findIndex((word) => SELF.test(word));
      if (at === 0 || (at === 1 && /(?:^|\/)(?:ba|z|da|k)?sh$|^(?:exec|nohup|setsid|\.|source)$/.test(words[0] ?? ''))) found.push(words.length === at + 1);
    }
    forEachChild(child, visit);
  };
  visit(node);
  return found;
}

/** Names that are called in a pipeline of several, or with `&`. */
function parallelCalls(body: Node, resolve: Resolve): string[] {
  const found: string[] = [];
  const visit = (node: Node, isParallel: boolean): void => {
    if (node.type === 'Command' && isParallel && node.name !== undefined) found.push(...namesOf(node.name, resolve));
    const starts = (node.type === 'Pipeline' && node.commands.length > 1) || (node.type === 'Statement' && node.background === true) || node.type === 'Coproc' || node.type === 'ProcessSubstitution';
    forEachChild(node, (child) => visit(child, isParallel || starts));
  };
  visit(body, false);
  return found;
}

function reaches(from: string, name: string, { functions, resolve }: { readonly functions: Functions; readonly resolve: Resolve }): boolean {
  const seen = new Set<string>();
  const queue = [from];
  for (let called = queue.pop(); called !== undefined; called = queue.pop()) {
    if (called === name) return true;
    const body = functions.get(called)?.body;
    if (seen.has(called) || body === undefined) continue;
    seen.add(called);
    queue.push(...calls(body, resolve));
  }
  return false;
}

function calls(node: Node, resolve: Resolve): string[] {
  const found: string[] = [];
  const visit = (child: Node): void => {
    if (child.type === 'Command' && child.name !== undefined) found.push(...namesOf(child.name, resolve));
    forEachChild(child, visit);
  };
  visit(node);
  return found;
}

function namesOf(name: Word, resolve: Resolve): readonly string[] {
  return name.parts === undefined ? [name.value] : resolve(name);
}

function plainNames({ value }: Word): readonly string[] {
  return [value];
}
