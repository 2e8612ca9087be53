// The version that a program tells of itself.
import type { Reply } from '../process/ask-program.ts';
import { plainText } from '../terminal/plain-text.ts';

/** In the order in which they are tried. Nothing else is ever asked. */
export const VERSION_FLAGS = ['--version', '-version', '-V'] as const;

const MAX_CHARACTERS = 200;

/** The first line of an answer that was given with success, on standard output or else (java, ssh) on standard error. */
export function versionIn(reply: Reply | undefined): string | undefined {
  if (reply?.kind !== 'ended' || reply.status.kind !== 'exited' || reply.status.code !== 0) return undefined;
  return firstLine(reply.stdout) ?? firstLine(reply.stderr);
}

/**
 * Whether another flag may be tried: a program that does not know a flag says so. One that went on for ever, or could not be started,
 * does something else than to tell its version.
 */
export function knowsAnotherWay(reply: Reply | undefined): boolean {
  return reply?.kind === 'ended';
}

/** The number in it: `5.2.15` of `GNU bash, version 5.2.15(1)-release`. */
export function versionNumber(line: string | undefined): string | undefined {
  return line === undefined ? undefined : /\d+\.\d+[\w.]*/.exec(line)?.[0];
}

/** The first line with something in it, as text of a line. */
function firstLine(bytes: Buffer): string | undefined {
  const lines = plainText(bytes.toString('utf8')).text.split(/[\n\u2028\u2029]/);
  const line = lines.map((text) => text.replaceAll(/\p{Cc}+/gu, ' ').trim()).find((text) => text !== '');
  return line === undefined ? undefined : [...line].slice(0, MAX_CHARACTERS).join('');
}
