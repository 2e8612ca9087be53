// One pass over a text before it is parsed: what would make the parser linger is refused by what stands in it.
import { LimitReached, MAX_OUTSIDE } from './limits.ts';
import { parseScript } from './parse.ts';
import type { Tree } from './parse.ts';

/** More openings than this that nothing closes are no script: the parser would lex the rest of the text again for each. */
const MAX_OPENINGS = 48;
const BRACKET = /[$<>=]\(|\$\{|\$\[|[()}\]]/g;
const CLOSING: Readonly<Record<string, string>> = { '(': ')', '{': '}', '[': ']' };
const HEREDOC = /<<(-?)[ \t]*(?:'([^'\n]+)'|"([^"\n]+)"|(\\?)([\w.-]+))/g;
/** Short texts are not worth the look for here-documents. */
const SHORT = 8 * 1024;

/** The tree of a text, unless the text alone shows that parsing would take long. */
export function parseBounded(text: string): Tree {
  const reason = tooMuch(text);
  if (reason !== undefined) throw new LimitReached(reason);
  return parseScript(text);
}

/** Why a text is not parsed, or undefined. It knows no quotes; in doubt it lets a text pass, and the reader's own limits decide. */
function tooMuch(text: string): string | undefined {
  const [outside, expanded] = text.length > SHORT ? withoutHeredocs(text) : [text, text];
  if (outside.length > MAX_OUTSIDE) return `more than ${MAX_OUTSIDE} characters outside of here-documents`;
  return isTooNested(expanded) ? `more than ${MAX_OPENINGS} substitutions in one another` : undefined;
}

/** In a quoted text brackets that close count for nothing, and dozens that do not are rare. */
function isTooNested(text: string): boolean {
  if (text.length < 2 * MAX_OPENINGS) return false;
  const open: { readonly closing: string; readonly isSubstitution: boolean }[] = [];
  let depth = 0;
  for (const [bracket] of text.matchAll(BRACKET)) {
    const closing = CLOSING[bracket.slice(-1)];
    if (closing !== undefined) {
      const isSubstitution = bracket.length > 1;
      open.push({ closing, isSubstitution });
      if (isSubstitution && ++depth > MAX_OPENINGS) return true;
    } else if (open.at(-1)?.closing === bracket && open.pop()?.isSubstitution === true) depth--;
  }
  return false;
}

/** The text without the bodies of here-documents, and without those of them that the shell leaves as they are. */
function withoutHeredocs(text: string): readonly [string, string] {
  const outside: string[] = [];
  const expanded: string[] = [];
  let from = 0;
  let bodyFrom = 0;
  for (const { index, 1: dash, 2: single, 3: double, 4: backslash, 5: bare, 0: whole } of text.matchAll(HEREDOC)) {
    if (index < from) continue; // stands in a body
    const lineEnd = text.indexOf('\n', index + whole.length);
    bodyFrom = Math.max(bodyFrom, lineEnd);
    if (lineEnd < 0) break;
    const end = endOf(text, { delimiter: single ?? double ?? bare ?? '', from: bodyFrom, isIndented: dash === '-' });
    const start = text.slice(from, bodyFrom + 1);
    outside.push(start);
    expanded.push(start);
    const isQuoted = single !== undefined || double !== undefined || backslash !== '';
    if (!isQuoted) expanded.push(text.slice(bodyFrom, end));
    from = end;
    bodyFrom = end;
  }
  const rest = text.slice(from);
  return [[...outside, rest].join(''), [...expanded, rest].join('')];
}

/** Where the line with the delimiter begins; the end of the text when there is none. */
function endOf(text: string, { delimiter, from, isIndented }: { readonly delimiter: string; readonly from: number; readonly isIndented: boolean }): number {
  for (let at = text.indexOf(delimiter, from); at >= 0; at = text.indexOf(delimiter, at + 1)) {
    const next = text[at + delimiter.length];
    if (next !== '\n' && next !== undefined) continue;
    let before = at - 1;
    while (isIndented && text[before] === '\t') before--;
    if (text[before] === '\n') return at;
  }
  return text.length;
}
