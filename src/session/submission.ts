// A command on its way into the shell: its text, what goes with it, and the line that runs it.
import type { Surroundings } from '../policy/judge.ts';
import { commandEnvironment } from '../shell/environment-script.ts';
import { quote } from '../shell/quote.ts';
import type { SessionShellName } from '../shell/shell.ts';
import { typedLine } from '../shell/typed-line.ts';
import type { Command } from './command.ts';
import type { Submission } from './live-shell-events.ts';

/** A command that a session is asked to run. */
export interface Submit {
  readonly id: string;
  readonly env: Readonly<Record<string, string>>;
  readonly stderr: 'merged' | 'separate';
  /** Asked when the session is free for the command; a rejection keeps it from being run. */
  readonly admit?: (() => Promise<void>) | undefined;
  /** Called with where it runs now; throws if it must not run there. */
  readonly approveAgain?: ((where: Surroundings) => Promise<void>) | undefined;
}

export interface SubmissionOptions {
  readonly shell: SessionShellName;
  readonly nonce: string;
  readonly previousExitCode: number;
  /** Variables for this command only. */
  readonly env: Readonly<Record<string, string>>;
  readonly exported: ReadonlyMap<string, string>;
  /** The named pipe for separate errors. */
  readonly stderrPath: string | undefined;
}

/** Words of fish that may define or remove functions. */
const FISH_DEFINES = /\b(?:function|functions|alias|source|eval|funced|funcsave|fish_config)\b|(?:^|[;\n&|]\s*)\.\s/;

export function submissionOf(command: Command, { shell, nonce, previousExitCode, env, exported, stderrPath }: SubmissionOptions): Submission {
  const hasEnv = Object.keys(env).length > 0;
  const script = hasEnv ? commandEnvironment(shell, env, exported) : undefined;
  const key = { nonce, id: command.id };
  const listsFunctions = shell === 'fish' && FISH_DEFINES.test(command.text);
  const stderrTo = stderrPath === undefined ? undefined : quote(shell, stderrPath);
  const line = typedLine({ shell, ...key, previousExitCode, hasEnv, listsFunctions, stderrTo });
  return { key, line, text: command.text, companions: script === undefined ? {} : { env: script.set, back: script.restore } };
}
