// What a command makes run besides itself: a command in its arguments, code in an option, code from its standard input.
import { hasUnknown, UNKNOWN_WORDS } from './marks.ts';
import { hasOption, optionValues, parseArguments } from './options.ts';
import type { OptionSpec } from './options.ts';
import { inlineCode, isInterpreter } from './inline.ts';
import { unwrapArguments } from './wrappers.ts';

export type Inner =
  | { readonly kind: 'argv'; readonly argv: readonly string[]; readonly assignments?: readonly string[]; readonly contained?: boolean }
  | { readonly kind: 'code'; readonly code: string; readonly name: string; readonly isProcess?: boolean; readonly positional?: readonly string[]; readonly contained?: boolean }
  | { readonly kind: 'inline'; readonly language: string; readonly code: string }
  /** Its standard input is code of this language; `sh` for shells, `make` for a makefile. */
  | { readonly kind: 'input'; readonly language: string }
  /** A file whose text is run; only its name is known. */
  | { readonly kind: 'file'; readonly path: string };

const SHELLS = new Set(['bash', 'sh', 'zsh', 'dash', 'fish', 'ksh', 'mksh', 'ash', 'rbash', 'yash', 'csh', 'tcsh', 'busybox-sh', 'elvish', 'nu']);
const SSH: OptionSpec = { values: 'BbcDEeFIiJLlmOopQRSWw', stopsAtOperand: true };

/** Names of the standard input as a file. */
const STANDARD_INPUT = /^(?:-|\/dev\/stdin|\/dev\/fd\/0|\/proc\/(?:self|\$\$|\d+)\/fd\/0)$/;

/** Whether a program is a shell, by its name. */
export function isShell(program: string): boolean {
  return SHELLS.has(program) || (/^-|\d$/.test(program) && SHELLS.has(program.replace(/^-/, '').replace(/-?\d[\d.]*$/, '')));
}

/** Everything that a command makes run; `extra` are the words of its input, where it appends them, and `lines` are its lines. */
export function innerOf(program: string, args: readonly string[], extra: readonly string[] = [], lines: readonly string[] = []): Inner[] {
  if (isShell(program)) return shell(program, args);
  if (isInterpreter(program)) return inlineCode(program, args);
  const special = Object.hasOwn(SPECIAL, program) ? SPECIAL[program] : undefined;
  if (special !== undefined) return special(args, extra, lines);
  const unwrapped = unwrapArguments(program, args);
  if (unwrapped === undefined || unwrapped.argv.length === 0) return [];
  return [{ kind: 'argv', ...unwrapped }];
}

