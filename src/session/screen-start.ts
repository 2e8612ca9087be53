// Where to begin feeding a screen when all of the output is too much: what came before must not matter for what is seen at its end.

export interface ScreenStart {
  /** In the backlog. */
  readonly at: number;
  /** What the terminal was told before, as far as it matters. */
  readonly before: '' | typeof ENTER_ALTERNATE;
}

const ENTER_ALTERNATE = '\x1b[?1049h';
const LF = 0x0a;
const ESC = 0x1b;
/** A line or a sequence begins within this, or there are hardly any. */
const LOOK_BYTES = 65_536;
/** The alternate screen is entered or left; `h` or `l` is the group. The counts keep what is made to cost time linear. */
const SWITCH = String.raw`\x1b\[\?(?:[\d;]{0,32};)?(?:47|1047|1049)(?:;[\d;]{0,32})?([hl])`;
/** The terminal is reset, or all of the screen cleared: by ED 2, or by ED 0 at its top left corner. */
const CLEAR = String.raw`\x1bc|\x1b\[2J|\x1b\[(?:1;1)?[Hf]\x1b\[0?J`;

/**
 * The first place in the backlog after which the screen does not depend on what was there; without one the first line.
 * `isAlternateAtEnd`: for output that does not show it, because it never switches.
 */
export function screenStart(backlog: Buffer, isAlternateAtEnd: boolean): ScreenStart {
  const text = backlog.toString('latin1');
  const cleared = new RegExp(`${SWITCH}|${CLEAR}`).exec(text);
  const at = cleared?.index ?? firstLine(backlog);
  const next = new RegExp(SWITCH).exec(text.slice(at))?.[1];
  const isAlternate = next === undefined ? isAlternateAtEnd : next === 'l' && cleared?.[1] === undefined;
  return { at, before: isAlternate ? ENTER_ALTERNATE : '' };
}

function firstLine(backlog: Buffer): number {
  const head = backlog.subarray(0, LOOK_BYTES);
  const newline = head.indexOf(LF);
  return newline === -1 ? Math.max(0, head.indexOf(ESC)) : newline + 1;
}
