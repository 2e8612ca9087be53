// Where raw output may be cut so that the texts made of its parts, one by one, join to the text of the whole: not inside a character,
// a control sequence or CR LF.
import { isUnfinishedSequence, MAX_STRING_LENGTH } from '../terminal/escape-sequences.ts';
import { wholeCharacters } from './utf8.ts';

const ESC = 0x1b;
const CR = 0x0d;
/** The first byte of the C1 controls in UTF-8, and the second of those that introduce a sequence: DCS, SOS, CSI, OSC, PM, APC. */
const C1 = 0xc2;
const C1_INTRODUCERS = new Set([0x90, 0x98, 0x9b, 0x9d, 0x9e, 0x9f]);
/** A UTF-16 unit comes from at most three bytes. No longer sequence is waited for. */
const MAX_SEQUENCE_BYTES = 3 * (MAX_STRING_LENGTH + 3);

/** The last place in the bytes, or their end, where they may be cut; 0 when all of it is one unfinished thing. */
export function safeEnd(bytes: Buffer): number {
  const end = wholeCharacters(bytes);
  const start = startOfUnfinished(bytes, end);
  return start === end && bytes[end - 1] === CR ? end - 1 : start;
}

/** Where the control sequence begins that is unfinished at `end`; `end` when there is none. */
function startOfUnfinished(bytes: Buffer, end: number): number {
  const last = lastIntroducer(bytes, end);
  if (last === -1) return end;
  // An ESC at the very end may be the first half of ST, which ends the sequence before it.
  const previous = bytes[last] === ESC && last === end - 1 ? lastIntroducer(bytes, last) : -1;
  if (previous !== -1 && isUnfinishedSequence(bytes.toString('utf8', previous, end))) return previous;
  return isUnfinishedSequence(bytes.toString('utf8', last, end)) ? last : end;
}

function lastIntroducer(bytes: Buffer, end: number): number {
  const first = Math.max(0, end - MAX_SEQUENCE_BYTES);
  for (let at = end - 1; at >= first; at--) {
    if (bytes[at] === ESC || (bytes[at] === C1 && C1_INTRODUCERS.has(bytes[at + 1] ?? 0))) return at;
  }
  return -1;
}
