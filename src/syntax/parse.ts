// The parser of bash text, behind one small interface: nothing else knows which package it is.
import { forEachChild as eachChild, parse } from 'unbash';
import type { Assignment as ParsedAssignment, ParsedScript, Redirection as ParsedRedirection, SyntaxNode, Word as ParsedWord, WordPart as ParsedPart, Command, Function as ParsedFunction, Pipeline as ParsedPipeline } from 'unbash';

export type Tree = ParsedScript;
export type Node = SyntaxNode;
export type Word = ParsedWord;
export type WordPart = ParsedPart;
export type Assignment = ParsedAssignment;
export type RedirectionNode = ParsedRedirection;
export type CommandNode = Command;
export type FunctionNode = ParsedFunction;
export type PipelineNode = ParsedPipeline;

/** The tree of a text. It never throws for bad syntax: `errors` of the tree, and of the trees inside it, tell. */
export function parseScript(text: string): Tree {
  return parse(text);
}

/** Calls back for each direct child, once; the trees of substitutions are children of theirs. */
export function forEachChild(node: Node, callback: (child: Node) => void): void {
  if (node.type === 'HereDocBody' && isPlainBody(node.text)) return;
  eachChild(node, callback);
}

/** Whether nothing in a here-document is expanded; the parser would go through all of it to say so. */
export function isPlainBody(text: string): boolean {
  return !/[$`\\]/.test(text);
}

/** The first word of a text, for parts whose inside the parser leaves alone. */
export function parseWord(text: string): Word | undefined {
  const command = parseScript(`: ${text}`).commands[0]?.command;
  const argument = command?.type === 'Command' ? command.args[0] : undefined;
  return argument?.type === 'Word' ? argument : undefined;
}
