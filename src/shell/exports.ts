// Reads exported variables as bash (`export -p`) prints them.

/**
 * `declare -x NAME="value"`, where `"`, `$`, `` ` `` and `\` are escaped and a value may go over many lines; `declare -x NAME`
 * without a value is exported but unset, and has none. Since 5.3 values with control characters are printed as `$'…'`.
 */
export function parseBashExports(text: string): Map<string, string> {
  const variables = new Map<string, string>();
  const statement = /^(?:declare -\S+|export) ([A-Za-z_]\w*)(?:=(?:"((?:[^"\\]|\\[\s\S])*)"|\$'((?:[^'\\]|\\[\s\S])*)'))?$/gm;
  for (const [, name, quoted, ansi] of text.matchAll(statement)) {
    if (name === undefined) continue;
    if (quoted !== undefined) variables.set(name, quoted.replaceAll(/\\([\s\S])/g, (_, char: string) => (char === '\n' ? '' : char)));
    else if (ansi !== undefined) variables.set(name, unescape(ansi));
  }
  return variables;
}

const NAMED_ESCAPES: Readonly<Record<string, string>> = { a: '\x07', b: '\b', e: '\x1b', E: '\x1b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

/** Backslash escapes of `$'…'`; bytes given as numbers are joined to UTF-8 text. */
function unescape(text: string): string {
  const escape = /\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|c(.)|([0-7]{1,3})|([\s\S]))/g;
  const parts: Buffer[] = [];
  let done = 0;
  for (const match of text.matchAll(escape)) {
    parts.push(Buffer.from(text.slice(done, match.index)), escapedBytes(match));
    done = match.index + match[0].length;
  }
  parts.push(Buffer.from(text.slice(done)));
  return Buffer.concat(parts).toString();
}

function escapedBytes([, hex, short, long, control, octal, char]: RegExpMatchArray): Buffer {
  if (hex !== undefined) return Buffer.from([Number.parseInt(hex, 16)]);
  const point = short ?? long;
  if (point !== undefined) return Buffer.from(String.fromCodePoint(Number.parseInt(point, 16)));
  if (control !== undefined) return Buffer.from([control.toUpperCase().charCodeAt(0) & 0x1f]);
  if (octal !== undefined) return Buffer.from([Number.parseInt(octal, 8) & 0xff]);
  return Buffer.from(NAMED_ESCAPES[char ?? ''] ?? char ?? '');
}
