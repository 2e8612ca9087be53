// What a program in the foreground wants: how it reads, and what it has asked.
import { asksForSecret } from '../lib/secret-prompt.ts';
import { safeEnd } from '../output/boundary.ts';
import { cleanText } from '../output/clean.ts';
import { readTail } from '../output/range.ts';
import type { RawOutput } from '../output/range.ts';
import type { TerminalMode } from '../process/terminal-mode.ts';
import type { Awaiting } from './api.ts';
import type { Command } from './command.ts';

const TAIL_BYTES = 2_048;
/** A screen full of text, drawn line by line behind one move of the cursor. */
const DRAWN_BYTES = 16_384;
const MAX_PROMPT_CHARACTERS = 400;
/** CUP and HVP. */
const CURSOR_MOVES = /\x1b\[(?:\d*;\d*)?[Hf]/;
/** fish reads the lines of its own `read` with its line editor, which tells nothing; the command does. */
const FISH_SILENT = /\bread\b[^\n;|&]*\s(?:-\w*s|--silent\b)/;

/** What a program that asks has left as an unfinished last line: where something was written last, else on its other stream. */
export function promptOf({ log, stderr, newest, sizesAtInput }: Pick<Command, 'log' | 'stderr' | 'newest' | 'sizesAtInput'>): string {
  const other = newest === log ? stderr : log;
  const isNew = other !== undefined && other.length > (sizesAtInput.get(other) ?? 0);
  return unfinishedLine(newest) || (isNew ? unfinishedLine(other) : '');
}

function unfinishedLine(output: RawOutput): string {
  const { bytes } = readTail(output, { from: 0, to: output.length }, TAIL_BYTES);
  const { text } = cleanText(bytes.subarray(0, safeEnd(bytes)), { terminal: true, before: ' ' });
  return [...text.slice(text.lastIndexOf('\n') + 1)].slice(-MAX_PROMPT_CHARACTERS).join('');
}

/** Whether the newest output was drawn with the cursor moved over the screen, as `top` does without the alternate one. */
export function isDrawn(output: RawOutput): boolean {
  const { bytes } = readTail(output, { from: 0, to: output.length }, DRAWN_BYTES);
  return CURSOR_MOVES.test(bytes.toString('latin1'));
}

/** Lines are echoed, secrets are not; who switches lines off reads key by key, as line editors and full-screen programs do. */
export function kindOf({ isCanonical, hasEcho }: TerminalMode, prompt: string): Awaiting['kind'] {
  if (isCanonical) return hasEcho ? 'line' : 'secret';
  // who reads key by key and shows none of them may ask for a secret: then it says so
  return !hasEcho && asksForSecret(prompt) ? 'secret' : 'keys';
}

/** The same for the `read` of fish itself. */
export function kindOfFishRead(command: string): Awaiting['kind'] {
  return FISH_SILENT.test(command) ? 'secret' : 'line';
}