function shell(program: string, args: readonly string[]): Inner[] {
  const parsed = parseArguments(args, { values: 'cOo', longValues: ['init-file', 'rcfile', 'command', 'init-command'], stopsAtOperand: true });
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
  if (file !== undefined && !hasOption(parsed, 's') && !STANDARD_INPUT.test(file)) return [...inner, { kind: 'file', path: file }];
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

const code = (text: string, name: string, isProcess = true): Inner => ({ kind: 'code', code: text, name, isProcess });

const SPECIAL: Readonly<Record<string, (args: readonly string[], extra: readonly string[], lines: readonly string[]) => Inner[]>> = {
  eval: (args) => [code(args[0] === '--' ? args.slice(1).join(' ') : args.join(' '), 'eval', false)],
  trap: (args) => {
    const { operands } = parseArguments(args);
    return operands.length < 2 || operands[0] === '' ? [] : [code(operands[0] ?? '', 'trap', false)];
  },
  alias: (args) => args.flatMap((arg) => (arg.includes('=') ? [code(arg.slice(arg.indexOf('=') + 1), 'alias', false)] : [])),
  bind: (args) => [...optionValues(parseArguments(args, { values: 'xqurmf' }), 'x')].map((text) => code(text.replace(/^\s*"[^"]*"\s*:/, '').replace(/^\s*(["'])([^]*)\1\s*$/, '$2'), 'bind -x', false)),
  complete: (args) => [...optionValues(parseArguments(args, { values: 'oAGWFCXPS' }), 'C')].map((text) => code(text, 'complete -C')),
  compgen: (args) => [...optionValues(parseArguments(args, { values: 'oAGWFCXPS' }), 'C')].map((text) => code(text, 'compgen -C')),
  mapfile: (args) => [...optionValues(parseArguments(args, { values: 'dnOsuCc' }), 'C')].map((text) => code(text, 'mapfile -C', false)),
  readarray: (args) => [...optionValues(parseArguments(args, { values: 'dnOsuCc' }), 'C')].map((text) => code(text, 'mapfile -C', false)),
  source: sourced,
  '.': sourced,
  env: (args) => {
    const parsed = parseArguments(args, { values: 'uCS', longValues: ['unset', 'chdir', 'split-string'], stopsAtOperand: true });
    const split = optionValues(parsed, 'S', 'split-string');
    if (split.length > 0) return [code([...split, ...parsed.operands].join(' '), 'env -S')];
    const unwrapped = unwrapArguments('env', args);
    return unwrapped === undefined || unwrapped.argv.length + unwrapped.assignments.length === 0 ? [] : [{ kind: 'argv', ...unwrapped }];
  },
  sudo: (args) => {
    const unwrapped = unwrapArguments('sudo', args);
    if (unwrapped === undefined) return [];
    if (unwrapped.argv.length === 0) return /^-[a-zA-Z]*[si]/.test(args.find((arg) => arg.startsWith('-')) ?? '') ? [{ kind: 'input', language: 'sh' }] : [];
    return [{ kind: 'argv', ...unwrapped }];
  },
  su: (args) => {
    const parsed = parseArguments(args, { values: 'cgGsw', longValues: ['command', 'group', 'shell'] });
    const codes = optionValues(parsed, 'c', 'command');
    return codes.length > 0 ? codes.map((text) => code(text, 'su -c')) : [{ kind: 'input', language: 'sh' }];
  },
  split: (args) => [...optionValues(parseArguments(args, { values: 'abClnt', longValues: ['filter', 'bytes', 'line-bytes', 'lines', 'number', 'separator', 'suffix-length', 'additional-suffix'] }), '', 'filter')].map((text) => code(text, 'split --filter')),
  make, gmake: make,
  xargs: (args, extra, lines) => {
    const parsed = parseArguments(args, { values: 'aEIPLnsd', longValues: ['arg-file', 'delimiter', 'max-args', 'max-lines', 'max-procs', 'max-chars', 'replace', 'process-slot-var'], stopsAtOperand: true });
    const place = optionValues(parsed, 'I', 'replace')[0] ?? (hasOption(parsed, 'i', 'replace') ? '{}' : undefined);
    if (parsed.operands.length === 0) return [];
    if (place === undefined) return [{ kind: 'argv', argv: [...parsed.operands, ...extra] }];
    const items = [...new Set([...(extra.length === 0 ? [UNKNOWN_WORDS] : extra), ...lines])];
    return items.slice(0, 32).map((item) => ({ kind: 'argv', argv: parsed.operands.map((operand) => operand.replaceAll(place, () => item)) }));
  },
  parallel: (args, extra) => {
    const parsed = parseArguments(args, { values: 'jaSNnLPCdEIX', longValues: ['jobs', 'arg-file', 'colsep', 'delay', 'joblog', 'timeout', 'retries', 'results', 'sshlogin'], stopsAtOperand: true });
    const end = parsed.operands.findIndex((operand) => operand.startsWith(':::'));
    const own = end < 0 ? parsed.operands : parsed.operands.slice(0, end);
    const items = end < 0 ? (extra.length === 0 ? [UNKNOWN_WORDS] : extra) : parsed.operands.slice(end + 1).filter((operand) => !operand.startsWith(':::'));
    if (own.length === 0) return items.slice(0, 32).map((item) => code(item, 'parallel'));
    const text = own.join(' ');
    return items.slice(0, 32).map((item) => code(/\{[./#%]*\}/.test(text) ? text.replace(/\{[./#%]*\}/g, () => item) : `${text} ${item}`, 'parallel'));
  },
  watch: (args) => joined(args, { values: 'nq', longValues: ['interval', 'equexit'] }, 'watch'),
  entr: (args) => [{ kind: 'argv', argv: parseArguments(args, { stopsAtOperand: true }).operands }],
  flock: (args) => {
    const parsed = parseArguments(args, { values: 'wEc', longValues: ['wait', 'timeout', 'conflict-exit-code', 'command'], stopsAtOperand: true });
    const rest = parsed.operands.slice(1);
    const codes = [...optionValues(parsed, 'c', 'command'), ...(/^(?:-c|--command)$/.test(rest[0] ?? '') ? rest.slice(1, 2) : [])];
    if (codes.length > 0) return codes.map((text) => code(text, 'flock -c'));
    return rest.length === 0 ? [] : [{ kind: 'argv', argv: rest }];
  },
  script: (args) => [...optionValues(parseArguments(args, { values: 'cEIOTBmo', longValues: ['command', 'log-out', 'log-in', 'log-io', 'log-timing', 'output-limit', 'echo'] }), 'c', 'command')].map((text) => code(text, 'script -c')),
  ssh: (args) => {
    const parsed = parseArguments(args, SSH);
    const local = optionValues(parsed, 'o').flatMap((value) => /^\s*(?:ProxyCommand|LocalCommand|KnownHostsCommand)[ =](.*)$/is.exec(value)?.[1] ?? []);
    const remote = parsed.operands.slice(1);
    return [...local.map((text) => code(text, 'ssh -o')), ...(remote.length > 0 ? [code(remote.join(' '), 'ssh')] : [{ kind: 'input' as const, language: 'ssh' }])];
  },
  find: (args) => find(args),
  gfind: (args) => find(args),
  gio: (args) => (args[0] === 'trash' || args[0] === 'remove' ? [{ kind: 'argv', argv: ['trash', ...args.slice(1)] }] : []),
  fd: (args) => fd(args),
  fdfind: (args) => fd(args),
  docker: containers,
  podman: containers,
  nerdctl: containers,
  kubectl: (args) => {
    const at = args.indexOf('--');
    return args.includes('exec') && at >= 0 ? [{ kind: 'argv', argv: args.slice(at + 1), contained: true }] : [];
  },
  'git': (args) => gitCode(args),
  at: () => [{ kind: 'input', language: 'sh' }],
  batch: () => [{ kind: 'input', language: 'sh' }],
  crontab: () => [],
  tar: (args) => [...args, ''].flatMap((arg, index) => [/^--(?:checkpoint-action=exec|checkpoint-action=e)=(.*)$/s, /^--(?:to-command|use-compress-program|rsh-command|info-script|new-volume-script)=(.*)$/s].flatMap((pattern) => {
    const text = pattern.exec(arg)?.[1] ?? pattern.exec(`${arg}=${args[index + 1] ?? ''}`)?.[1];
    return text === undefined || text === '' ? [] : [code(text, arg.split('=')[0] ?? 'tar')];
  })).slice(0, 8),
  rsync: (args) => [...optionValues(parseArguments(args, { values: 'efBT', longValues: ['rsh', 'rsync-path'] }), 'e', 'rsh', 'rsync-path')].map((text) => code(text, 'rsync -e')),
  gdb: (args) => (args.includes('--args') ? [{ kind: 'argv', argv: args.slice(args.indexOf('--args') + 1) }] : []),
  perf: (args) => {
    const rest = parseArguments(args.slice(1), { values: 'eopFgC', stopsAtOperand: true }).operands;
    return rest.length === 0 ? [] : [{ kind: 'argv', argv: rest }];
  },
  poetry: afterRun, pipenv: afterRun, uv: afterRun, rye: afterRun, hatch: afterRun, pdm: afterRun, conda: afterRun, mise: afterRun,
  bundle: afterExec, npm: afterExec, yarn: afterExec, pnpm: afterExec, bun: afterExec, direnv: afterExec,
  
  'nix-shell': (args) => [...optionValues(parseArguments(args, { longValues: ['run', 'command'], values: 'pIAE' }), '', 'run', 'command')].map((text) => code(text, 'nix-shell --run')),
};

function joined(args: readonly string[], spec: OptionSpec, name: string): Inner[] {
  const { operands } = parseArguments(args, { ...spec, stopsAtOperand: true });
  return operands.length === 0 ? [] : [code(operands.join(' '), name)];
}

/** `poetry run …`; `npm run` names a script of the project instead. */
function afterRun(args: readonly string[]): Inner[] {
  return args[0] === 'run' ? afterWord(args) : [];
}

/** `bundle exec …`, `npm exec -- …`, `pnpm dlx …`. */
function afterExec(args: readonly string[]): Inner[] {
  return args[0] === 'exec' || args[0] === 'dlx' || args[0] === 'x' ? afterWord(args) : [];
}

function afterWord(args: readonly string[]): Inner[] {
  const call = optionValues(parseArguments(args.slice(1), { values: 'c', longValues: ['call'], stopsAtOperand: true }), 'c', 'call');
  if (call.length > 0) return call.map((text) => code(text, 'exec -c'));
  const { operands } = parseArguments(args.slice(1), { values: 'pn', longValues: ['package', 'with', 'env', 'python', 'name'], stopsAtOperand: true });
  return operands.length === 0 ? [] : [{ kind: 'argv', argv: operands }];
}

/** A makefile may come from the input. */
function make(args: readonly string[]): Inner[] {
  const files = optionValues(parseArguments(args, { values: 'fCIojlWE', longValues: ['file', 'makefile', 'directory'] }), 'f', 'file', 'makefile');
  return files.some((file) => STANDARD_INPUT.test(file)) ? [{ kind: 'input', language: 'make' }] : [];
}

function sourced(args: readonly string[]): Inner[] {
  const [path] = args[0] === '--' ? args.slice(1) : args;
  if (path === undefined) return [{ kind: 'input', language: 'sh' }]; // fish reads its input then
  return STANDARD_INPUT.test(path) ? [{ kind: 'input', language: 'sh' }] : [{ kind: 'file', path }];
}

/** The commands of -exec, up to `;` or `+`, with `{}` as what find may put there. */
function find(args: readonly string[]): Inner[] {
  const inner: Inner[] = [];
  for (let at = 0; at < args.length; at++) {
    if (!/^-(?:exec|execdir|ok|okdir)$/.test(args[at] ?? '')) continue;
    const from = ++at;
    while (at < args.length && args[at] !== ';' && !(args[at] === '+' && args[at - 1] === '{}')) at++;
    if (at > from) inner.push({ kind: 'argv', argv: args.slice(from, at).map((word) => (word.includes('{}') ? word.replaceAll('{}', FOUND) : word)) });
  }
  return inner;
}

/** A path that find puts in; the roots it starts from are judged with find itself. */
export const FOUND = './\uFDD0';

function fd(args: readonly string[]): Inner[] {
  const at = args.findIndex((arg) => /^(?:-x|-X|--exec|--exec-batch)$/.test(arg));
  const argv = at < 0 ? [] : args.slice(at + 1).filter((word) => word !== ';').map((word) => word.replace(/\{[/.]*\}/g, () => FOUND));
  return argv.length === 0 ? [] : [{ kind: 'argv', argv: argv.some((word) => hasUnknown(word)) ? argv : [...argv, FOUND] }];
}

function containers(args: readonly string[]): Inner[] {
  const at = args.findIndex((arg) => arg === 'exec' || arg === 'run');
  if (at < 0) return [];
  const spec = { values: 'evuwplhmc', longValues: ['env', 'user', 'workdir', 'volume', 'publish', 'name', 'network', 'entrypoint', 'mount', 'platform', 'env-file', 'label', 'memory', 'cpus', 'gpus', 'hostname', 'add-host', 'cap-add', 'cap-drop', 'device', 'ulimit', 'restart', 'pull', 'detach-keys'], stopsAtOperand: true };
  const rest = parseArguments(args.slice(at + 1), spec).operands.slice(1);
  return rest.length === 0 ? [] : [{ kind: 'argv', argv: rest, contained: true }];
}

/** Options and settings of git that are commands; those that begin with `!` are shell code. */
function gitCode(args: readonly string[]): Inner[] {
  const inner: Inner[] = [];
  const config = args.indexOf('config');
  args.forEach((arg, index) => {
    const next = args[index + 1] ?? '';
    if (arg === '-c' && next.includes('=')) {
      const value = next.slice(next.indexOf('=') + 1);
      if (value.startsWith('!')) inner.push(code(value.slice(1), `git -c ${next.slice(0, next.indexOf('='))}`));
      else if (isGitCommandSetting(next.slice(0, next.indexOf('=')))) inner.push(code(value, 'git -c'));
    }
    if (config >= 0 && index > config && arg.startsWith('!')) inner.push(code(arg.slice(1), 'git config'));
    if (/^--(?:upload-pack|receive-pack|exec)$/.test(arg) || ((arg === '-x' || arg === '--exec') && args.includes('rebase'))) inner.push(code(next, `git ${arg}`));
    const own = /^--(?:exec|upload-pack|receive-pack|open-files-in-pager|extcmd)=(.*)$/s.exec(arg)?.[1] ?? (args.includes('grep') ? /^-O(.+)$/.exec(arg)?.[1] : undefined);
    if (own !== undefined) inner.push(code(own, `git ${arg.split('=')[0] ?? ''}`));
    if (/^--(?:tree|index|msg|env|commit|parent|tag-name)-filter$/.test(arg)) inner.push(code(next, `git ${arg}`));
    if (arg === 'foreach' && args.includes('submodule')) inner.push(code(args.slice(index + 1).filter((word) => word !== '--recursive' && word !== '--quiet').join(' '), 'git submodule foreach'));
    if (arg === 'run' && args.includes('bisect')) inner.push({ kind: 'argv', argv: args.slice(index + 1) });
  });
  return inner;
}

/** Whether git runs the value of a setting as a command. */
export function isGitCommandSetting(name: string): boolean {
  return /^(?:core\.(?:pager|editor|sshcommand|fsmonitor|askpass|gitproxy|alternaterefscommand)|sequence\.editor|diff\.external|diff\..*\.(?:command|textconv)|filter\..*\.(?:clean|smudge|process)|merge\..*\.driver|mergetool\..*\.cmd|difftool\..*\.cmd|gpg(?:\..*)?\.program|credential(?:\..*)?\.helper|pager\..*|interactive\.difffilter|remote\..*\.(?:uploadpack|receivepack)|uploadpack\.packobjectshook|sendemail\.(?:smtpserver|tocmd|cccmd)|man\..*\.cmd|browser\..*\.cmd|web\.browser)$/i.test(name);
}
