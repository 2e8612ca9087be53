// Takes secrets out of text before it is written anywhere. What it cannot know: a secret without a known shape in a place like any other.
import type { Pattern } from '../lib/pattern.ts';
import { SECRET_PLACES, type SecretPlace } from './secret-places.ts';
import { PRIVATE_KEY, SECRET_ADDRESS, TOKEN } from './secret-shapes.ts';

export interface Redacted {
  readonly text: string;
  /** How many secrets were taken out. */
  readonly count: number;
}

export const REDACTED = '[redacted]';

/** Not the secret but where it comes from: `$TOKEN`, `${TOKEN}`, `$(pass show x)`, `%TOKEN%`, `<token>`; or nothing; or taken out already. */
const REFERENCE = /^(?:\\?["'])?(?:\$(?:[\w@*#?!-]+|\{[^}]*\}|\(.*|)|`.*|%\w+%|<[\w -]*>?|\*+|\.{3}|)(?:\\?["'])?$|\[redacted\]/s;

/** What every token has; most commands have no word as long as that. */
const LONG_WORD = /[\w.:-]{15}/;
const ADDRESS: SecretPlace = { before: SECRET_ADDRESS, value: /[\w/-]+/y };

export class Redactor {
  readonly #patterns: readonly Pattern[];

  /** With the user's own patterns; what they match is taken out as a whole. */
  constructor(patterns: readonly Pattern[] = []) {
    this.#patterns = patterns;
  }

  /** Throws BAD_PATTERN. */
  static async create(sources: readonly string[]): Promise<Redactor> {
    if (sources.length === 0) return new Redactor();
    const { Pattern } = await import('../lib/pattern.ts');
    return new Redactor(sources.map((source) => Pattern.compile(source)));
  }

  redact(text: string): Redacted {
    let found: Redacted = { text, count: 0 };
    for (const pattern of this.#patterns) found = add(found, withoutPattern(found.text, pattern));
    if (text.includes('-----BEGIN')) found = add(found, replaced(found.text, PRIVATE_KEY));
    if (text.includes('https://')) found = add(found, withoutPlace(found.text, ADDRESS));
    if (LONG_WORD.test(text)) found = add(found, replaced(found.text, TOKEN));
    for (const { hint, places } of SECRET_PLACES) {
      if (hint.test(text)) for (const place of places) found = add(found, withoutPlace(found.text, place));
    }
    return found;
  }
}

function add({ count }: Redacted, more: Redacted): Redacted {
  return { text: more.text, count: count + more.count };
}

function replaced(text: string, shape: RegExp): Redacted {
  let count = 0;
  const without = text.replaceAll(shape, () => {
    count += 1;
    return REDACTED;
  });
  return { text: without, count };
}

/** Goes on behind each value that was taken out, and inside each one that was not. */
function withoutPlace(text: string, { before, value, isOne }: SecretPlace): Redacted {
  let [without, count, kept] = ['', 0, 0];
  before.lastIndex = 0;
  for (let match = before.exec(text); match !== null; match = before.exec(text)) {
    const start = match.index + match[0].length;
    if (before.lastIndex === match.index) before.lastIndex += 1;
    if (isOne !== undefined && !isOne(match.slice(1))) continue;
    value.lastIndex = start;
    const secret = value.exec(text)?.[0] ?? '';
    if (REFERENCE.test(secret)) continue;
    without += text.slice(kept, start) + inItsQuotes(secret);
    kept = start + secret.length;
    before.lastIndex = kept;
    count += 1;
  }
  return { text: without + text.slice(kept), count };
}

/** The quotes stay, so that the rest of the command still reads as it was. */
function inItsQuotes(secret: string): string {
  const quotes = /^(\\"|["'])[^]*\1$/.exec(secret)?.[1] ?? '';
  return `${quotes}${REDACTED}${quotes}`;
}

function withoutPattern(text: string, pattern: Pattern): Redacted {
  let [without, count, kept] = ['', 0, 0];
  for (let match = pattern.find(text); match !== undefined; match = pattern.find(text, kept)) {
    if (match.end === match.start) break; // a pattern that matches nothing takes nothing out
    without += text.slice(kept, match.start) + REDACTED;
    kept = match.end;
    count += 1;
  }
  return { text: without + text.slice(kept), count };
}
