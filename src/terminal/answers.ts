// Answers to questions that the emulator leaves to its window: its colours (OSC 4, 10, 11, 12), its unit id (DA3), its name (XTVERSION).

const FOREGROUND = 'rgb:ffff/ffff/ffff';
const BACKGROUND = 'rgb:0000/0000/0000';
/** Of text, background and cursor: OSC 10, 11 and 12. */
const SPECIAL = [FOREGROUND, BACKGROUND, FOREGROUND];
const FIRST_SPECIAL = 10;
/** The 16 colours of xterm, then the steps of its cube. */
const BASE = ['000000', 'cd0000', '00cd00', 'cdcd00', '0000ee', 'cd00cd', '00cdcd', 'e5e5e5', '7f7f7f', 'ff0000', '00ff00', 'ffff00', '5c5cff', 'ff00ff', '00ffff', 'ffffff'];
const CUBE = ['00', '5f', '87', 'af', 'd7', 'ff'];

export const UNIT_ID = '\x1bP!|00000000\x1b\\';
export const NAME = '\x1bP>|shellkeep\x1b\\';

/** To OSC 10, 11 or 12: its colours stand for that one and those that follow it. Empty when it only sets colours. */
export function answerSpecialColours(code: number, payload: string): string {
  const slots = payload.split(';', SPECIAL.length);
  return slots.map((slot, index) => {
    const colour = SPECIAL[code - FIRST_SPECIAL + index];
    return slot === '?' && colour !== undefined ? osc(`${code + index};${colour}`) : '';
  }).join('');
}

/** To OSC 4: pairs of an index and a colour. Empty when it only sets colours. */
export function answerPalette(payload: string): string {
  const slots = payload.split(';', 2 * 256);
  return slots.map((slot, index) => {
    const colour = slot === '?' && index % 2 === 1 ? paletteColour(slots[index - 1] ?? '') : undefined;
    return colour === undefined ? '' : osc(`4;${slots[index - 1]};${colour}`);
  }).join('');
}

function paletteColour(index: string): string | undefined {
  if (!/^\d{1,3}$/.test(index)) return undefined;
  const number = Number(index);
  const hex = BASE[number] ?? (number < 232 ? cubeColour(number - 16) : (8 + 10 * (number - 232)).toString(16).padStart(2, '0').repeat(3));
  return number > 255 ? undefined : `rgb:${[0, 2, 4].map((at) => hex.slice(at, at + 2).repeat(2)).join('/')}`;
}

function cubeColour(index: number): string {
  return [Math.floor(index / 36), Math.floor(index / 6) % 6, index % 6].map((step) => CUBE[step] ?? '00').join('');
}

function osc(text: string): string {
  return `\x1b]${text}\x1b\\`;
}
