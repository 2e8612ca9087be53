// Where the parser is known to read something else than bash: both are rare, and neither is ever safe.

/** `((` may be two subshells after all; the parser takes it for arithmetic, and bash then runs what stands there. */
const COMMAND_IN_ARITHMETIC = /;|(?:^|[\s({!&|])(?:rm|dd|mkfs\S*|shred|wipefs|find|chmod|chown|kill|curl|wget|(?:ba|z|da)?sh|sudo|eval|exec|python\d?|perl|git|npm|mv|cp|tee|cat|echo|xargs|env)\s+[^\s=)*+?<>&|-]|(?:^|[\s({!&|])(?:rm|kill|chmod|find|git|sudo)\s+-\w/;

/** Whether what was taken for arithmetic looks like a command. */
export function hasCommand(arithmetic: string): boolean {
  let text = arithmetic;
  // what a substitution runs is looked at by itself
  for (let round = 0; round < 4; round++) text = text.replace(/\$\([^()]*\)/g, '0');
  return COMMAND_IN_ARITHMETIC.test(text);
}

/** Whether every substitution of a text ends in it. */
export function isBalanced(text: string): boolean {
  const count = (character: string): number => text.split(character).length - 1;
  return count('(') === count(')') && count('`') % 2 === 0;
}

/** An unknown word, or its beginning, where a command's name stands: in a trap the others are arguments, such as a temporary file. */
export const COMMAND_UNKNOWN = /(?:^|[;&|({\n`]|\b(?:then|do|else|exec|eval|sudo|env|-c))\s*["']?[\uFDD0-\uFDD3]/;
