import { describe, expect, test } from 'vitest';
import { Screen } from '../../src/terminal/screen.ts';
import { seeded } from '../output/support.ts';
import { longestBlockMs, show } from './support.ts';

/** Output, and the text on a screen of 20 by 5. */
const TEXTS: readonly (readonly [name: string, output: string, text: string])[] = [
  ['nothing', '', ''],
  ['a LF alone begins a new line', 'one\ntwo\nthree', 'one\ntwo\nthree'],
  ['a CR LF begins one, too', 'one\r\ntwo', 'one\ntwo'],
  ['trailing blanks and empty rows go', '\n a  \n\n  \n', '\n a'],
  ['the last rows stay', '1\n2\n3\n4\n5\n6\n7', '3\n4\n5\n6\n7'],
  ['a long line wraps', 'x'.repeat(25), `${'x'.repeat(20)}\n${'x'.repeat(5)}`],
  ['cursor addressing', '\x1b[3;5Hhere\x1b[1;1Hthere', 'there\n\n    here'],
  ['B70: a progress bar', '10%\r50%\r100%\ndone', '100%\ndone'],
  ['clearing', 'old\x1b[2J\x1b[Hnew', 'new'],
  ['colours and titles go', '\x1b]0;title\x07\x1b[1;31mred\x1b[m \x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\', 'red link'],
  ['T43: concealed text is there', 'a\x1b[8mhidden\x1b[0mb\x1b[30;40mblack', 'ahiddenbblack'],
  ['East Asian characters have no second cells', '你好 한국 日本', '你好 한국 日本'],
  ['an emoji takes two columns', '😀\x1b[1;3Hx', '😀x'],
  ['a flag takes two columns', '🇩🇪\x1b[1;3Hx', '🇩🇪x'],
  ['combining characters stay with their letter', 'e\u0301a\u0308\x1b[1;3Hx', 'e\u0301a\u0308x'],
  ['parts of an emoji stay with it', '👩\u200d\ufe0fx', '👩\u200d\ufe0fx'],
  ['a wide character that is half overwritten goes', '你好\x1b[1;2Hx', ' x好'],
  ['a wide character does not stand across the edge', `${'x'.repeat(19)}你`, `${'x'.repeat(19)}\n你`],
  ['the alternate screen', 'shell\x1b[?1049h\x1b[Hvim', 'vim'],
  ['after the alternate screen the old text is there', 'shell\x1b[?1049h\x1b[Hvim\x1b[?1049l', 'shell'],
  ['in the alternate screen a LF only goes down', 'ab\x1b[?1049h\x1b[Hab\nc', 'ab\n  c'],
  ['after it a LF begins a line again', '\x1b[?1049h\x1b[?1049lab\nc', 'ab\nc'],
  ['after a reset in it, too', '\x1b[?1049h\x1bcab\nc', 'ab\nc'],
  ['the mode for new lines does not change that', '\x1b[20lab\nc\x1b[20h\x1b[?1049h\x1b[Hab\nc', 'ab\n  c'],
  ['erasing everything up to the last cell', 'ab\x1b[999;999H\x1b[1J', ''],
  ['repeating a character', 'ab\x1b[3b', 'abbbb'],
  ['repeating a wide one', '你\x1b[2b', '你你你'],
  ['scrolling by all rows', 'a\x1b[5Sb', ' b'],
  ['punctuation of three bytes', '“a” – b…', '“a” – b…'],
  ['invalid bytes', 'a\x00\x1b[\x1b]b', 'a'],
];

const QUESTIONS: readonly (readonly [name: string, question: string, reply: string])[] = [
  ['what it is (DA1)', '\x1b[c', '\x1b[?1;2c'],
  ['which version (DA2)', '\x1b[>0c', '\x1b[>0;276;0c'],
  ['which unit (DA3)', '\x1b[=c', '\x1bP!|00000000\x1b\\'],
  ['its name (XTVERSION)', '\x1b[>q', '\x1bP>|shellkeep\x1b\\'],
  ['whether it is well', '\x1b[5n', '\x1b[0n'],
  ['where the cursor is', 'ab\ncde\x1b[6n', '\x1b[2;4R'],
  ['the same of DEC', 'ab\x1b[?6n', '\x1b[?1;3R'],
  ['a mode that is off', '\x1b[?2004$p', '\x1b[?2004;2$y'],
  ['a mode that is on', '\x1b[?2004h\x1b[?2004$p', '\x1b[?2004;1$y'],
  ['a setting', '\x1bP$qr\x1b\\', '\x1bP1$r1;5r\x1b\\'],
  ['the colour of the text', '\x1b]10;?\x07', '\x1b]10;rgb:ffff/ffff/ffff\x1b\\'],
  ['the colour behind it', '\x1b]11;?\x1b\\', '\x1b]11;rgb:0000/0000/0000\x1b\\'],
  ['the colour of the cursor', '\x1b]12;?\x07', '\x1b]12;rgb:ffff/ffff/ffff\x1b\\'],
  ['two colours at once', '\x1b]10;?;?\x07', '\x1b]10;rgb:ffff/ffff/ffff\x1b\\\x1b]11;rgb:0000/0000/0000\x1b\\'],
  ['colours of the palette', '\x1b]4;1;?;21;?;250;?\x07', '\x1b]4;1;rgb:cdcd/0000/0000\x1b\\\x1b]4;21;rgb:0000/0000/ffff\x1b\\\x1b]4;250;rgb:bcbc/bcbc/bcbc\x1b\\'],
  ['colours that there are not', '\x1b]4;256;?;-1;?;x;?\x07\x1b]12;?;?;?\x07', '\x1b]12;rgb:ffff/ffff/ffff\x1b\\'],
];

/** Sequences that take minutes or gigabytes in the emulator as it ships, or many that are legal. */
const BOMBS: readonly (readonly [name: string, output: string])[] = [
  ...[...'STLM@XPbIZABCDEFGHdea`'].map((final) => [`a count of a milliard of ${final}`, `a\x1b[999999999${final}`] as const),
  ...[" @", ' A', "'}", "'~"].map((final) => [`a count of a milliard of "${final}"`, `\x1b[999999999${final}`] as const),
  ['repeating a wide character', '你\x1b[999999999b'],
  ['a huge place of the cursor', '\x1b[999999999;999999999H\x1b[999999999;999999999r'],
  ['50 KB of scrolling', '\x1b[40S'.repeat(10_000)],
  ['50 KB of inserted lines', '\x1b[40L'.repeat(10_000)],
  ['20 KB of resets', '\x1bc'.repeat(10_000)],
  ['50 KB of cleared screens', '\x1b[2J'.repeat(12_000)],
  ['20 KB of repeated characters', 'x\x1b[4800b'.repeat(2_500)],
  ['100,000 questions', '\x1b[6n'.repeat(100_000)],
  ['links on one row', '\x1b]8;;http://x/\x1b\\x\r'.repeat(20_000)],
];

describe('the screen', () => {
  test.each(TEXTS)('%s', async (_name, output, text) => {
    expect((await show([output])).text).toBe(text);
    const bytes = Buffer.from(output);
    expect((await show(Array.from(bytes, (byte) => Buffer.from([byte])))).text, 'byte by byte').toBe(text);
  });

  test('where the cursor is, how large the screen, and which of the two', async () => {
    expect(await show(['ab\ncd'])).toEqual({ text: 'ab\ncd', row: 2, column: 3, cols: 20, rows: 5, isAlternate: false, replies: '' });
    expect(await show(['\x1b[?1049h\x1b[4;7H'])).toMatchObject({ row: 4, column: 7, isAlternate: true });
    expect(await show(['x'.repeat(20)]), 'behind the last column').toMatchObject({ row: 1, column: 20 });
  });

  test.each(QUESTIONS)('B71: a program asks %s', async (_name, question, reply) => {
    expect((await show([question])).replies).toBe(reply);
  });

  test('nobody is told about focus and mouse', async () => {
    expect((await show(['\x1b[?1000;1002;1003;1004;1006;1016h\x1b[?1004$p'])).replies).toBe('\x1b[?1004;1$y');
  });

  test('a reset makes it blank, whatever had begun', async () => {
    const screen = new Screen({ cols: 20, rows: 5, onReply: () => {} });
    await screen.write(Buffer.from('\x1b[?1049h\x1b[?6h\x1b[2;3rtext\x1b]0;title'));
    screen.reset();
    await screen.write(Buffer.from('a\nb'));
    expect(screen.view()).toMatchObject({ text: 'a\nb', row: 2, column: 2, isAlternate: false });
  });

  test('another size keeps the text, the cursor and the modes', async () => {
    let replies = '';
    const screen = new Screen({ cols: 20, rows: 5, onReply: (text) => { replies += text; } });
    await screen.write(Buffer.from('1\n2\n3\n4 你好\n5'));
    await screen.resize(5, 3);
    expect(screen.view()).toEqual({ text: '3\n4 你\n5', row: 3, column: 2, cols: 5, rows: 3, isAlternate: false });
    await screen.write(Buffer.from('\x1b[?1049h\x1b[?2004h\x1b[2;2Hx'));
    await screen.resize(30, 10);
    expect(screen.view()).toEqual({ text: '\n x', row: 2, column: 3, cols: 30, rows: 10, isAlternate: true });
    await screen.write(Buffer.from('\x1b[?2004$p\x1b[?1049l'));
    expect(screen.view()).toMatchObject({ text: '3\n4 你\n5', isAlternate: false });
    expect(replies).toBe('\x1b[?2004;1$y');
    await screen.write(Buffer.from('\x1b[999;999H\x1b[1J'));
    expect(screen.view()).toMatchObject({ text: '', row: 10, column: 30 });
  });
});

describe('what is made to cost time or memory', () => {
  test.each(BOMBS)('T40: %s', async (_name, output) => {
    const screen = new Screen({ cols: 120, rows: 40, onReply: () => {} });
    const rss = process.memoryUsage().rss;
    const blockedMs = await longestBlockMs(() => screen.write(Buffer.from(output)));
    expect(blockedMs).toBeLessThan(100); // 15 to 40 as a rule: collecting garbage is in it
    expect(process.memoryUsage().rss - rss).toBeLessThan(100_000_000);
    await screen.write(Buffer.from('\x1bcafter'));
    expect(screen.view().text).toBe('after');
  });

  test.each([['OSC', '\x1b]0;', '\x07'], ['a colour', '\x1b]11;', '\x1b\\'], ['DCS', '\x1bP$q', '\x1b\\'], ['OSC as C1', '\u009d0;', '\u009c']])('T44: 10 MB of %s without an end', async (_name, start, end) => {
    const screen = new Screen({ cols: 20, rows: 5, onReply: () => {} });
    const before = process.memoryUsage().heapUsed;
    await screen.write(Buffer.from(`before ${start}`));
    for (let piece = 0; piece < 10; piece++) await screen.write(Buffer.alloc(1_000_000, 'A'));
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(9_000_000); // kept, they would be 10 at least
    await screen.write(Buffer.from(`${end}after`));
    expect(screen.view().text).toBe('before after');
  });

  test('T47: a million empty lines', async () => {
    const screen = new Screen({ cols: 120, rows: 40, onReply: () => {} });
    const rss = process.memoryUsage().rss;
    expect(await longestBlockMs(() => screen.write(Buffer.alloc(1_000_000, '\n')))).toBeLessThan(100);
    expect(process.memoryUsage().rss - rss).toBeLessThan(100_000_000);
    expect(screen.view()).toMatchObject({ text: '', row: 40, column: 1 });
  });

  test('T40: combining characters without end do not gather in a cell', async () => {
    const { text } = await show([`a${'\u0301'.repeat(100_000)}`]);
    expect(text.length).toBeLessThan(20 * 5 * 17);
  });

  test.each([1, 2, 3])('no bytes make it throw (seed %i)', async (seed) => {
    const random = seeded(seed);
    const screen = new Screen({ cols: 2 + Math.floor(random() * 30), rows: 1 + Math.floor(random() * 8), onReply: () => {} });
    for (let round = 0; round < 60; round++) { // what the emulator throws in its own timers fails the test run
      await screen.write(Buffer.from(noise(random, 200)));
      const view = screen.view();
      expect(view.text).not.toMatch(/[\0-\x09\x0b-\x1f\x7f-\x9f]/);
      expect(view.row >= 1 && view.row <= view.rows && view.column >= 1 && view.column <= view.cols, JSON.stringify(view)).toBe(true);
      if (round % 5 === 0) await screen.resize(2 + Math.floor(random() * 30), 1 + Math.floor(random() * 8));
    }
  });
});

/** Random text, controls, sequences with random parameters, and bytes. */
function noise(random: () => number, count: number): string {
  const pick = (from: readonly string[]): string => from[Math.floor(random() * from.length)] ?? '';
  const number = (): string => pick(['', '0', '1', '2', '5', '24', '40', '999', '999999999', '99999999999']);
  const makers: readonly (() => string)[] = [
    () => pick(['a', 'word', '你好', '😀', 'e\u0301', '\u0301', '\u200d', '\u{e0041}', '\xad']),
    () => pick([...'\n\r\b\t\v\f\x0e\x0f\x18\x1a\0\x7f\x84\x85\x88\x8d\x90\x9b\x9d']),
    () => `\x1b[${number()}${pick(['', ';', ':'])}${number()}${pick(['', '', '', ' ', '$', "'", '!'])}${String.fromCharCode(0x40 + Math.floor(random() * 0x3f))}`,
    () => `\x1b[?${pick(['1', '3', '5', '6', '7', '45', '47', '1047', '1048', '1049', '2004'])}${pick(['h', 'l'])}`,
    () => `\x1b${pick([...'78DEHMcno|}~=>PX^_]('])}`,
    () => `\x1b]${pick(['0', '4', '8', '10', '52'])};${pick(['?', '1;?', ';x', '?;?;?;?'])}${pick(['\x07', '\x1b\\', ''])}`,
  ];
  return Array.from({ length: count }, () => makers[Math.floor(random() * makers.length)]?.() ?? '').join('');
}
