// The keys that make signals drop what is typed and not sent off. The kernel would drop unread output with it, so the session's
// terminal is told not to (noflsh), and the line is erased by the key for that.
import { readTerminalMode, type TerminalMode } from '../process/terminal-mode.ts';

/** VINTR, VSUSP and VQUIT, as terminals have them. */
const SIGNAL_KEYS = /[\x03\x1a\x1c]/g;
/** VKILL. On an empty line it does nothing. */
const ERASE_LINE = '\x15';

/** The bytes as they are to be typed. A terminal in another mode leaves lines to the program, whose editor drops them by itself. */
export async function withLinesDropped(terminalPath: string, bytes: Buffer): Promise<Buffer> {
  const text = bytes.toString('latin1');
  if (text.search(SIGNAL_KEYS) === -1) return bytes;
  if (!keepsLines(await readTerminalMode(terminalPath))) return bytes;
  return Buffer.from(text.replace(SIGNAL_KEYS, `${ERASE_LINE}$&`), 'latin1');
}

/** Ctrl-C, for a terminal in that mode. */
export function interruptKey(mode: TerminalMode | undefined): Buffer {
  return Buffer.from(keepsLines(mode) ? `${ERASE_LINE}\x03` : '\x03');
}

function keepsLines(mode: TerminalMode | undefined): boolean {
  return mode?.isCanonical === true && mode.makesSignals;
}
