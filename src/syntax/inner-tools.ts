// Tools that start another program for one of their options, or run the command behind a word of theirs.
import type { Inner } from './inner.ts';
import { STANDARD_INPUT } from './inner-shell.ts';
import { optionValues, parseArguments } from './options.ts';
import type { OptionSpec } from './options.ts';
import { parseTar } from './tar.ts';

type Tool = (args: readonly string[]) => readonly Inner[];

/** The values of these options are code for a shell. */
const codeIn = (letters: string, names: readonly string[], own: OptionSpec = {}): Tool => {
  const spec = { ...own, values: letters + (own.values ?? ''), longValues: [...names, ...(own.longValues ?? [])] };
  return (args) => optionValues(parseArguments(args, spec), letters, ...names).map((text) => code(text, `-${letters || `-${names[0] ?? ''}`}`));
};
/** All operands together are code for a shell. */
const joined = (own: OptionSpec): Tool => {
  const spec = { ...own, stopsAtOperand: true };
  return (args) => {
    const { operands } = parseArguments(args, spec);
    return operands.length === 0 ? [] : [code(operands.join(' '), 'its words')];
  };
};
/** Each operand is. */
const each = (spec: OptionSpec = {}): Tool => (args) => parseArguments(args, spec).operands.slice(0, 16).map((text) => code(text, 'its words'));
/** The words behind one of these are a command. */
const after = (verbs: readonly string[], own: OptionSpec = {}): Tool => {
  const spec = { ...own, stopsAtOperand: true };
  return (args) => {
    if (!verbs.includes(args[0] ?? '')) return [];
    const { operands } = parseArguments(args.slice(1), spec);
    return operands.length === 0 ? [] : [{ kind: 'argv', argv: operands }];
  };
};
/** Options that stand behind the first word. */
const behindVerb = (tool: Tool, verb?: string): Tool => (args) => (verb === undefined || args[0] === verb ? tool(args.slice(1)) : []);
/** Several ways of the same tool. */
const all = (...tools: readonly Tool[]): Tool => (args) => tools.flatMap((tool) => tool(args));

const RUNNING: OptionSpec = { values: 'pn', longValues: ['package', 'with', 'env', 'python', 'name', 'extra', 'group', 'project', 'directory'] };
const afterRun = after(['run'], RUNNING);
const calledByExec = codeIn('c', ['call'], { stopsAtOperand: true });
const calledByNpx = codeIn('c', ['call'], { values: 'p', longValues: ['package'], stopsAtOperand: true });
const scriptOptions = codeIn('c', ['command'], { values: 'EIOTBmo' });
const tarOptions = codeIn('IF', [], { values: 'CfXTbHKLNVg' });
const behindExec = after(['exec', 'dlx', 'x'], RUNNING);
const afterExec: Tool = (args) => {
  if (!['exec', 'dlx', 'x'].includes(args[0] ?? '')) return [];
  const call = calledByExec(args.slice(1));
  return call.length > 0 ? call : behindExec(args);
};

