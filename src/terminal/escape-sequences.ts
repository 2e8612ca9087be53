// The grammar of terminal control sequences (ECMA-48, xterm's ctlseqs) as far as text has to be freed from them. An ESC always ends
// what came before it, so whether a sequence is complete is seen from its own introducer on, without the text before it.

/** Payload of an unterminated control string that is dropped; what follows it is text again. In UTF-16 units. */
export const MAX_STRING_LENGTH = 65_536;

const ST = String.raw`(?:\x1b\\|\x9c)`;
const CSI = String.raw`(?:\x1b\[|\x9b)`;
const OSC = String.raw`(?:\x1b\]|\x9d)`;
/** DCS, SOS, PM and APC. */
const OPAQUE = String.raw`(?:\x1b[PX^_]|[\x90\x98\x9e\x9f])`;
/** What ends a control string without being its terminator: CAN, SUB, ESC and the C1 controls. */
const ABORTS = String.raw`\x18\x1a\x1b\x80-\x9f`;

/** Sequences that change what is on the cursor's line: cursor right, left and to a column, erase, delete, insert. */
const EDITING = String.raw`${CSI}(?:\d*[CDGP@]|[012]?K|0?J)`;

/** Where several alternatives match, the first is what strip-ansi takes too; the last five are what it leaves behind. */
const ALTERNATIVES = [
  String.raw`\x1b\](?:P[\dA-Fa-f]{7}|R)(?:\x07|${ST})?`, // palette of the Linux console: a fixed length instead of a terminator
  String.raw`${OSC}[^\x07${ABORTS}]*(?:\x07|${ST})`,
  String.raw`(?:${OPAQUE}|\x1bk)[^${ABORTS}]*${ST}`, // ESC k: a window title of screen
  String.raw`${CSI}[0-?]*[ -/]*[@-~]`,
  String.raw`${OSC}[^\x07${ABORTS}]{0,${MAX_STRING_LENGTH}}`,
  String.raw`${OPAQUE}[^${ABORTS}]{0,${MAX_STRING_LENGTH}}`,
  String.raw`${CSI}[0-?]*[ -/]*`,
  String.raw`\x1b[ -/]*[0-~]?`,
  String.raw`\x07`, // a bell that ends no string
].join('|');

const ALL = new RegExp(ALTERNATIVES, 'g');
const ALL_BUT_EDITING = new RegExp(`(?!${EDITING})(?:${ALTERNATIVES})`, 'g');

const UNFINISHED = new RegExp(
  `^(?:${CSI}[0-?]*[ -/]*|${OSC}[^\\x07${ABORTS}]*\\x1b?|(?:${OPAQUE}|\\x1bk)[^${ABORTS}]*\\x1b?|\\x1b[ -/]*)$`,
);

/** Sequences that edit a line, with their count and final character as groups; and CR and BS, which have none. */
export const EDITING_STEP = String.raw`[\r\b]|${CSI}(\d*)([CDGJKP@])`;
/** What may change a line. Erasing to its end is not here: it does nothing unless something else has moved the cursor back. */
export const EDIT = String.raw`\r(?![\r\n])|\x08|${CSI}(?:\d*[CDGP@]|[12]K)`;

/** Removes all sequences, also broken and unterminated ones, and bells. No ESC and no BEL remains. */
export function removeSequences(text: string): string {
  return text.replace(ALL, '');
}

/** Removes all sequences but the complete ones that edit a line, which EDITING_STEP finds. No other ESC and no BEL remains. */
export function removeNonEditing(text: string): string {
  return text.replace(ALL_BUT_EDITING, '');
}

/** Whether a text that begins with an introducer is the beginning of one sequence whose end is still to come. */
export function isUnfinishedSequence(text: string): boolean {
  return text.length <= MAX_STRING_LENGTH + 2 && UNFINISHED.test(text);
}
