// Keeps a screen up to date with the output of a session, when somebody looks at it or a program asks the terminal something. The
// emulator is loaded and fed then only: most sessions never need it.
import { readNext, readTail } from '../output/range.ts';
import type { Range, RawOutput } from '../output/range.ts';
import type { Screen, ScreenView } from '../terminal/screen.ts';
import { screenStart } from './screen-start.ts';

export interface ScreenFeedOptions {
  readonly output: RawOutput;
  readonly cols: number;
  readonly rows: number;
  /** Takes the answers of the terminal to questions of a program. */
  readonly onReply: (bytes: Buffer) => void;
  /** Whether the alternate screen is on at the end of the output, if that is known: the backlog may not show it. */
  readonly isAlternate?: () => boolean;
}

/** A screen, and the output that it has seen. */
interface Shown {
  readonly screen: Screen;
  fed: number;
}

/** More is not fed: this takes 50 to 200 ms. */
const BACKLOG_BYTES = 512 * 1024;
/** Output that takes longer was made to cost time; only its end is shown then. */
const MAX_FEED_MS = 1_000;
const SHORT_BACKLOG_BYTES = 8 * 1024;
const PIECE_BYTES = 8 * 1024;
/** In one go: a program that asks and does not read must not fill the input of its terminal. */
const MAX_REPLY_CHARACTERS = 16_384;

export class ScreenFeed {
  readonly #options: ScreenFeedOptions;
  #size: { readonly cols: number; readonly rows: number };
  /** Output before this offset is not shown. */
  #start = 0;
  #shown: Shown | undefined;
  /** Up to here questions were answered or dropped: feeding the same output again answers none of them. */
  #heard = 0;
  /** Of the terminal, to what is asked from an offset on. */
  #replies = { from: 0, text: '' };
  #isListening = false;
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: ScreenFeedOptions) {
    this.#options = options;
    this.#size = { cols: options.cols, rows: options.rows };
  }

  /**
   * The screen after all output up to now. A question to the terminal that is open since an offset stays open. Rejects when the output
   * cannot be read.
   */
  async view(openFrom?: number): Promise<ScreenView> {
    const to = this.#options.output.length; // now, not when its turn comes: a question asked meanwhile is left to `answer`
    return this.#enqueue(async () => {
      const { screen } = await (openFrom === undefined ? this.#catchUp(to) : this.#listen(openFrom, to));
      return screen.view();
    });
  }

  /**
   * Answers the questions to the terminal that are in the output from an offset on. `isWanted` is asked last: making the screen takes a
   * while. Rejects when the output cannot be read.
   */
  async answer(from: number, isWanted: () => boolean = () => true): Promise<void> {
    const to = this.#options.output.length;
    await this.#enqueue(async () => {
      const shown = await this.#listen(from, to);
      const { text } = this.#replies;
      this.#replies = { from: to, text: '' };
      const isCurrent = shown === this.#shown && isWanted(); // else whoever asked has gone
      if (isCurrent && text !== '') this.#options.onReply(Buffer.from(text));
    });
  }

  resize(cols: number, rows: number): void {
    this.#size = { cols, rows };
    void this.#enqueue(async () => this.#shown?.screen.resize(cols, rows));
  }

  /** What came before this offset is forgotten: a new shell has started, or a program was killed that had the screen. */
  startAt(offset: number): void {
    this.#start = offset;
    this.#shown = undefined; // whoever waits for it still gets it
  }

  /** Lets the emulator go; what is asked and not answered yet stays so. It is made anew when somebody looks again. */
  dispose(): void {
    this.#shown = undefined;
  }

  /** One after the other: a screen is fed by one at a time. */
  #enqueue<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined); // who asked for it is told
    return result;
  }

  /** Brings the screen to an offset, and keeps its replies to what is asked from another one on. */
  async #listen(from: number, to: number): Promise<Shown> {
    await this.#catchUp(Math.min(Math.max(from, this.#heard), to));
    if (this.#replies.from !== from) this.#replies = { from, text: '' };
    this.#isListening = true;
    return this.#catchUp(to).finally(() => {
      this.#isListening = false;
    });
  }

  /** Brings the screen to an offset of the output. It may be beyond it already. */
  async #catchUp(to: number): Promise<Shown> {
    const shown = this.#shown ?? await this.#make();
    if (to - shown.fed > BACKLOG_BYTES) await this.#skip(shown, { from: shown.fed, to }, BACKLOG_BYTES);
    const deadline = performance.now() + MAX_FEED_MS;
    let isShort = false;
    while (shown.fed < to) {
      const { bytes, from } = readNext(this.#options.output, { from: shown.fed, to }, PIECE_BYTES);
      shown.fed = bytes.length === 0 ? to : from + bytes.length;
      await shown.screen.write(bytes);
      this.#heard = Math.max(this.#heard, shown.fed);
      if (isShort || to - shown.fed <= SHORT_BACKLOG_BYTES || performance.now() < deadline) continue;
      isShort = true;
      await this.#skip(shown, { from: shown.fed, to }, SHORT_BACKLOG_BYTES);
    }
    return shown;
  }

  async #make(): Promise<Shown> {
    const { Screen } = await import('../terminal/screen.ts');
    const screen = new Screen({ ...this.#size, onReply: (text) => this.#hear(text) });
    const shown = { screen, fed: this.#start };
    this.#shown = shown;
    return shown;
  }

  /** Begins anew with the last bytes of a range. */
  async #skip(shown: Shown, range: Range, maxBytes: number): Promise<void> {
    const { bytes, from } = readTail(this.#options.output, range, maxBytes);
    const start = screenStart(bytes, this.#options.isAlternate?.() ?? false);
    shown.screen.reset();
    shown.fed = from + start.at;
    await shown.screen.write(Buffer.from(start.before));
  }

  #hear(text: string): void {
    const replies = this.#replies;
    if (this.#isListening && replies.text.length < MAX_REPLY_CHARACTERS) replies.text += text;
  }
}
