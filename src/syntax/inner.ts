// What a command makes run besides itself: a command in its arguments, code in an option, code from its standard input.
import { escapesOf, hasEscapes } from './escapes.ts';
import { inlineCode, isInterpreter } from './inline.ts';
import { afterDashes, ansible, containers, copying, manyHosts, mosh, plainTerminal, salt, screen, sharedBox, ssh, sshInside, terminal, tmux } from './inner-elsewhere.ts';
import { gitCode } from './inner-git.ts';
import { fd, find, parallel, xargs } from './inner-search.ts';
import { BUILTINS, inArguments, STANDARD_INPUT } from './inner-shell.ts';
import { TOOLS } from './inner-tools.ts';
import { UNKNOWN_WORDS } from './marks.ts';
import { hasOption, optionValues, parseArguments } from './options.ts';
import { isWrapper, unwrapArguments } from './wrappers.ts';

export type Inner =
  | { readonly kind: 'argv'; readonly argv: readonly string[]; readonly assignments?: readonly string[]; readonly contained?: boolean }
  | { readonly kind: 'code'; readonly code: string; readonly name: string; readonly isProcess?: boolean; readonly positional?: readonly string[]; readonly contained?: boolean }
  | { readonly kind: 'inline'; readonly language: string; readonly code: string }
  /** Its standard input is code of this language; `sh` for shells, `make` for a makefile, a program's name for its own commands. */
  | { readonly kind: 'input'; readonly language: string }
  /** A file whose text is run, mostly one of which only the name is known. */
  | { readonly kind: 'file'; readonly path: string; readonly positional?: readonly string[] };

const SHELLS = new Set(['bash', 'sh', 'zsh', 'dash', 'fish', 'ksh', 'mksh', 'lksh', 'oksh', 'loksh', 'pdksh', 'ash', 'hush', 'rbash', 'rzsh', 'rksh', 'yash', 'posh', 'sash', 'csh', 'tcsh', 'busybox-sh', 'elvish', 'nu', 'osh', 'ysh', 'xonsh', 'mrsh', 'git-shell']);

/** Whether a program is a shell, by its name. */
export function isShell(program: string): boolean {
  return SHELLS.has(program) || (/^-|\d$|-static$/.test(program) && SHELLS.has(program.replace(/^-/, '').replace(/(?:-?\d[\d.]*|-static)$/, '')));
}

/** Everything that a command makes run; `extra` are the words of its input, where it appends them, and `lines` are its lines. */
export function innerOf(program: string, args: readonly string[], extra: readonly string[] = [], lines: readonly string[] = []): readonly Inner[] {
  return innerFor(program)?.(args, extra, lines) ?? NOTHING;
}

/** How to find what a program makes run, by its name; undefined for the many that run nothing. */
export function innerFor(program: string): Running | undefined {
  if (isShell(program)) return (args) => shell(program, args);
  const own = ownInner(program);
  if (!hasEscapes(program)) return own;
  return (args, extra, lines) => [...escapesOf(program, args), ...(own?.(args, extra, lines) ?? NOTHING)];
}

function ownInner(program: string): Running | undefined {
  if (isInterpreter(program)) return (args) => inlineCode(program, args);
  const special = SPECIAL.get(program);
  if (special !== undefined) return special;
  // the loader of programs starts the one that it is given
  const wrapper = /^ld(?:-linux|-musl|\.so|64\.so)[\w.-]*$/.test(program) ? 'ld.so' : program;
  if (!isWrapper(wrapper)) return undefined;
  return (args) => {
    const unwrapped = unwrapArguments(wrapper, args);
    return unwrapped === undefined || unwrapped.argv.length === 0 ? NOTHING : [inArguments(unwrapped)];
  };
}

const NOTHING: readonly Inner[] = [];

function shell(program: string, args: readonly string[]): Inner[] {
  const parsed = parseArguments(args, { values: program === 'fish' ? 'cCoDdf' : 'cOo', longValues: ['init-file', 'rcfile', 'command', 'init-command'], stopsAtOperand: true });
  const inner: Inner[] = [];
  for (const file of optionValues(parsed, '', 'init-file', 'rcfile')) inner.push({ kind: 'file', path: file });
  // -c takes the first operand after all options, and `bash -cx code` bundles it
  const bundle = args.find((arg) => /^-[a-zA-Z]*c/.test(arg) && !arg.startsWith('--'));
  if (hasOption(parsed, 'n', 'no-execute')) return inner;
  if (bundle !== undefined || (program === 'fish' && hasOption(parsed, 'C', 'command', 'init-command'))) {
    const rest = afterOptions(args);
    const codes = program === 'fish' ? severalCodes(optionValues(parsed, 'cC', 'command', 'init-command')) : rest.slice(0, 1);
    return [...inner, ...codes.map((code): Inner => ({ kind: 'code', code, name: `${program} -c`, isProcess: true, positional: [...rest.slice(1)] }))];
  }
  const [file] = parsed.operands;
  if (file !== undefined && !hasOption(parsed, 's') && !STANDARD_INPUT.test(file)) return [...inner, { kind: 'file', path: file, positional: parsed.operands }];
  return [...inner, { kind: 'input', language: 'sh' }];
}

/** fish runs each of them; more than a few are not read. */
function severalCodes(codes: readonly string[]): readonly string[] {
  return codes.length > 8 ? [...codes.slice(0, 8), UNKNOWN_WORDS] : codes;
}

/** The operands of a shell with -c: options have no values there but those of -o and -O. */
function afterOptions(args: readonly string[]): readonly string[] {
  let at = 0;
  for (; at < args.length; at++) {
    const arg = args[at] ?? '';
    if (arg === '--' || arg === '-') return args.slice(at + 1);
    if (!/^[-+]./.test(arg)) break;
    if (/^--(?:rcfile|init-file)$/.test(arg) || /^[-+][a-zA-Z]*[oO]$/.test(arg)) at++;
  }
  return args.slice(at);
}

type Running = (args: readonly string[], extra: readonly string[], lines: readonly string[]) => readonly Inner[];

const SPECIAL: ReadonlyMap<string, Running> = new Map(Object.entries<Running>({
  ...BUILTINS, ...TOOLS,
  xargs, parallel, find, gfind: find, bfs: find, fd, fdfind: fd, git: gitCode,
  ssh, slogin: ssh, rsh: ssh, dbclient: ssh, plink: ssh, autossh: (args) => ssh(args[0] === '-M' ? args.slice(2) : args), scp: copying, sftp: copying, mosh,
  docker: containers, podman: containers, nerdctl: containers, 'docker-compose': containers, 'podman-compose': containers,
  kubectl: afterDashes, oc: afterDashes, lxc: afterDashes, incus: afterDashes, distrobox: sharedBox, toolbox: sharedBox, devbox: sharedBox,
  vagrant: sshInside, gcloud: sshInside, ansible, salt, pdsh: manyHosts, pssh: manyHosts, clush: manyHosts, dsh: manyHosts, 'parallel-ssh': manyHosts,
  screen, tmux, kitty: plainTerminal, foot: plainTerminal,
  ...Object.fromEntries(['xterm', 'uxterm', 'urxvt', 'rxvt', 'st', 'alacritty', 'konsole', 'gnome-terminal', 'xfce4-terminal', 'mate-terminal', 'lxterminal', 'terminator', 'tilix', 'x-terminal-emulator', 'wezterm', 'ghostty', 'ptyxis', 'kgx'].map((name): [string, Running] => [name, terminal])),
}));
