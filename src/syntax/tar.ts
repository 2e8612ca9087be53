// The arguments of tar, in its new and its old way of writing.
import { parseArguments } from './options.ts';
import type { ParsedArguments } from './options.ts';

/** Letters of tar that take a value. */
const TAR_VALUES = 'fCbTXgVIFHKLN';
const TAR = { values: TAR_VALUES, longValues: ['file', 'directory', 'files-from', 'exclude', 'exclude-from', 'strip-components', 'transform', 'owner', 'group', 'mode', 'use-compress-program', 'to-command', 'checkpoint-action', 'blocking-factor', 'suffix'] };

/** The operands and options of tar, also in its old way of writing: `xfC file directory`. */
export function parseTar(args: readonly string[]): ParsedArguments {
  const [letters = '', ...rest] = args;
  if (letters.startsWith('-') || !/^[a-zA-Z]+$/.test(letters)) return parseArguments(args, TAR);
  const words = [...letters].flatMap((letter) => (TAR_VALUES.includes(letter) ? [`-${letter}`, rest.shift() ?? ''] : [`-${letter}`]));
  return parseArguments([...words, ...rest], TAR);
}
