// Text for the model of raw output.
import { isAscii } from 'node:buffer';
import { plainText } from '../terminal/plain-text.ts';
import { showInvisible } from './suspicious.ts';

export interface CleanText {
  readonly text: string;
  /** States of lines that were overwritten, e.g. of a progress bar. */
  readonly folded: number;
  /** Invisible characters that were written out. */
  readonly suspicious: number;
}

export interface CleanOptions {
  /** The bytes come from a terminal, which writes CR LF where the program wrote LF. From a pipe, CR LF stays. */
  readonly terminal: boolean;
  /** The character before the bytes; empty at the very start of an output. */
  readonly before: string;
}

const BYTE_ORDER_MARK = Buffer.from('\ufeff');

/** Decodes bytes, invalid ones as U+FFFD, removes control sequences, applies CR and backspace, and shows what is invisible. */
export function cleanText(bytes: Buffer, { terminal, before }: CleanOptions): CleanText {
  const isPlain = isAscii(bytes); // nothing invisible in it, and decoded at no cost
  const { text, folded } = plainText(bytes.toString(isPlain ? 'latin1' : 'utf8'), { crlf: terminal ? 'newline' : 'keep' });
  if (isPlain) return { text, suspicious: 0, folded };
  const hasMark = before === '' && bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);
  return { ...showInvisible(text, { before, hasMark }), folded };
}
