// Starting a process that outlives this one without what this one was given: a pipe in its hands would keep somebody waiting for the end of it.
import { findBash } from './find-shell.ts';
import { inheritableFds } from './inherited-fds.ts';

type CommandLine = readonly [program: string, ...args: string[]];

/** The command line that runs this one with no descriptor above 2; unchanged where there is none, or no bash: others close single digits only. */
export function withoutFds(command: CommandLine): CommandLine {
  const fds = inheritableFds();
  const bash = fds.length === 0 ? undefined : findBash(process.env);
  if (bash === undefined) return command;
  return [bash, '-p', '-c', `exec ${fds.map((fd) => `${fd}>&-`).join(' ')}; exec "$@"`, 'bash', ...command];
}
