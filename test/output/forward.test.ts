import { describe, expect, test } from 'vitest';
import { cleanText } from '../../src/output/clean.ts';
import type { OutputLog } from '../../src/output/log.ts';
import { renderForward } from '../../src/output/render.ts';
import type { RenderOptions } from '../../src/output/render.ts';
import { MIB, logOf, patternAt, seeded, temporaryStore } from './support.ts';

const OPTIONS: RenderOptions = { maxBytes: 50_000, terminal: true, finished: true, readOn: 'session_read cursor' };

/** Pieces of streams in which no line is edited: for these, answers have to join to the whole. */
const PIECES = [
  'a', 'bc\n', ' ', '\n', '\0', '\x07', 'é', '≤', '你', '😀', '👩\u200d👧', '❤\ufe0f', 'می\u200cخ', '\u202e', '\u200b', '\ufeff', '\u{e0041}',
  '\x1b[31m', '\x1b[m', '\x1b[K', '\x1b[?25l', '\x1b]0;title\x07', '\x1b]8;;http://x/\x1b\\', '\x1bPq#0\n-\x1b\\', '\x1b_G\x1b\\', '\x1b(B', '\x1b7',
  '\x1b]0;unterminated', '\x1b[1;', '\x1b', '\u009b1m', '\u009d0;x\u009c', '\x18', Buffer.from([0xe2]), Buffer.from([0x89]), Buffer.from([0xff, 0xf0, 0x9f]),
].map((piece) => Buffer.from(piece));

function randomStream(random: () => number, pieces: number): Buffer {
  return Buffer.concat(Array.from({ length: pieces }, () => PIECES[Math.floor(random() * PIECES.length)] ?? Buffer.alloc(0)));
}

/** Reads on from answer to answer to the end. */
function forwardAll(log: OutputLog, options: RenderOptions): string[] {
  const texts: string[] = [];
  for (let cursor = 0; cursor < log.length; ) {
    const rendered = renderForward(log, cursor, options);
    expect(rendered.cursor).toBeGreaterThan(cursor);
    texts.push(rendered.text);
    cursor = rendered.cursor;
  }
  return texts;
}