export const TOOLS: Readonly<Record<string, Tool>> = {
  make, gmake: make,
  split: codeIn('', ['filter'], { values: 'abClnt', longValues: ['bytes', 'line-bytes', 'lines', 'number', 'separator', 'suffix-length', 'additional-suffix'] }),
  watch: joined({ values: 'nq', longValues: ['interval', 'equexit'] }),
  hwatch: joined({ values: 'nq', longValues: ['interval'] }),
  sem: joined({ values: 'j', longValues: ['jobs', 'id', 'timeout'] }),
  entr: (args) => {
    const { operands, options } = parseArguments(args, { stopsAtOperand: true });
    return options.some(({ name }) => name === 's') ? [code(operands[0] ?? '', 'entr -s')] : [{ kind: 'argv', argv: operands }];
  },
  flock: (args) => {
    const parsed = parseArguments(args, { values: 'wEc', longValues: ['wait', 'timeout', 'conflict-exit-code', 'command'], stopsAtOperand: true });
    const rest = parsed.operands.slice(1);
    const codes = [...optionValues(parsed, 'c', 'command'), ...(/^(?:-c|--command)$/.test(rest[0] ?? '') ? rest.slice(1, 2) : [])];
    if (codes.length > 0) return codes.map((text) => code(text, 'flock -c'));
    return rest.length === 0 ? [] : [{ kind: 'argv', argv: rest }];
  },
  script: (args) => {
    const parsed = parseArguments(args, { values: 'cEIOTBmo', longValues: ['command', 'log-out', 'log-in', 'log-io', 'log-timing', 'output-limit', 'echo'], stopsAtOperand: true });
    const behind = parsed.operands.slice(1);
    // util-linux takes options behind its file, BSD a command
    const options = scriptOptions(args);
    return behind.length > 0 && behind[0]?.startsWith('-') === false ? [...options, { kind: 'argv', argv: behind }] : options;
  },
  gio: (args) => (args[0] === 'trash' || args[0] === 'remove' ? [{ kind: 'argv', argv: ['trash', ...args.slice(1)] }] : []),
  tar, gtar: tar, bsdtar: tar, zip,
  rsync: codeIn('e', ['rsh', 'rsync-path'], { values: 'fBT' }),
  gdb: (args) => (args.includes('--args') ? [{ kind: 'argv', argv: args.slice(args.indexOf('--args') + 1) }] : []),
  perf: (args) => {
    const rest = parseArguments(args.slice(1), { values: 'eopFgC', stopsAtOperand: true }).operands;
    return rest.length === 0 ? [] : [{ kind: 'argv', argv: rest }];
  },
  poetry: afterRun, pipenv: afterRun, uv: afterRun, rye: afterRun, hatch: afterRun, pdm: afterRun, conda: afterRun, mise: all(afterRun, afterExec),
  rr: after(['record']), uftrace: after(['record', 'live']), bundle: afterExec, npm: afterExec, yarn: afterExec, pnpm: afterExec, bun: afterExec, rbenv: afterExec, pyenv: afterExec, asdf: afterExec, nodenv: afterExec, lerna: afterExec,
  direnv: (args) => (args[0] === 'exec' && args.length > 2 ? [{ kind: 'argv', argv: args.slice(2) }] : []),
  npx: (args) => {
    const call = calledByNpx(args);
    if (call.length > 0) return call;
    const { operands } = parseArguments(args, { values: 'p', longValues: ['package'], stopsAtOperand: true });
    return operands.length === 0 ? [] : [{ kind: 'argv', argv: operands }];
  },
  'nix-shell': codeIn('', ['run', 'command'], { values: 'pIAE' }),
  nix: (args) => {
    const at = args.findIndex((arg) => arg === '-c' || arg === '--command');
    return at >= 0 ? [{ kind: 'argv', argv: args.slice(at + 1) }] : [];
  },
  guix: (args) => (args.includes('--') && /^(?:shell|environment)$/.test(args[0] ?? '') ? [{ kind: 'argv', argv: args.slice(args.indexOf('--') + 1) }] : []),
  go: behindVerb(codeIn('', ['exec', 'toolexec', 'vettool'], { singleDash: true })),
  man: codeIn('PH', ['pager', 'html'], { values: 'rMSespLRECm' }),
  bat: codeIn('', ['pager']), batcat: codeIn('', ['pager']),
  concurrently: (args) => each({ values: 'ncp', longValues: ['names', 'prefix', 'prefix-colors', 'max-processes', 'kill-signal', 'restart-tries'] })(args.filter((arg) => !/^(?:npm|yarn|pnpm|bun|node|deno):/.test(arg))),
  hyperfine: all(each(HYPERFINE()), codeIn('psc', ['prepare', 'setup', 'cleanup', 'conclude'], HYPERFINE())),
  nodemon: codeIn('x', ['exec'], { values: 'weidV', longValues: ['watch', 'ext', 'ignore', 'delay', 'signal'] }),
  'cross-env-shell': (args) => [code(args.filter((arg) => !/^[A-Za-z_]\w*=/.test(arg)).join(' '), 'cross-env-shell')],
  cargo: behindVerb(codeIn('s', ['shell'], { values: 'xwidC' }), 'watch'),
  fzf: all(codeIn('', ['preview']), (args) => args.flatMap((arg) => [...arg.matchAll(/(?:execute(?:-silent)?|become|reload|transform)[^(]{0,20}\(([^)]*)\)/g)].map(([, text = '']) => code(text, 'fzf --bind')))), sk: codeIn('', ['preview']),
  'yt-dlp': codeIn('', ['exec', 'exec-before-download']), 'youtube-dl': codeIn('', ['exec']),
  restic: codeIn('', ['password-command']), rclone: codeIn('', ['password-command']), borg: codeIn('', ['rsh']),
  aria2c: codeIn('', ['on-download-start', 'on-download-complete', 'on-download-error', 'on-download-stop']),
  rpm: all(codeIn('', ['pipe']), (args) => args.flatMap((arg) => [...arg.matchAll(/%\(([^]*)\)/g)].map(([, text = '']) => code(text, 'rpm --eval')))),
  pm2: (args) => (args[0] === 'start' && args[1] !== undefined && !args[1].startsWith('-') ? [code(args[1], 'pm2 start')] : []),
  ip: (args) => (args.includes('netns') && args.includes('exec') ? [{ kind: 'argv', argv: args.slice(args.indexOf('exec') + 2) }] : []),
  gcc: compiler, 'g++': compiler, cc: compiler, 'c++': compiler, clang: compiler, 'clang++': compiler,
  coreutils: (args) => {
    const [, program] = /^--coreutils-prog(?:-shebang)?=(.*)$/.exec(args[0] ?? '') ?? [];
    return [{ kind: 'argv', argv: program === undefined ? args : [program, ...args.slice(1)] }];
  },
  cmake: (args) => (args[0] === '-E' ? cmakeTool(args.slice(1)) : []),
  'start-stop-daemon': (args) => {
    const parsed = parseArguments(args, { values: 'xapnucdgksNRI', longValues: ['exec', 'pidfile', 'name', 'user', 'chuid', 'group', 'chdir', 'chroot', 'signal', 'retry', 'nicelevel', 'output'], stopsAtOperand: true });
    const [program] = optionValues(parsed, 'xa', 'exec', 'startas');
    return program === undefined ? [] : [{ kind: 'argv', argv: [program, ...parsed.operands] }];
  },
  bwrap: (args) => {
    let at = 0;
    while (args[at]?.startsWith('--') === true) at += BWRAP_PAIRS.test(args[at] ?? '') ? 3 : BWRAP_FLAGS.test(args[at] ?? '') ? 1 : 2;
    return at < args.length ? [{ kind: 'argv', argv: args.slice(at) }] : [];
  },
};

