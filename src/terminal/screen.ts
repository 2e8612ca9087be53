// The screen of a terminal: what a person would see after all that programs have written. The emulator is xterm.js; what in it takes
// time or memory without measure is kept away from it.
import { StringDecoder } from 'node:string_decoder';
import xterm from '@xterm/headless';
import type { Terminal } from '@xterm/headless';
import { NAME, UNIT_ID, answerPalette, answerSpecialColours } from './answers.ts';
import { placement, widthOf } from './character-width.ts';
import { repaint, rowsOf } from './repaint.ts';
import { StringLimiter } from './string-limiter.ts';

export interface ScreenSize {
  readonly cols: number;
  readonly rows: number;
}

export interface ScreenOptions extends ScreenSize {
  /** Takes what the terminal answers to a question of a program. */
  readonly onReply: (text: string) => void;
}

export interface ScreenView extends ScreenSize {
  /** The rows, without the blanks at their ends and the empty ones at the bottom. */
  readonly text: string;
  /** Of the cursor, from 1. */
  readonly row: number;
  readonly column: number;
  readonly isAlternate: boolean;
}

/** What is handed to the emulator at once: it refuses more than 50 MB. */
const PIECE_BYTES = 65_536;
/**
 * The emulator looks at the clock after each slice. What a character can cost grows with the cells, e.g. `ESC c` makes them all anew,
 * so that slices shrink with them: 200 characters for 120 by 40.
 */
const SLICE_LENGTH_TIMES_CELLS = 1_000_000;
const MIN_SLICE_LENGTH = 16;
/** OSC that have no effect on the text: titles, links, colours set and reset. Links are worse, each stays in memory. */
const IGNORED_OSC = [0, 1, 2, 8, 104, 110, 111, 112];

export class Screen {
  readonly #onReply: (text: string) => void;
  #size: ScreenSize;
  #limiter = new StringLimiter();
  /** That of the emulator loses characters that are cut behind a byte 0x80, as “ and … can be. */
  #decoder = new StringDecoder('utf8');
  #terminal: Terminal;

  constructor({ cols, rows, onReply }: ScreenOptions) {
    this.#onReply = onReply;
    this.#size = { cols, rows };
    this.#terminal = createTerminal(this.#size, onReply);
  }

  /** Resolves when all is parsed. The stream may have been cut anywhere. Other work gets its turn every 12 ms. */
  async write(bytes: Buffer): Promise<void> {
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
      await this.#parse(this.#decoder.write(this.#limiter.limit(bytes.subarray(at, at + PIECE_BYTES))));
    }
  }

  view(): ScreenView {
    const { active } = this.#terminal.buffer;
    return {
      text: rowsOf(active).join('\n').replace(/\n+$/, ''),
      row: active.cursorY + 1,
      column: Math.min(active.cursorX + 1, this.#size.cols), // behind the last column the cursor waits there
      ...this.#size,
      isAlternate: active.type === 'alternate',
    };
  }

  /**
   * A screen of another size with the same text. The emulator's own resizing leaves buffers behind in which e.g. `CSI 1 J` throws. Not
   * while something is being written.
   */
  async resize(cols: number, rows: number): Promise<void> {
    const old = this.#terminal;
    this.#size = { cols, rows };
    this.#terminal = createTerminal(this.#size, this.#onReply);
    await this.#parse(repaint(old, this.#size));
    old.dispose();
  }

  /** A new, blank screen. Not while something is being written. */
  reset(): void {
    this.#terminal.dispose();
    this.#limiter = new StringLimiter();
    this.#decoder = new StringDecoder('utf8');
    this.#terminal = createTerminal(this.#size, this.#onReply); // the emulator's own reset keeps a sequence that has begun
  }

  dispose(): void {
    this.#terminal.dispose();
  }

  async #parse(text: string): Promise<void> {
    if (text === '') return;
    const sliceLength = Math.max(MIN_SLICE_LENGTH, Math.floor(SLICE_LENGTH_TIMES_CELLS / (this.#size.cols * this.#size.rows)));
    await new Promise<void>((resolve) => {
      for (let at = 0; at < text.length; at += sliceLength) {
        const isLast = at + sliceLength >= text.length;
        this.#terminal.write(text.slice(at, at + sliceLength), isLast ? resolve : undefined);
      }
    });
  }
}

function createTerminal({ cols, rows }: ScreenSize, onReply: (text: string) => void): Terminal {
  const terminal = new xterm.Terminal({
    cols,
    rows,
    allowProposedApi: true,
    logLevel: 'off', // it would log to standard output, which belongs to the protocol
    scrollback: 0, // nobody scrolls; and with lines above the screen `CSI 1 J` in its last cell throws
    convertEol: true,
  });
  terminal.unicode.register({ version: 'shellkeep', wcwidth: widthOf, charProperties: placement });
  terminal.unicode.activeVersion = 'shellkeep';
  terminal.onData(onReply);
  followLineEnds(terminal);
  boundCounts(terminal);
  answerForTheWindow(terminal, onReply);
  return terminal;
}

/**
 * The terminals of bash and zsh do not put a CR before each LF that programs write, so the screen does. Programs that take the whole
 * screen have raw terminals anyhow, and mean a bare LF.
 */
function followLineEnds(terminal: Terminal): void {
  terminal.buffer.onBufferChange(({ type }) => {
    terminal.options.convertEol = type === 'normal';
  });
  for (const final of ['h', 'l']) terminal.parser.registerCsiHandler({ final }, (parameters) => parameters.includes(20)); // LNM would change it
}

/**
 * The emulator carries these out one by one, as often as a program says: `CSI 999999999 S` takes minutes, `CSI 999999999 b` 4 GB.
 * No program has a use for more than there is of the screen; such a sequence does nothing.
 */
function boundCounts(terminal: Terminal): void {
  const most: Record<string, () => number> = {
    S: () => terminal.rows,
    T: () => terminal.rows,
    L: () => terminal.rows,
    M: () => terminal.rows,
    I: () => terminal.cols,
    Z: () => terminal.cols,
    b: () => terminal.cols * terminal.rows,
  };
  for (const [final, limit] of Object.entries(most)) {
    terminal.parser.registerCsiHandler({ final }, ([count]) => typeof count === 'number' && count > limit());
  }
}

function answerForTheWindow({ parser }: Terminal, onReply: (text: string) => void): void {
  const reply = (text: string): boolean => {
    if (text !== '') onReply(text);
    return true;
  };
  for (const code of IGNORED_OSC) parser.registerOscHandler(code, () => true);
  for (const code of [10, 11, 12]) parser.registerOscHandler(code, (payload) => reply(answerSpecialColours(code, payload)));
  parser.registerOscHandler(4, (payload) => reply(answerPalette(payload)));
  parser.registerCsiHandler({ prefix: '=', final: 'c' }, ([parameter]) => reply(parameter === 0 ? UNIT_ID : ''));
  parser.registerCsiHandler({ prefix: '>', final: 'q' }, ([parameter]) => reply(parameter === 0 ? NAME : ''));
}
