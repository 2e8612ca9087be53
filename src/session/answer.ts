// What the answers of all session calls have in common: where the session is, and what its terminal is like while a command runs.
import type { CommandReport } from './api.ts';
import { isDrawn } from './awaiting.ts';
import type { Command } from './command.ts';
import type { ReportContext } from './report-of.ts';
import type { Session } from './session.ts';
import type { WaitEnd } from './wait.ts';

/** The context of a report about a command, or about none. */
export function contextOf(session: Session, { maxOutputBytes }: { readonly maxOutputBytes: number }, command: Command | undefined, warnings: readonly string[] = []): ReportContext {
  const all = command === undefined ? warnings : [...warnings, ...replacementWarning(session, command)];
  return { sessionId: session.options.id, cwd: session.cwd, maxOutputBytes, warnings: all };
}

/** Adds who waits for input, and the screen of a program that draws on it. Its end and its exit code say more than that something has matched. */
export async function withTerminal({ terminal }: Session, command: Command, end: WaitEnd, report: CommandReport): Promise<CommandReport> {
  if (!command.isRunning) return report;
  const { awaiting, isFullScreen } = terminal;
  const state = end === 'matched' ? 'matched' : isFullScreen && terminal.hasDrawn ? 'full_screen' : awaiting === undefined ? 'running' : 'awaiting_input';
  const hasScreen = isFullScreen || (awaiting?.kind === 'keys' && isDrawn(command.log));
  return { ...report, state, ...(awaiting === undefined ? {} : { awaiting }), ...(hasScreen ? { screen: await terminal.view() } : {}) };
}

/** After `exec` another program is the shell's process: it lives as long as the command, and there is no prompt after it. */
function replacementWarning(session: Session, command: Command): string[] {
  const program = command.isRunning ? session.live?.replacement() : undefined;
  if (program === undefined) return [];
  return [`"${program}" took the place of the shell (exec): session_send types into it, and when it ends the session starts a new shell at the next session_run`];
}
