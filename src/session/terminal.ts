// What a session's terminal is like beside the output of its commands: its modes, its screen, who waits for input, what it answers.
import { showInvisible } from '../output/suspicious.ts';
import type { ScreenView } from '../terminal/screen.ts';
import { TerminalModes } from '../terminal/modes.ts';
import type { Awaiting } from './api.ts';
import type { Command } from './command.ts';
import { InputWatch } from './input-watch.ts';
import type { LiveShell } from './live-shell.ts';
import { QueryReplies } from './query-replies.ts';
import { ScreenFeed } from './screen-feed.ts';
import type { Transcript } from './transcript.ts';

export interface SessionTerminalOptions {
  readonly transcript: Transcript;
  readonly cols: number;
  readonly rows: number;
  /** The command that runs. */
  command(): Command | undefined;
  /** Somebody waits for input, or a screen is drawn. */
  onChange(): void;
}

export class SessionTerminal {
  readonly #options: SessionTerminalOptions;
  readonly #modes = new TerminalModes();
  readonly #screen: ScreenFeed;
  readonly #replies: QueryReplies;
  #live: LiveShell | undefined;
  #watch: InputWatch | undefined;
  #size: { cols: number; rows: number };
  /** Where in the transcript the shell before this one ended: the first prompt comes before the new one is attached. */
  #goneAt = 0;

  constructor(options: SessionTerminalOptions) {
    this.#options = options;
    this.#size = { cols: options.cols, rows: options.rows };
    this.#screen = new ScreenFeed({ output: options.transcript, ...this.#size, onReply: (bytes) => this.#reply(bytes), isAlternate: () => this.#modes.isAlternateScreen });
    this.#replies = new QueryReplies({ live: () => this.#live, answer: (from) => this.#answer(from), onDone: () => options.onChange() });
  }

  /** A shell has the terminal from now on. */
  attach(live: LiveShell): void {
    const from = this.#goneAt;
    this.detach();
    this.#live = live;
    this.#modes.reset();
    this.#screen.startAt(from);
    this.#watch = new InputWatch(live, {
      command: () => this.#options.command(),
      isFullScreen: () => this.#modes.isAlternateScreen,
      onChange: () => this.#options.onChange(),
    });
  }

  /** The shell is gone. */
  detach(): void {
    this.#watch?.close();
    this.#watch = undefined;
    this.#live = undefined;
    this.#goneAt = this.#options.transcript.length;
    this.#replies.forget();
  }

  dispose(): void {
    this.detach();
    this.#screen.dispose();
  }

  get size(): { readonly cols: number; readonly rows: number } {
    return this.#size;
  }

  resize(cols = this.#size.cols, rows = this.#size.rows): void {
    this.#size = { cols, rows };
    this.#live?.resize(cols, rows);
    this.#screen.resize(cols, rows);
    this.#watch?.noteInput(Buffer.alloc(0)); // who draws on the terminal draws anew
  }

  /** What the program that runs waits for; an answer of the terminal itself is nothing to wait for. */
  get awaiting(): Awaiting | undefined {
    return this.#replies.isOpen ? undefined : this.#watch?.awaiting;
  }

  /** A program has the alternate screen. */
  get isFullScreen(): boolean {
    return this.#modes.isAlternateScreen;
  }

  /** It has drawn its screen, and rests. */
  get hasDrawn(): boolean {
    return this.#watch?.hasDrawn ?? false;
  }

  get hasApplicationCursor(): boolean {
    return this.#modes.hasApplicationCursor;
  }

  /** The screen as it is now. */
  async view(): Promise<ScreenView> {
    const view = await this.#screen.view(this.#replies.openFrom);
    return { ...view, text: showInvisible(view.text, { before: '', hasMark: false }).text };
  }

  /** Watches for whom the terminal waits, until the returned function is called. */
  watch(): () => void {
    return this.#watch?.join() ?? ((): void => {});
  }

  /** Bytes of the terminal, before they are in the transcript. */
  output(bytes: Buffer): void {
    this.#modes.feed(bytes);
    if (this.#modes.switches.length > 0) this.#noteSwitches(this.#modes);
    if (this.#modes.takeQuery()) this.#replies.expect(this.#options.transcript.length);
    this.#watch?.noteEvent();
  }

  /** Something has happened after which a program may wait: its text begins to run, or it has written to a stream of its own. */
  noteEvent(): void {
    this.#watch?.noteEvent();
  }

  /** Input goes to the program. */
  sent(bytes: Buffer): void {
    this.#watch?.noteInput(bytes);
  }

  /** A command is over. What a program that was killed has left of its screen and its modes is not the next one's. */
  commandEnded(): void {
    this.#watch?.forget();
    this.#replies.forget();
    if (this.#modes.isAlternateScreen) this.#screen.startAt(this.#options.transcript.length);
    this.#modes.reset();
  }

  /** The chunk is not in the log yet. */
  #noteSwitches({ switches, isAlternateScreen }: TerminalModes): void {
    const command = this.#options.command();
    const isSame = (index: number): boolean => (switches.length - 1 - index) % 2 === 0;
    switches.forEach((at, index) => command?.drawn.note(isSame(index) === isAlternateScreen, command.log.length + at));
  }

  #answer(from: number): Promise<void> {
    const command = this.#options.command();
    return this.#screen.answer(from, () => this.#options.command() === command);
  }

  #reply(bytes: Buffer): void {
    const live = this.#live;
    if (live === undefined || !live.isRunningCommand || live.isAtItsEnd) return;
    live.send(bytes);
    this.#watch?.noteInput(bytes);
  }
}
