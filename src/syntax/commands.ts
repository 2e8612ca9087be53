// Every simple command that a script would run, however deep it stands and however it is spelled, as plain values.
import { Reader } from './reader.ts';
import { readFish, readFishCode } from './fish.ts';
import type { Fact, Reading } from './command.ts';
import { MAX_LENGTH } from './limits.ts';
import { hasReserved } from './marks.ts';
import { foreignSyntax } from './zsh.ts';

export interface ReadOptions {
  readonly shell: 'bash' | 'zsh' | 'fish' | 'sh';
  readonly cwd: string;
  readonly home: string;
  /** `cd` may lead elsewhere: CDPATH is set. */
  readonly hasCdPath?: boolean | undefined;
  /** At the shell's own prompt. */
  readonly isTyped?: boolean;
  /** fish's own tree of a text, as `fish_indent --dump-parse-tree` prints it; undefined when there is none. */
  readonly fishTree?: ((text: string) => string | undefined) | undefined;
}

/** A terminal acts on these: control characters, and what turns the direction of writing. */
// eslint-disable-next-line no-control-regex -- these are what is looked for
const CONTROL = /[\x00-\x08\x0B-\x1F\x7F\u202A-\u202E\u2066-\u2069]/;
/** They, and our own marks: one look says that a text has neither. */
// eslint-disable-next-line no-control-regex -- these are what is looked for
const ODD = /[\x00-\x08\x0B-\x1F\x7F\u202A-\u202E\u2066-\u2069\uFDD0-\uFDEF]/;

/** Reads a script as its shell would. Nothing is thrown for any text: what cannot be read is a fact. */
export function readScript(text: string, options: ReadOptions): Reading {
  if (text.length > MAX_LENGTH) return { commands: [], facts: [{ kind: 'limit', detail: `more than ${MAX_LENGTH} characters` }], defined: new Set() };
  const facts: Fact[] = [];
  const isOdd = ODD.test(text);
  if (isOdd && CONTROL.test(text)) facts.push(CONTROL.test(text.replaceAll('\r\n', '\n')) ? { kind: 'control-bytes', detail: 'control characters, which a terminal acts on' } : { kind: 'cr-lf', detail: 'lines that end in CR LF' });
  if (endsInBackslash(text)) facts.push({ kind: 'syntax-error', detail: 'ends in a backslash, so that what comes next belongs to it' });
  const isReserved = isOdd && hasReserved(text);
  if (isReserved) facts.push({ kind: 'reserved-characters', detail: 'noncharacters of Unicode' });
  const clean = isReserved ? text.replace(/[\uFDD0-\uFDEF]/g, '\uFFFD') : text;
  if (options.shell === 'fish') return merged(facts, readFish(clean, options));
  const foreign = options.shell === 'zsh' ? foreignSyntax(clean, options.isTyped === true) : undefined;
  if (foreign !== undefined) facts.push({ kind: 'foreign-syntax', detail: foreign });
  const reader = new Reader(options);
  reader.fishCode = (code, place) => readFishCode(reader, code, { place, options });
  reader.readText(clean);
  return merged(facts, reader.reading());
}

function merged(facts: readonly Fact[], reading: Reading): Reading {
  return facts.length === 0 ? reading : { ...reading, facts: [...facts, ...reading.facts] };
}

/** Whether the last line goes on: an odd number of backslashes, with a line end behind it or not. */
function endsInBackslash(text: string): boolean {
  const end = text.endsWith('\n') ? text.length - 1 : text.length;
  let from = end;
  while (text[from - 1] === '\\') from--;
  return (end - from) % 2 === 1;
}
