// A word as the shell would expand it: the alternatives that are possible, each a list of fields. What cannot be known is marked.
import { braceItems, bracesOf } from './braces.ts';
import { MAX_ALTERNATIVES, MAX_BRACES, MAX_PARTS, MAX_VALUE } from './limits.ts';
import { ELEMENT, GLOB_ONE, GLOB_STAR, hasUnknown, isKnown, PLAIN, UNKNOWN, UNKNOWN_WORDS } from './marks.ts';
import { parseWord } from './parse.ts';
import type { Assignment, Tree, Word, WordPart } from './parse.ts';

/** What words are expanded with. */
export interface Lookup {
  readonly home: string;
  /** The values a variable may have, or undefined when nothing is known of it. */
  variable(name: string, position: number): readonly string[] | undefined;
  /** The output of a substitution, as far as it is known. */
  substitution(script: Tree | undefined): readonly string[];
  /** The path of the file that a process substitution is, which gives one of these texts. */
  opened(texts: readonly string[]): string;
}

/** A word under construction: the fields that are complete, and the one that grows. */
interface Draft {
  readonly done: readonly string[];
  readonly text: string;
  readonly started: boolean;
}

const EMPTY: Draft = { done: [], text: '', started: false };

/** Every list of fields that a word may become. */
export function expandWord(word: Word, lookup: Lookup): string[][] {
  const { parts } = word;
  if (parts === undefined) return [[plainValue(word, lookup)]];
  const { text: source } = word;
  // "$@" is as many fields as there are parameters: like a whole array, it is split although it is quoted
  if (source === '"$@"' || source === '"${@}"') return known(lookup.variable('@', word.pos), false).map((text) => fieldsOf(appendSplit(EMPTY, text)));
  // beside other text only its first and last field are joined with that
  if ((source.includes('$@') || source.includes('${@}')) && parts.some(({ type, text }) => type === 'DoubleQuoted' && /[^\\]\$(?:@|\{@\})/.test(text))) return expandQuoted(parts, lookup).flatMap((text) => [fieldsOf(appendSplit(EMPTY, text)), [text]]);
  const whole = source.includes('[') || source.includes('@') ? WHOLE_ARRAY.exec(source) : null;
  if (whole !== null) {
    const [, quote, array = '', offset, length] = whole;
    return sliced(known(lookup.variable(array === '@' ? '@' : `${array}[@]`, word.pos), false).map((text) => elementsOf(text, quote !== '')), { offset, length, first: array === '@' ? 1 : 0 });
  }
  if (source.includes('{') && parts.some(({ type }) => type === 'BraceExpansion')) return expandBraces(parts, lookup);
  const drafts = expandParts(parts, lookup, startsWithTilde(source));
  return drafts.map(fieldsOf);
}

