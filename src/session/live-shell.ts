// One interactive shell on its terminal, and the framing of the commands it runs: what belongs to a command, how it ended,
// and what the shell is like afterwards. Knows nothing of logs, waiting or results.
import type { ExitStatus } from '../process/exit-status.ts';
import { ForegroundWatch } from '../process/foreground-watch.ts';
import { findInputWait } from '../process/input-wait.ts';
import type { InputWait } from '../process/input-wait.ts';
import { commandLineOf, readProcess, WatchedProcess } from '../process/proc.ts';
import type { ProcessIdentity } from '../process/proc.ts';
import { Pty } from '../process/pty.ts';
import { isReadingStandardInput, tellsCalls } from '../process/reads-terminal.ts';
import { FrameParser } from '../shell/frame-parser.ts';
import type { Frame } from '../shell/frame-parser.ts';
import type { EndMark } from '../shell/mark.ts';
import type { ShellReport } from '../shell/report.ts';
import { withoutEcho } from '../shell/echo.ts';
import { CommandFiles } from './command-files.ts';
import { EndClaim } from './end-claim.ts';
import type { LiveShellEvents, LiveShellOptions, Submission } from './live-shell-events.ts';
import { PromptSites } from './prompt-sites.ts';

/**
 * starting → prompt ⇄ typed → command → prompt. In `typed` the line is on its way and nothing has run; after a D mark that
 * is not yet proved the phase stays `command`.
 */
type Phase = 'starting' | 'prompt' | 'typed' | 'command' | 'ended';

/** A D mark is looked at again so often while the foreground is not the shell's, or its report not there. */
const PROOF_POLL_MS = 3;
const TYPING_POLL_MS = 5;
/** How long the shell may take from the typed line to the C mark before it is asked what it does. */
const START_LOOK_MS = 1_000;
/** So many looks, so far apart, must find it reading at its prompt. */
const LOST_LOOKS = 3;
const LOST_LOOK_MS = 50;
/** What a child is called between its fork and its exec. */
const SERVER_COMMAND_LINE = commandLineOf(process.pid);

export class LiveShell {
  readonly #options: LiveShellOptions;
  readonly #events: LiveShellEvents;
  readonly #pty: Pty;
  /** The shell's process. */
  readonly #process: WatchedProcess;
  readonly #parser: FrameParser;
  #phase: Phase = 'starting';
  readonly #files: CommandFiles;
  #typed = '';
  #cpuMsAtStart = 0;
  readonly #promptSites: PromptSites;
  #mayDropLine = false;
  /** What came since the line was typed; the terminal's echo of it is taken out at the C mark. */
  #sinceTyped: Buffer[] = [];
  /** A D mark that is not proved yet, and what came after it. */
  #claim: EndClaim | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** Starts the shell; throws what Pty throws. The first onFinished says that it is ready. */
  constructor(options: LiveShellOptions, events: LiveShellEvents) {
    this.#options = options;
    this.#events = events;
    this.#files = new CommandFiles({ shell: options.shell, dir: options.dir, makeDir: options.makeDir }, options.key.id);
    this.#parser = new FrameParser(options.key);
    this.#pty = new Pty({ file: options.path, args: options.args, env: options.env, cwd: options.cwd, cols: options.cols, rows: options.rows }, { onData: (chunk) => this.#received(chunk), onEnd: (status) => this.#ended(status) });
    this.#process = new WatchedProcess(this.#pty.leader);
    this.#promptSites = new PromptSites(this.#process);
  }

  get leader(): ProcessIdentity {
    return this.#pty.leader;
  }

  get terminalPath(): string {
    return this.#pty.terminalPath;
  }

