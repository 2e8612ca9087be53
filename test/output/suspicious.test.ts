import { describe, expect, test } from 'vitest';
import { showInvisible } from '../../src/output/suspicious.ts';

const START = { before: '', hasMark: false };

describe('T43: characters that no one sees', () => {
  test.each([
    ['a bidi override', 'a\u202eb', 'a\\u{202E}b', 1],
    ['bidi isolates', '\u2066x\u2069', '\\u{2066}x\\u{2069}', 2],
    ['tag characters', 'ok\u{e0049}\u{e0067}', 'ok\\u{E0049}\\u{E0067}', 2],
    ['zero-width characters', 'r\u200bm\u2060 \u200d-rf', 'r\\u{200B}m\\u{2060} \\u{200D}-rf', 3],
    ['a non-joiner between Latin letters', 'r\u200cm', 'r\\u{200C}m', 1],
    ['a byte order mark inside', 'a\ufeffb', 'a\\u{FEFF}b', 1],
    ['variation selectors that carry data', 'a\ufe00\ufe01\u{e0100}', 'a\\u{FE00}\\u{FE01}\\u{E0100}', 3],
    ['a second variation selector after an emoji', '❤\ufe0f\ufe0f', '❤\ufe0f\\u{FE0F}', 1],
    ['a filler that looks like a blank', 'a\u3164b', 'a\\u{3164}b', 1],
  ])('%s is written out', (_name, text, shown, suspicious) => {
    expect(showInvisible(text, START)).toEqual({ text: shown, suspicious });
  });

  test.each([
    ['text', 'größe ≤ 你好\n'],
    ['a family', '👩\u200d👩\u200d👧'],
    ['a heart on fire', '❤\ufe0f\u200d🔥'],
    ['a skin tone with a profession', '👩🏽\u200d🚀'],
    ['a keycap and a sign in emoji form', '1\ufe0f\u20e3 ©\ufe0f ☑\ufe0e'],
    ['a non-joiner in Persian', 'می\u200cخواهم'],
    ['a joiner in Hindi', 'क्\u200dष'],
    ['a non-joiner in Kannada', 'ರ್\u200cಕ'],
    ['a variant of an ideograph', '葛\u{e0100}'],
    ['a soft hyphen', 'Donau\u00addampf'],
  ])('%s stays as it is', (_name, text) => {
    expect(showInvisible(text, START)).toEqual({ text, suspicious: 0 });
  });

  test('the character before a text counts as its neighbour', () => {
    expect(showInvisible('\u200d👧', { before: '👩', hasMark: false })).toEqual({ text: '\u200d👧', suspicious: 0 });
    expect(showInvisible('\u200d👧', { before: 'a', hasMark: false })).toEqual({ text: '\\u{200D}👧', suspicious: 1 });
    expect(showInvisible('\u202e', { before: '\u202e', hasMark: false })).toEqual({ text: '\\u{202E}', suspicious: 1 });
  });

  test('a byte order mark stands where it is one', () => {
    expect(showInvisible('\ufeff\ufeffid', { before: '', hasMark: true })).toEqual({ text: '\ufeff\\u{FEFF}id', suspicious: 1 });
    expect(showInvisible('\ufeffid', START)).toEqual({ text: '\\u{FEFF}id', suspicious: 1 });
  });
});
