// Which shells read their commands from standard input: those that are given neither a script nor a text to run.
import type { ShellName } from './shell.ts';

/** Programs by name, and the shell whose language they read. */
const SHELLS: Readonly<Record<string, ShellName>> = { bash: 'bash', rbash: 'bash', zsh: 'zsh', rzsh: 'zsh', fish: 'fish', sh: 'sh', dash: 'sh', ash: 'sh', ksh: 'sh', mksh: 'sh' };
/** Options whose next word is theirs, not a script. */
const WITH_WORD = {
  fish: /^(?:-[CdDof]|--(?:init-command|debug|debug-output|profile|profile-startup|features))$/,
  others: /^(?:[-+][A-Za-z]*[oO]|--(?:rcfile|init-file|emulate))$/, // also at the end of a bundle: -euo pipefail
};
const STANDARD_INPUT = /^(?:-|\/.*\/(?:stdin|fd\/0|tty))$/;

/** The language of the commands that a program with these arguments reads from its input; undefined for any other program. */
export function shellReadingInput(program: string, args: readonly string[]): ShellName | undefined {
  const shell = shellNamed(program);
  if (shell === undefined) return program === '.' || program === 'source' ? readBySource(args) : undefined;
  for (let index = 0; index < args.length; index++) {
    const arg = args[index] ?? '';
    if (arg === '--') return isInput(args[index + 1]) ? shell : undefined;
    if (arg === '-' || !/^[-+]/.test(arg)) return isInput(arg) ? shell : undefined;
    if (isOption(arg, 'c') || /^--(?:command|version|help)\b/.test(arg)) return undefined;
    if (isOption(arg, 's')) return shell;
    if (WITH_WORD[shell === 'fish' ? 'fish' : 'others'].test(arg)) index++;
  }
  return shell;
}

/** `-bash`, `/bin/bash` and `bash` are bash. */
function shellNamed(program: string): ShellName | undefined {
  const name = program.slice(program.lastIndexOf('/') + 1).replace(/^-/, '');
  return Object.hasOwn(SHELLS, name) ? SHELLS[name] : undefined;
}

function readBySource([file]: readonly string[]): ShellName | undefined {
  return file !== undefined && STANDARD_INPUT.test(file) ? 'bash' : undefined;
}

function isInput(word: string | undefined): boolean {
  return word === undefined || STANDARD_INPUT.test(word);
}

/** Whether a bundle of short options has this one. */
function isOption(arg: string, letter: string): boolean {
  return /^-[A-Za-z]+$/.test(arg) && arg.includes(letter);
}
