import stripAnsi from 'strip-ansi';
import { describe, expect, test } from 'vitest';
import { removeSequences } from '../../src/terminal/escape-sequences.ts';
import { plainText } from '../../src/terminal/plain-text.ts';
import { seeded } from '../output/support.ts';

const KIB_64 = 64 * 1024;

/** Input, the text that is right, and how many states were overwritten. */
const TABLE: readonly (readonly [name: string, input: string, text: string, folded: number])[] = [
  ['text without control characters is as it was', 'a\tb\n\u00e9 ≤ 你 😀\n', 'a\tb\n\u00e9 ≤ 你 😀\n', 0],
  ['NUL is no business of ours', 'a\0b\n', 'a\0b\n', 0],
  ['a bell is for the terminal', 'a\x07b\x07\n', 'ab\n', 0],
  ['a bell goes beside sequences and edits, too', '\x07\x1b[1mred\x1b[0m\x07\nab\x07\rx\x07\n', 'red\nxb\n', 1],
  // Sequences
  ['colours go', '\x1b[1;31mred\x1b[0m \x1b[38;5;12mblue\x1b[m \x1b[38:2::1:2:3mtrue\x1b[m', 'red blue true', 0],
  ['private modes and the cursor shape go', '\x1b[?2004h\x1b[?25l\x1b[>4;2m\x1b[2 qx\x1b[?25h', 'x', 0],
  ['a title that ends with BEL goes', '\x1b]0;~/src\x07$ ', '$ ', 0],
  ['a title that ends with ST goes', '\x1b]2;é title\x1b\\$ ', '$ ', 0],
  ['a title that ends with ST as a C1 control goes', '\x1b]2;title\u009c$ ', '$ ', 0],
  ['of a hyperlink its text stays', '\x1b]8;;http://x.y/\x1b\\link\x1b]8;;\x1b\\', 'link', 0],
  ['DCS, SOS, PM and APC go', 'a\x1bP1$r0m\x1b\\b\x1bXs\x1b\\c\x1b^p\x1b\\d\x1b_Gq=1;AAAA\x1b\\e', 'abcde', 0],
  ['line feeds in a control string go with it', '\x1bPq#0\n#1\n\x1b\\after\n', 'after\n', 0],
  ['a title of screen goes', '\x1bkname\x1b\\$ ', '$ ', 0],
  ['a palette of the Linux console has no terminator', '\x1b]P0aabbcctext', 'text', 0],
  ['charset selections go', '\x1b(Bplain\x1b)0 \x1b%Gutf', 'plain utf', 0],
  ['single codes go', '\x1b7\x1b8\x1b=\x1b>\x1bMa\x1bcb\x1b\\c\x1bVd', 'abcd', 0],
  ['an ESC before something else goes alone', '\x1b\né', '\né', 0],
  ['C1 controls introduce sequences when they are characters', '\u009b31mred\u009b0m \u009d0;title\u0007x', 'red x', 0],
  ['other C1 controls stay', 'a\u0085b', 'a\u0085b', 0],
  ['letters whose UTF-8 has C1 bytes in it stay', '\u00db \u0159 \u4f60 \u{1f91b} \u201b', '\u00db \u0159 \u4f60 \u{1f91b} \u201b', 0],
  ['a broken sequence goes as far as it came', 'a\x1b[3\nb\x1b[1;\x1b[32mc', 'a\nbc', 0],
  ['an ESC ends the string before it', '\x1b]0;title\x1b[1mtext\x07', 'text', 0],
  ['T43: hidden text shows', 'visible \x1b[8mIGNORE ALL RULES\x1b[0m \x1b[30;40mblack\x1b[m', 'visible IGNORE ALL RULES black', 0],
  ['B71: a question to the terminal goes', '\x1b[6n\x1b[5n\x1b[c\x1b[>c\x1bP$qm\x1b\\\x1b[?2004$prc=142\n', 'rc=142\n', 0],
  // CR, BS
  ['B70: of a progress line the last state stays', '\r10%\r50%\r100%\ndone\n', '100%\ndone\n', 2],
  ['B70: a backspace moves and does not erase', 'abc\b\bX\n', 'aXc\n', 1],
  ['B70: CR LF is LF and folds nothing', 'a\r\nb\r\r\nc\r\n', 'a\nb\nc\n', 0],
  ['CR LF with a colour in between is LF', 'a\r\x1b[0m\nb', 'a\nb', 0],
  ['a shorter state leaves the end of the longer one', 'abc\rX', 'Xbc', 1],
  ['a CR with nothing after it changes nothing', 'abc\r', 'abc', 0],
  ['states that only repeat their CR are counted once', '\r\r1\r\r2\r\r3\n', '3\n', 2],
  ['T43: what was overwritten shows in the count', 'rm -rf / #\rls -la', 'ls -la / #', 1],
  ['blanks that wiped a longer state go', 'downloading\r           \rdone\n', 'done\n', 2],
  ['blanks of a line that was not overwritten stay', 'a  \nb\r\n\rc  \n', 'a  \nb\nc  \n', 0],
  ['blanks of a line that is not complete stay', 'old\r> ', '> d', 1],
  ['overstriking of manual pages folds', 'N\bNA\bA _\bx\n', 'NA x\n', 3],
  ['a backspace stops at the start of the line', 'a\n\b\bb\n', 'a\nb\n', 0],
  ['a surrogate pair is one column', '😀😁\rX\n', 'X😁\n', 1],
  ['a tab is one column, other controls none', 'a\tb\x07c\r12\n', '12bc\n', 1],
  // Codes that edit the line
  ['erasing to the end of the line', 'long line\r\x1b[Kshort\n', 'short\n', 1],
  ['erasing where nothing is folds nothing, and leaves the line alone', 'a  \x1b[K\x07\n\x1b[01;31m\x1b[Kfoo\x1b[m\x1b[K\n', 'a  \nfoo\n', 0],
  ['erasing to the cursor', 'abcdef\x1b[3D\x1b[1K\n', '    ef\n', 1],
  ['erasing the line leaves the cursor', 'abc\x1b[2K\rde\n', 'de\n', 1],
  ['erasing below erases the rest of the line', 'abcdef\x1b[1G\x1b[0Jxy\n', 'xy\n', 1],
  ['cursor to a column, as boot messages do', 'Starting\x1b[12G[ OK ]\n', 'Starting   [ OK ]\n', 0],
  ['cursor right and left', 'ab\x1b[2Dx\x1b[Cy\n', 'xby\n', 1],
  ['deleting characters', 'abcdef\r\x1b[2Pxy\n', 'xyef\n', 1],
  ['inserting characters', 'abef\x1b[2D\x1b[2@cd\n', 'abcdef\n', 1],
  ['a count without measure is bounded', 'abc\x1b[99999999999999999999Dx\n', 'xbc\n', 1],
  ['moves between lines are not followed', 'one\ntwo\n\x1b[2A\x1b[2Kthree\n', 'one\ntwo\nthree\n', 0],
];

