// What session_send types, if a shell reads it: then it is commands, and the policy has its say.
import { foregroundGroup, foregroundMembers } from '../process/foreground.ts';
import { commandLineOf, readProcess } from '../process/proc.ts';
import { isWaitingForInput } from '../process/reads-terminal.ts';
import { readingShell, type ReadingShell } from '../process/reading-shell.ts';
import type { SendOptions } from './api.ts';
import { surroundingsOf } from './code-variables.ts';
import type { Command } from './command.ts';
import type { LiveShell } from './live-shell.ts';
import type { Session } from './session.ts';

/** Has the input approved if it is commands for a shell in the foreground. What another program is told cannot be judged. */
export async function approveTyped(session: Session, command: Command, live: LiveShell, { text = '', enter, keys, approveInput }: SendOptions): Promise<void> {
  if (approveInput === undefined) return;
  const reader = shellThatReads(session, live, command);
  session.typed.readBy(reader?.pid);
  if (reader === undefined) return session.typed.pass({ text, enter, keys });
  if (isWaitingForInput(reader.pid)) session.typed.settle();
  if (reader.cwd === undefined) session.typed.addDirectories(command.approved?.readers.map(({ cwd }) => cwd) ?? []);
  const own = surroundingsOf(session);
  const where = { ...own, shell: reader.shell, cwd: reader.cwd ?? own.cwd };
  await approveInput({ input: session.typed, typed: { text, enter, keys }, where, isOverridden: command.approved?.isOverridden === true });
}

/**
 * Not the session's own, which runs a builtin, nor its forks; but another one in its place. If the command starts one, it need not be
 * there yet, or another program is between: what nobody reads now is left for it.
 */
function shellThatReads({ terminal }: Session, live: LiveShell, { approved }: Command): ReadingShell | undefined {
  const inputShell = approved?.readers[0]?.shell;
  const own = inputShell === undefined && live.replacement() === undefined ? commandLineOf(live.leader.pid) : [];
  const reader = readingShell(inputShell === undefined ? likelyReaders(live, terminal.awaiting?.pid) : foregroundMembers(live.leader), own);
  if (reader !== undefined || inputShell === undefined || live.hasReader()) return reader;
  return { pid: live.leader.pid, shell: inputShell, cwd: undefined };
}

/** Who leads the foreground group, as interactive shells do, and who was seen waiting: the whole group takes a look at every process. */
function likelyReaders({ leader }: LiveShell, waiting: number | undefined): { readonly pid: number }[] {
  const group = foregroundGroup(leader);
  if (group === undefined || group <= 0) return [];
  return waiting !== undefined && readProcess(waiting)?.pgrp === group ? [{ pid: group }, { pid: waiting }] : [{ pid: group }];
}
