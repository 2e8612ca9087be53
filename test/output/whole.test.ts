import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { renderForward, renderWhole } from '../../src/output/render.ts';
import { MIB, logOf, patternAt, seeded, temporaryStore } from './support.ts';

const OPTIONS = { maxBytes: 50_000, terminal: true, finished: true, readOn: 'session_read cursor' };

/** The parts of a text that was cut, and the numbers of its marker. */
function partsOf(text: string): { head: string; tail: string; leftOut: number; cursor: number } {
  const [, head = '', count = '', cursor = '', tail = ''] = /^([^]*?)\[… ([\d,]+) bytes left out[^\n]*?cursor=(\d+) reads on …\]\n([^]*)$/.exec(text) ?? [];
  return { head, tail, leftOut: Number(count.replaceAll(',', '')), cursor: Number(cursor) };
}

function lines(count: number, text = 'line'): string {
  return Array.from({ length: count }, (_, index) => `${text} ${index}\n`).join('');
}

describe('a whole output', () => {
  test.each([
    ['B74: without a final newline', 'abc', 'abc'],
    ['empty', '', ''],
    ['B70: with CR LF', 'a\r\nb\r\n', 'a\nb\n'],
    ['B73: with odd bytes', Buffer.from('a\xff\xfeb\0c\n', 'latin1'), 'a\ufffd\ufffdb\0c\n'],
    ['R72: with a byte order mark', '\ufeffid\n', '\ufeffid\n'],
    ['T43: with hidden text', 'a\x1b[8mb\x1b[0m', 'ab'],
  ])('%s is itself', (_name, output, text) => {
    expect(renderWhole(logOf(output), OPTIONS)).toMatchObject({ text, truncated: false, binary: false, lostBytes: 0, bytes: Buffer.from(output).length });
  });

  test('B65: a character that is not complete waits as long as the output is not finished', () => {
    const log = logOf(Buffer.from([0x61, 0xe2, 0x89]));
    expect(renderWhole(log, { ...OPTIONS, finished: false })).toMatchObject({ text: 'a', cursor: 1, truncated: false });
    expect(renderWhole(log, OPTIONS)).toMatchObject({ text: 'a\ufffd', cursor: 3 });
  });

  test('T43: what no one sees is counted and shown', () => {
    expect(renderWhole(logOf('safe\u202eexe.txt'), OPTIONS)).toMatchObject({ text: 'safe\\u{202E}exe.txt', suspicious: 1 });
  });

  test('that is too long is cut to head and tail, at lines, with an exact count', () => {
    const output = lines(20_000);
    const rendered = renderWhole(logOf(output), OPTIONS);
    const { head, tail, leftOut, cursor } = partsOf(rendered.text);
    expect(head + output.slice(head.length, head.length + leftOut) + tail).toBe(output);
    expect(cursor).toBe(head.length);
    expect([head.endsWith('\n'), tail.startsWith('line ')]).toEqual([true, true]);
    expect(head.length + tail.length).toBeGreaterThan(49_900);
    expect(head.length + tail.length).toBeLessThanOrEqual(50_000);
    expect(rendered).toMatchObject({ truncated: true, cursor: output.length, bytes: output.length });
    expect(readFileSync(rendered.path ?? '', 'utf8')).toBe(output);
  });

  test('reading on from the marker gives exactly what was left out', () => {
    for (const output of [lines(20_000), lines(20_000, '\x1b[32mgrün\x1b[m'), `\r1%\r2%\n${lines(200_000)}`, '你'.repeat(40_000), lines(40_000, '\x1b]0;t\x07ü')]) {
      const log = logOf(output);
      const { head, tail, leftOut, cursor } = partsOf(renderWhole(log, OPTIONS).text);
      const middle = renderForward(log, cursor, { ...OPTIONS, maxBytes: leftOut });
      expect(middle.cursor).toBe(cursor + leftOut);
      const whole = renderWhole(log, { ...OPTIONS, maxBytes: 10 * MIB }).text;
      expect(head.replace(/\n$/, '') + middle.text.replace(/^\n/, '') + tail).toBe(whole.replace(head, head.replace(/\n$/, '')));
    }
  });

  test('is cut at characters where there are no lines', () => {
    const { head, tail, leftOut, cursor } = partsOf(renderWhole(logOf('你'.repeat(40_000)), OPTIONS).text);
    expect(head).toBe(`${'你'.repeat(8_333)}\n`);
    expect(tail).toBe('你'.repeat(8_333));
    expect([leftOut, cursor]).toEqual([120_000 - 2 * 24_999, 24_999]);
  });

  test('R182: a progress bar of 200 KB is shown as what it folds to', () => {
    const output = `${Array.from({ length: 4_000 }, (_, index) => `\r[${'='.repeat(40)}] ${index}`).join('')}\ndone\n`;
    expect(renderWhole(logOf(output), OPTIONS)).toMatchObject({
      text: `[${'='.repeat(40)}] 3999\ndone\n`, truncated: false, folded: 3_999, bytes: output.length,
    });
  });

  test('of which cleaning removes much is cut by the text, not by the bytes', () => {
    const output = `${Array.from({ length: 5_000 }, (_, index) => `\r${index}`).join('')}\n${lines(30_000, '\x1b[38;5;12mcolour\x1b[0m')}`;
    const { head, tail, leftOut, cursor } = partsOf(renderWhole(logOf(output), OPTIONS).text);
    expect(head).toMatch(/^4999\ncolour 0\ncolour 1\n/);
    expect(head.length + tail.length).toBeGreaterThan(49_900);
    expect(Buffer.from(output).subarray(cursor, cursor + leftOut).toString()).toMatch(/^\x1b\[38;5;12mcolour\x1b\[0m \d+\n/);
  });

  test('without a call that reads on names the file', () => {
    const log = logOf(lines(20_000));
    const { text, path } = renderWhole(log, { ...OPTIONS, readOn: undefined });
    expect(text).toMatch(new RegExp(`\\n\\[… [\\d,]+ bytes left out; all of it is in ${path ?? 'no path'} …\\]\\n`));
  });

  test('T47: a million empty lines and one line of 50 MB are cut with an exact count', () => {
    for (const output of ['\n'.repeat(1_000_000), 'x'.repeat(50_000_000)]) {
      const rendered = renderWhole(logOf(output), OPTIONS);
      const { head, tail, leftOut, cursor } = partsOf(rendered.text);
      expect(cursor + leftOut + tail.length).toBe(output.length);
      expect([25_000, 25_001]).toContain(head.length); // with the line feed before the marker
      expect(rendered.text).toContain(`${(output.length - 50_000).toLocaleString('en-US')} bytes left out`);
    }
  });

  test('that is large is cut in its raw bytes, not inside a sequence or a character', () => {
    const filler = '\x1b[31m你\x1b[0m';
    for (let shift = 0; shift < filler.length + 2; shift++) {
      const output = Buffer.from('x'.repeat(shift) + filler.repeat(300_000));
      const { head, tail, leftOut, cursor } = partsOf(renderWhole(logOf(output), OPTIONS).text);
      expect(head).toMatch(/^x*你+\n$/);
      expect(tail).toMatch(/^你+$/);
      expect(cursor + leftOut).toBeLessThan(output.length);
      expect(output[cursor + leftOut]).toSatisfy((byte: number) => byte === 0x1b || byte === 0xe4);
    }
  });

  test('of random bytes that are no text is cut without overlap', () => {
    const random = seeded(9);
    const output = Buffer.from(Array.from({ length: 60_000 }, () => 0x80 + Math.floor(random() * 0x80)));
    const rendered = renderWhole(logOf(output), OPTIONS);
    const { head, tail, leftOut, cursor } = partsOf(rendered.text);
    expect(rendered.truncated).toBe(true);
    expect(cursor + leftOut).toBeLessThan(output.length);
    expect(Buffer.byteLength(head) + Buffer.byteLength(tail)).toBeLessThanOrEqual(50_001);
  });

  test('keeps within the size whatever the stream and the size', () => {
    const random = seeded(10);
    const store = temporaryStore();
    const pieces = ['a', 'line\n', '你', '😀', '\x1b[31m', '\x1b]0;t\n\x07', '\x1b]0;', '\r', '\r\n', '\b', '\x1b[K', '\x1b[2K', '\u202e', '\x1b[9G', '\xff'];
    for (let round = 0; round < 800; round++) {
      const output = Buffer.concat(Array.from({ length: 200 }, () => Buffer.from(pieces[Math.floor(random() * pieces.length)] ?? '', random() < 0.1 ? 'latin1' : 'utf8')));
      const maxBytes = Math.floor(random() * 300);
      const rendered = renderWhole(logOf(output, store, `c_${round}`), { ...OPTIONS, maxBytes, finished: random() < 0.5 });
      const marker = rendered.truncated ? /\n?\[… [\d,]+ bytes? left out; session_read cursor=\d+ reads on …\]\n/.exec(rendered.text)?.[0] : '';
      expect(marker).toBeDefined();
      expect(Buffer.byteLength(rendered.text) - Buffer.byteLength(marker ?? '')).toBeLessThanOrEqual(maxBytes);
    }
  });

  test('B68: of an endless output head and tail are shown, and what is lost is counted', () => {
    const log = temporaryStore({ limitBytes: 8 * MIB }).createLog('c_1');
    for (let index = 0; index < 3_000; index++) log.append(Buffer.alloc(4_000, 'y\n'));
    const rendered = renderWhole(log, OPTIONS);
    const lost = log.lostBytes(0, log.length);
    expect(lost).toBeGreaterThan(10 * MIB);
    expect(rendered.text).toContain(`\n[… 11,950,000 bytes left out, ${lost.toLocaleString('en-US')} bytes of them lost; session_read cursor=25000 reads on …]\n`);
    expect(rendered).toMatchObject({ truncated: true, lostBytes: lost, path: undefined, cursor: 12_000_000 });
  });

  test('whose head is lost begins with the marker', () => {
    const log = temporaryStore({ limitBytes: 8 * MIB }).createLog('c_1');
    log.append(Buffer.alloc(2 * MIB, 'y\n'));
    const { text, lostBytes } = renderWhole(log, { ...OPTIONS, from: 300_000 });
    expect(lostBytes).toBeGreaterThan(0);
    expect(text).toMatch(/^\[… [\d,]+ bytes left out, [\d,]+ bytes of them lost; session_read cursor=300000 reads on …\]\ny\n/);
  });

  test('that was dropped is only its marker', () => {
    const log = logOf('abc');
    log.dispose();
    expect(renderWhole(log, { ...OPTIONS, readOn: undefined })).toMatchObject({ text: '[… 3 bytes left out, 3 bytes of them lost …]\n', truncated: true, lostBytes: 3 });
  });

  test('B73: of binary output its size, type and file are shown', () => {
    const log = logOf(Buffer.concat([Buffer.from('\x7fELF', 'latin1'), patternAt(0, 4_092)]));
    const rendered = renderWhole(log, OPTIONS);
    expect(rendered.text).toBe(`[binary output: 4,096 bytes, application/x-elf; saved in ${rendered.path}]`);
    expect(rendered).toMatchObject({ binary: true, bytes: 4_096, cursor: 4_096, truncated: false });
    expect(readFileSync(rendered.path ?? '')).toHaveLength(4_096);
  });

  test('in a range of a log has no file of its own', () => {
    const log = logOf(`before${lines(20_000)}`);
    const rendered = renderWhole(log, { ...OPTIONS, from: 6 });
    expect(rendered.text).toMatch(/^line 0\n/);
    expect(rendered.path).toBeUndefined();
  });
});