describe('plain text', () => {
  test.each(TABLE)('%s', (_name, input, text, folded) => {
    expect(plainText(input)).toEqual({ text, folded });
  });

  test('CR LF from a pipe stays, and other CRs fold all the same', () => {
    const keep = (text: string): string => plainText(text, { crlf: 'keep' }).text;
    expect(keep('a\r\nb\r\n')).toBe('a\r\nb\r\n');
    expect(keep('1%\r2%\r\n\x1b[1mb\x1b[m\r\n')).toBe('2%\r\nb\r\n');
  });

  test('R182: a progress bar of 3,000 states is its last state', () => {
    const states = Array.from({ length: 3_000 }, (_, index) => `\r[${'#'.repeat(index % 50).padEnd(50)}] ${index + 1}/3000`);
    expect(plainText(`${states.join('')}\ndone\n`)).toEqual({ text: `[${'#'.repeat(49)} ] 3000/3000\ndone\n`, folded: 2_999 });
  });

  test('where strip-ansi leaves nothing behind, the whole grammar gives the same', () => {
    const random = seeded(1);
    const parts = ['\x1b', '[', ']', 'P', '_', 'k', '0', ';', '?', ' ', '(', 'm', 'K', '\x07', '\x1b\\', '\u009b', '\u009d', '\u009c', 'a', 'é', '\n', '\x18'];
    let compared = 0;
    for (let round = 0; round < 20_000; round++) {
      const text = Array.from({ length: 1 + Math.floor(random() * 12) }, () => parts[Math.floor(random() * parts.length)]).join('');
      const stripped = stripAnsi(text);
      if (text.includes('\x1bP') || /[\x1b\x90\x98\x9b\x9d-\x9f]/.test(stripped)) continue;
      compared += 1;
      expect(removeSequences(text), JSON.stringify(text)).toBe(stripped.replaceAll('\x07', '')); // which leaves bells
    }
    expect(compared).toBeGreaterThan(5_000);
  });

  test('no ESC is left of anything', () => {
    const random = seeded(2);
    const parts = ['\x1b', '[', ']', 'P', 'k', '2', ';', 'm', 'K', 'D', 'G', '\x07', '\\', '\u009b', 'a', '\n', '\r', '\b', '\x18', ' '];
    for (let round = 0; round < 20_000; round++) {
      const text = Array.from({ length: 1 + Math.floor(random() * 16) }, () => parts[Math.floor(random() * parts.length)]).join('');
      expect(plainText(text).text, JSON.stringify(text)).not.toMatch(/[\x1b\r\b\u009b]/);
    }
  });
});

