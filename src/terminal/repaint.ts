// Brings what one emulator shows into another: text, cursor and modes. Colours go, since nobody sees them.
import type { IBuffer, IModes, Terminal } from '@xterm/headless';

/** What a terminal is told to show the same as the given one, as far as it fits. */
export function repaint({ buffer, modes }: Terminal, { rows }: { readonly rows: number }): string {
  const isAlternate = buffer.active.type === 'alternate';
  const alternate = isAlternate ? `\x1b[?1049h${paint(buffer.alternate, rows)}` : '';
  return `\x1b[?7l${paint(buffer.normal, rows)}${alternate}${switches(modes)}`; // without wrapping: what does not fit goes
}

/** The rows of a buffer, without the blanks at their ends. */
export function rowsOf(buffer: IBuffer): string[] {
  return Array.from({ length: buffer.length }, (_row, index) => buffer.getLine(index)?.translateToString(true).trimEnd() ?? '');
}

/** With fewer rows the upper ones go, as far as the cursor's row needs it. */
function paint(buffer: IBuffer, rows: number): string {
  const first = Math.max(0, buffer.cursorY + 1 - rows);
  const painted = rowsOf(buffer).slice(first, first + rows).map((text, index) => `\x1b[${index + 1}H${text}`);
  return `${painted.join('')}\x1b[${buffer.cursorY - first + 1};${buffer.cursorX + 1}H`;
}

function switches(modes: IModes): string {
  const states: readonly (readonly [code: string, isOn: boolean])[] = [
    ['?1', modes.applicationCursorKeysMode],
    ['?7', modes.wraparoundMode],
    ['?2004', modes.bracketedPasteMode],
    ['4', modes.insertMode],
  ];
  return states.map(([code, isOn]) => `\x1b[${code}${isOn ? 'h' : 'l'}`).join('');
}
