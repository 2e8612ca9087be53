import { describe, expect, test } from 'vitest';
import { safeEnd } from '../../src/output/boundary.ts';

describe('where output may be cut', () => {
  test.each([
    ['text', 'abc', 'abc'],
    ['an ESC alone', 'abc\x1b', 'abc'],
    ['an unfinished CSI', 'abc\x1b[1;3', 'abc'],
    ['a finished CSI', 'abc\x1b[1;3m', 'abc\x1b[1;3m'],
    ['an unfinished title', 'abc\x1b]0;tit', 'abc'],
    ['a title whose ST is half there', 'abc\x1b]0;title\x1b', 'abc'],
    ['a finished title and an ESC', 'abc\x1b]0;title\x07\x1b', 'abc\x1b]0;title\x07'],
    ['a title that was given up, and a CSI', 'abc\x1b]0;title\x1b[1', 'abc\x1b]0;title'],
    ['an unfinished DCS with line feeds', 'abc\x1bPq\n\n', 'abc'],
    ['an unfinished charset selection', 'abc\x1b(', 'abc'],
    ['an unfinished CSI as a C1 control', 'abc\u009b1', 'abc'],
    ['a CR, which may become CR LF', 'abc\r', 'abc'],
    ['CR LF', 'abc\r\n', 'abc\r\n'],
    ['a CR in an unfinished title', 'abc\x1b]0;\r', 'abc'],
    ['a broken CSI', 'abc\x1b[1\n', 'abc\x1b[1\n'],
  ])('%s', (_name, text, safe) => {
    expect(Buffer.from(text).toString('utf8', 0, safeEnd(Buffer.from(text)))).toBe(safe);
  });

  test('T44: a control string of more than 64 KiB is not waited for', () => {
    const waited = Buffer.from(`\x1b]0;${'A'.repeat(65_000)}`);
    const letGo = Buffer.from(`\x1b]0;${'A'.repeat(66_000)}`);
    expect(safeEnd(waited)).toBe(0);
    expect(safeEnd(letGo)).toBe(letGo.length);
  });
});