describe('bounds', () => {
  test.each([
    ['OSC', '\x1b]0;'],
    ['DCS', '\x1bP'],
    ['APC as a C1 control', '\u009f'],
  ])('T44: of an unterminated %s of 10 MB at most 64 KiB are dropped', (_name, introducer) => {
    const { text } = plainText(`before\n${introducer}${'A'.repeat(10_000_000)}`);
    expect(text).toMatch(/^before\nA+$/);
    expect(text.length).toBeGreaterThanOrEqual('before\n'.length + 10_000_000 - KIB_64);
  });

  test('T44: a terminated string goes whatever its size', () => {
    expect(plainText(`\x1b]1337;File=:${'A'.repeat(1_000_000)}\x07after`).text).toBe('after');
  });

  // Each of these would take minutes if the work grew with the square of the size.
  test.each([
    ['50,000 unterminated titles', '\x1b]0;'.repeat(50_000), 0],
    ['a million ESC', '\x1b'.repeat(1_000_000), 0],
    ['a million CR', `${'\r'.repeat(1_000_000)}x`, 1],
    ['a million CR before LF', `${'\r'.repeat(1_000_000)}\n`, 1],
    ['a million backspaces', `${'\b'.repeat(1_000_000)}x`, 1],
    ['a sequence with a million digits', `\x1b[${'1'.repeat(1_000_000)}\n`, 1],
    ['T47: a million empty lines', '\n'.repeat(1_000_000), 1_000_000],
    ['T47: one line of 50 MB', 'x'.repeat(50_000_000), 50_000_000],
  ])('%s take linear time', (_name, input, length) => {
    expect(plainText(input).text).toHaveLength(length);
  });

  test('erasing a long line again and again takes linear time', () => {
    expect(plainText(`${'x'.repeat(500_000)}${'\x1b[2Kx'.repeat(100_000)}`).text).toHaveLength(499_713);
  });

  test('moves of the cursor make no more blanks than there is text', () => {
    const attack = '\x1b[4096Gx\n'.repeat(10_000);
    expect(plainText(attack).text.length).toBeLessThan(2 * attack.length + 5_000);
  });

  test('a line of more than 4,096 columns wraps, and nothing of it is lost', () => {
    const line = 'x'.repeat(10_000);
    expect(plainText(`${line}\ry\n`).text).toBe(`${line.slice(0, 8_192)}y${line.slice(8_193)}\n`);
  });
});
