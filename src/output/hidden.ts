// Parts of an output that are left out of its text. Every offset stays where it was.
import type { LogRead } from './log.ts';
import type { Range, RawOutput } from './range.ts';

/** SGR without parameters, and BEL: control codes that mean nothing in text, and are cleaned away. */
const NOTHING = '\x1b[m';
const BELL = 0x07;

/** What was read, with nothing in place of what is hidden. The ranges are in order. */
export function withoutHidden(read: LogRead, hidden: readonly Range[] = []): LogRead {
  const end = read.from + read.bytes.length;
  const touched = hidden.filter(({ from, to }) => from < end && to > read.from);
  if (touched.length === 0) return read;
  const bytes = Buffer.from(read.bytes);
  for (const { from, to } of touched) fillWithNothing(bytes.subarray(Math.max(0, from - read.from), Math.min(end, to) - read.from));
  return { ...read, bytes };
}

/** An output with nothing in place of what is hidden. */
export function hiding(output: RawOutput, hidden: readonly Range[]): RawOutput {
  if (hidden.length === 0) return output;
  return {
    get length() {
      return output.length;
    },
    read: (from, maxBytes) => withoutHidden(output.read(from, maxBytes), hidden),
  };
}

function fillWithNothing(bytes: Buffer): void {
  const end = bytes.length - (bytes.length % NOTHING.length);
  bytes.fill(NOTHING, 0, end);
  bytes.fill(BELL, end);
}
