import { describe, expect, test } from 'vitest';
import type { RawOutput } from '../../src/output/range.ts';
import { ScreenFeed } from '../../src/session/screen-feed.ts';
import { Transcript } from '../../src/session/transcript.ts';
import { MIB, temporaryStore } from '../output/support.ts';
import { longestBlockMs } from '../terminal/support.ts';

/** Output in memory, which counts what is read of it. Bytes before `keptFrom` are lost. */
class FakeOutput implements RawOutput {
  #bytes: Buffer = Buffer.alloc(0);
  keptFrom = 0;
  readBytes = 0;
  failure: Error | undefined;

  get length(): number {
    return this.#bytes.length;
  }

  append(text: string | Buffer): void {
    this.#bytes = Buffer.concat([this.#bytes, Buffer.from(text)]);
  }

  read(from: number, maxBytes: number): ReturnType<RawOutput['read']> {
    if (this.failure !== undefined) throw this.failure;
    const start = Math.max(from, this.keptFrom);
    const bytes = this.#bytes.subarray(start, start + maxBytes);
    this.readBytes += bytes.length;
    return { bytes, from: start, lostBytes: start - from };
  }
}

function feedOf(text: string | Buffer = '', isAlternate?: () => boolean): { output: FakeOutput; feed: ScreenFeed; replies: string[] } {
  const output = new FakeOutput();
  output.append(text);
  const replies: string[] = [];
  const feed = new ScreenFeed({ output, cols: 20, rows: 5, onReply: (bytes) => replies.push(bytes.toString()), ...(isAlternate && { isAlternate }) });
  return { output, feed, replies };
}

const textOf = async (feed: ScreenFeed): Promise<string> => (await feed.view()).text;
const lines = (bytes: number): string => 'one line of it all\n'.repeat(Math.ceil(bytes / 19));

describe('the screen of a session', () => {
  test('is that of all output, and each byte is fed once', async () => {
    const { output, feed } = feedOf('one\n');
    expect(await feed.view()).toEqual({ text: 'one', row: 2, column: 1, cols: 20, rows: 5, isAlternate: false });
    output.append('\x1b[31mtw');
    expect(await textOf(feed)).toBe('one\ntw');
    output.append('o\x1b[?1049h\x1b[Hfull');
    expect(await feed.view()).toMatchObject({ text: 'full', isAlternate: true });
    expect(await textOf(feed)).toBe('full');
    expect(output.readBytes).toBe(output.length);
  });

  test('is that of a transcript, too', async () => {
    const store = temporaryStore();
    const transcript = new Transcript();
    const [first, second] = [store.createLog('c_1'), store.createLog('c_2')];
    const feed = new ScreenFeed({ output: transcript, cols: 20, rows: 5, onReply: () => {} });
    transcript.append(first, Buffer.from('first\n'));
    transcript.append(second, Buffer.from('second\n'));
    transcript.append(first, Buffer.from('late'));
    expect(await textOf(feed)).toBe('first\nsecond\nlate');
  });

  test('two who look at once both see it', async () => {
    const { output, feed } = feedOf(lines(20_000));
    const first = textOf(feed);
    output.append('\x1b[2J\x1b[Hend');
    expect(await Promise.all([first, textOf(feed), textOf(feed)])).toEqual([expect.stringContaining('one line'), 'end', 'end']);
  });

  test('what is lost is left out', async () => {
    const { output, feed } = feedOf('gone\nkept\n');
    output.keptFrom = 5;
    expect(await textOf(feed)).toBe('kept');
    output.append('lost');
    output.keptFrom = output.length;
    expect(await textOf(feed)).toBe('kept');
    output.append('more');
    expect(await textOf(feed)).toBe('kept\nmore');
  });

  test('output that cannot be read is an error of that call only', async () => {
    const { output, feed } = feedOf('text');
    output.failure = new Error('no descriptor');
    await expect(feed.view()).rejects.toThrow('no descriptor');
    await expect(feed.answer(0)).rejects.toThrow('no descriptor');
    output.failure = undefined;
    expect(await textOf(feed)).toBe('text');
  });

  test('another size counts from its call on', async () => {
    const { feed } = feedOf('x'.repeat(12));
    feed.resize(10, 3);
    expect(await feed.view()).toMatchObject({ text: `${'x'.repeat(10)}\nxx`, cols: 10, rows: 3 });
    feed.resize(30, 6);
    expect(await feed.view()).toMatchObject({ text: `${'x'.repeat(10)}\nxx`, row: 2, column: 3, cols: 30, rows: 6 });
  });

  test('what came before a new start is forgotten', async () => {
    const { output, feed } = feedOf('\x1b[?1049hkilled editor');
    expect(await feed.view()).toMatchObject({ isAlternate: true });
    feed.startAt(output.length);
    expect(await feed.view()).toMatchObject({ text: '', row: 1, column: 1, isAlternate: false });
    output.append('$ ');
    expect(await textOf(feed)).toBe('$');
  });

  test('it can be let go and comes again', async () => {
    const { output, feed } = feedOf('one\n');
    await feed.view();
    feed.dispose();
    output.append('two');
    expect(await textOf(feed)).toBe('one\ntwo');
  });
});

