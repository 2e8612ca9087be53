import { expect, test } from 'vitest';
import { FrameParser, type Frame } from '../../src/shell/frame-parser.ts';
import { MARK_LIMIT_BYTES, MARK_PREFIX } from '../../src/shell/mark.ts';

const KEY = { nonce: 'n1', id: 'c_1' };
const TAIL = 'aid=n1;id=c_1';

/** Marks, and the output between them as one text. */
function joined(frames: Iterable<Frame>): unknown[] {
  const list: unknown[] = [];
  for (const frame of frames) {
    const last = list.at(-1);
    if (frame.kind !== 'data') list.push(frame);
    else if (typeof last === 'string') list[list.length - 1] = last + frame.bytes.toString('latin1');
    else list.push(frame.bytes.toString('latin1'));
  }
  return list;
}

function parse(text: string): unknown[] {
  const parser = new FrameParser(KEY);
  return joined([...parser.feed(Buffer.from(text, 'latin1')), { kind: 'data', bytes: parser.flush() }]).filter((frame) => frame !== '');
}

const STREAM = Buffer.from(
  `before\x1b]133;C;${TAIL}\x07é ≤ 你\r\n\x1b[31mred\x1b]133;A\x07\x1b]133;D;0\x07\x1b]633;C\x07\x1b]133;C;aid=n2;id=c_1\x07` +
    `\x1b\x1b]\x1b]13\x1b]133;\x1b]133;D;0;aid=n1\x1b]133;D;130;${TAIL}\x07after\x1b]133;P;${TAIL}\x07prompt$ \x1b]133`,
);

test('a stream parses the same however it is cut in two', () => {
  const whole = joined(new FrameParser(KEY).feed(STREAM));
  expect(whole.filter((frame) => typeof frame !== 'string')).toEqual([{ kind: 'start' }, { kind: 'end', exitCode: 130, waits: false }, { kind: 'ready' }]);
  for (let cut = 0; cut <= STREAM.length; cut++) {
    const parser = new FrameParser(KEY);
    expect(joined([...parser.feed(STREAM.subarray(0, cut)), ...parser.feed(STREAM.subarray(cut))]), `cut at ${cut}`).toEqual(whole);
  }
});

test('a stream parses the same byte by byte', () => {
  const parser = new FrameParser(KEY);
  expect(joined([...STREAM].flatMap((byte) => [...parser.feed(Buffer.of(byte))]))).toEqual(joined(new FrameParser(KEY).feed(STREAM)));
  expect(parser.flush().toString('latin1')).toBe('\x1b]133');
});

test.each([
  [`\x1b]133;C;${TAIL}\x07`, { kind: 'start' }],
  [`\x1b]133;P;${TAIL}\x07`, { kind: 'ready' }],
  [`\x1b]133;D;0;${TAIL}\x07`, { kind: 'end', exitCode: 0, waits: false }],
  [`\x1b]133;D;7;${TAIL}\x07`, { kind: 'end', exitCode: 7, waits: false }],
  [`\x1b]133;D;7;${TAIL};w=1\x07`, { kind: 'end', exitCode: 7, waits: true }],
  [`\x1b]133;D;255;${TAIL}\x07`, { kind: 'end', exitCode: 255, waits: false }],
])('%j is a mark', (text, mark) => {
  expect(parse(`a${text}b`)).toEqual(['a', mark, 'b']);
});

test.each([
  ['B40: marks of other programs', '\x1b]133;A\x07\x1b]133;B\x07\x1b]133;C\x07\x1b]133;D\x07\x1b]133;D;0\x07\x1b]633;D;0\x07'],
  ['fish 4\'s own marks', '\x1b]133;C;cmdline_url=true\x07\x1b]133;D;0\x07'],
  ['another nonce', '\x1b]133;C;aid=n2;id=c_1\x07'],
  ['another command', '\x1b]133;C;aid=n1;id=c_2\x07'],
  ['a nonce that is longer', `\x1b]133;C;aid=n11;id=c_1\x07`],
  ['something behind the id', `\x1b]133;C;${TAIL};x\x07\x1b]133;D;0;${TAIL} \x07`],
  ['something before the nonce', `\x1b]133;C;x;${TAIL}\x07\x1b]133;D;0;x;${TAIL}\x07`],
  ['the other order', '\x1b]133;C;id=c_1;aid=n1\x07'],
  ['no exit code', `\x1b]133;D;${TAIL}\x07\x1b]133;D;;${TAIL}\x07`],
  ['an exit code that is none', `\x1b]133;D;-1;${TAIL}\x07\x1b]133;D;0x1;${TAIL}\x07\x1b]133;D;1234;${TAIL}\x07\x1b]133;D; 1;${TAIL}\x07`],
  ['an exit code with a start', `\x1b]133;C;0;${TAIL}\x07`],
  ['an unknown letter', `\x1b]133;B;${TAIL}\x07\x1b]133;c;${TAIL}\x07`],
  ['the string terminator in the place of BEL', `\x1b]133;C;${TAIL}\x1b\\\x1b]133;C;${TAIL}\x9c`],
  ['a newline within', `\x1b]133;C;aid=n1;\nid=c_1\x07`],
  ['the eight-bit introducer', `\x9d133;C;${TAIL}\x07`],
  ['a mark that is too long', `\x1b]133;C;${'x'.repeat(MARK_LIMIT_BYTES)};${TAIL}\x07`],
  ['only the prefix', '\x1b]133;'],
])('%s is output', (_, text) => {
  expect(parse(`a${text}b`)).toEqual([`a${text}b`]);
});

