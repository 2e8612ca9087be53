// Named keys and the bytes that a terminal sends for them (ctlseqs, "PC-Style Function Keys").

const NAMED: ReadonlyMap<string, string> = new Map([
  ['enter', '\r'],
  ['tab', '\t'],
  ['escape', '\x1b'],
  ['up', '\x1b[A'],
  ['down', '\x1b[B'],
  ['right', '\x1b[C'],
  ['left', '\x1b[D'],
]);

/** All key names, for messages and schemas. */
export const KEY_NAMES: readonly string[] = [...NAMED.keys(), ...[...'abcdefghijklmnopqrstuvwxyz'].map((letter) => `ctrl-${letter}`)];

/** The bytes of a key; undefined for a name that is none. */
export function bytesOfKey(name: string): string | undefined {
  const named = NAMED.get(name);
  if (named !== undefined) return named;
  const letter = /^ctrl-([a-z])$/.exec(name)?.[1];
  return letter === undefined ? undefined : String.fromCharCode(letter.charCodeAt(0) & 0x1f);
}
