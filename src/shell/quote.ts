// Quoting of text as one word of a shell.
import type { ShellName } from './shell.ts';

/** One word that means exactly this text in that shell. NUL cannot be quoted and must have been refused before. */
export function quote(shell: ShellName, text: string): string {
  return shell === 'fish' ? quoteFish(text) : quotePosix(text);
}

/** POSIX XCU 2.2.2: nothing is special between single quotes but the quote itself. */
function quotePosix(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** In fish a backslash is special between single quotes when a backslash or a quote follows it. */
function quoteFish(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
