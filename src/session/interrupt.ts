// The ladder by which a command is interrupted: the terminal's own key first, signals after it, never the shell itself.
import { continueShell, foregroundGroup, foregroundMembers, isShellInForeground, signalForeground } from '../process/foreground.ts';
import { readProcess, type ProcessInfo } from '../process/proc.ts';
import { readTerminalMode, type TerminalMode } from '../process/terminal-mode.ts';
import type { Ladder } from './api.ts';
import type { LiveShell } from './live-shell.ts';
import { interruptKey } from './signal-keys.ts';

interface Step {
  readonly name: string;
  /** Share of the grace period that the command has before the next step. */
  readonly share: number;
  take(shell: LiveShell, mode: TerminalMode | undefined): boolean;
}

/** Ctrl-C makes a SIGINT in most modes; a raw program (ssh, docker exec) is to get the key itself. Where it is neither, it would be part of a line. */
const STEPS: readonly Step[] = [
  { name: 'ctrl-c', share: 0.3, take: (shell, mode) => shell.pressInterruptKey(interruptKey(mode)) },
  { name: 'SIGINT', share: 0.2, take: (shell) => signalAfterKey(shell, 'SIGINT') },
  { name: 'SIGTERM', share: 0.5, take: (shell) => signalForeground(shell.leader, 'SIGTERM') },
  { name: 'SIGKILL', share: 0.5, take: (shell) => signalForeground(shell.leader, 'SIGKILL') },
];
const LAST_LOOK_MS = 1_000;

/**
 * Takes the steps until the command is over. `isOver` waits up to so many milliseconds and says whether it is.
 * A shell that is left at its prompt without a report (its hook was taken away) is asked for one,
 * and given up if it has none to give.
 */
export async function interrupt(shell: LiveShell, graceMs: number, isOver: (waitMs: number) => Promise<boolean>): Promise<Ladder> {
  const tried: string[] = [];
  continueShell(shell.leader);
  const mode = await readTerminalMode(shell.terminalPath);
  const isPartOfLine = mode?.makesSignals === false && mode.isCanonical;
  let killed: ProcessInfo | undefined;
  for (const step of isPartOfLine ? STEPS.slice(1) : STEPS) {
    if (step.name === 'SIGKILL') killed = foregroundLeader(shell);
    if (!step.take(shell, mode)) continue;
    tried.push(step.name);
    if (await isOver(Math.max(graceMs * step.share, step.name === 'SIGKILL' ? LAST_LOOK_MS : 0))) return { tried, worked: step.name, alive: [] };
  }
  if (isForegroundGone(shell) && (await isOver(LAST_LOOK_MS))) return { tried, worked: tried.at(-1) ?? 'none', alive: [] };
  if (isShellInForeground(shell.leader)) {
    shell.askForReport();
    if (await isOver(LAST_LOOK_MS)) return { tried, worked: tried.at(-1) ?? 'none', alive: [] };
    if (shell.giveUpIfLost() && (await isOver(LAST_LOOK_MS))) return { tried, alive: [] };
  }
  const alive = foregroundMembers(shell.leader).map(({ pid, comm }) => ({ pid, name: comm }));
  return goesOnItself(shell, killed) ? { tried, alive, isShellDeaf: true } : { tried, alive };
}

/** In a loop, the shell starts a program in the place of each that was killed. Another shell that does so was there before those. */
function goesOnItself(shell: LiveShell, killed: ProcessInfo | undefined): boolean {
  const leader = foregroundLeader(shell);
  if (leader === undefined || leader.pid === shell.leader.pid) return leader !== undefined;
  return leader.ppid === shell.leader.pid && killed !== undefined && leader.pid !== killed.pid && leader.startTime >= killed.startTime;
}

/** Who leads the foreground group, a zombie too: its members would have to be looked for, and short ones are gone by then. */
function foregroundLeader({ leader }: LiveShell): ProcessInfo | undefined {
  const group = foregroundGroup(leader);
  return group === undefined || group <= 0 ? undefined : readProcess(group);
}

function signalAfterKey(shell: LiveShell, signal: NodeJS.Signals): boolean {
  if (!isShellInForeground(shell.leader)) shell.noteUnreadKey();
  return signalForeground(shell.leader, signal);
}

/** All that had the terminal has ended, and the shell is about to notice. */
function isForegroundGone(shell: LiveShell): boolean {
  return foregroundMembers(shell.leader).length === 0;
}
