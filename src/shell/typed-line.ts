// The one short line that the server types at the prompt to run the text of a command file.
import type { SessionShellName } from './shell.ts';

export interface TypedLine {
  readonly shell: SessionShellName;
  readonly nonce: string;
  readonly id: string;
  /** Status of the command before, which the text is to see as `$?`. */
  readonly previousExitCode: number;
  /** Variables for this command only are beside the command file. */
  readonly hasEnv: boolean;
  /** fish lists functions slowly: only when the text may have changed some. */
  readonly listsFunctions: boolean;
  /** Where descriptor 2 goes, quoted; the terminal when absent. */
  readonly stderrTo: string | undefined;
}

/**
 * The line with its newline. At top level, since inside a function `declare` and `set` would be local; `start || eval` after a
 * failure, since a status of 1 on its own would trip errexit and the ERR trap; the trace of our own steps is thrown away.
 * It stays far below the 4,096 bytes at which a terminal in canonical mode cuts a line.
 */
export function typedLine(line: TypedLine): string {
  const flags = `${line.hasEnv ? 'e' : ''}${line.listsFunctions ? 'f' : ''}`;
  const start = `__sk_start ${line.nonce} ${line.id} ${line.previousExitCode}${flags === '' ? '' : ` ${flags}`}`;
  const redirect = line.stderrTo === undefined ? '' : ` 2>${line.stderrTo}`;
  if (line.shell === 'fish') return ` ${start};eval $__sk_c${redirect}\r`;
  const join = line.previousExitCode === 0 ? ';' : ' ||';
  return ` { ${start}; } 2>/dev/null${join} \\builtin eval "$__sk_c"${redirect}; { __sk_arm; } 2>/dev/null\n`;
}
