// Builtins of shells whose arguments are code, and the programs that stand beside them: eval, trap, env -S, su -c.
import type { Inner } from './inner.ts';
import { UNKNOWN_WORDS } from './marks.ts';
import { optionValues, parseArguments } from './options.ts';
import { unwrapArguments } from './wrappers.ts';
import type { Unwrapped } from './wrappers.ts';

/** Names of the standard input as a file. */
export const STANDARD_INPUT = /^(?:-|\/dev\/stdin|\/dev\/fd\/0|\/proc\/(?:self|\$\$|\d+)\/fd\/0)$/;

const COMPLETING = { values: 'oAGWFCXPS' };
const MAPPING = { values: 'dnOsuCc' };
const SHELL_INPUT: Inner = { kind: 'input', language: 'sh' };

export const BUILTINS: Readonly<Record<string, (args: readonly string[]) => readonly Inner[]>> = {
  eval: (args) => [code(args[0] === '--' ? args.slice(1).join(' ') : args.join(' '), 'eval', false)],
  trap: (args) => {
    const { operands } = parseArguments(args);
    return operands.length < 2 || operands[0] === '' ? [] : [code(operands[0] ?? '', 'trap', false)];
  },
  alias: (args) => {
    const [name, ...words] = args.filter((arg) => !/^-[a-z]$|^--\w*$/.test(arg));
    if (name !== undefined && words.length > 0 && !args.some((arg) => arg.includes('='))) return standsFor(name, words.join(' '), 'alias'); // fish
    return args.flatMap((arg) => (arg.includes('=') ? standsFor(arg.slice(0, arg.indexOf('=')), arg.slice(arg.indexOf('=') + 1), 'alias') : []));
  },
  argparse: (args) => {
    const end = args.indexOf('--');
    return args.slice(0, end < 0 ? args.length : end).flatMap((arg) => (arg.includes('!') ? [code(arg.slice(arg.indexOf('!') + 1), 'argparse', false)] : []));
  },
  abbr: (args) => {
    const { operands } = parseArguments(args, { values: 'pfrU', longValues: ['position', 'function', 'regex', 'set-cursor'] });
    return operands.length > 1 ? standsFor(operands[0], operands.slice(1).join(' '), 'abbr') : [];
  },
  commandline: (args) => {
    const { operands, options } = parseArguments(args, { values: 'C', longValues: ['cursor'] });
    return operands.length > 0 && !options.some(({ name }) => name === 'f' || name === 'function') ? [code(operands.join(' '), 'commandline', false)] : [];
  },
  bind: (args) => {
    const parsed = parseArguments(args, { values: 'xqurmfM' });
    const own = optionValues(parsed, 'x').map((text) => code(text.replace(/^\s*"[^"]*"\s*:/, '').replace(/^\s*(["'])([^]*)\1\s*$/, '$2'), 'bind -x', false));
    return [...own, ...(own.length > 0 ? [] : parsed.operands.slice(1).map((text) => code(text, 'bind', false)))]; // fish names the keys first
  },
  complete: (args) => {
    // fish's options are others: a condition, and words with substitutions
    if (args.some((arg, index) => /^(?:-c|--command)$/.test(arg) && args.slice(index).some((other) => /^(?:-[an]|--(?:arguments|condition))$/.test(other)))) {
      const parsed = parseArguments(args, { values: 'cpslodawn', longValues: ['command', 'path', 'short-option', 'long-option', 'old-option', 'description', 'arguments', 'wraps', 'condition'] });
      return [...optionValues(parsed, 'n', 'condition').map((text) => code(text, 'complete -n', false)), ...optionValues(parsed, 'a', 'arguments').filter((text) => /[($]/.test(text)).map((text) => code(`echo ${text}`, 'complete -a', false))];
    }
    return completing(args, 'complete');
  },
  compgen: (args) => completing(args, 'compgen'),
  mapfile: mapping,
  readarray: mapping,
  source: sourced,
  '.': sourced,
  env: (args) => {
    const parsed = parseArguments(args, { values: 'uCS', longValues: ['unset', 'chdir', 'split-string'], stopsAtOperand: true });
    const split = optionValues(parsed, 'S', 'split-string');
    if (split.length > 0) return [code([...split, ...parsed.operands].join(' '), 'env -S')];
    const unwrapped = unwrapArguments('env', args);
    return unwrapped === undefined || unwrapped.argv.length + unwrapped.assignments.length === 0 ? [] : [inArguments(unwrapped)];
  },
  sudo: (args) => {
    const unwrapped = unwrapArguments('sudo', args);
    if (unwrapped === undefined) return [];
    if (unwrapped.argv.length === 0) return /^-[a-zA-Z]*[si]/.test(args.find((arg) => arg.startsWith('-')) ?? '') ? [SHELL_INPUT] : [];
    return [inArguments(unwrapped)];
  },
  su: asUser({ values: 'cgGsw', longValues: ['command', 'group', 'shell'] }),
  runuser: (args) => (args.some((arg) => /^-[a-z]*u$|^--user/.test(arg)) ? wrapped('runuser', args) : asUser({ values: 'cgGsw', longValues: ['command', 'group', 'shell'] })(args)),
  sg: (args) => {
    const [, flag, text] = args;
    return flag === '-c' && text !== undefined ? [code(text, 'sg -c')] : flag === undefined ? [SHELL_INPUT] : [code(args.slice(1).join(' '), 'sg')];
  },
  capsh: (args) => {
    const at = args.findIndex((arg) => arg === '--' || arg === '==');
    return at >= 0 && args[at + 1] === '-c' && args[at + 2] !== undefined ? [code(args[at + 2] ?? '', 'capsh -c')] : [];
  },
  at: () => [SHELL_INPUT],
  batch: () => [SHELL_INPUT],
  crontab: () => [],
};

/** What `-C` runs, and the substitutions in the words of `-W`, which bash expands when it completes. */
function completing(args: readonly string[], name: string): readonly Inner[] {
  const parsed = parseArguments(args, COMPLETING);
  const words = optionValues(parsed, 'W').filter((text) => /\$\(|`/.test(text));
  return [...optionValues(parsed, 'C').map((text) => code(text, `${name} -C`)), ...words.map((text) => code(`: "${text}"`, `${name} -W`, false))];
}

/** bash evaluates the code of `-C` with two words behind it: the number of a line, and the line. */
function mapping(args: readonly string[]): readonly Inner[] {
  return optionValues(parseArguments(args, MAPPING), 'C').map((text) => code(`${text} 0 "$MAPFILE"`, 'mapfile -C', false));
}

/** `su -c code user`; without code it is a shell. */
function asUser(spec: { readonly values: string; readonly longValues: readonly string[] }): (args: readonly string[]) => readonly Inner[] {
  return (args) => {
    const codes = optionValues(parseArguments(args, spec), 'c', 'command', 'session-command');
    return codes.length > 0 ? codes.map((text) => code(text, 'su -c')) : [SHELL_INPUT];
  };
}

/** The command of a wrapper, field by field: a copy that gets one more is slow to make. */
export function inArguments({ argv, assignments, contained }: Unwrapped): Inner {
  return { kind: 'argv', argv, assignments, contained };
}

function wrapped(program: string, args: readonly string[]): readonly Inner[] {
  const unwrapped = unwrapArguments(program, args);
  return unwrapped === undefined || unwrapped.argv.length === 0 ? [] : [inArguments(unwrapped)];
}

function sourced(args: readonly string[]): readonly Inner[] {
  const [path] = args[0] === '--' ? args.slice(1) : args;
  if (path === undefined) return [SHELL_INPUT]; // fish reads its input then
  return STANDARD_INPUT.test(path) ? [SHELL_INPUT] : [{ kind: 'file', path }];
}

/**
 * What an alias stands for is code, and is given the words that follow its name, whatever they will be: a later command is judged by
 * that name. `alias rm='rm -i'` hides nothing.
 */
function standsFor(alias: string | undefined, text: string, name: string): readonly Inner[] {
  const words = text.split(' ').filter((word) => word !== '');
  const hides = words.length > 0 && words[0] !== alias && /^[\w./@%+=:,~ -]*$/.test(text);
  return [code(text, name, false), ...(hides ? [{ kind: 'argv', argv: [...words, UNKNOWN_WORDS] } as const] : [])];
}

function code(text: string, name: string, isProcess = true): Inner {
  return { kind: 'code', code: text, name, isProcess };
}
