// Where UTF-8 may be cut. Bytes that are no UTF-8 are no obstacle: the decoder (WHATWG Encoding, 4.5) makes each of them U+FFFD
// wherever it is cut; only the beginning of a character that may still become whole has to stay with its rest.

/** How many of the bytes come before an unfinished character at their end; all of them when there is none. */
export function wholeCharacters(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const at = bytes.length - back;
    const byte = bytes[at] ?? 0;
    if (isContinuation(byte)) continue;
    return lengthByLead(byte) > back && mayContinue(byte, bytes[at + 1]) ? at : bytes.length;
  }
  return bytes.length;
}

/** The last character that the bytes hold; U+FFFD for what is no UTF-8, the empty text without bytes. */
export function lastCharacter(bytes: Buffer): string {
  return [...bytes.toString('utf8', Math.max(0, bytes.length - 4))].at(-1) ?? '';
}

/** Whether a byte is none that begins a character. */
export function isContinuation(byte: number): boolean {
  return byte >= 0x80 && byte < 0xc0;
}

/** Length of the character that a byte begins; 1 for a byte that begins none. */
function lengthByLead(byte: number): number {
  if (byte >= 0xc2 && byte < 0xe0) return 2;
  if (byte >= 0xe0 && byte < 0xf0) return 3;
  return byte >= 0xf0 && byte < 0xf5 ? 4 : 1;
}

/** Whether the second byte, if it is there, may follow this lead byte: not in overlong forms, surrogates, or above U+10FFFF. */
function mayContinue(lead: number, second: number | undefined): boolean {
  if (second === undefined) return true;
  if (lead === 0xe0) return second >= 0xa0;
  if (lead === 0xed) return second < 0xa0;
  if (lead === 0xf0) return second >= 0x90;
  return lead !== 0xf4 || second < 0x90;
}
