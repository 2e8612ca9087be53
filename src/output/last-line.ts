// The last line of output, for the progress of a call that waits.
import { safeEnd } from './boundary.ts';
import { cleanText } from './clean.ts';
import { readTail } from './range.ts';
import type { RawOutput } from './range.ts';

const TAIL_BYTES = 2_048;
const MAX_CHARACTERS = 200;

/** The last line that is not blank of the output since an offset, cut to 200 characters; empty when there is none. */
export function lastLine(output: RawOutput, from = 0): string {
  const { bytes } = readTail(output, { from: Math.min(from, output.length), to: output.length }, TAIL_BYTES);
  const { text } = cleanText(bytes.subarray(0, safeEnd(bytes)), { terminal: true, before: ' ' });
  const line = text.split('\n').findLast((candidate) => candidate.trim() !== '') ?? '';
  return [...line.trim()].slice(0, MAX_CHARACTERS).join('');
}
