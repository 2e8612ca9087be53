// A text without what stands in its quotes, comments and quoted here-documents: what is left is looked through by patterns.

/** Nothing in these begins or ends anything. */
const PLAIN = /[^\\'"#<\n]+/y;
/** What begins a comment stands at the beginning of a word. */
const ENDS_WORD = /[\s;&|()<>]/;
const HEREDOC = /<<(-?)[ \t]*((?:'[^'\n]*'|"[^"\n]*"|\\.|[^\s;&|()<>'"\\])+)/y;
/** Where `<<` may be a shift of bits, and where `#` may belong to a pattern. */
const ARITHMETIC = /\(\(|\$\[/;
/** In a substitution: its brackets, or its quotes, cannot be told from those that mean nothing. */
const UNCLEAR = /\bcase\b|<<|[\s;&|(]#/;

/** Of here-documents, and of substitutions in one another: what has more is left as it is. */
const MAX_HEREDOCS = 64;
const MAX_DEPTH = 24;

interface Heredoc {
  /** As it is written, with its quotes. */
  readonly word: string;
  readonly isIndented: boolean;
}

/** Whoever wonders what is code gets too much rather than too little: from where the end of quotes cannot be told the text stays as it is. */
export function unquoted(text: string): string {
  const kept: string[] = [];
  let isWordStart = true;
  const arithmeticAt = text.search(ARITHMETIC);
  let heredocs: Heredoc[] = [];
  let found = 0;
  for (let at = 0; at < text.length;) {
    const from = at;
    const character = text[at] ?? '';
    if (isUnclear(text, at, arithmeticAt) || found + heredocs.length > MAX_HEREDOCS) return kept.join('') + text.slice(at);
    if (character === '\n') at++;
    else if (character === '#' && isWordStart) at = lineEnd(text, at);
    else {
      const heredoc = character === '<' ? heredocAt(text, at) : undefined;
      if (heredoc !== undefined) heredocs.push(heredoc);
      const end = matchEnd(PLAIN, text, at) ?? endOfQuoted(text, at);
      if (end === undefined) return kept.join('') + text.slice(at);
      at = end;
    }
    kept.push(shown(text.slice(from, at)));
    isWordStart = character !== '\\' && ENDS_WORD.test(text[at - 1] ?? '');
    if (character !== '\n') continue;
    for (const heredoc of heredocs) {
      const end = bodyEnd(text, at, heredoc);
      if (end === undefined) return kept.join('') + text.slice(at);
      kept.push(bodyShown(text.slice(at, end), heredoc));
      at = end;
    }
    found += heredocs.length;
    heredocs = [];
  }
  return kept.join('');
}

/** Whether a `#`, a `<<` or a quote here may be something else than it seems. */
function isUnclear(text: string, at: number, arithmeticAt: number): boolean {
  const before = text[at - 1];
  switch (text[at]) {
    case '#': return before === '(' || before === '`';
    case "'": return before === '$' && (text[at - 2] === '$' || text[at - 2] === '\\');
    case '<': return isHeredoc(text, at) && ((arithmeticAt >= 0 && arithmeticAt < at) || !/^[^$`]+$/.test(heredocAt(text, at)?.word ?? ''));
    default: return false;
  }
}

function isHeredoc(text: string, at: number): boolean {
  return text.startsWith('<<', at) && text[at + 2] !== '<' && text[at - 1] !== '<';
}

/** A piece as it counts: quotes whose inside the shell leaves as it is are empty. */
function shown(piece: string): string {
  switch (piece[0]) {
    case '\n': return '\n';
    case "'": return "''";
    case '"': return /[$`]/.test(piece) ? piece : '""';
    case '#': return piece === '#' ? piece : '';
    default: return piece;
  }
}

/** Where what begins here ends: quotes, an escaped character, or just a character. Undefined where it cannot be told. */
function endOfQuoted(text: string, at: number, depth = 0): number | undefined {
  switch (text[at]) {
    case '\\': return Math.min(at + 2, text.length);
    case "'": return text[at - 1] === '$' ? endOf(text, at + 1, /['\\]/g) : endOf(text, at + 1, /'/g);
    case '"': return endOfDouble(text, at + 1, depth);
    default: return at + 1;
  }
}

/** Behind the character that closes; what is escaped closes nothing. */
function endOf(text: string, from: number, closing: RegExp): number | undefined {
  closing.lastIndex = from;
  for (let found = closing.exec(text); found !== null; found = closing.exec(text)) {
    if (found[0] !== '\\') return closing.lastIndex;
    closing.lastIndex++;
  }
  return undefined;
}

/** A quote inside of a substitution is not the one that closes. */
function endOfDouble(text: string, from: number, depth: number): number | undefined {
  const special = /["\\`]|\$[({]/g;
  special.lastIndex = from;
  for (let found = special.exec(text); found !== null; found = special.exec(text)) {
    if (found[0] === '"') return special.lastIndex;
    const end = found[0] === '\\' ? special.lastIndex + 1 : found[0] === '`' ? endOf(text, special.lastIndex, /[`\\]/g) : endOfSubstitution(text, special.lastIndex, { closing: found[0] === '$(' ? ')' : '}', depth: depth + 1 });
    if (end === undefined) return undefined;
    special.lastIndex = end;
  }
  return undefined;
}

/** Behind the bracket that closes a substitution. */
function endOfSubstitution(text: string, from: number, { closing, depth }: { readonly closing: string; readonly depth: number }): number | undefined {
  if (depth > MAX_DEPTH) return undefined;
  const special = /[\\'"(){}]/g;
  special.lastIndex = from;
  const open = [closing];
  for (let found = special.exec(text); found !== null; found = special.exec(text)) {
    const [character] = found;
    if (character === open.at(-1)) open.pop();
    else if (character === '(' || character === '{') open.push(character === '(' ? ')' : '}');
    else if (character === ')' || character === '}') return undefined;
    else if (closing === '}' && character !== '\\') return undefined; // there some quotes are, and others are not
    else {
      const end = endOfQuoted(text, found.index, depth);
      if (end === undefined) return undefined;
      special.lastIndex = end;
    }
    if (open.length === 0) return UNCLEAR.test(text.slice(from, special.lastIndex)) ? undefined : special.lastIndex;
  }
  return undefined;
}

function heredocAt(text: string, at: number): Heredoc | undefined {
  if (!isHeredoc(text, at)) return undefined;
  HEREDOC.lastIndex = at;
  const [, dash, word] = HEREDOC.exec(text) ?? [];
  return word === undefined ? undefined : { word, isIndented: dash === '-' };
}

/** Behind the line that ends a here-document. */
function bodyEnd(text: string, from: number, { word, isIndented }: Heredoc): number | undefined {
  const delimiter = word.replace(/["']|\\(?=.)/g, '');
  for (let at = from; at < text.length; at = lineEnd(text, at) + 1) {
    const line = text.slice(at, lineEnd(text, at));
    if ((isIndented ? line.replace(/^\t+/, '') : line) === delimiter) return Math.min(lineEnd(text, at) + 1, text.length);
  }
  return undefined;
}

/** Nothing of a here-document with a quoted word, and of another one what is expanded. */
function bodyShown(body: string, { word }: Heredoc): string {
  if (/["'\\]/.test(word)) return '';
  return body.split('\n').filter((line) => /[$`]/.test(line)).map((line) => `: ${line}\n`).join('');
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
}

function matchEnd(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}
