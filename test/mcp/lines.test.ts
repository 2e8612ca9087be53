import { expect, test } from 'vitest';
import { LineSplitter, type Line } from '../../src/mcp/lines.ts';

function split(limitBytes: number, ...chunks: (string | Buffer)[]): Line[] {
  const splitter = new LineSplitter(limitBytes);
  return chunks.flatMap((chunk) => splitter.feed(Buffer.from(chunk)));
}

const text = (line: string): Line => ({ kind: 'line', raw: Buffer.from(line) });

test('a stream gives the same lines however it is cut in two', () => {
  const stream = Buffer.from('{"a":"é≤你"}\n\n{"b":2}\r\nrest');
  for (let cut = 0; cut <= stream.length; cut++) {
    expect(split(100, stream.subarray(0, cut), stream.subarray(cut)), `cut at ${cut}`).toEqual([text('{"a":"é≤你"}'), text(''), text('{"b":2}\r')]);
  }
});

test('bytes that are no UTF-8 are in the line as they came', () => {
  const odd = Buffer.from([0x22, 0xff, 0xc3, 0x22]);
  expect(split(100, odd.subarray(0, 2), odd.subarray(2), '\n')).toEqual([{ kind: 'line', raw: odd }]);
});

test('a line without its end is kept until the end comes', () => {
  expect(split(100, 'a', 'b', 'c\nd', '\n')).toEqual([text('abc'), text('d')]);
});

test('a line of exactly the limit passes, one byte more is skipped with its size, and the next line is whole', () => {
  expect(split(4, 'abcd\nabcde\nab\n')).toEqual([text('abcd'), { kind: 'oversized', bytes: 5 }, text('ab')]);
  expect(split(4, 'abc', 'de', 'f', 'g\nab\n')).toEqual([{ kind: 'oversized', bytes: 7 }, text('ab')]);
});

test('of a line without end nothing is kept', () => {
  const splitter = new LineSplitter(1_000);
  const before = process.memoryUsage().arrayBuffers;
  for (let count = 0; count < 1_000; count++) splitter.feed(Buffer.alloc(100_000, 'x'));
  globalThis.gc?.();
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(100_000_000); // 100 MB went through; garbage may still be there
  expect(splitter.feed(Buffer.from('\nok\n'))).toEqual([{ kind: 'oversized', bytes: 100_000_000 }, text('ok')]);
});
