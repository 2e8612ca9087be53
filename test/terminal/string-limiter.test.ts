import { describe, expect, test } from 'vitest';
import { StringLimiter } from '../../src/terminal/string-limiter.ts';

const KIB_64 = 65_536;

/** A stream with `…` for much payload, and what goes on of it with `…` for as much as may and CAN for an abort. */
const TABLE: readonly (readonly [name: string, stream: string, limited: string])[] = [
  ['text is no payload', 'text …', 'text …+'],
  ['a title that ends with BEL', '\x1b]0;…\x07after', '\x1b]0;…\x18after'],
  ['a title that ends with ST', '\x1b]0;…\x1b\\after', '\x1b]0;…\x18\x1b\\after'],
  ['a title that ends with ST as a C1 control', '\x1b]0;…\u009cafter', '\x1b]0;…\x18after'],
  ['a title that a sequence ends', '\x1b]0;…\x1b[mafter', '\x1b]0;…\x18\x1b[mafter'],
  ['a title that CAN ends', '\x1b]0;…\x18after', '\x1b]0;…\x18after'],
  ['OSC as a C1 control', '\u009d0;…\x07after', '\u009d0;…\x18after'],
  ['a BEL does not end DCS', '\x1bPq\x07…\x07…\x1b\\after', '\x1bPq\x07…\x18\x1b\\after'],
  ['controls between ESC and its letter', '\x1b\n]0;…\x07after', '\x1b\n]0;…\x18after'],
  ['each string counts for itself', '\x1b]0;…\x07a\x1b]0;…\x07b', '\x1b]0;…\x18a\x1b]0;…\x18b'],
  ['behind a string text is no payload', '\x1b]0;t\x07…', '\x1b]0;t\x07…+'],
  ['other sequences are no strings', '\x1b[1m…\x1b(B…', '\x1b[1m…+\x1b(B…+'],
];
const MUCH = 'A'.repeat(KIB_64 + 1_000);

/** The payload that may go on is 64 KiB with what stands before `…` in its string. */
function expected(limited: string): string {
  return limited.replace(/…\+/g, MUCH).replace(/(\x1b\n?\]|\u009d|\x1bP)([^…\x07]*\x07?)…/g, (_all, introducer: string, head: string) => introducer + head + 'A'.repeat(KIB_64 - head.length));
}

function limit(stream: Buffer, cuts: readonly number[]): string {
  const limiter = new StringLimiter();
  const edges = [0, ...cuts, stream.length];
  return Buffer.concat(edges.slice(1).map((edge, index) => limiter.limit(stream.subarray(edges[index], edge)))).toString();
}

describe('the limit of control strings', () => {
  test.each(TABLE)('T44: %s', (_name, stream, limited) => {
    const bytes = Buffer.from(stream.replaceAll('…', MUCH));
    expect(limit(bytes, [])).toBe(expected(limited));
    const edges = [...stream.matchAll(/…/g)].flatMap((_much, index) => [index * MUCH.length, (index + 1) * MUCH.length]);
    const cuts = edges.flatMap((edge) => Array.from({ length: 24 }, (_cut, index) => edge + index)).filter((cut) => cut > 0 && cut < bytes.length);
    for (const cut of [...cuts, KIB_64 + 1, KIB_64 + 3, KIB_64 + 4, KIB_64 + 5]) expect(limit(bytes, [cut]) === expected(limited), `cut at ${cut}`).toBe(true);
  });

  test('bytes of which nothing is dropped are not copied', () => {
    const bytes = Buffer.from('text \x1b[1m\x1b]0;title\x07');
    expect(new StringLimiter().limit(bytes)).toBe(bytes);
  });
});
