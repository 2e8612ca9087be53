// Characters that no one sees: they can hide text, or turn its order, for the person or the model that reads it. They are counted and
// written out, except where writing needs them: in emoji, and in scripts that join letters.

/**
 * Invisible by Unicode's own list (Default_Ignorable_Code_Point: bidi controls, tag characters, zero-width characters, variation
 * selectors, fillers). The soft hyphen is left out: terminals show it, and texts from the web are full of it.
 */
const INVISIBLE = String.raw`(?!\xad)\p{Default_Ignorable_Code_Point}`;

/** The places, told by the character before, in which such a character belongs. */
const NEEDED = [
  // Joiner and non-joiner: Persian, Urdu, the Indic scripts and others; the joiner in emoji such as families and flags.
  String.raw`(?<=[\p{scx=Arab}\p{scx=Syrc}\p{scx=Mong}\p{scx=Nkoo}\p{scx=Deva}\p{scx=Beng}\p{scx=Guru}\p{scx=Gujr}\p{scx=Orya}\p{scx=Taml}\p{scx=Telu}\p{scx=Knda}\p{scx=Mlym}\p{scx=Sinh}\p{scx=Tibt}\p{scx=Mymr}\p{scx=Khmr}])[\u200c\u200d]`,
  String.raw`(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])\u200d`,
  // Variation selectors: emoji or text form, forms of ideographs and mathematical signs, Mongolian letters.
  String.raw`(?<=\p{Emoji})[\ufe0e\ufe0f]`,
  String.raw`(?<=\p{scx=Han})[\ufe00-\ufe02\u{e0100}-\u{e01ef}]`,
  String.raw`(?<=\p{Sm})\ufe00`,
  String.raw`(?<=\p{scx=Mong})[\u180b-\u180f]`,
].join('|');

const ANY_INVISIBLE = new RegExp(INVISIBLE, 'u');
const SUSPICIOUS = new RegExp(`(?!${NEEDED})${INVISIBLE}`, 'gu');

export interface ShownText {
  readonly text: string;
  /** How many characters were written out. */
  readonly suspicious: number;
}

export interface ShowOptions {
  /** The character before the text, if there is one. */
  readonly before: string;
  /** The text begins with a byte order mark that may stand, as the first bytes of an output do. */
  readonly hasMark: boolean;
}

/** Writes invisible characters out, as `\u{202E}`. */
export function showInvisible(text: string, { before, hasMark }: ShowOptions): ShownText {
  if (!ANY_INVISIBLE.test(text)) return { text, suspicious: 0 };
  let suspicious = 0;
  const first = before.length + (hasMark ? 1 : 0);
  const shown = (before + text).replace(SUSPICIOUS, (character, offset: number) => {
    if (offset < first) return character;
    suspicious += 1;
    return `\\u{${(character.codePointAt(0) ?? 0).toString(16).toUpperCase()}}`;
  });
  return { text: shown.slice(before.length), suspicious };
}
