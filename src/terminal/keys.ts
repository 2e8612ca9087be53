// Named keys and the bytes that a terminal sends for them (ctlseqs, "PC-Style Function Keys").

const NAMED: ReadonlyMap<string, string> = new Map([
  ['enter', '\r'],
  ['tab', '\t'],
  ['escape', '\x1b'],
  ['backspace', '\x7f'],
  ['delete', '\x1b[3~'],
  ['page_up', '\x1b[5~'],
  ['page_down', '\x1b[6~'],
  ['ctrl-\\', '\x1c'],
]);

/** The final characters of the keys that have two forms. */
const CURSOR: ReadonlyMap<string, string> = new Map([['up', 'A'], ['down', 'B'], ['right', 'C'], ['left', 'D'], ['home', 'H'], ['end', 'F']]);

/** F1 and on. The numbers leave gaps where old keyboards had gaps between their groups of keys. */
const FUNCTION_KEYS = ['OP', 'OQ', 'OR', 'OS', '[15~', '[17~', '[18~', '[19~', '[20~', '[21~', '[23~', '[24~'];

/** All key names, for schemas. */
export const KEY_NAMES: readonly string[] = [
  ...NAMED.keys(),
  ...CURSOR.keys(),
  ...FUNCTION_KEYS.map((_bytes, index) => `f${index + 1}`),
  ...Array.from('abcdefghijklmnopqrstuvwxyz', (letter) => `ctrl-${letter}`),
];

/** The same in short, for messages. */
export const KEY_NAMES_IN_SHORT = [...[...NAMED.keys(), ...CURSOR.keys()].filter((name) => !name.startsWith('ctrl-')), 'f1..f12', 'ctrl-a..ctrl-z', 'ctrl-\\'].join(' ');

export interface KeyMode {
  /** DECCKM, as the program has set it: cursor keys come in their application form. */
  readonly applicationCursor: boolean;
}

/** The bytes of a key; undefined for a name that is none. */
export function bytesOfKey(name: string, { applicationCursor }: KeyMode): string | undefined {
  const cursor = CURSOR.get(name);
  if (cursor !== undefined) return `\x1b${applicationCursor ? 'O' : '['}${cursor}`;
  const number = /^f([1-9]\d?)$/.exec(name)?.[1];
  const functionKey = number === undefined ? undefined : FUNCTION_KEYS[Number(number) - 1];
  if (functionKey !== undefined) return `\x1b${functionKey}`;
  const letter = /^ctrl-([a-z])$/.exec(name)?.[1];
  return letter === undefined ? NAMED.get(name) : String.fromCharCode(letter.charCodeAt(0) & 0x1f);
}
