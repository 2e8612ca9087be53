// What a terminal would show of a text, as text: control sequences out, CR, backspace and the codes that edit a line applied. Colours
// and concealment are ignored, so that all characters show. Moves between lines are not followed: each line keeps its last state.
import stripAnsi from 'strip-ansi';
import { EDIT, EDITING_STEP, removeNonEditing, removeSequences } from './escape-sequences.ts';
import { Row } from './row.ts';

export interface PlainText {
  readonly text: string;
  /** States of lines that were overwritten or erased, e.g. the earlier states of a progress bar. */
  readonly folded: number;
}

export interface PlainTextOptions {
  /** `newline`: CR LF becomes LF, as the terminal made it of LF; `keep`: CR LF stays, as a program wrote it to a pipe. */
  readonly crlf: 'newline' | 'keep';
}

/** ESC, BEL, CR, BS, and the C1 controls that introduce a sequence (as characters: in UTF-8 no part of another character looks like them). */
const CONTROLS = /[\x07\b\r\x1b\x90\x98\x9b\x9d-\x9f]/;
const LEFT_BEHIND = /[\x07\x1b\x90\x98\x9b\x9d-\x9f]/;
/** The runs of CR before LF. The lookbehind keeps a long run of CR without LF linear. */
const CRLF = /(?<!\r)\r+\n/g;
// These two have a `lastIndex`, which is set before each use.
const NEXT_EDIT = new RegExp(EDIT, 'g');
const NEXT_STEP = new RegExp(EDITING_STEP, 'g');
/** Blanks that moves of the cursor may make beyond the size of the text itself. */
const SPARE_BLANKS = 4_096;

/** The text as a terminal would leave it. Text without control characters is returned as it is. Linear in time, whatever the text. */
export function plainText(text: string, options: PlainTextOptions = { crlf: 'newline' }): PlainText {
  if (!CONTROLS.test(text)) return { text, folded: 0 };
  if (indexOfEdit(text, 0) === -1) return { text: stripSequences(lineEnds(text, options)), folded: 0 };
  return editLines(lineEnds(removeNonEditing(text), options));
}

function lineEnds(text: string, { crlf }: PlainTextOptions): string {
  return crlf === 'newline' && text.includes('\r') ? text.replace(CRLF, '\n') : text;
}

/** strip-ansi, and our grammar for what it leaves: bells, unterminated strings (of `ESC P` it takes two characters) and odd sequences. */
function stripSequences(text: string): string {
  if (text.includes('\x1bP')) return removeSequences(text);
  const stripped = stripAnsi(text);
  return LEFT_BEHIND.test(stripped) ? removeSequences(text) : stripped;
}

/** Applies the editing of each line that has any; the lines between are copied in one piece. */
function editLines(text: string): PlainText {
  const row = new Row(text.length + SPARE_BLANKS);
  const parts: string[] = [];
  let done = 0;
  for (let edit = indexOfEdit(text, 0); edit !== -1; edit = indexOfEdit(text, done)) {
    const start = text.lastIndexOf('\n', edit) + 1;
    const newline = text.indexOf('\n', edit);
    const end = newline === -1 ? text.length : newline;
    parts.push(removeSequences(text.slice(done, start)), editLine(row, text.slice(start, end), newline !== -1));
    done = end;
  }
  parts.push(removeSequences(text.slice(done)));
  return { text: parts.join(''), folded: row.folded };
}

function indexOfEdit(text: string, from: number): number {
  NEXT_EDIT.lastIndex = from;
  return NEXT_EDIT.exec(text)?.index ?? -1;
}

/** One line, without its LF. The CRs right before the LF are part of the line's end and stay. */
function editLine(row: Row, line: string, isComplete: boolean): string {
  let end = line.length;
  while (isComplete && line[end - 1] === '\r') end -= 1;
  let done = 0;
  NEXT_STEP.lastIndex = 0;
  for (let step = NEXT_STEP.exec(line); step !== null && step.index < end; step = NEXT_STEP.exec(line)) {
    row.write(line.slice(done, step.index));
    applyStep(row, step);
    done = NEXT_STEP.lastIndex;
  }
  row.write(line.slice(done, end));
  return row.take(isComplete) + line.slice(end);
}

function applyStep(row: Row, [step, count, final]: RegExpExecArray): void {
  if (step === '\r') return row.carriageReturn();
  if (step === '\b') return row.backspace();
  row.edit(final ?? '', Number.parseInt(count ?? '', 10));
}
