// Whether one of some processes is a shell that reads its commands from its input.
import { shellReadingInput } from '../shell/reads-commands.ts';
import type { ShellName } from '../shell/shell.ts';
import type { ProcessInfo } from './proc.ts';
import { commandLineOf, directoryOf, executableOf } from './proc.ts';

export interface ReadingShell {
  readonly pid: number;
  readonly shell: ShellName;
  /** Undefined where it is not ours to see. */
  readonly cwd: string | undefined;
}

/** The first of them that is one; `own` is the command line of the shell that they were started from, whose forks are none. */
export function readingShell(processes: readonly Pick<ProcessInfo, 'pid'>[], own: readonly string[] = []): ReadingShell | undefined {
  for (const { pid } of processes) {
    const [program, ...args] = commandLineOf(pid);
    if (program === undefined || [program, ...args].join('\0') === own.join('\0')) continue;
    const shell = shellReadingInput(program, args) ?? shellReadingInput(executableOf(pid) ?? '', args); // `exec -a` and links give it another name
    if (shell !== undefined) return { pid, shell, cwd: directoryOf(pid) };
  }
  return undefined;
}