test('T34: a mark that is begun and never ended does not hide the real one', () => {
  for (let length = 1; length < MARK_PREFIX.length + TAIL.length; length++) {
    const begun = `\x1b]133;C;${TAIL}`.slice(0, length);
    expect(parse(`${begun}\x1b]133;D;3;${TAIL}\x07x`), begun).toEqual([begun, { kind: 'end', exitCode: 3, waits: false }, 'x']);
  }
});

test('T34: a megabyte behind the beginning of a mark comes through, and next to nothing is held back', () => {
  const parser = new FrameParser(KEY);
  const chunk = Buffer.alloc(4_096, 'x');
  let given = 0;
  for (const frame of parser.feed(Buffer.from('\x1b]133;C;'))) expect(frame.kind).toBe('data');
  for (let sent = 0; sent < 2 ** 20; sent += chunk.length) for (const frame of parser.feed(chunk)) if (frame.kind === 'data') given += frame.bytes.length;
  expect(given + parser.flush().length).toBe(2 ** 20 + MARK_PREFIX.length + 2);
  expect(joined(parser.feed(Buffer.from(`\x1b]133;C;${TAIL}\x07`)))).toEqual([{ kind: 'start' }]);
});

test.each([
  ['escapes', '\x1b'],
  ['prefixes', '\x1b]133;'],
  ['marks without an end', `\x1b]133;C;${TAIL}`],
  ['marks of another', '\x1b]133;D;0;aid=n2;id=c_2\x07'],
])('T37: a megabyte of %s takes no more than moments', (_, piece) => {
  const text = Buffer.from(piece.repeat(2 ** 20 / piece.length));
  const parser = new FrameParser(KEY);
  const startedAt = performance.now();
  let given = 0;
  for (let at = 0; at < text.length; at += 1_000) for (const frame of parser.feed(text.subarray(at, at + 1_000))) if (frame.kind === 'data') given += frame.bytes.length;
  expect(given + parser.flush().length).toBe(text.length);
  expect(performance.now() - startedAt).toBeLessThan(2_000);
});

test('what is held back is at most the beginning of a mark', () => {
  const parser = new FrameParser(KEY);
  const held = `\x1b]133;C;${'x'.repeat(MARK_LIMIT_BYTES - 3)}`;
  expect(joined(parser.feed(Buffer.from(`a${held}`)))).toEqual(['a']);
  expect(joined(parser.feed(Buffer.from('x')))).toEqual([`${held}x`]);
  expect(parser.flush().length).toBe(0);
});

test('from one command to the next the key changes: marks of the one before are output', () => {
  const parser = new FrameParser(KEY);
  const next = { nonce: 'n2', id: 'c_2' };
  expect(joined(parser.feed(Buffer.from(`\x1b]133;D;0;${TAIL}\x07`)))).toEqual([{ kind: 'end', exitCode: 0, waits: false }]);
  parser.expect(next);
  expect(joined(parser.feed(Buffer.from(`\x1b]133;D;0;${TAIL}\x07\x1b]133;C;aid=n2;id=c_2\x07`)))).toEqual([`\x1b]133;D;0;${TAIL}\x07`, { kind: 'start' }]);
});

test('the key that counts is the one at the end of the mark, also within a chunk', () => {
  const parser = new FrameParser(KEY);
  const seen: unknown[] = [];
  for (const frame of parser.feed(Buffer.from(`\x1b]133;D;0;${TAIL}\x07\x1b]133;D;1;${TAIL}\x07`))) {
    seen.push(frame.kind);
    parser.expect({ nonce: 'n2', id: 'c_2' });
  }
  expect(seen).toEqual(['end', 'data']);
  expect([...parser.feed(Buffer.from('\x1b]133;C;aid=n3;id'))]).toEqual([]);
  parser.expect({ nonce: 'n3', id: 'c_3' });
  expect(joined(parser.feed(Buffer.from('=c_3\x07')))).toEqual([{ kind: 'start' }]);
});
