// Whether the command that runs waits for input from its terminal. Proved by the kernel where it tells; else by quiet and the terminal's mode.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ForegroundWatch } from '../process/foreground-watch.ts';
import type { InputWait } from '../process/input-wait.ts';
import { tellsCalls } from '../process/reads-terminal.ts';
import { readTerminalMode } from '../process/terminal-mode.ts';
import type { Awaiting } from './api.ts';
import { isDrawn, kindOf, kindOfFishRead, promptOf } from './awaiting.ts';
import type { Command } from './command.ts';
import type { LiveShell } from './live-shell.ts';
import { Looks } from './looks.ts';

/** A wait that lasts so long without the thread having run is no pause between two bytes. */
const CONFIRM_MS = 12;
/** What was sent is read within this time, or is not what the program waits for (half a line). */
const READ_WITHIN_MS = 150;
/** Whether an ESC was the key or begins a sequence, programs know when nothing has followed it for a moment, mostly a tenth of a second. */
const ESCAPE_MS = 130;
const ESC = 0x1b;
/** Without proof: so long without output, and how often the mode is asked then. */
const QUIET_MS = { secret: 100, keys: 500, line: 1_000 };
const MODE_EVERY_MS = 400;
/** A program on the alternate screen that has drawn and rests is to be seen, even if it does not read (watch). */
const DRAWN_MS = 250;

export interface InputWatchEvents {
  /** The command that runs. */
  command(): Command | undefined;
  isFullScreen(): boolean;
  /** The answer of `awaiting` or `hasDrawn` is another one, in favour of those who wait. */
  onChange(): void;
}

export class InputWatch {
  readonly #live: LiveShell;
  readonly #events: InputWatchEvents;
  readonly #foreground: ForegroundWatch;
  readonly #looks = new Looks((isSteady) => this.#look(isSteady));
  readonly #hasKernel: boolean;
  #awaiting: Awaiting | undefined;
  #candidate: { readonly stamp: string; readonly at: number } | undefined;
  /** The wait that was there when input was sent: the program has not read it yet. */
  #answered: { readonly stamp: string; readonly until: number } | undefined;
  #stamp = '';
  /** Before this a wait is only one for the rest of a key. */
  #settledAt = -Infinity;
  #eventAt = performance.now();
  #modeAskedAt = -Infinity;
  #isAsking = false;
  #hasToldDrawn = false;

  constructor(live: LiveShell, events: InputWatchEvents) {
    this.#live = live;
    this.#events = events;
    this.#foreground = live.watchForeground();
    this.#hasKernel = tellsCalls(live.leader.pid);
  }

  /** What the program waits for; undefined when it does not, or that is not known. */
  get awaiting(): Awaiting | undefined {
    return this.#awaiting;
  }

  /** A full-screen program has drawn its screen. */
  get hasDrawn(): boolean {
    return this.#events.isFullScreen() && (this.#awaiting !== undefined || this.#quietMs() >= DRAWN_MS);
  }

  /** Looks as long as somebody waits: until the returned function is called. What was known before may not be so any more. */
  join(): () => void {
    if (!this.#looks.isWatched) this.#check();
    const leave = this.#looks.join();
    return () => {
      leave();
      if (!this.#looks.isWatched) this.#foreground.release();
    };
  }

  /** Output has come, or a command has begun. */
  noteEvent(): void {
    this.#hasToldDrawn = false;
    this.#eventAt = performance.now();
    this.#looks.noteEvent();
  }

  /** Input goes to the program: what it waited for until now is answered. */
  noteInput(bytes: Buffer): void {
    if (bytes.at(-1) === ESC) this.#settledAt = performance.now() + ESCAPE_MS;
    this.#answered = { stamp: this.#stamp, until: performance.now() + READ_WITHIN_MS };
    this.forget();
    this.noteEvent();
  }

  /** Another command, or none, has the terminal. */
  forget(): void {
    this.#awaiting = undefined;
    this.#candidate = undefined;
  }

  close(): void {
    this.forget();
    this.#foreground.close();
  }

  /** While nobody waited nobody looked: whoever asked may have gone on, or be gone. */
  #check(): void {
    const awaiting = this.#awaiting;
    if (awaiting === undefined) return;
    const facts = this.#hasKernel ? this.#foreground.look() : this.#live.foregroundProgram();
    const isSame = awaiting.proof === 'kernel' ? 'stamp' in facts && facts.stamp === this.#candidate?.stamp : 'pid' in facts && facts.pid === awaiting.pid;
    if (!isSame) this.forget();
  }

  #quietMs(): number {
    return performance.now() - this.#eventAt;
  }

