// A word of fish, decoded: its quoting differs from bash both ways, so that bash's rules would see other words.
import { MAX_ALTERNATIVES } from './limits.ts';
import { GLOB_ONE, GLOB_STAR, UNKNOWN, UNKNOWN_WORDS } from './marks.ts';

export interface FishLookup {
  readonly home: string;
  variable(name: string): readonly string[] | undefined;
  /** The output of a substitution; its commands are looked at by the way. */
  substitution(code: string): readonly string[];
}

/** The fields that a word of fish becomes; alternatives are fields of their own, since fish has lists. */
export function expandFishWord(raw: string, lookup: FishLookup): string[] {
  let texts = [''];
  let at = 0;
  const add = (values: readonly string[]): void => {
    texts = texts.flatMap((text) => values.map((value) => text + value)).slice(0, MAX_ALTERNATIVES);
  };
  const [tilde, user] = /^~([a-z_][\w-]*)?(?=\/|$)/.exec(raw) ?? [];
  if (tilde !== undefined) {
    add([user === undefined ? lookup.home : user === 'root' ? '/root' : `/home/${user}`]);
    at = tilde.length;
  }
  let isQuoted = false;
  while (at < raw.length) {
    const character = raw[at] ?? '';
    if (character === '"') {
      isQuoted = !isQuoted;
      at++;
    } else if (character === "'" && !isQuoted) {
      const [whole = "'", body = ''] = /^'((?:[^'\\]|\\[^])*)'?/.exec(raw.slice(at)) ?? [];
      add([body.replace(/\\([\\'])/g, '$1')]);
      at += whole.length;
    } else if (character === '\\') {
      const [length, text] = escape(raw, at, isQuoted);
      add([text]);
      at += length;
    } else if ((character === '(' && !isQuoted) || (character === '$' && raw[at + 1] === '(')) {
      const from = character === '$' ? at + 2 : at + 1;
      const end = closing(raw, from);
      add(lookup.substitution(raw.slice(from, end)));
      at = end + 1;
      if (raw[at] === '[') at = raw.indexOf(']', at) + 1 || raw.length;
    } else if (character === '$') {
      const [whole = '$', name = ''] = /^\$+(\w*)(?:\[[^\]]*\])*/.exec(raw.slice(at)) ?? [];
      for (let from = whole.indexOf('('); from >= 0; from = whole.indexOf('(', from + 1)) lookup.substitution(raw.slice(at + from + 1, closing(raw, at + from + 1))); // in its index
      const unknown = isQuoted ? UNKNOWN : UNKNOWN_WORDS;
      const values = whole.startsWith('$$') ? [UNKNOWN] : (lookup.variable(name) ?? [unknown]);
      add(whole.includes('[') && values[0] !== unknown ? [unknown, ...values] : values); // any element of the list
      at += whole.length;
    } else if (character === '{' && !isQuoted) {
      const end = closing(raw, at + 1, '{', '}');
      const items = split(raw.slice(at + 1, end));
      // `{}` and `{a}` have nothing to choose from, and stay as they are; `{$x}` chooses from what is in the variable
      const [only = ''] = items;
      if (items.length === 1) add(expandFishWord(only, lookup).flatMap((text) => (/[$(]/.test(only) ? [text, `{${text}}`] : [`{${text}}`])));
      else add(items.flatMap((item) => expandFishWord(item, lookup)));
      at = end + 1;
    } else {
      add([isQuoted ? character : character === '*' ? GLOB_STAR : character === '?' ? GLOB_ONE : character]);
      at++;
    }
  }
  return texts;
}

/** Where the bracket that was opened before closes again, quotes and escapes skipped. */
function closing(raw: string, from: number, open = '(', close = ')'): number {
  let depth = 1;
  for (let at = from; at < raw.length; at++) {
    const character = raw[at];
    if (character === '\\') at++;
    else if (character === "'" || character === '"') {
      const quote = character;
      for (at++; at < raw.length && raw[at] !== quote; at++) if (raw[at] === '\\') at++;
    } else if (character === open) depth++;
    else if (character === close && --depth === 0) return at;
  }
  return raw.length;
}

function split(body: string): string[] {
  const items: string[] = [];
  let from = 0;
  let depth = 0;
  for (let at = 0; at <= body.length; at++) {
    if (body[at] === '{' || body[at] === '(') depth++;
    if (body[at] === '}' || body[at] === ')') depth--;
    if (at < body.length && (body[at] !== ',' || depth > 0)) continue;
    items.push(body.slice(from, at));
    from = at + 1;
  }
  return items;
}

/** One backslash sequence: how long it is, and what it means. */
function escape(raw: string, at: number, isQuoted: boolean): readonly [number, string] {
  const next = raw[at + 1] ?? '';
  if (next === '\n') return [2, ''];
  if (isQuoted) return '"\\$'.includes(next) ? [2, next] : [1, '\\'];
  const [whole, hex, code, octal] = /^\\(?:[xX]([0-9a-fA-F]{1,2})|[uU]([0-9a-fA-F]{1,8})|([0-7]{1,3}))/.exec(raw.slice(at)) ?? [];
  if (whole !== undefined) return [whole.length, String.fromCodePoint(Math.min(parseInt(hex ?? code ?? octal ?? '0', octal === undefined ? 16 : 8), 0x10FFFF))];
  return [2, { a: '\x07', b: '\b', e: '\x1b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' }[next] ?? next];
}
