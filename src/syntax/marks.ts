// What stands in a decoded word for text that cannot be known. Noncharacters of Unicode: no real text has them.

/** Some text, as one word: it stood in double quotes. */
export const UNKNOWN = '\uFDD0';
/** Some text that may be no word, several, or options: it stood unquoted. */
export const UNKNOWN_WORDS = '\uFDD1';
/** Text that a program fetched from a network. */
export const FROM_NETWORK = '\uFDD2';
/** Text that a program decoded, decrypted or decompressed. */
export const DECODED = '\uFDD3';
/** A number or a name: not empty, without blanks, slashes and anything that a shell would read. */
export const PLAIN = '\uFDD4';
/** An unquoted `*`, any number of characters but a slash. */
export const GLOB_STAR = '\uFDD5';
/** An unquoted `?` or `[…]`, one character. */
export const GLOB_ONE = '\uFDD6';
/** Before each element of an array that is used as a whole. */
export const ELEMENT = '\uFDD7';

/** Around the number of a process substitution whose text is known. */
export const OPENED = '\uFDD8';

const RESERVED = /[\uFDD0-\uFDEF]/;
const UNKNOWNS = /[\uFDD0-\uFDD3]/;
const GLOBS = /[\uFDD5\uFDD6]/;

/** Whether a text from outside uses our marks. */
export function hasReserved(text: string): boolean {
  return RESERVED.test(text);
}

/** Whether a part of a word is unknown, so that it may hold anything. */
export function hasUnknown(text: string): boolean {
  return UNKNOWNS.test(text);
}

/** Whether a word is a pattern that the shell compares with file names. */
export function hasGlob(text: string): boolean {
  return GLOBS.test(text);
}

/** Whether the exact text of a word is known. */
export function isKnown(text: string): boolean {
  return !RESERVED.test(text);
}

/** A word as text that a shell reads again: patterns become patterns, the unknown stays marked. */
export function asSource(text: string): string {
  return hasGlob(text) ? text.replaceAll(GLOB_STAR, '*').replaceAll(GLOB_ONE, '?') : text;
}

/** A word that a shell reads again, in quotes. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** A word for people. */
export function printable(text: string): string {
  return asSource(text).replace(/[\uFDD0-\uFDD3](?:\uFDD8\d+\uFDD8)?|\uFDD4/g, '…');
}
