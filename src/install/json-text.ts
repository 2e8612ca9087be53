// JSON, with or without comments, as text that is edited and not written anew. jsonc-parser's own edits format the neighbours, too.
import { createScanner, findNodeAtLocation, parse, parseTree, printParseErrorCode, type Node, type ParseError } from 'jsonc-parser';
import { StartError } from '../config/start-error.ts';
import { lineAndColumn } from './line-and-column.ts';

const BOM = '\uFEFF';

/** Its value; undefined for a text of nothing but blanks. Throws StartError naming line and column. */
export function parseJson(text: string, file: string, hasComments: boolean): unknown {
  const source = withoutBom(text);
  if (source.trim() === '') return undefined;
  const errors: ParseError[] = [];
  const value: unknown = parse(source, errors, { disallowComments: !hasComments, allowTrailingComma: hasComments });
  const [error] = errors;
  if (error === undefined) return value;
  throw new StartError(`${file}:${lineAndColumn(source, error.offset)}: ${inWords(printParseErrorCode(error.error))}; nothing was changed: correct the file and try again`);
}

/** "ValueExpected" as a person says it. */
function inWords(code: string): string {
  return code.replace(/(?!^)[A-Z]/g, ' $&').toLowerCase();
}

/** Puts a value at a path of two names, or takes it out for undefined. Every other character stays. */
export function editJson(text: string, [parent, name]: readonly [string, string], value: unknown): string {
  const bom = text.startsWith(BOM) ? BOM : '';
  const given = withoutBom(text);
  const source = given.trim() === '' ? '{}\n' : given;
  const root = parseTree(source, [], { allowTrailingComma: true });
  if (root === undefined) return text;
  const servers = findNodeAtLocation(root, [parent]);
  if (value === undefined) return bom + (servers === undefined ? source : without(source, servers, name));
  return bom + (servers === undefined ? withProperty(source, root, parent, { [name]: value }) : withProperty(source, servers, name, value));
}

function withProperty(text: string, object: Node, name: string, value: unknown): string {
  const style = styleOf(text);
  const existing = propertyOf(object, name);
  const last = object.children?.at(-1);
  if (existing !== undefined) return replaced(text, existing, printed(value, style, indentAt(text, object.children?.[0]?.offset ?? existing.offset)));
  if (last === undefined) {
    const outer = indentAt(text, object.offset);
    const inner = outer + style.indent;
    const start = object.offset + 1;
    const rest = text.slice(start, object.offset + object.length - 1).trimEnd(); // comments
    return `${text.slice(0, start)}${rest}${style.newline}${inner}${JSON.stringify(name)}: ${printed(value, style, inner)}${style.newline}${outer}${text.slice(object.offset + object.length - 1)}`;
  }
  const end = last.offset + last.length;
  const close = object.offset + object.length - 1;
  if (!text.slice(end, close).includes('\n')) return `${text.slice(0, end)}, ${JSON.stringify(name)}: ${JSON.stringify(value)}${text.slice(end)}`;
  const comma = commaAfter(text, end);
  const lineEnd = text.indexOf(style.newline, comma ?? end); // behind a comment on the last line
  const indent = indentAt(text, last.offset);
  const property = `${style.newline}${indent}${JSON.stringify(name)}: ${printed(value, style, indent)}${comma === undefined ? '' : ','}`;
  return `${text.slice(0, end)}${comma === undefined ? ',' : ''}${text.slice(end, lineEnd)}${property}${text.slice(lineEnd)}`;
}

function without(text: string, object: Node, name: string): string {
  const children = object.children ?? [];
  const property = children.find((child) => child.children?.[0]?.value === name);
  if (property === undefined) return text;
  const before = children[children.indexOf(property) - 1];
  const end = property.offset + property.length;
  const comma = commaAfter(text, end);
  const start = property.offset - (/(?:\r?\n)?[ \t]*$/.exec(text.slice(0, property.offset))?.[0].length ?? 0);
  if (comma !== undefined) return text.slice(0, start) + text.slice(comma + 1);
  const cut = text.slice(0, start) + text.slice(end);
  const earlier = before === undefined ? undefined : commaAfter(text, before.offset + before.length);
  if (earlier !== undefined) return cut.slice(0, earlier) + cut.slice(earlier + 1);
  return cut.replace(/\{\s*\}/g, (empty, at: number) => (at === object.offset ? '{}' : empty));
}

function propertyOf(object: Node, name: string): Node | undefined {
  return object.children?.find((child) => child.children?.[0]?.value === name)?.children?.[1];
}

function replaced(text: string, { offset, length }: Node, by: string): string {
  return text.slice(0, offset) + by + text.slice(offset + length);
}

/** Where the comma is that follows, blanks and comments apart. */
function commaAfter(text: string, offset: number): number | undefined {
  const scanner = createScanner(text, true);
  scanner.setPosition(offset);
  scanner.scan();
  const at = scanner.getTokenOffset();
  return text[at] === ',' ? at : undefined;
}

interface Style {
  readonly indent: string;
  readonly newline: string;
}

/** As the file has it: what is put in looks like the rest. */
function styleOf(text: string): Style {
  const [, indent = '  '] = /^([ \t]+)["}\]]/m.exec(text) ?? [];
  return { indent, newline: text.includes('\r\n') ? '\r\n' : '\n' };
}

function printed(value: unknown, { indent, newline }: Style, at: string): string {
  return JSON.stringify(value, undefined, indent).replaceAll('\n', newline + at);
}

/** How the line is indented that has this place in it. */
function indentAt(text: string, offset: number): string {
  const line = text.lastIndexOf('\n', offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(line))?.[0] ?? '';
}

function withoutBom(text: string): string {
  return text.startsWith(BOM) ? text.slice(BOM.length) : text;
}
