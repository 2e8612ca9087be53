// TOML as text: a table of ours with its sub-tables, all else as it was. Whoever edits checks afterwards that this is so.
import { parse, stringify, TomlError } from 'smol-toml';
import { StartError } from '../config/start-error.ts';

/** Its value. Throws StartError naming line and column. */
export function parseToml(text: string, file: string): unknown {
  try {
    return structuredClone(parse(text)); // plain objects
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [why = ''] = error.message.split('\n');
    throw new StartError(`${file}:${error.line}:${error.column}: ${why}; nothing was changed: correct the file and try again`);
  }
}

/** Puts a table there, in the place of the one that was there; takes it out for undefined. */
export function editToml(text: string, [parent, name]: readonly [string, string], value: unknown): string {
  const newline = text.includes('\r\n') ? '\r\n' : '\n';
  const lines = text.split(/(?<=\n)/);
  const [from, to] = ownLines(lines, parent, name) ?? [lines.length, lines.length];
  const table = value === undefined ? '' : stringify({ [parent]: { [name]: value } }).trim().replaceAll('\n', newline) + newline;
  const before = lines.slice(0, from).join('');
  const after = lines.slice(to).join('');
  if (from < lines.length) return table === '' ? joined(before, after, newline) : before + table + after;
  if (table === '') return text;
  return before === '' ? table : `${before}${before.endsWith('\n') ? '' : newline}${newline}${table}`;
}

/** Without the blank line that stood between what is gone and what comes next. */
function joined(before: string, after: string, newline: string): string {
  if (after === '') return before.endsWith(newline + newline) ? before.slice(0, -newline.length) : before;
  return before === '' || before.endsWith(newline + newline) ? before + after.replace(/^(?:\r?\n)+/, '') : before + after;
}

/** From its header to the last line that says something before the next table; comments above that belong to it. */
function ownLines(lines: readonly string[], parent: string, name: string): [from: number, to: number] | undefined {
  const own = new RegExp(`^\\s*\\[\\s*(?:${parent}|"${parent}")\\s*\\.\\s*(?:${name}|"${name}"|'${name}')\\s*(?:\\.[^\\]]*)?\\]`);
  const from = lines.findIndex((line) => own.test(line));
  if (from === -1) return undefined;
  const next = lines.findIndex((line, at) => at > from && /^\s*\[/.test(line) && !own.test(line));
  let to = next === -1 ? lines.length : next;
  while (to > from + 1 && /^\s*(?:#.*)?\s*$/.test(lines[to - 1] ?? '')) to--;
  return [from, to];
}