const BWRAP_PAIRS = /^--(?:(?:dev-|ro-)?bind(?:-try|-data|-fd)?|symlink|setenv|file|chmod|perms-file)$/;
const BWRAP_FLAGS = /^--(?:unshare-.*|share-net|die-with-parent|new-session|as-pid-1|clearenv|disable-userns|assert-userns-disabled|level-prefix)$/;

function HYPERFINE(): OptionSpec {
  return { values: 'wmMrLPDSNpscnu', longValues: ['warmup', 'min-runs', 'max-runs', 'runs', 'parameter-list', 'parameter-scan', 'shell', 'prepare', 'setup', 'cleanup', 'conclude', 'command-name', 'time-unit', 'export-json', 'export-markdown', 'export-csv', 'style', 'output', 'input', 'reference'] };
}

/** `zip -m` moves the files into the archive. */
function zip(args: readonly string[]): readonly Inner[] {
  const isMoving = args.some((arg) => /^-[a-zA-Z]*m|^--move/.test(arg));
  return isMoving ? [{ kind: 'argv', argv: ['rm', '-rf', ...parseArguments(args, { values: 'bntxiPT' }).operands.slice(1)] }] : [];
}

/** A makefile, or a part of one, may come from the input or stand in the command. */
function make(args: readonly string[]): readonly Inner[] {
  const parsed = parseArguments(args, { values: 'fCIojlWE', longValues: ['file', 'makefile', 'directory', 'eval'] });
  const files = optionValues(parsed, 'f', 'file', 'makefile');
  const evaluated = optionValues(parsed, 'E', 'eval').map((text): Inner => ({ kind: 'inline', language: 'make', code: text }));
  return [...evaluated, ...files.map((path): Inner => (STANDARD_INPUT.test(path) ? { kind: 'input', language: 'make' } : { kind: 'file', path }))];
}

function tar(args: readonly string[]): readonly Inner[] {
  const long = [...args, ''].flatMap((arg, index) => [/^--(?:checkpoint-action=exec|checkpoint-action=e)=(.*)$/s, /^--(?:to-command|use-compress-program|rsh-command|rmt-command|info-script|new-volume-script)=(.*)$/s].flatMap((pattern) => {
    const text = pattern.exec(arg)?.[1] ?? pattern.exec(`${arg}=${args[index + 1] ?? ''}`)?.[1];
    return text === undefined || text === '' ? [] : [code(text, arg.split('=')[0] ?? 'tar')];
  }));
  const isMoving = args.some((arg) => /^--remove-f/.test(arg));
  return [...long, ...tarOptions(args), ...(isMoving ? [{ kind: 'argv' as const, argv: ['rm', '-rf', ...parseTar(args).operands] }] : [])].slice(0, 8);
}

/** `-wrapper rm,-rf,/` runs that in front of each of the compiler's own programs. */
function compiler(args: readonly string[]): readonly Inner[] {
  const at = args.indexOf('-wrapper');
  return at < 0 ? [] : [{ kind: 'argv', argv: (args[at + 1] ?? '').split(',') }];
}

/** `cmake -E`: a few of its own tools, and those that run a command. */
function cmakeTool([tool = '', ...rest]: readonly string[]): readonly Inner[] {
  if (tool === 'rm' || tool === 'remove') return [{ kind: 'argv', argv: ['rm', ...rest] }];
  if (tool === 'remove_directory') return [{ kind: 'argv', argv: ['rm', '-rf', ...rest] }];
  if (tool === 'env') return [{ kind: 'argv', argv: ['env', ...rest] }];
  if (tool === 'time') return [{ kind: 'argv', argv: rest }];
  if (tool === 'chdir') return [{ kind: 'argv', argv: ['env', '-C', ...rest] }];
  if (/^(?:copy|rename|touch|create_symlink|copy_directory|copy_if_different|make_directory)/.test(tool)) return [{ kind: 'argv', argv: [tool.startsWith('make') || tool === 'touch' ? 'mkdir' : 'cp', ...rest] }];
  return [];
}

function code(text: string, name: string): Inner {
  return { kind: 'code', code: text, name, isProcess: true };
}
