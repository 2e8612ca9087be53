// Interpreters: which language a program runs, and where in its arguments the code stands. What the code says is left to inline-reading.ts.
import { awk } from './awk.ts';
import type { Inner } from './inner.ts';
import { parseArguments } from './options.ts';
import { sed } from './sed.ts';
import { vim } from './vim.ts';

export type Language = 'python' | 'node' | 'perl' | 'ruby' | 'php' | 'lua' | 'awk' | 'sed' | 'vim' | 'tcl' | 'r' | 'osascript' | 'emacs' | 'julia' | 'other';

const LANGUAGES: ReadonlyMap<string, Language> = new Map(Object.entries<Language>({
  python: 'python', pypy: 'python', ipython: 'python', bpython: 'python', micropython: 'python', jython: 'python', graalpy: 'python', node: 'node', nodejs: 'node', deno: 'node', bun: 'node', tsx: 'node', 'ts-node': 'node', perl: 'perl', ruby: 'ruby', jruby: 'ruby', irb: 'ruby', php: 'php',
  lua: 'lua', luajit: 'lua', awk: 'awk', gawk: 'awk', mawk: 'awk', nawk: 'awk', sed: 'sed', gsed: 'sed', vim: 'vim', vi: 'vim', nvim: 'vim', gvim: 'vim', ex: 'vim', view: 'vim', vimdiff: 'vim',
  Rscript: 'r', R: 'r', osascript: 'osascript', emacs: 'emacs', emacsclient: 'emacs', julia: 'julia', tclsh: 'tcl', wish: 'tcl', expect: 'tcl',
  octave: 'other', erl: 'other', elixir: 'other', iex: 'other', groovy: 'other', scala: 'other', clojure: 'other', clj: 'other', guile: 'other', racket: 'other', sbcl: 'other', raku: 'other', ghc: 'other', ghci: 'other',
}));
/** The options that take code, and those that take another value. */
const CODE_OPTIONS: Readonly<Record<string, { readonly code: string; readonly long: readonly string[]; readonly values: string }>> = {
  python: { code: 'c', long: [], values: 'cWXmQ' },
  node: { code: 'ep', long: ['eval', 'print'], values: 'eprC' },
  perl: { code: 'eE', long: [], values: 'eEIMm' },
  ruby: { code: 'e', long: [], values: 'eIrCEF' },
  php: { code: 'rBRE', long: ['run'], values: 'rBREdfFzcS' },
  lua: { code: 'e', long: [], values: 'el' },
  r: { code: 'e', long: [], values: 'e' },
  osascript: { code: 'e', long: [], values: 'el' },
  emacs: { code: 'e', long: ['eval', 'execute'], values: 'e' },
  julia: { code: 'eE', long: ['eval', 'print'], values: 'eELJtp' },
  tcl: { code: 'c', long: [], values: 'cf' },
  other: { code: 'ec', long: ['eval', 'rpc-eval'], values: 'ec' },
};

/** The name of the language without version: `python3.12`. */
function languageOf(program: string): Language | undefined {
  const name = /[\d.]$/.test(program) ? program.replace(/-?\d[\d.]*$/, '') : program;
  return LANGUAGES.get(name);
}

/** Whether a program runs code of another language. */
export function isInterpreter(program: string): boolean {
  return languageOf(program) !== undefined;
}

/** `deno run file` is what `node file` is. */
const RUNNING = new Set(['deno', 'bun']);

/** What the code in the arguments of an interpreter makes run; without code in them it may come from the input. */
export function inlineCode(program: string, args: readonly string[]): Inner[] {
  const language = languageOf(program);
  if (language === undefined) return [];
  if (language === 'awk') return awk(args);
  if (language === 'sed') return sed(args);
  if (language === 'vim') return vim(args);
  const spec = CODE_OPTIONS[language];
  if (spec === undefined) return [];
  const words = program === 'deno' && args[0] === 'eval' ? ['-e', ...args.slice(1)] : (RUNNING.has(program) && args[0] === 'run' ? args.slice(1) : args).map((arg) => (arg === '-eval' ? '--eval' : arg === '-pe' && language === 'node' ? '-e' : arg));
  const parsed = parseArguments(words, { values: spec.values, longValues: [...spec.long, 'require', 'import', 'loader'], stopsAtOperand: true });
  const codes = parsed.options.flatMap(({ name, value }) => (value !== undefined && (name.length === 1 ? spec.code.includes(name) : spec.long.includes(name)) ? [value] : []));
  if (codes.length > 0) return codes.map((code) => ({ kind: 'inline', language, code }));
  const module = parsed.options.find(({ name }) => name === 'm')?.value;
  if (module === 'timeit') return parsed.operands.map((code) => ({ kind: 'inline', language, code }));
  const isAsked = parsed.options.some(({ name }) => name === 'm' || name === 'V' || name === 'v' || name === 'version' || name === 'help' || name === 'h');
  const [file] = parsed.operands;
  if (language === 'emacs' || isAsked) return [];
  if (file === undefined || file === '-' || file === '/dev/stdin') return [{ kind: 'input', language }];
  return [{ kind: 'file', path: file }];
}
