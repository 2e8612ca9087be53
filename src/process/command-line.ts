// How a shell is started so that it is tagged, has no descriptor above 2, and is otherwise as if it had been started
// directly: same $0, $#, $-, line numbers, messages, and the last command still replaces the shell.
import { quote } from '../shell/quote.ts';
import type { Shell } from '../shell/shell.ts';
import type { Tag } from './tag.ts';

export interface StartRequest {
  readonly shell: Shell;
  readonly command: string;
  readonly login: boolean;
  readonly env: Readonly<Record<string, string>>;
  readonly tag: Tag;
  readonly umask?: number | undefined;
}

export interface StartFacts {
  /** Descriptors that the child would inherit and must not keep. */
  readonly closeFds: readonly number[];
  /** Whether the platform has tags and /proc/self/fd. */
  readonly isLinux: boolean;
  /** Absolute path of a bash; undefined when there is none. */
  readonly bash: string | undefined;
}

export interface StartPlan {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Whether PROLOGUE_SCRIPT must be its descriptor 3. */
  readonly needsPrologue: boolean;
  /** Whether the plan tags the shell. Otherwise it must be done from outside. */
  readonly isTagged: boolean;
}

/** Run by bash before the command, as $BASH_ENV, so that nothing of it shows in the command's text or messages. */
export const PROLOGUE_SCRIPT = 'eval "$SHELLKEEP_PROLOGUE"; unset BASH_ENV SHELLKEEP_PROLOGUE; exec 3<&-\n';
/** Not in /dev/fd, which some containers lack. */
const PROLOGUE_PATH = '/proc/self/fd/3';

/** Makes bash do something else before the prologue, or something else with its words, or (POSIX mode) skip it. */
const IN_THE_WAY = /^(BASH_ENV|SHELLOPTS|BASHOPTS|POSIXLY_CORRECT|BASH_FUNC_(eval|ulimit|exec|umask|unset)(%%|\(\)))$/;
/** Options that an exported value sets in the shim, too; it exports them anew with its own. */
const SHIM_OPTIONS = /^(BASH_ENV|SHELLOPTS|BASHOPTS|POSIXLY_CORRECT)$/;

/** The program, arguments and environment that start a shell with one command. */
export function planStart(request: StartRequest, facts: StartFacts): StartPlan {
  const { shell, env } = request;
  const args = shellArguments(request);
  const statements = startStatements(request, facts);
  const direct = { file: shell.path, args, env, needsPrologue: false, isTagged: false };
  if (statements.length === 0) return direct;
  const names = Object.keys(env);
  if (facts.isLinux && shell.name === 'bash' && !request.login && !names.some((name) => IN_THE_WAY.test(name))) {
    const prologue = { BASH_ENV: PROLOGUE_PATH, SHELLKEEP_PROLOGUE: statements.join(';') };
    return { ...direct, env: { ...env, ...prologue }, needsPrologue: true, isTagged: true };
  }
  return shimmed(direct, statements, facts);
}

/** A program that is no shell, and so cannot be given a command text. */
export interface ProgramRequest {
  /** Absolute path. */
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly tag: Tag;
}

/** The program, arguments and environment that start a program as it is: no shell reads its name or its arguments. */
export function planProgram({ file, args, env, tag }: ProgramRequest, facts: StartFacts): StartPlan {
  const statements = startStatements({ tag }, facts);
  const direct = { file, args, env, needsPrologue: false, isTagged: false };
  return statements.length === 0 ? direct : shimmed(direct, statements, facts);
}

/** A command text that reads the real one from a file, for one that is too long for an argument (128 KB on Linux). */
export function commandFromFile(shell: Shell, path: string): string {
  const file = quote(shell.name, path);
  if (shell.name === 'fish') return `eval (string collect -N <${file})`;
  return `eval " $(${shell.name === 'sh' ? 'cat ' : '<'}${file})"`; // the blank: a text that begins with "-" is no option
}

/**
 * Starts it by way of bash, or sh where there is none: a shell may read files of the user's before the command, so it
 * must be started clean. Costs 1.3 ms. sh closes descriptors of one digit only and knows no tags.
 */
function shimmed(plan: StartPlan, statements: readonly string[], { bash }: StartFacts): StartPlan {
  const { file, args, env } = plan;
  const script = [...statements, 'exec "$@"'].join(';');
  if (bash === undefined) return { ...plan, file: '/bin/sh', args: ['-c', script, 'sh', file, ...args] };
  const kept = Object.entries(env).filter(([name]) => !SHIM_OPTIONS.test(name));
  const given = Object.entries(env).filter(([name]) => SHIM_OPTIONS.test(name));
  const restore = given.length === 0 ? [] : ['/usr/bin/env', ...given.map(([name, value]) => `${name}=${value}`)];
  // -p: no functions from the environment, which could stand in for exec
  const shimArgs = ['--norc', '--noprofile', '-p', '-c', script, 'bash', ...restore, file, ...args];
  return { ...plan, file: bash, args: shimArgs, env: Object.fromEntries(kept), isTagged: true };
}

/** Without --norc bash reads ~/.bashrc when its input is a socket or SSH_CLIENT is set, and SHLVL is below 2. */
function shellArguments({ shell, command, login }: StartRequest): string[] {
  if (login) return ['-l', '-c', command];
  return shell.name === 'bash' ? ['--norc', '-c', command] : ['-c', command];
}

function startStatements({ tag, umask }: Pick<StartRequest, 'tag' | 'umask'>, { closeFds, isLinux, bash }: StartFacts): string[] {
  const closable = bash === undefined ? closeFds.filter((fd) => fd < 10) : closeFds;
  return [
    isLinux && bash !== undefined ? `ulimit -S -R ${tag.value} 2>/dev/null` : '', // bash before 5.1 has no -R
    closable.length > 0 ? `exec ${closable.map((fd) => `${fd}>&-`).join(' ')}` : '',
    umask === undefined ? '' : `umask ${umask.toString(8)}`,
  ].filter((statement) => statement !== '');
}
