// The files that make a shell ours at its start, in the session's private folder. No dotfile of the user's is touched.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writePrivate } from '../process/private-file.ts';
import { quote } from '../shell/quote.ts';
import type { SessionShellName } from '../shell/shell.ts';
import type { MarkKey } from '../shell/mark.ts';
import type { Integration } from './api.ts';

export interface InitOptions {
  readonly shell: SessionShellName;
  readonly login: boolean;
  readonly integration: Integration;
  /** The session's private folder. */
  readonly dir: string;
  /** Soft limit that marks the processes of the session. */
  readonly tag: bigint;
  /** Key of the report that ends the start. */
  readonly key: MarkKey;
  /** The user's own ZDOTDIR. */
  readonly zdotdir: string | undefined;
}

export interface Launch {
  readonly args: readonly string[];
  /** Added to the environment of the shell. */
  readonly env: Readonly<Record<string, string>>;
}

/** Writes the files and says how to start the shell with them. */
export function prepareLaunch(options: InitOptions): Launch {
  return LAUNCHES[options.shell](options);
}

const LAUNCHES: Readonly<Record<SessionShellName, (options: InitOptions) => Launch>> = {
  bash: (options) => {
    const file = write(options, 'init', `${variables(options)}. ${integrationFile('bash')}\n`);
    return { args: ['--rcfile', file, '--noediting', '-i'], env: {} };
  },
  zsh: (options) => {
    writeZshFiles(options);
    const args = options.integration === 'no_rc' ? ['-o', 'no_global_rcs', '-i'] : ['-i'];
    return { args: options.login ? [...args, '-l'] : args, env: { ZDOTDIR: options.dir } };
  },
  fish: (options) => {
    const file = write(options, 'init', `${fishVariables(options)}source ${integrationFile('fish')}\n`);
    const args = ['-i', '-C', `source ${quote('fish', file)}`];
    if (options.integration === 'no_rc') args.unshift('--no-config');
    return { args: options.login ? ['-l', ...args] : args, env: {} };
  },
};

/**
 * zsh reads our .zshenv and .zshrc; while the user's are sourced, ZDOTDIR is the user's, and so it stays. Of a login shell
 * also .zprofile; .zlogin zsh then finds by itself.
 */
function writeZshFiles(options: InitOptions): void {
  const user = options.zdotdir === undefined ? 'builtin unset ZDOTDIR' : `builtin export ZDOTDIR=${quote('zsh', options.zdotdir)}`;
  const sourced = (name: string): string => (options.integration === 'no_rc' ? '' : `[[ ! -r \${ZDOTDIR:-$HOME}/${name} ]] || builtin source \${ZDOTDIR:-$HOME}/${name}\n`);
  const mine = `if [[ -n \${ZDOTDIR+x} ]]; then __sk_zdotdir=$ZDOTDIR; else builtin unset __sk_zdotdir; fi\nZDOTDIR=${quote('zsh', options.dir)}\n`;
  const theirs = 'if [[ -n ${__sk_zdotdir+x} ]]; then builtin export ZDOTDIR=$__sk_zdotdir; else builtin unset ZDOTDIR; fi\n';
  // no_notify: notices of jobs wait for the prompt instead of coming in the middle of a command's output
  write(options, '.zshenv', `builtin ulimit -S -N 15 ${options.tag} 2>/dev/null\nbuiltin unsetopt notify\n${user}\n${sourced('.zshenv')}${mine}`);
  write(options, '.zprofile', `${theirs}${sourced('.zprofile')}${mine}`);
  write(options, '.zshrc', `${theirs}builtin unset __sk_zdotdir\n${sourced('.zshrc')}${variables(options)}${withoutAliases(`\\builtin source ${integrationFile('zsh')}`)}`);
}

/** Functions take over the aliases that are there when they are defined; the user's have no place in ours. */
function withoutAliases(line: string): string {
  return `[[ -o aliases ]] && __sk_aliases=aliases || __sk_aliases=no_aliases\n\\builtin unsetopt aliases\n${line}\n\\builtin setopt $__sk_aliases\n\\builtin unset __sk_aliases\n`;
}

function variables({ dir, integration, login, tag, key }: InitOptions): string {
  return `__sk_dir=${quote('bash', dir)} __sk_step=${integration} __sk_login=${login ? '1' : ''} __sk_tag=${tag} __sk_i=${key.id} __sk_n=${key.nonce}\n`;
}

function fishVariables({ dir, integration, key }: InitOptions): string {
  return `set -g __sk_dir ${quote('fish', dir)}\nset -g __sk_step ${integration}\nset -g __sk_i ${key.id}\nset -g __sk_n ${key.nonce}\n`;
}

function integrationFile(shell: SessionShellName): string {
  return quote(shell, fileURLToPath(new URL(`../shell/integration/shellkeep.${shell}`, import.meta.url)));
}

function write({ dir }: InitOptions, name: string, text: string): string {
  const path = join(dir, name);
  writePrivate(path, text);
  return path;
}
