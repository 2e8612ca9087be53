// The words that a script gives to its variables, as the texts that they may be.
import { expandText, expandWord } from './expand.ts';
import type { Lookup } from './expand.ts';
import { MAX_ALTERNATIVES, MAX_PARTS } from './limits.ts';
import { ELEMENT, UNKNOWN } from './marks.ts';
import { parseWord } from './parse.ts';
import type { Tree, Word } from './parse.ts';

export interface Value {
  /** A word to expand, or a text that is known already; for `name[@]` all elements of an array. */
  readonly word: Word | string | readonly Word[];
  readonly tree: Tree;
  readonly position: number;
  /** Only for one command, or only perhaps: what the variable was before counts too. */
  readonly isPartial: boolean;
  readonly appends: boolean;
  /** The process whose code gives it: code in another one sees only what was exported. */
  readonly process: number;
}

/** `[1]=text`, `[key]=text`: the text. */
export function withoutIndex(element: Word): Word {
  const text = /^\[[^\]]*\]\+?=([^]*)$/.exec(element.text)?.[1];
  return text === undefined ? element : (parseWord(text === '' ? "''" : text) ?? element);
}

/** The texts that a value may be. */
export function textsOf({ word }: Value, lookup: Lookup): string[] {
  if (typeof word === 'string') return [word];
  if (!isOneWord(word)) return word.length > MAX_PARTS ? [UNKNOWN] : textsOfElements(word.map((element) => expandWord(element, lookup)));
  // A list of words, as in `for x in {a,b}`, is split; a value of an assignment is not.
  const isBraced = word.parts?.some(({ type }) => type === 'BraceExpansion') === true;
  return isBraced ? expandWord(word, lookup).flat() : expandText(word, lookup);
}

/** Arrays as a whole: each alternative of each element is in one of them. */
function textsOfElements(elements: readonly (readonly (readonly string[])[])[]): string[] {
  const count = Math.min(MAX_ALTERNATIVES, Math.max(1, ...elements.map(({ length }) => length)));
  return Array.from({ length: count }, (_, index) => elements.map((alternatives) => ELEMENT + (alternatives[index % alternatives.length]?.join(ELEMENT) ?? '')).join(''));
}

function isOneWord(word: Word | readonly Word[]): word is Word {
  return 'text' in word;
}
