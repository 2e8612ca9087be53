// Shell text that sets exported variables: for one command only, or in a new shell that takes over from an ended one.
import { quote } from './quote.ts';
import type { SessionShellName } from './shell.ts';

/** Names whose value a shell makes itself, or whose assignment does something else (zsh as root: `UID=5` changes the user). */
const OWNED =
  /^(?:_|UID|EUID|GID|EGID|PPID|USERNAME|SHELLOPTS|BASHOPTS|BASH|BASHPID|BASH_.*|IFS|PWD|OLDPWD|DIRSTACK|FUNCNAME|GROUPS|LINENO|RANDOM|SRANDOM|SECONDS|EPOCHSECONDS|EPOCHREALTIME|HISTCMD|HOSTTYPE|MACHTYPE|OSTYPE|OPTIND|PIPESTATUS|TTY|ZSH_.*|FISH_VERSION|fish_.*|history|hostname|pipestatus|status|version|__sk_.*)$/;
/** Beside those, what a new shell has its own idea of. */
const OF_THE_SHELL_PROCESS = /^(?:SHLVL|TERM|COLUMNS|LINES)$/;

/** Whether a variable belongs to the shell and cannot be given for a command. */
export function isOwnedByShell(name: string): boolean {
  return OWNED.test(name);
}

/** Whether a shell can have a variable of that name; the environment of a process can have others. */
export function isVariableName(name: string): boolean {
  return /^[A-Za-z_]\w*$/.test(name);
}

export interface CommandEnvironment {
  /** Sourced before the command. */
  readonly set: string;
  /** Sourced after it: puts each variable back unless the command itself changed it. */
  readonly restore: string;
}

/**
 * Scripts that export variables for one command; names are put in as they are, so they must have been checked. As assignments
 * before `eval` they would not do: its children then see the old value (bash) or none (zsh).
 */
export function commandEnvironment(shell: SessionShellName, env: Readonly<Record<string, string>>, exported: ReadonlyMap<string, string>): CommandEnvironment {
  const script = shell === 'fish' ? fishForCommand : posixForCommand;
  const parts = Object.entries(env).map(([name, value], index) => script({ shell, name, value, index, wasExported: exported.has(name) }));
  return { set: parts.map((part) => part.set).join(''), restore: parts.map((part) => part.restore).join('') };
}

interface OneVariable {
  readonly shell: SessionShellName;
  readonly name: string;
  readonly value: string;
  readonly index: number;
  readonly wasExported: boolean;
}

function posixForCommand({ shell, name, value, index, wasExported }: OneVariable): CommandEnvironment {
  const old = `__sk_v${index}`;
  const isLocked = isReadOnly(shell, name);
  const unexport = shell === 'zsh' ? `builtin typeset -g +x ${name}` : `builtin export -n ${name}`;
  const put = wasExported ? `builtin export ${name}="$${old}"` : `{ ${name}=$${old}; ${unexport}; }`;
  return {
    set: `if [[ -n \${${name}+x} ]]; then ${old}=$${name}; else builtin unset ${old}; fi; [[ ${isLocked} ]] || builtin export ${name}=${quote(shell, value)}\n`,
    restore: `if [[ -n \${${name}+x} && $${name} == ${quote(shell, value)} && ! ( ${isLocked} ) ]]; then if [[ -n \${${old}+x} ]]; then ${put}; else builtin unset ${name}; fi; fi; builtin unset ${old}\n`,
  };
}

/** A condition between `[[ ]]`. To set such a variable would end a bash under errexit, and the script in zsh. */
function isReadOnly(shell: SessionShellName, name: string): string {
  return shell === 'zsh' ? `\${(t)${name}} == *readonly*` : `\${BASH_VERSINFO[0]} -ge 5 && \${${name}+\${${name}@a}} == *r*`;
}

function fishForCommand({ name, value, index, wasExported }: OneVariable): CommandEnvironment {
  const old = `__sk_v${index}`;
  return {
    set: `set -eg ${old}; set -q ${name}; and set -g ${old} $${name}; set -gx ${name} ${quote('fish', value)}\n`,
    restore: `if set -q ${name}; and test "$${name}" = ${quote('fish', value)}; if set -q ${old}; set -g${wasExported ? 'x' : 'u'} ${name} $${old}; else; set -eg ${name}; end; end; set -eg ${old}\n`,
  };
}

/** The script by which a new shell takes over the exported variables of an ended one, after its own startup files. */
export function takeOverScript(shell: SessionShellName, variables: ReadonlyMap<string, string>, dropped: Iterable<string>): string {
  const belongs = (name: string): boolean => !OWNED.test(name) && !OF_THE_SHELL_PROCESS.test(name) && isVariableName(name);
  const unless = (name: string): string => (shell === 'fish' ? '' : `[[ ${isReadOnly(shell, name)} ]] || `);
  const lines: string[] = [];
  for (const [name, value] of variables) {
    if (belongs(name)) lines.push(unless(name) + setLine(shell, name, value));
  }
  for (const name of dropped) {
    if (belongs(name)) lines.push(unless(name) + (shell === 'fish' ? `set -e ${name}` : `builtin unset ${name}`));
  }
  return lines.map((line) => `${line} 2>/dev/null\n`).join('');
}

/** In fish a variable whose name ends in PATH is a list, which programs see joined by colons. */
function setLine(shell: SessionShellName, name: string, value: string): string {
  if (shell !== 'fish') return `builtin export ${name}=${quote(shell, value)}`;
  const elements = name.endsWith('PATH') ? value.split(':') : [value];
  return `set -gx ${name} ${elements.map((element) => quote(shell, element)).join(' ')}`;
}
