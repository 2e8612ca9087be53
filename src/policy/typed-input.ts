// What is typed into a shell, line by line: a line counts when it is sent off, as a whole, with what it continues.
import { UNKNOWN } from '../syntax/marks.ts';

/** One input: first the text, then Enter, then the keys. */
export interface Typed {
  readonly text: string;
  readonly enter: boolean;
  readonly keys: readonly string[];
}

/** The line that is being typed. */
interface Line {
  readonly text: string;
  /** May stand before it: what was typed for another program and not read by it, or before a key that may have dropped it. */
  readonly kept: string;
  /** Keys have changed it, or fetched another one, so that the text is not what the shell reads. */
  readonly isEdited: boolean;
}

/** What an input makes the shell read, and what stays on its line. */
export interface Step {
  /** What it may read, in every way that is possible; empty when no line is sent off. */
  readonly scripts: readonly string[];
  readonly isEdited: boolean;
  readonly line: Line;
}

const NO_LINE: Line = { text: '', kept: '', isEdited: false };
const SENDING_KEYS = new Set(['enter', 'ctrl-j', 'ctrl-m', 'ctrl-o']);
/** They leave the line as it is, or end the program that reads. */
const HARMLESS_KEYS = new Set(['ctrl-d', 'ctrl-l', 'ctrl-s', 'ctrl-q']);
/** They drop the line of a terminal that reads lines; a line editor keeps it. */
const PERHAPS_DROPPING_KEYS = new Set(['ctrl-z', 'ctrl-\\']);
/** What is longer is never called safe, so that nothing can hide behind it. */
const MAX_HELD = 2 * 1024 * 1024;
/** Of directories; with more it is judged as in an unknown one. */
const MAX_DIRECTORIES = 8;
/** A terminal keeps no longer line (MAX_CANON, termios(3)). */
const MAX_KEPT = 4_096;

export class TypedInput {
  #reader: number | undefined;
  #line = NO_LINE;
  #held = '';
  #directories: readonly string[] = [];
  #turn: Promise<void> = Promise.resolve();
  /** Variables with code that were set by what was typed. */
  environment: Readonly<Record<string, string>> = {};

  /** Earlier lines that the next one may continue. */
  get held(): string {
    return this.#held;
  }

  /** Where the shell may be once it has read all that was sent; empty when it is where it was seen. */
  get directories(): readonly string[] {
    return this.#directories;
  }

  /** The shell may not have read yet what leads there. */
  addDirectories(directories: readonly string[]): void {
    const all = [...new Set([...this.#directories, ...directories])];
    this.#directories = all.length > MAX_DIRECTORIES ? [UNKNOWN] : all;
  }

  /** The shell has read everything, and waits for more. */
  settle(): void {
    this.#directories = [];
  }

  /** It is this process that reads now: another one knows nothing of what was read before. Half a line may still be in the terminal. */
  readBy(pid: number | undefined): void {
    if (pid === this.#reader) return;
    this.#reader = pid;
    this.environment = {};
    this.settle();
    this.take({ ...NO_LINE, kept: this.#line.kept + this.#line.text }, '');
  }

  /** What a program that is no shell is told. Of what it does not read the last line may be left in the terminal. */
  pass(typed: Typed): void {
    const { text, kept } = this.after(typed).line;
    this.take({ text, kept, isEdited: false }, '');
  }

  /** One input after the other: each depends on what those before it have left on the line. */
  inTurn(work: () => Promise<void>): Promise<void> {
    const own = this.#turn.then(work);
    this.#turn = own.catch(() => undefined); // whose it is hears of it
    return own;
  }

  /** What an input would do. */
  after({ text, enter, keys }: Typed): Step {
    const typed = new Typing(this.#line);
    typed.write((text + (enter ? '\n' : '')).replace(/\r\n?/g, '\n')); // a terminal makes a newline of Enter's CR
    for (const key of keys) typed.press(key);
    return typed;
  }

  /** It was typed. */
  take(line: Line, held: string): void {
    this.#line = { ...line, kept: line.kept.slice(-MAX_KEPT) };
    this.#held = held.length > MAX_HELD ? '' : held;
  }
}

/** One input on its way. */
class Typing implements Step {
  line: Line;
  isEdited = false;
  #sent = '';
  #sentWithKept = '';

  constructor(line: Line) {
    this.line = line;
  }

  get scripts(): readonly string[] {
    return [...new Set([this.#sent, this.#sentWithKept])].filter((script) => script !== '');
  }

  write(typed: string): void {
    const end = typed.lastIndexOf('\n') + 1;
    if (end > 0) {
      this.#append(typed.slice(0, end - 1));
      this.#send();
    }
    this.#append(typed.slice(end));
  }

  press(key: string): void {
    if (SENDING_KEYS.has(key)) this.#send();
    else if (key === 'ctrl-c' || (key === 'ctrl-u' && !this.line.isEdited)) this.line = NO_LINE; // with an editor and without
    else if (PERHAPS_DROPPING_KEYS.has(key)) this.line = { ...NO_LINE, kept: this.line.kept + this.line.text };
    else if (!HARMLESS_KEYS.has(key)) this.line = { ...this.line, isEdited: true };
    if (key === 'ctrl-o') this.line = { ...this.line, isEdited: true }; // the next line of the history
  }

  #append(text: string): void {
    const { line } = this;
    this.line = { ...line, text: line.text + text, isEdited: line.isEdited || text.includes('\t') }; // Tab completes
  }

  #send(): void {
    const { text, kept, isEdited } = this.line;
    this.#sent += `${text}\n`;
    this.#sentWithKept += `${kept}${text}\n`;
    this.isEdited ||= isEdited;
    this.line = NO_LINE;
  }
}