  /** The program that took the shell's place by `exec`; undefined while the shell is what was started. */
  replacement(): string | undefined {
    if (this.#phase === 'ended') return undefined;
    const now = commandLineOf(this.#pty.pid);
    const isOurs = [[], [this.#options.path, ...this.#options.args], SERVER_COMMAND_LINE].some((line) => line.join('\0') === now.join('\0'));
    return isOurs ? undefined : now[0];
  }

  /** Runs a command: its text goes into a private file, a short line that runs it is typed as soon as the shell has the terminal. */
  submit({ key, text, companions, line }: Submission): void {
    this.#files.write(key.id, text, companions);
    this.#typed = line;
    this.#sinceTyped = [];
    this.#phase = 'typed';
    this.#parser.expect(key);
    this.#type();
  }

  /**
   * Types bytes for the program in the foreground; false when the terminal takes no more. What is left of them when the command
   * is over the shell would run at its prompt: the file tells it to discard that first.
   */
  send(bytes: Buffer): boolean {
    this.#files.tellOfInput();
    return this.#pty.write(bytes);
  }

  /** Presses Ctrl-C, which is these bytes. */
  pressInterruptKey(key: Buffer): boolean {
    this.#mayDropLine = true;
    return this.#pty.write(key);
  }

  /** The key did not help: a raw program that does not read leaves it in the terminal's input, where the shell would find it. */
  noteUnreadKey(): void {
    this.#files.tellOfInput();
  }

  /** The command's line has been read and its text runs. */
  get isRunningCommand(): boolean {
    return this.#phase === 'command';
  }

  /** It has said that the command is over, or is about to. */
  get isAtItsEnd(): boolean {
    return this.#phase !== 'command' || this.#claim !== undefined || this.#files.isReported() || this.#promptSites.isAtPrompt;
  }

  watchForeground(): ForegroundWatch {
    return new ForegroundWatch(this.#process, this.#pty.terminalPath);
  }

  /** Whether a program, or a builtin of the shell, reads the terminal at this moment. Where the kernel does not tell: a program has it. */
  hasReader(): boolean {
    const shell = this.isAtItsEnd ? undefined : this.#process.look();
    if (shell === undefined || !tellsCalls(shell.pid)) return shell !== undefined && shell.tpgid !== shell.pid;
    return findInputWait(shell, this.#pty.terminalPath).kind !== 'none';
  }

  /** The leader of the foreground group, for where the kernel does not tell who waits. */
  foregroundProgram(): InputWait {
    const program = readProcess(this.#process.look()?.tpgid ?? this.#pty.pid);
    return { pid: program?.pid ?? this.#pty.pid, program: program?.comm ?? '', stamp: '' };
  }

  /** Types the line that makes a shell at its prompt report the command that was left: for a hook that could not be installed, or was interrupted. */
  askForReport(): void {
    if (this.#phase !== 'command') return;
    // fish reports at every prompt, so an empty line will do
    this.#pty.write(this.#lineBytes(this.#options.shell === 'fish' ? '\r' : ' { __sk_prompt "$?"; } 2>/dev/null\n'));
  }

  /** Gives the shell up if it is at its prompt, asked for a report, and there is none. Whether it did. */
  giveUpIfLost(): boolean {
    if (this.#phase !== 'command' || this.#claim !== undefined || !isReadingStandardInput(this.#pty.pid)) return false;
    this.#events.onLost(true);
    return true;
  }

  resize(cols: number, rows: number): void {
    this.#pty.resize(cols, rows);
  }

  /** Hangs up. */
  close(): void {
    clearTimeout(this.#timer);
    this.#process.close();
    this.#pty.close();
  }

  /** While a program of the user's prompt has the terminal, the line would be its input: wait until the shell has it again. */
  #type(): void {
    if (this.#phase !== 'typed') return;
    const shell = this.#process.look();
    if (shell?.tpgid === shell?.pid && this.#promptSites.isKnown()) {
      this.#cpuMsAtStart = shell?.cpuMs ?? 0;
      this.#pty.write(this.#lineBytes(this.#typed));
      this.#timer = setTimeout(() => this.#checkStarted(), START_LOOK_MS);
      return;
    }
    this.#timer = setTimeout(() => this.#type(), TYPING_POLL_MS);
  }

  /** zsh drops the line that follows a Ctrl-C at its prompt, where it may come when it crosses the end of a command. */
  #lineBytes(line: string): Buffer {
    const isAtRisk = this.#mayDropLine && this.#options.shell === 'zsh';
    this.#mayDropLine = false;
    return Buffer.from(isAtRisk ? `\n${line}` : line);
  }

  /**
   * A shell that is slow at its prompt has not read the line yet; one that reads again has read it in vain, unless what it has
   * written meanwhile is still on its way to us: a busy server has not read it, a busy kernel has not passed it on.
   */
  #checkStarted(looks = 0): void {
    if (this.#phase !== 'typed') return;
    const isReading = isReadingStandardInput(this.#pty.pid);
    if (isReading && looks >= LOST_LOOKS) return this.#events.onLost(false);
    const again = (): void => this.#checkStarted(isReading ? looks + 1 : 0);
    this.#timer = setTimeout(() => setImmediate(again), isReading ? LOST_LOOK_MS : START_LOOK_MS); // immediate: behind all reading
  }

  #received(chunk: Buffer): void {
    for (const frame of this.#parser.feed(chunk)) this.#take(frame);
  }

  #take(frame: Frame): void {
    switch (frame.kind) {
      case 'data':
        return this.#takeData(frame.bytes);
      case 'start':
        return this.#started();
      case 'end':
        return this.#claimEnd(frame);
      case 'ready':
        if (this.#claim !== undefined) this.#claim.isReady = true;
        return this.#prove();
    }
  }

  #takeData(bytes: Buffer): void {
    if (this.#claim !== undefined) return this.#claim.push(bytes) ? undefined : this.#rejectClaim();
    if (this.#phase === 'command') this.#events.onOutput(bytes);
    else if (this.#phase === 'typed') this.#sinceTyped.push(bytes);
    else this.#events.onBetween(bytes);
  }

  #started(): void {
    if (this.#phase !== 'typed') return;
    clearTimeout(this.#timer);
    this.#phase = 'command';
    const before = Buffer.concat(this.#sinceTyped);
    this.#sinceTyped = [];
    // fish draws and colours the line while it is typed: nothing in there can be told from the drawing
    const rest = this.#options.shell === 'fish' ? undefined : withoutEcho(before, this.#typed);
    if (rest !== undefined && rest.length > 0) this.#events.onBetween(rest);
    this.#events.onStarted();
    this.#files.clearText();
  }

  /** A D mark counts when the shell has the terminal and has written its report, so a leaked nonce is of no use to a child. */
  #claimEnd(end: EndMark): void {
    if (this.#phase !== 'command' && this.#phase !== 'starting') return;
    this.#rejectClaim();
    this.#claim = new EndClaim(this.#options.shell, end);
    this.#prove();
  }

  /** The mark before was not the shell's: what came after it is output. */
  #rejectClaim(): void {
    const earlier = this.#claim;
    this.#claim = undefined;
    for (const bytes of earlier?.after ?? []) this.#deliver(bytes);
  }

  #prove(): void {
    clearTimeout(this.#timer);
    const claim = this.#claim;
    if (claim === undefined || !claim.isReady) return;
    const shell = this.#process.look();
    const report = this.#files.readReport(claim.exitCode);
    if (claim.isProved(shell, report !== undefined)) return this.#finish(claim, report, (shell?.cpuMs ?? 0) - this.#cpuMsAtStart);
    this.#timer = setTimeout(() => this.#prove(), PROOF_POLL_MS);
  }

  #finish({ exitCode, waits, after }: EndClaim, report: ShellReport | undefined, cpuMs: number): void {
    this.#claim = undefined;
    this.#phase = 'prompt';
    if (waits) this.#files.acknowledge();
    this.#files.clear();
    this.#promptSites.noteFirst(() => this.#phase === 'prompt');
    this.#events.onFinished(exitCode, report, cpuMs);
    for (const bytes of after) this.#takeData(bytes);
  }

  #ended(status: ExitStatus): void {
    clearTimeout(this.#timer);
    const claim = this.#claim;
    this.#claim = undefined;
    for (const bytes of [...this.#sinceTyped, ...(claim?.after ?? []), this.#parser.flush()]) this.#deliver(bytes);
    this.#phase = 'ended';
    this.#files.clear();
    this.#files.close();
    this.close();
    this.#events.onEnded(status);
  }

  #deliver(bytes: Buffer): void {
    if (bytes.length === 0) return;
    if (this.#phase === 'command') this.#events.onOutput(bytes);
    else this.#events.onBetween(bytes);
  }
}
