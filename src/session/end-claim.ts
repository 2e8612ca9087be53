// A D mark that is not proved yet. A program that got hold of the nonce (`set` prints it) can print one, too.
import { isWaitingForInput, tellsCalls } from '../process/reads-terminal.ts';
import type { ProcessInfo } from '../process/proc.ts';
import type { EndMark } from '../shell/mark.ts';
import type { SessionShellName } from '../shell/shell.ts';

/** A shell prints less than this at its prompt; a program that forged the mark may go on for ever. */
const AFTER_LIMIT_BYTES = 256 * 1024;
/** After so many looks at the shell at its prompt, a missing report means that it could not be written, and no later mark is on its way. */
const MISSING_REPORT_LOOKS = 20;

export class EndClaim {
  readonly exitCode: number;
  /** The shell waits until it is told that the mark was seen. */
  readonly waits: boolean;
  /** In fish the mark of the prompt has to follow. */
  isReady: boolean;
  /** What came after the mark. */
  readonly after: Buffer[] = [];
  #afterBytes = 0;
  #isFirstLook = true;
  #looksAtPrompt = 0;

  constructor(shell: SessionShellName, { exitCode, waits }: EndMark) {
    this.exitCode = exitCode;
    this.waits = waits;
    this.isReady = shell !== 'fish';
  }

  /** Keeps what came after the mark; false when that is more than can come after a true one. */
  push(bytes: Buffer): boolean {
    this.after.push(bytes);
    this.#afterBytes += bytes.length;
    return this.#afterBytes <= AFTER_LIMIT_BYTES;
  }

  /**
   * Looks at the shell's process. The mark is true when the shell has the terminal as it comes, and its report is there. If not
   * (a hook of the prompt has the terminal, or a forger), the shell has to be at its prompt, which no program can forge.
   */
  isProved(shell: ProcessInfo | undefined, hasReport: boolean): boolean {
    const isFirstLook = this.#isFirstLook;
    this.#isFirstLook = false;
    if (shell === undefined || shell.tpgid !== shell.pid) return false;
    if (hasReport && isFirstLook) return true;
    if (!isAtPrompt(shell)) return false;
    this.#looksAtPrompt++;
    return hasReport || this.#looksAtPrompt > MISSING_REPORT_LOOKS;
  }
}

/** Where the kernel does not tell what the shell waits for, sleeping has to do. */
function isAtPrompt({ pid, state }: ProcessInfo): boolean {
  return tellsCalls(pid) ? isWaitingForInput(pid) : state === 'S';
}