describe('reading on', () => {
  test('answers join to the whole, whatever the stream and the size of an answer', () => {
    const random = seeded(7);
    const store = temporaryStore();
    for (let round = 0; round < 600; round++) {
      const stream = randomStream(random, 40);
      const whole = cleanText(stream, { terminal: true, before: '' }).text;
      const maxBytes = 1 + Math.floor(random() * 40);
      const texts = forwardAll(logOf(stream, store, `t_${round}`), { ...OPTIONS, maxBytes });
      expect(texts.join(''), `round ${round}, ${JSON.stringify(stream.toString())}, ${maxBytes} bytes`).toBe(whole);
    }
  });

  test('answers join to the whole while it grows by chunks that are cut at every byte', () => {
    const stream = Buffer.from('a≤\x1b[1mb\x1b]0;t\x1b\\你😀\x1bP\n\x1b\\\r\nc👩\u200d👧\u009b1md\n');
    const whole = cleanText(stream, { terminal: true, before: '' }).text;
    for (let cut = 0; cut <= stream.length; cut++) {
      const log = temporaryStore().createLog('t_1');
      log.append(stream.subarray(0, cut));
      const first = renderForward(log, 0, { ...OPTIONS, finished: false });
      log.append(stream.subarray(cut));
      const second = renderForward(log, first.cursor, OPTIONS);
      expect(first.text + second.text, `cut at ${cut}`).toBe(whole);
      expect(first.text, `cut at ${cut}`).not.toContain('\ufffd');
    }
  });

  test('answers join to the whole while it grows at random', () => {
    const random = seeded(8);
    const store = temporaryStore();
    for (let round = 0; round < 500; round++) {
      const stream = randomStream(random, 60);
      const log = store.createLog(`t_${round}`);
      let text = '';
      let cursor = 0;
      const poll = (finished: boolean): void => {
        const rendered = renderForward(log, cursor, { ...OPTIONS, finished, maxBytes: 1 + Math.floor(random() * 50) });
        text += rendered.text;
        cursor = rendered.cursor;
      };
      for (let at = 0; at < stream.length; ) {
        const next = Math.min(stream.length, at + 1 + Math.floor(random() * 20));
        log.append(stream.subarray(at, next));
        at = next;
        poll(false);
      }
      while (cursor < log.length) poll(true);
      expect(text, `round ${round}, ${JSON.stringify(stream.toString())}`).toBe(cleanText(stream, { terminal: true, before: '' }).text);
    }
  });

  test('B65, R54: a character whose bytes come apart stays whole, and only a finished output shows a broken one', () => {
    const log = logOf(Buffer.from([0xe2]));
    expect(renderForward(log, 0, { ...OPTIONS, finished: false })).toMatchObject({ text: '', cursor: 0, truncated: false });
    log.append(Buffer.from([0x89]));
    expect(renderForward(log, 0, { ...OPTIONS, finished: false })).toMatchObject({ text: '', cursor: 0 });
    expect(renderForward(log, 0, OPTIONS)).toMatchObject({ text: '\ufffd', cursor: 2 });
    log.append(Buffer.from([0xa4]));
    expect(renderForward(log, 0, OPTIONS)).toMatchObject({ text: '≤', cursor: 3 });
  });

  test('B65: 50,000 characters of three bytes come whole in answers of any size', () => {
    const log = logOf('你'.repeat(50_000));
    for (const maxBytes of [1, 1_000, 50_000, 65_536]) {
      const texts = maxBytes === 1 ? [renderForward(log, 0, { ...OPTIONS, maxBytes }).text] : forwardAll(log, { ...OPTIONS, maxBytes });
      expect(texts.join('')).toBe(maxBytes === 1 ? '你' : '你'.repeat(50_000));
    }
  });

  test('an answer is the first bytes from the cursor, and says that there is more', () => {
    const log = logOf('0123456789'.repeat(10));
    expect(renderForward(log, 5, { ...OPTIONS, maxBytes: 10 })).toMatchObject({ text: '5678901234', cursor: 15, truncated: true, bytes: 100, lostBytes: 0 });
    expect(renderForward(log, 95, { ...OPTIONS, maxBytes: 10 })).toMatchObject({ text: '56789', cursor: 100, truncated: false });
    expect(renderForward(log, 100, OPTIONS)).toMatchObject({ text: '', cursor: 100, truncated: false });
    expect(renderForward(log, 999, OPTIONS)).toMatchObject({ text: '', cursor: 100, truncated: false });
  });

  test('a range is read to its end and not further', () => {
    const log = logOf('before[output]after');
    expect(renderForward(log, 0, { ...OPTIONS, from: 6, to: 14 })).toMatchObject({ text: '[output]', cursor: 14, truncated: false, bytes: 8 });
  });

  test('CR LF is not cut in two', () => {
    const log = logOf('a\r\nb\r\n');
    expect(forwardAll(log, { ...OPTIONS, maxBytes: 2 }).join('')).toBe('a\nb\n');
    expect(forwardAll(log, { ...OPTIONS, maxBytes: 2, terminal: false }).join('')).toBe('a\r\nb\r\n');
  });

  test('a progress line is folded within one answer only', () => {
    const log = logOf('10%\r50%\r');
    const first = renderForward(log, 0, { ...OPTIONS, finished: false });
    log.append(Buffer.from('100%\n'));
    const second = renderForward(log, first.cursor, OPTIONS);
    expect([first.text, second.text]).toEqual(['50%', '100%\n']);
    expect([first.folded, second.folded]).toEqual([1, 0]);
  });

  test('an unfinished sequence is waited for, and shows nothing at the end of a finished output', () => {
    const log = logOf('a\x1b[3');
    expect(renderForward(log, 0, { ...OPTIONS, finished: false })).toMatchObject({ text: 'a', cursor: 1, truncated: false });
    expect(renderForward(log, 1, OPTIONS)).toMatchObject({ text: '', cursor: 4 });
  });

  test('a title longer than an answer is passed over in one answer', () => {
    const log = logOf(`\x1b]0;${'t'.repeat(30_000)}\x07after`);
    const texts = forwardAll(log, { ...OPTIONS, maxBytes: 100 });
    expect(texts.join('')).toBe('after');
  });

  test('T44: an unterminated title of 10 MB hides 64 KiB and is not waited for', () => {
    const log = logOf(`\x1b]0;${'A'.repeat(10_000_000)}`);
    const first = renderForward(log, 0, { ...OPTIONS, finished: false });
    expect(first.cursor).toBeLessThan(300_000);
    expect(first.text.length).toBe(first.cursor - 65_536 - 2);
    expect(renderForward(log, first.cursor, { ...OPTIONS, finished: false }).text).toBe('A'.repeat(50_000));
  });

  test('lost bytes are counted where they were, and reading goes on behind them', () => {
    const log = temporaryStore({ limitBytes: 8 * MIB }).createLog('t_1');
    for (let at = 0; at < 3 * MIB; at += 4_096) log.append(Buffer.alloc(4_096, `${at.toString().padStart(15)}\n`));
    const end = 256 * 1024;
    expect(renderForward(log, end - 16, { ...OPTIONS, maxBytes: 100 })).toMatchObject({ cursor: end, truncated: true, lostBytes: 0 });
    const behind = renderForward(log, end, { ...OPTIONS, maxBytes: 16 });
    expect(behind.text).toBe(`[… ${behind.lostBytes.toLocaleString('en-US')} bytes lost …]\n${(end + behind.lostBytes).toString().padStart(15)}\n`);
    expect(behind.cursor).toBe(end + behind.lostBytes + 16);
  });

  test('half a character before lost bytes does not stop the reading', () => {
    const store = temporaryStore({ limitBytes: 8 * MIB });
    const log = store.createLog('t_1');
    log.append(Buffer.from(`${'x'.repeat(256 * 1024 - 1)}你`));
    log.append(Buffer.alloc(3 * MIB, 'y'));
    const { cursor, text } = renderForward(log, 256 * 1024 - 1, OPTIONS);
    expect([text, cursor]).toEqual(['\ufffd', 256 * 1024]);
  });

  test('binary output is named, with its size and a file, and read to its end', () => {
    const log = logOf(Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), patternAt(0, 100_000)]));
    const rendered = renderForward(log, 0, { ...OPTIONS, finished: false });
    expect(rendered).toMatchObject({ binary: true, cursor: 100_008, bytes: 100_008, path: log.path() });
    expect(rendered.text).toBe(`[binary output: 100,008 bytes, image/png; saved in ${log.path()}]`);
  });

  test('what is only read like a log can be read on too', () => {
    const log = logOf('abcdef');
    const output = { length: 6, read: (from: number, maxBytes: number) => log.read(from, maxBytes) };
    expect(renderForward(output, 2, { ...OPTIONS, maxBytes: 2 })).toMatchObject({ text: 'cd', cursor: 4, truncated: true, path: undefined });
  });
});
