// The items of `{a,b}` and `{1..3}`, by their text.
import { MAX_ALTERNATIVES } from './limits.ts';
import { PLAIN, UNKNOWN_WORDS } from './marks.ts';

/** How deep braces stand in one another. */
export function bracesOf(text: string): number {
  let [depth, deepest] = [0, 0];
  for (const [bracket] of text.matchAll(/[{}]/g)) deepest = Math.max(deepest, depth += bracket === '{' ? 1 : -1);
  return deepest;
}

/** The items between the commas of the outer braces, nested braces left to the next round; a range as its members. */
export function braceItems(text: string): string[] {
  const range = /^\{(-?\d+|[a-zA-Z])\.\.(-?\d+|[a-zA-Z])(?:\.\.-?\d+)?\}$/.exec(text);
  if (range !== null) return rangeItems(range[1] ?? '', range[2] ?? '');
  const items: string[] = [];
  let depth = 0;
  let item = '';
  let quote = '';
  for (const character of text.slice(1, -1)) {
    if (quote !== '') quote = character === quote ? '' : quote;
    else if (character === "'" || character === '"') quote = character;
    else if (character === '{' || character === '(') depth++;
    else if (character === '}' || character === ')') depth--;
    if (character === ',' && depth === 0 && quote === '') {
      items.push(item);
      item = '';
    } else item += character;
    if (items.length >= MAX_ALTERNATIVES) return [UNKNOWN_WORDS];
  }
  return [...items, item];
}

function rangeItems(from: string, to: string): string[] {
  const isNumber = /\d$/.test(from) && /\d$/.test(to);
  const [first, last] = isNumber ? [Number(from), Number(to)] : [from.charCodeAt(0), to.charCodeAt(0)];
  const count = Math.abs(last - first) + 1;
  if (count > MAX_ALTERNATIVES) return [PLAIN];
  return Array.from({ length: count }, (_, index) => first + Math.sign(last - first) * index).map((value) => (isNumber ? String(value) : String.fromCharCode(value)));
}
