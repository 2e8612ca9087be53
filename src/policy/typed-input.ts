// What is typed into a shell, line by line: a line counts when it is sent off, as a whole, with what it continues.

/** One input: first the text, then Enter, then the keys. */
export interface Typed {
  readonly text: string;
  readonly enter: boolean;
  readonly keys: readonly string[];
}

/** What an input makes the shell read, and what stays on its line. */
export interface Step {
  /** Undefined when no line is sent off. */
  readonly script: string | undefined;
  /** Keys have changed the line, or taken another one, so that the text is not what the shell reads. */
  readonly isEdited: boolean;
  readonly line: string;
  readonly isLineEdited: boolean;
}

const SENDING_KEYS = new Set(['enter', 'ctrl-j', 'ctrl-m', 'ctrl-o']);
/** They leave the line as it is, or end the program that reads. */
const HARMLESS_KEYS = new Set(['ctrl-d', 'ctrl-l', 'ctrl-z', 'ctrl-s', 'ctrl-q', 'ctrl-\\']);
/** More is no continued command. */
const MAX_HELD = 64 * 1024;

export class TypedInput {
  #reader: number | undefined;
  #line = '';
  #isEdited = false;
  #held = '';
  /** Variables with code that were set by what was typed. */
  environment: Readonly<Record<string, string>> = {};

  /** Earlier lines that the next one may continue. */
  get held(): string {
    return this.#held;
  }

  /** It is this process that reads now: another one knows nothing of what was typed before. */
  readBy(pid: number | undefined): void {
    if (pid !== this.#reader) this.take({ line: '', isLineEdited: false }, '');
    if (pid !== this.#reader) this.environment = {};
    this.#reader = pid;
  }

  /** What an input would do. */
  after({ text, enter, keys }: Typed): Step {
    const typed = (text + (enter ? '\n' : '')).replace(/\r\n?/g, '\n'); // a terminal makes a newline of Enter's CR
    const end = typed.lastIndexOf('\n') + 1;
    let isEdited = this.#isEdited || typed.slice(0, end).includes('\t'); // Tab completes
    let script = end === 0 ? undefined : this.#line + typed.slice(0, end);
    let line = (end === 0 ? this.#line : '') + typed.slice(end);
    let isLineEdited = (end === 0 && this.#isEdited) || typed.slice(end).includes('\t');
    for (const key of keys) {
      if (SENDING_KEYS.has(key)) {
        script = `${script ?? ''}${line}\n`;
        isEdited ||= isLineEdited;
        [line, isLineEdited] = ['', key === 'ctrl-o']; // ctrl-o fetches the next line of the history
      } else if (key === 'ctrl-c') [line, isLineEdited] = ['', false];
      else if (!HARMLESS_KEYS.has(key)) isLineEdited = true;
    }
    return { script, isEdited: script !== undefined && isEdited, line, isLineEdited };
  }

  /** It was typed. */
  take({ line, isLineEdited }: Pick<Step, 'line' | 'isLineEdited'>, held: string): void {
    this.#line = line;
    this.#isEdited = isLineEdited;
    this.#held = held.length > MAX_HELD ? '' : held;
  }
}
