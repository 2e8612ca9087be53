// What session_send types, if a shell reads it: then it is commands, and the policy has its say.
import { foregroundMembers } from '../process/foreground.ts';
import { commandLineOf } from '../process/proc.ts';
import { readingShell, type ReadingShell } from '../process/reading-shell.ts';
import type { SendOptions } from './api.ts';
import { surroundingsOf } from './code-variables.ts';
import type { Command } from './command.ts';
import type { LiveShell } from './live-shell.ts';
import type { Session } from './session.ts';

/** Has the input approved if it is commands for a shell in the foreground. What another program is told cannot be judged. */
export async function approveTyped(session: Session, command: Command, live: LiveShell, { text = '', enter, keys, approveInput }: SendOptions): Promise<void> {
  const reader = shellThatReads(live, command);
  session.typed.readBy(reader?.pid);
  if (reader === undefined || approveInput === undefined) return;
  const own = surroundingsOf(session);
  const where = { ...own, shell: reader.shell, cwd: reader.cwd ?? own.cwd };
  await approveInput({ input: session.typed, typed: { text, enter, keys }, where, isOverridden: command.approved?.isOverridden === true });
}

/**
 * Not the session's own, which runs a builtin, nor its forks; but another one in its place. If the command starts one, it need not be
 * there yet, or another program is between: what nobody reads now is left for it.
 */
function shellThatReads(live: LiveShell, { approved }: Command): ReadingShell | undefined {
  const inputShell = approved?.inputShell;
  const own = inputShell === undefined && live.replacement() === undefined ? commandLineOf(live.leader.pid) : [];
  const reader = readingShell(foregroundMembers(live.leader), own);
  if (reader !== undefined || inputShell === undefined || live.hasReader()) return reader;
  return { pid: live.leader.pid, shell: inputShell, cwd: undefined };
}