/** `"${name[@]:1:2}"` and its like, alone. */
const WHOLE_ARRAY = /^("?)\$\{(@|[A-Za-z_]\w*(?=\[[@*]\]))(?:\[[@*]\])?(?::([^:}]*)(?::([^}]*))?)?\}"?$/;

/** The value of a word without expansions. */
export function plainValue(word: Word, lookup: Lookup): string {
  return startsWithTilde(word.text) ? tilde(word.value, lookup) : word.value;
}

/** bash takes an argument that looks like an assignment for one: `dd of=~/x`. */
function startsWithTilde(text: string): boolean {
  return text.startsWith('~') || (text.includes('=~') && ASSIGNED_TILDE.test(text));
}

const ASSIGNED_TILDE = /^[A-Za-z_]\w*=~(?:$|[/a-z+-])/;

/** The part of an array that `${x[@]:1:2}` gives; of the parameters, number 0 is the shell's own name. */
function sliced(lists: string[][], { offset, length, first }: { readonly offset: string | undefined; readonly length: string | undefined; readonly first: number }): string[][] {
  if (offset === undefined) return lists;
  if (!/^\s*\d+\s*$/.test(offset) || (length !== undefined && !/^\s*\d+\s*$/.test(length))) return [[UNKNOWN_WORDS]];
  const from = Math.max(0, Number(offset) - first);
  const count = length === undefined ? Infinity : Number(length) - (Number(offset) < first ? 1 : 0);
  return lists.map((fields) => (fields.some((field) => field.includes(UNKNOWN_WORDS)) ? [UNKNOWN_WORDS] : fields.slice(from, from + count)));
}

/** The elements of an array, each of which stays whole in quotes. */
function elementsOf(elements: string, isQuoted: boolean): string[] {
  if (isQuoted && elements.startsWith(ELEMENT)) return elements.slice(ELEMENT.length).split(ELEMENT);
  return fieldsOf(appendSplit(EMPTY, elements.replaceAll(ELEMENT, ' ')));
}

function fieldsOf({ done, text, started }: Draft): string[] {
  return started ? [...done, text] : [...done];
}

/** Every text that a word may become where the shell splits nothing: assignments, redirections. */
export function expandText(word: Word, lookup: Lookup): string[] {
  const { parts } = word;
  if (parts === undefined) return [plainValue(word, lookup)];
  return expandQuoted(parts, lookup).map((text) => (word.text.startsWith('~') ? tilde(text, lookup) : text));
}

/** `NAME=value` as texts, each element of an array on its own. */
export function assignmentTexts({ name, value }: Assignment, lookup: Lookup): string[] {
  if (name === undefined) return [];
  if (value.type === 'ArrayValue') return value.elements.flatMap((element) => expandText(element, lookup)).slice(0, MAX_ALTERNATIVES).map((text) => `${name}=${text}`);
  return expandText(value, lookup).map((text) => `${name}=${text}`);
}

/** The texts of parts without splitting. */
export function expandQuoted(parts: readonly WordPart[], lookup: Lookup): string[] {
  if (parts.length > MAX_PARTS) return [UNKNOWN];
  let texts = [''];
  for (const part of parts) texts = joined(texts, valuesOf(part, lookup, true));
  return texts;
}

function expandParts(parts: readonly WordPart[], lookup: Lookup, isTilde: boolean): Draft[] {
  if (parts.length > MAX_PARTS) return [{ done: [], text: UNKNOWN_WORDS, started: true }];
  let drafts: Draft[] = [EMPTY];
  parts.forEach((part, index) => {
    const isQuoted = part.type === 'DoubleQuoted' || part.type === 'LocaleString' || part.type === 'SingleQuoted' || part.type === 'AnsiCQuoted';
    let values = valuesOf(part, lookup, isQuoted);
    if (index === 0 && isTilde) values = values.map((value) => tilde(value, lookup));
    const isSplit = part.type === 'SimpleExpansion' || part.type === 'ParameterExpansion' || part.type === 'CommandExpansion';
    const [draft] = drafts;
    const [value] = values;
    if (!isSplit && draft !== undefined && value !== undefined && drafts.length === 1 && values.length === 1) {
      drafts = [append(draft, value)];
      return;
    }
    const separators = isSplit ? separatorsOf(lookup) : USUAL;
    drafts = limited(drafts.flatMap((draft) => (isSplit ? values.flatMap((value) => separators.map((separator) => appendSplit(draft, value, separator))) : values.map((value) => append(draft, value)))));
  });
  return drafts;
}

function append(draft: Draft, text: string): Draft {
  return { done: draft.done, text: cut(draft.text + text), started: true };
}

/** What fields may be split at: blanks, and what else the script gives to IFS. */
function separatorsOf(lookup: Lookup): readonly RegExp[] {
  const given = lookup.variable('IFS', 0);
  if (given === undefined || (given.length === 1 && given[0] === ' \t\n')) return USUAL;
  const own = new Set(given.filter((value) => value !== '' && /[^ \t\n]/.test(value) && !hasUnknown(value)));
  return [BLANKS, ...[...own].slice(0, 3).map((value) => new RegExp(`[${value.replace(/[\]\\^-]/g, '\\$&')}]+`))];
}

const BLANKS = /[ \t\n]+/;
const USUAL = [BLANKS];

/** Field splitting, and patterns as patterns; nothing at all leaves no field. */
function appendSplit(draft: Draft, value: string, separator = BLANKS): Draft {
  const pieces = (/[*?]/.test(value) ? value.replaceAll('*', GLOB_STAR).replaceAll('?', GLOB_ONE) : value).split(separator);
  let result = draft;
  pieces.forEach((piece, index) => {
    if (index > 0 && result.started) result = { done: [...result.done, result.text], text: '', started: false };
    if (piece !== '') result = append(result, piece);
  });
  return result;
}

/** `{a,b}` comes first, on the text: every word that the braces make, each read on its own. */
function expandBraces(parts: readonly WordPart[], lookup: Lookup): string[][] {
  if (parts.length > MAX_PARTS || parts.some(({ text }) => bracesOf(text) > MAX_BRACES)) return [[UNKNOWN_WORDS]];
  let texts = [''];
  for (const part of parts) {
    const items = part.type === 'BraceExpansion' ? braceItems(part.text) : [part.text];
    texts = texts.flatMap((text) => items.map((item) => text + item));
    if (texts.length > MAX_ALTERNATIVES) return [[UNKNOWN_WORDS]];
  }
  let lists: string[][] = [[]];
  for (const text of texts) {
    const word = /^[\w./:@%+,=-]*$/.test(text) ? undefined : parseWord(text); // most items are as plain as they look
    const own = word === undefined ? [[text]] : expandWord(word, lookup);
    lists = lists.flatMap((list) => own.map((fields) => [...list, ...fields]));
    if (lists.length > MAX_ALTERNATIVES) return [[UNKNOWN_WORDS]];
  }
  return lists;
}

/** What one part may become. */
function valuesOf(part: WordPart, lookup: Lookup, isQuoted: boolean): readonly string[] {
  switch (part.type) {
    case 'Literal': case 'SingleQuoted': case 'AnsiCQuoted':
      return [part.value];
    case 'Glob':
      return isQuoted ? [part.value] : [part.kind === 'star' ? GLOB_STAR : GLOB_ONE];
    case 'ExtendedGlob':
      return [isQuoted ? part.text : GLOB_STAR];
    case 'DoubleQuoted': case 'LocaleString':
      return expandQuoted(part.parts, lookup);
    case 'SimpleExpansion':
      return known(lookup.variable(part.text[1] === '\\' ? part.text.replace(/^\$(?:\\\n)*/, '') : part.text.slice(1), part.pos), isQuoted);
    case 'ParameterExpansion':
      return parameter(part, lookup, isQuoted);
    case 'CommandExpansion':
      return requote(lookup.substitution(part.script), isQuoted);
    case 'ArithmeticExpansion':
      return [PLAIN];
    case 'ProcessSubstitution':
      return [lookup.opened(part.operator === '<' ? lookup.substitution(part.script) : [UNKNOWN])];
    case 'BraceExpansion':
      return [part.text];
  }
}

function parameter(part: WordPart & { type: 'ParameterExpansion' }, lookup: Lookup, isQuoted: boolean): readonly string[] {
  const { operation } = part;
  if (part.prefix === '#') return [PLAIN];
  if (part.prefix !== undefined) return known(undefined, isQuoted);
  const values = lookup.variable(part.parameter, part.pos);
  if (operation === undefined) return known(values, isQuoted);
  if (operation.type !== 'Default') return known(operation.type === 'CaseModification' || values === undefined ? undefined : values.map((value) => transformed(value, operation, lookup)), isQuoted);
  const operands = expandText(operation.operand, lookup);
  const own = values ?? [isQuoted ? UNKNOWN : UNKNOWN_WORDS];
  if (operation.operator.includes('?')) return requote(own, isQuoted);
  if (operation.operator.includes('+')) return requote(['', ...operands], isQuoted);
  return requote([...own.filter((value) => value !== ''), ...operands], isQuoted);
}

/** `${x%.c}`, `${x/a/b}`, `${x:1:2}` where everything is literal; else unknown. */
function transformed(value: string, operation: { readonly type: string; readonly operator?: string; readonly operand?: Word | undefined; readonly pattern?: Word; readonly replacement?: Word; readonly offset?: Word; readonly length?: Word | undefined }, lookup: Lookup): string {
  if (hasUnknown(value)) return UNKNOWN;
  if (operation.type === 'Slice' && operation.offset !== undefined) return slice(value, operation.offset.value, operation.length?.value);
  const text = (word: Word | undefined): string | undefined => (word === undefined ? '' : expandText(word, lookup)[0]);
  if (operation.type === 'Remove') {
    const pattern = text(operation.operand) ?? UNKNOWN;
    if (hasUnknown(pattern) || /[\uFDD5\uFDD6*?[]/.test(pattern)) return UNKNOWN;
    if (operation.operator?.startsWith('#') === true) return value.startsWith(pattern) ? value.slice(pattern.length) : value;
    return value.endsWith(pattern) ? value.slice(0, value.length - pattern.length) : value;
  }
  if (operation.type !== 'Replace') return UNKNOWN;
  const [pattern, replacement] = [text(operation.pattern) ?? UNKNOWN, text(operation.replacement) ?? UNKNOWN];
  if (pattern === '' || /[\uFDD0-\uFDD6*?[]/.test(pattern) || hasUnknown(replacement) || operation.operator?.length !== 1 && operation.operator !== '//') return UNKNOWN;
  return operation.operator === '//' ? cut(value.replaceAll(pattern, () => replacement)) : value.replace(pattern, () => replacement);
}

function slice(value: string, offset: string, length: string | undefined): string {
  const [from, count] = [Number(offset), length === undefined ? value.length : Number(length)];
  return Number.isInteger(from) && Number.isInteger(count) && from >= 0 && count >= 0 ? value.slice(from, from + count) : UNKNOWN;
}

function known(values: readonly string[] | undefined, isQuoted: boolean): readonly string[] {
  if (values === undefined) return isQuoted ? ONE_UNKNOWN : SEVERAL_UNKNOWN;
  return values.length === 1 && isKnown(values[0] ?? '') ? values : requote(values, isQuoted);
}

const ONE_UNKNOWN: readonly string[] = [UNKNOWN];
const SEVERAL_UNKNOWN: readonly string[] = [UNKNOWN_WORDS];

/** An unknown text may be several words where it stands unquoted, and is one where it is quoted. */
function requote(values: readonly string[], isQuoted: boolean): readonly string[] {
  return values.map((value) => (isQuoted ? value.replaceAll(UNKNOWN_WORDS, UNKNOWN) : value.replaceAll(UNKNOWN, UNKNOWN_WORDS)));
}

function tilde(text: string, lookup: Lookup): string {
  const { home } = lookup;
  if (!text.startsWith('~')) {
    const at = text.indexOf('=~') + 1;
    return at === 0 ? text : text.slice(0, at) + tilde(text.slice(at), lookup);
  }
  if (text === '~' || text.startsWith('~/')) return home + text.slice(1);
  if (text.startsWith('~+') || text.startsWith('~-')) return UNKNOWN + text.slice(2);
  const user = /^~([a-z_][\w-]*)/.exec(text);
  if (user === null) return text;
  return (user[1] === 'root' ? '/root' : `/home/${user[1]}`) + text.slice(user[0].length);
}

function joined(texts: readonly string[], values: readonly string[]): string[] {
  const [text, value] = [texts[0], values[0]];
  if (texts.length === 1 && values.length === 1 && text !== undefined && value !== undefined) return [cut(text + value)];
  const all = texts.flatMap((text) => values.map((value) => cut(text + value)));
  return all.length > MAX_ALTERNATIVES ? [...all.slice(0, MAX_ALTERNATIVES - 1), UNKNOWN] : all;
}

function limited(drafts: readonly Draft[]): Draft[] {
  return drafts.length > MAX_ALTERNATIVES ? [...drafts.slice(0, MAX_ALTERNATIVES - 1), { done: [], text: UNKNOWN_WORDS, started: true }] : [...drafts];
}

function cut(text: string): string {
  return text.length > MAX_VALUE ? UNKNOWN : text;
}