  #look(isSteady: boolean): void {
    const command = this.#events.command();
    if (command === undefined || !this.#live.isRunningCommand) return this.forget();
    if (!this.#hasKernel) return this.#judgeByQuiet(command, this.#live.foregroundProgram());
    const facts = this.#foreground.look({ full: !isSteady });
    if (facts.kind === 'waiting') return this.#consider(command, facts);
    if (facts.kind === 'hidden') return this.#judgeByQuiet(command, facts);
    this.forget();
    this.#tellDrawn();
  }

  /** Once for each rest: whoever begins to wait later asks himself. */
  #tellDrawn(): void {
    const hasDrawn = this.hasDrawn;
    if (hasDrawn && !this.#hasToldDrawn) this.#events.onChange();
    this.#hasToldDrawn = hasDrawn;
  }

  /** A wait that the kernel shows: proved when it is still the same one a moment later. */
  #consider(command: Command, wait: InputWait): void {
    this.#stamp = wait.stamp;
    const now = performance.now();
    const isUnread = this.#answered?.stamp === wait.stamp && now < this.#answered.until;
    if (isUnread || this.#live.isAtItsEnd) return this.forget(); // the shell at its prompt reads, too
    if (now < this.#settledAt) return this.#looks.again(this.#settledAt - now);
    if (this.#candidate?.stamp !== wait.stamp) {
      this.#candidate = { stamp: wait.stamp, at: now };
      return this.#looks.again(CONFIRM_MS);
    }
    if (now - this.#candidate.at < CONFIRM_MS - 1) return this.#looks.again(CONFIRM_MS);
    if (this.#awaiting === undefined) this.#askMode(command, wait, 'kernel');
  }

  #judgeByQuiet(command: Command, wait: InputWait): void {
    this.#tellDrawn();
    const isDue = this.#quietMs() >= QUIET_MS.secret && performance.now() - this.#modeAskedAt >= MODE_EVERY_MS;
    if (isDue && this.#awaiting === undefined) this.#askMode(command, wait, 'quiet');
  }

  #askMode(command: Command, wait: InputWait, proof: Awaiting['proof']): void {
    if (this.#isAsking) return;
    this.#isAsking = true;
    this.#modeAskedAt = performance.now();
    const eventAt = this.#eventAt;
    // a turn later: starting stty takes longer than the look, which is to be cheap
    void nextTurn().then(() => readTerminalMode(this.#live.terminalPath)).then((mode) => {
      this.#isAsking = false;
      const isStale = this.#events.command() !== command || (proof === 'kernel' ? this.#candidate?.stamp !== wait.stamp || this.#live.isAtItsEnd : this.#eventAt !== eventAt);
      if (isStale) return;
      const prompt = this.#events.isFullScreen() || isDrawn(command.log) ? '' : promptOf(command);
      const kind = this.#isFishRead(wait) ? kindOfFishRead(command.text) : mode === undefined ? 'unknown' : kindOf(mode, prompt);
      if (proof === 'quiet' && !this.#isQuietEnough(kind, prompt)) return;
      this.#awaiting = { kind, program: wait.program, pid: wait.pid, prompt, proof };
      this.#events.onChange();
    });
  }

  #isFishRead({ pid, program }: InputWait): boolean {
    return pid === this.#live.leader.pid && program === 'fish';
  }

  /** What the kernel does not show needs more: of a hidden program only the switched-off echo says that it asks. */
  #isQuietEnough(kind: Awaiting['kind'], prompt: string): boolean {
    if (kind === 'unknown') return false;
    const isEnough = this.#quietMs() >= QUIET_MS[kind];
    return isEnough && (kind === 'secret' || (!this.#hasKernel && (prompt !== '' || this.#events.isFullScreen())));
  }
}
