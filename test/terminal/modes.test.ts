import { describe, expect, test } from 'vitest';
import { TerminalModes } from '../../src/terminal/modes.ts';

const ALTERNATE = 'alternate';
const CURSOR = 'cursor';
const PASTE = 'paste';
const QUERY = 'query';

/** A stream, and what is on after it. */
const TABLE: readonly (readonly [name: string, stream: string, on: readonly string[]])[] = [
  ['text switches nothing', 'plain text ?1049h [?1049h\n', []],
  ['the alternate screen of today', 'a\x1b[?1049hb', [ALTERNATE]],
  ['the alternate screen of long ago', '\x1b[?47h', [ALTERNATE]],
  ['the alternate screen without its cursor', '\x1b[?1047h', [ALTERNATE]],
  ['leaving it', '\x1b[?1049hvim\x1b[?1049l$ ', []],
  ['leaving it by another name', '\x1b[?1049h\x1b[?47l', []],
  ['several modes in one sequence', '\x1b[?1049;25;1h', [ALTERNATE, CURSOR]],
  ['the last of several', '\x1b[?25;2004h', [PASTE]],
  ['modes that only look alike', '\x1b[?104h\x1b[?10499h\x1b[?11h\x1b[1h\x1b[1049h\x1b[>1h', []],
  ['application cursor keys', '\x1b[?1h\x1b=', [CURSOR]],
  ['and back', '\x1b[?1h\x1b[?1l', []],
  ['bracketed paste of a line editor', '\x1b[?2004h$ ls\x1b[?2004l\r\n\x1b[?2004h', [PASTE]],
  ['a full reset', '\x1b[?1049;1;2004h\x1bc', []],
  ['a soft reset', '\x1b[?1049;1;2004h\x1b[!p', []],
  ['colours in between', '\x1b[1;31mred\x1b[?1049h\x1b[38;5;1mx\x1b[m\x1b[2J\x1b[1;1H', [ALTERNATE]],
  ['an ESC that begins anew', '\x1b\x1b[?1h\x1b[?\x1b[?2004h', [CURSOR, PASTE]],
  ['behind a title', '\x1b]0;title\x07\x1b[?1h\x1b]2;a\x1b\\\x1b[?2004h', [CURSOR, PASTE]],
  ['a title that is none of a colour', '\x1b]10 things to ask?\x07\x1b]104;?\x07\x1b]40;?\x07', []],
  ...['\x1b[c', '\x1b[0c', '\x1b[>c', '\x1b[>0c', '\x1b[=c', '\x1b[=0c', '\x1b[5n', '\x1b[6n', '\x1b[?6n', '\x1b[?2004$p', '\x1b[4$p', '\x1b[>q', '\x1b[>0q', '\x1bP$qm\x1b\\',
    '\x1bP$q"p\x1b\\', '\x1b]10;?\x07', '\x1b]11;?\x1b\\', '\x1b]12;?\x07', '\x1b]4;1;?\x07', '\x1b]4;1;#fff;2;?\x1b\\', '\x1b]10;?;?\x07',
    `\x1b]4;${Array.from({ length: 16 }, (_colour, index) => `${index};?`).join(';')}\x07`]
    .map((question) => [`B71: the question ${JSON.stringify(question)}`, `before ${question} after`, [QUERY]] as const),
  ...['\x1b[?1;2c', '\x1b[1c', '\x1b[0n', '\x1b[24;80R', '\x1b[2 q', '\x1b[?2004;2$y', '\x1b]10;#fff\x07', '\x1b]4;1;red\x07', '\x1b]0;?\x07', '\x1bP1$r0m\x1b\\', '\x1b]11;?', '\x1bP$qm',
    '\x1b]11;?\x1b[m', '\x1bP$qm\x07', '\x1b[6']
    .map((text) => [`no question is ${JSON.stringify(text)}`, text, []] as const),
];

function stateOf(modes: TerminalModes): string[] {
  const all = [[ALTERNATE, modes.isAlternateScreen], [CURSOR, modes.hasApplicationCursor], [PASTE, modes.isBracketedPaste], [QUERY, modes.takeQuery()]] as const;
  return all.filter(([, isOn]) => isOn).map(([name]) => name);
}

function afterChunks(chunks: readonly Buffer[]): string[] {
  const modes = new TerminalModes();
  for (const chunk of chunks) modes.feed(chunk);
  return stateOf(modes);
}

describe('the modes of a terminal', () => {
  test.each(TABLE)('%s, however the stream is cut', (_name, text, on) => {
    const stream = Buffer.from(text);
    expect(afterChunks([stream])).toEqual(on);
    for (let cut = 0; cut <= stream.length; cut++) expect(afterChunks([stream.subarray(0, cut), stream.subarray(cut)]), `cut at ${cut}`).toEqual(on);
    expect(afterChunks(Array.from(stream, (byte) => Buffer.from([byte]))), 'byte by byte').toEqual(on);
  });

  test('a question is reported once', () => {
    const modes = new TerminalModes();
    modes.feed(Buffer.from('\x1b[6n\x1b[6n'));
    expect([modes.takeQuery(), modes.takeQuery()]).toEqual([true, false]);
  });

  test('a question is one when it is complete', () => {
    const modes = new TerminalModes();
    modes.feed(Buffer.from('\x1b]11;?\x1b'));
    expect(modes.takeQuery()).toBe(false);
    modes.feed(Buffer.from('\\'));
    expect(modes.takeQuery()).toBe(true);
  });

  test('a reset forgets the modes, the question and the sequence that had begun', () => {
    const modes = new TerminalModes();
    modes.feed(Buffer.from('\x1b[?1049;1;2004h\x1b[6n\x1b[?104'));
    modes.reset();
    modes.feed(Buffer.from('9h'));
    expect(stateOf(modes)).toEqual([]);
  });

  test('what it keeps of a chunk is a copy', () => {
    const modes = new TerminalModes();
    const chunk = Buffer.from('\x1b[?104');
    modes.feed(chunk);
    chunk.fill('x');
    modes.feed(Buffer.from('9h'));
    expect(modes.isAlternateScreen).toBe(true);
  });

  test.each(['\x1b[', '\x1b]11;', '\x1bP$q'])('T44: %j without an end is given up, and what follows is seen', (introducer) => {
    const stream = Buffer.from(`${introducer}${'1;'.repeat(1_000)}\x1b[?1h`);
    expect(afterChunks([stream])).toEqual([CURSOR]);
    expect(afterChunks(Array.from(stream, (byte) => Buffer.from([byte])))).toEqual([CURSOR]);
  });
});

test('where the alternate screen was switched is told behind the sequence, wherever the stream is cut', () => {
  const stream = Buffer.from('before\x1b[1mx\x1b[?25;1049hdrawn\x1b[2J\x1b[?1049lafter');
  const on = stream.indexOf('drawn');
  const off = stream.indexOf('after');
  for (let cut = 0; cut <= stream.length; cut++) {
    const modes = new TerminalModes();
    const switches: number[] = [];
    let fed = 0;
    for (const chunk of [stream.subarray(0, cut), stream.subarray(cut, cut + 1), stream.subarray(cut + 1)]) {
      modes.feed(chunk);
      switches.push(...modes.switches.map((at) => fed + at));
      fed += chunk.length;
    }
    expect([switches, modes.isAlternateScreen], `cut at ${cut}`).toEqual([[on, off], false]);
  }
});
