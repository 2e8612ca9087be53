// How many columns a character takes, as programs count them (wcwidth of a current C library). The emulator's own table is that of
// Unicode 6: with it an emoji has one column, and whatever a program places behind one ends up beside its place.

/** East Asian wide and full-width characters beyond the emoji, in order. */
const WIDE: readonly (readonly [first: number, last: number])[] = [
  [0x1100, 0x115f], [0x2329, 0x232a], [0x2e80, 0x303e], [0x3040, 0xa4cf], [0xa960, 0xa97c], [0xac00, 0xd7a3], [0xf900, 0xfaff],
  [0xfe10, 0xfe19], [0xfe30, 0xfe6f], [0xff00, 0xff60], [0xffe0, 0xffe6], [0x16fe0, 0x18dff], [0x1aff0, 0x1b2ff], [0x1f200, 0x1f265],
  [0x20000, 0x3fffd],
];
const WIDE_EMOJI = /^(?!\p{Regional_Indicator})\p{Emoji_Presentation}$/u;
/** Marks, format characters but the soft hyphen, the later parts of a Hangul syllable. */
const JOINS = /^(?!\xad)[\p{Mn}\p{Me}\p{Cf}\u1160-\u11ff\ud7b0-\ud7ff]$/u;
/** Most code points in one cell: of more the cell's text would grow without end. Longer is no letter of any language. */
const MAX_JOINED = 16;

const known = new Map<number, number>();
/** Bounds the table of known characters; it is begun anew then. */
const MAX_KNOWN = 20_000;

/** Columns: 0, 1 or 2. */
export function widthOf(codePoint: number): 0 | 1 | 2 {
  if (codePoint < 0x300) return 1;
  if (known.size > MAX_KNOWN) known.clear();
  let width = known.get(codePoint);
  if (width === undefined) known.set(codePoint, width = lookUp(codePoint));
  return width === 0 || width === 2 ? width : 1;
}

/**
 * How a character goes on from the one before it, in the emulator's packing: bit 0 says that it joins that one's cell, bits 1 and 2 are
 * the columns of the cell, the rest is ours: how many have joined.
 */
export function placement(codePoint: number, preceding: number): number {
  const width = widthOf(codePoint);
  if (width > 0) return width << 1;
  const joined = (preceding >> 3) + 1;
  const canJoin = preceding !== 0 && joined < MAX_JOINED;
  return canJoin ? (joined << 3) | (preceding & 0b110) | 1 : 1 << 1; // with nothing to join it takes a cell of its own
}

function lookUp(codePoint: number): 0 | 1 | 2 {
  const character = String.fromCodePoint(codePoint);
  if (JOINS.test(character)) return 0;
  const isWide = WIDE.some(([first, last]) => codePoint >= first && codePoint <= last) || WIDE_EMOJI.test(character);
  return isWide ? 2 : 1;
}
