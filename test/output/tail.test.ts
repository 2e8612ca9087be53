import { expect, test } from 'vitest';
import { renderTail } from '../../src/output/render.ts';
import { logOf, temporaryStore } from './support.ts';

const OPTIONS = { maxBytes: 1_000, terminal: true, finished: true };

test('the end of an output is its text, or its last part behind the count of what is missing', () => {
  expect(renderTail(logOf(''), OPTIONS)).toBe('');
  expect(renderTail(logOf('a\r\nb\x1b[1m!\r\n'), OPTIONS)).toBe('a\nb!\n');
  expect(renderTail(logOf(`${'x'.repeat(4_321)}${'y'.repeat(1_000)}`), OPTIONS)).toBe(`[… 4,321 bytes left out …]\n${'y'.repeat(1_000)}`);
});

test('it begins and ends between characters and control sequences, wherever it is cut', () => {
  const stream = Buffer.from('a≤\x1b[1mb\x1b]0;t\x1b\\你😀\x1b[31mc≤d\x1b[0m');
  const store = temporaryStore();
  for (let maxBytes = 1; maxBytes <= stream.length; maxBytes++) {
    for (let end = 1; end <= stream.length; end++) {
      const text = renderTail(logOf(stream.subarray(0, end), store, `c_${maxBytes}_${end}`), { maxBytes, terminal: true, finished: false });
      expect('a≤b你😀c≤d', `the last ${maxBytes} of ${end} bytes`).toContain(text.replace(/^\[… \d+ bytes? left out …\]\n/, ''));
    }
  }
});
