// What task_write writes, if a shell reads it: then it is commands, and the policy has its say.
import { groupWithDescendants } from '../process/proc.ts';
import { isWaitingForInput } from '../process/reads-terminal.ts';
import { readingShell } from '../process/reading-shell.ts';
import type { TaskInput } from './api.ts';
import type { Task } from './task.ts';

/** Has the input approved if the task's command says that a shell reads it, or a shell that it has started does, be it in a group of its own. */
export async function approveWritten(task: Task, { text, eof, approveInput }: TaskInput): Promise<void> {
  if (approveInput === undefined || task.options.stdin === 'none') return;
  const { codeEnvironment: environment = {}, command, cwd } = task.options;
  const reader = task.pid === undefined ? undefined : readingShell(groupWithDescendants(task.pid));
  const shell = reader?.shell ?? command.readers[0]?.shell;
  if (shell === undefined) return;
  if (reader === undefined) task.written.addDirectories(command.readers.map((one) => one.cwd));
  else if (isWaitingForInput(reader.pid)) task.written.settle();
  const where = { shell, cwd: reader?.cwd ?? cwd, environment };
  await approveInput({ input: task.written, typed: { text, enter: eof, keys: [] }, where, isOverridden: command.isOverridden });
}