describe('more output than is fed', () => {
  test('T47: of 50 MB the end is shown, and little is read', async () => {
    const { output, feed } = feedOf(lines(50 * MIB));
    output.append('the end');
    const startedAt = performance.now();
    expect(await textOf(feed)).toBe(`${lines(76)}the end`);
    expect(performance.now() - startedAt).toBeLessThan(2_000); // 0.1 s when nothing else runs
    expect(output.readBytes).toBeLessThan(1.5 * MIB);
  });

  test('T47: one line of 50 MB', async () => {
    const { feed } = feedOf(Buffer.alloc(50 * MIB, 'x'));
    expect((await feed.view()).text.split('\n')).toHaveLength(5);
  });

  const STARTS: readonly (readonly [name: string, begin: string, end: string, text: string, isAlternate: boolean])[] = [
    ['at a line', '', 'end', `${lines(76)}end`, false],
    ['where the screen was cleared', '\x1b[2J\x1b[H', '\x1b[5;1Hend', 'end', false],
    ['where it was cleared from its corner', '\x1b[H\x1b[J', '\x1b[5;1Hend', 'end', false],
    ['at a reset', '\x1bc', '\x1b[5;1Hend', 'end', false],
    ['where the alternate screen was entered', '\x1b[?1049;25h\x1b[H', '\x1b[5;1Hend', 'end', true],
    ['where it was left', '\x1b[?1049l', '\x1b[5;1Hend', 'end', false],
  ];
  test.each(STARTS)('it begins %s', async (_name, begin, end, text, isAlternate) => {
    const redraw = begin === '' ? lines(100_000) : '\x1b[1;1Hredrawn'.repeat(8_000); // what stood before would shine through
    const { feed } = feedOf(`${lines(MIB)}${begin}${redraw}${begin === '' ? '' : '\x1b[1;1H\x1b[K'}${end}`);
    const view = await feed.view();
    expect({ text: view.text.trimStart(), isAlternate: view.isAlternate }).toEqual({ text: text.trimStart(), isAlternate });
  });

  test.each([true, false])('whether it began in the alternate screen is seen from its end, or told (%s)', async (isTold) => {
    const frames = '\x1b[H\x1b[2Jframe'.repeat(60_000);
    const { output, feed } = feedOf(`\x1b[?1049h${frames}`, () => isTold);
    expect(await feed.view()).toMatchObject({ text: 'frame', isAlternate: isTold });
    const other = feedOf(`\x1b[?1049h${frames}\x1b[?1049lshell`, () => isTold);
    expect(await other.feed.view()).toMatchObject({ text: expect.stringMatching(/shell$/) as string, isAlternate: false });
    expect(output.length).toBeGreaterThan(512 * 1024);
  });

  test('a character is not cut at its beginning', async () => {
    const { feed } = feedOf('你'.repeat(MIB / 2 + 1));
    expect(await textOf(feed)).not.toMatch(/[^你\n]/);
  });

  test('T40: output made to cost time is given up, its end is shown, and others get their turn', async () => {
    const { feed } = feedOf(`${'\x1bc'.repeat(500_000)}the end`);
    const startedAt = performance.now();
    expect(await longestBlockMs(async () => expect(await textOf(feed)).toBe('the end'))).toBeLessThan(1_000); // loading the emulator is in it
    expect(performance.now() - startedAt).toBeLessThan(10_000); // all of it takes a minute
  });
});

describe('answers of the terminal', () => {
  const STATUS = '\x1b[0n';

  test('B71: a question is answered once', async () => {
    const { output, feed, replies } = feedOf('\x1b[5n');
    await feed.answer(0);
    await feed.answer(0);
    output.append('\x1b[6n\x1b[5n');
    await feed.answer(0);
    expect(replies).toEqual([STATUS, `\x1b[1;1R${STATUS}`]);
  });

  test('T41: questions from before are not answered', async () => {
    const { output, feed, replies } = feedOf('\x1b[5n'.repeat(1_000));
    const from = output.length;
    await feed.answer(from);
    output.append('\x1b[6n');
    await feed.answer(from);
    expect(replies).toEqual(['\x1b[1;1R']);
  });

  test('T41: looking at the screen answers nothing, then or later', async () => {
    const { feed, replies } = feedOf('\x1b[5n');
    await feed.view();
    await feed.answer(0);
    feed.dispose();
    await feed.answer(0);
    expect(replies).toEqual([]);
  });

  test('a question that comes while somebody looks is answered', async () => {
    const { output, feed, replies } = feedOf('a\n');
    const looks = [feed.view(), feed.view()];
    output.append('\x1b[5n');
    await Promise.all([...looks, feed.answer(0), feed.view()]);
    expect(replies).toEqual([STATUS]);
  });

  test('the answer is that of the place of the question', async () => {
    const { feed, replies } = feedOf('ab\x1b[6n\ncd');
    await feed.answer(2);
    expect(replies).toEqual(['\x1b[1;3R']);
  });

  test('who asked and has gone is not answered', async () => {
    const { output, feed, replies } = feedOf('\x1b[5n');
    const answered = feed.answer(0);
    feed.startAt(output.length);
    await answered;
    await feed.answer(0);
    expect(replies).toEqual([]);
  });

  test('T41: answers to very many questions at once are cut', async () => {
    const { feed, replies } = feedOf('\x1b[5n'.repeat(100_000));
    await feed.answer(0);
    expect(replies).toHaveLength(1);
    expect(replies[0]?.length).toBe(16_384);
  });
});
