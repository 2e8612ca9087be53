// The arguments of a call as the log keeps them: redacted, short, of the environment only the names.
import { createHash, hash } from 'node:crypto';
import { REDACTED, type Redactor } from './redact.ts';
import { isSecretName } from './secret-names.ts';

const MAX_TEXT_BYTES = 4_096;
const MAX_VALUE_BYTES = 256;
const MAX_NAMES = 100;
const MAX_NAME_CHARACTERS = 64;
const MAX_ARGUMENTS = 24;
/** Looked through for secrets. What is cut off behind the first 4 KB is not kept, so it need not be looked at. */
const WINDOW_CHARACTERS = 16 * 1024;

/** A text that may be long. */
export interface RecordedText {
  readonly text: string;
  /** Of the whole text as it was given. */
  readonly bytes: number;
  /** Of the whole text, after redaction: a hash of what was taken out would let short secrets be guessed. */
  readonly sha256: string;
  readonly cut?: true;
}

export type RecordedValue = RecordedText | { readonly bytes: number } | readonly string[] | string | number | boolean;

export interface RecordedArguments {
  readonly values: Readonly<Record<string, RecordedValue>>;
  /** How many secrets were taken out. */
  readonly redacted: number;
}

export interface RecordingOptions {
  readonly redactor: Redactor;
  /** What is typed goes to a program that asks for a secret: only its length is kept. */
  readonly isSecret?: boolean;
}

/** Texts that reach a shell or a program. */
const LONG = new Set(['command', 'text', 'stdin']);
/** Those of them that are typed into what runs. */
const TYPED = new Set(['text', 'stdin', 'keys']);

/** The arguments of one call, for its record. */
export function recordedArguments(args: Readonly<Record<string, unknown>>, { redactor, isSecret = false }: RecordingOptions): RecordedArguments {
  const values: Record<string, RecordedValue> = {};
  let redacted = 0;
  const short = (value: unknown): string => {
    const found = redactor.redact(head(typeof value === 'string' ? value : JSON.stringify(value), WINDOW_CHARACTERS));
    redacted += found.count;
    return cutToBytes(found.text, MAX_VALUE_BYTES);
  };
  const nameOf = (key: string): string => {
    const found = redactor.redact(head(key, MAX_NAME_CHARACTERS)); // what is misspelt may be anything
    redacted += found.count;
    return found.text;
  };
  for (const [key, value] of Object.entries(args).slice(0, MAX_ARGUMENTS)) {
    const name = nameOf(key);
    if (value === undefined || value === null) continue;
    if (key === 'env') values[name] = typeof value === 'object' ? namesOf(value) : [];
    else if (isSecret && TYPED.has(key)) values[name] = { bytes: Buffer.byteLength(typeof value === 'string' ? value : JSON.stringify(value)) };
    else if (typeof value === 'number' || typeof value === 'boolean') values[name] = value;
    else if (LONG.has(key) && typeof value === 'string') {
      const { count, ...text } = recordedText(value, redactor);
      redacted += count;
      values[name] = text;
    } else if (isSecretName(key)) {
      redacted += 1;
      values[name] = REDACTED;
    } else values[name] = short(value);
  }
  return { values, redacted };
}

/** The first 4 KB after redaction, with length and hash of the whole. */
export function recordedText(whole: string, redactor: Redactor): RecordedText & { readonly count: number } {
  const window = whole.length > WINDOW_CHARACTERS ? wholeWords(head(whole, WINDOW_CHARACTERS)) : whole;
  const { text, count } = redactor.redact(window);
  const kept = cutToBytes(text, MAX_TEXT_BYTES);
  const isCut = kept.length < text.length || window.length < whole.length;
  const sha256 = window === whole ? hash('sha256', text) : createHash('sha256').update(text).update(whole.slice(window.length)).digest('hex');
  return { text: kept, bytes: Buffer.byteLength(whole), sha256, ...(isCut ? { cut: true } : {}), count };
}

function namesOf(environment: object): string[] {
  return Object.keys(environment).sort().slice(0, MAX_NAMES).map((name) => head(name, MAX_NAME_CHARACTERS));
}

/** A token that the window cuts in two would no longer look like one: the last word goes. One without any blank has no end to be seen. */
function wholeWords(window: string): string {
  const end = /\s\S*$/.exec(window.slice(-WINDOW_CHARACTERS / 2))?.[0].length ?? WINDOW_CHARACTERS / 2;
  return window.slice(0, window.length - end);
}

/** At most so many bytes of UTF-8, no character and no mark of ours cut in two. */
function cutToBytes(text: string, maxBytes: number): string {
  if (text.length * 3 <= maxBytes || Buffer.byteLength(text) <= maxBytes) return text;
  let [bytes, end] = [0, 0];
  for (const character of text) {
    bytes += Buffer.byteLength(character);
    if (bytes > maxBytes) break;
    end += character.length;
  }
  const mark = text.lastIndexOf(REDACTED, end);
  return text.slice(0, mark !== -1 && mark + REDACTED.length > end ? mark : end);
}

/** The first characters, no surrogate pair cut in two. */
function head(text: string, characters: number): string {
  if (text.length <= characters) return text;
  const last = text.charCodeAt(characters - 1);
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? characters - 1 : characters);
}
