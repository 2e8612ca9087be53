import { describe, expect, test } from 'vitest';
import { lastCharacter, wholeCharacters } from '../../src/output/utf8.ts';
import { seeded } from './support.ts';

describe('where UTF-8 may be cut', () => {
  test.each([
    ['nothing', '', 0],
    ['letters', 'ab', 2],
    ['a whole character', 'a\u2264', 4],
    ['the first byte of three', Buffer.from([0x61, 0xe2]), 1],
    ['two bytes of three', Buffer.from([0x61, 0xe2, 0x89]), 1],
    ['three bytes of four', Buffer.from([0xf0, 0x9f, 0x98]), 0],
    ['bytes that begin nothing', Buffer.from([0x61, 0xff, 0xc0]), 3],
    ['a rest without a beginning', Buffer.from([0x89, 0xa4]), 2],
    ['an overlong form', Buffer.from([0xe0, 0x80]), 2],
    ['half a surrogate', Buffer.from([0xed, 0xa0]), 2],
    ['more than U+10FFFF', Buffer.from([0xf4, 0x90]), 2],
  ])('%s', (_name, bytes, whole) => {
    expect(wholeCharacters(Buffer.from(bytes as string))).toBe(whole);
  });

  test('decoding the parts gives what decoding the whole gives, whatever the bytes', () => {
    const random = seeded(3);
    const alphabet = [0x61, 0x80, 0x89, 0x90, 0x9f, 0xa0, 0xa4, 0xbf, 0xc0, 0xc2, 0xe0, 0xe2, 0xed, 0xf0, 0xf4, 0xf5, 0xff];
    for (let round = 0; round < 20_000; round++) {
      const bytes = Buffer.from(Array.from({ length: 8 }, () => alphabet[Math.floor(random() * alphabet.length)] ?? 0));
      const cut = wholeCharacters(bytes.subarray(0, 1 + Math.floor(random() * 8)));
      const parts = bytes.toString('utf8', 0, cut) + bytes.toString('utf8', cut);
      expect(parts, bytes.toString('hex')).toBe(bytes.toString('utf8'));
    }
  });

  test('the last character is a whole one', () => {
    expect(lastCharacter(Buffer.from('a😀'))).toBe('😀');
    expect(lastCharacter(Buffer.from([0x61, 0xff]))).toBe('\ufffd');
    expect(lastCharacter(Buffer.alloc(0))).toBe('');
  });
});
