// Code in other languages that stands in a command: what it makes a shell run, what it deletes, and whether it hides what it does.
import { decodeEscapes } from './producers.ts';
import { parseArguments } from './options.ts';
import type { Inner } from './inner.ts';

type Language = 'python' | 'node' | 'perl' | 'ruby' | 'php' | 'lua' | 'awk' | 'sed' | 'vim' | 'tcl' | 'r' | 'osascript' | 'emacs';

const LANGUAGES: Readonly<Record<string, Language>> = {
  python: 'python', pypy: 'python', ipython: 'python', node: 'node', nodejs: 'node', deno: 'node', bun: 'node', tsx: 'node', perl: 'perl', ruby: 'ruby', irb: 'ruby', php: 'php',
  lua: 'lua', luajit: 'lua', awk: 'awk', gawk: 'awk', mawk: 'awk', nawk: 'awk', sed: 'sed', gsed: 'sed', vim: 'vim', vi: 'vim', nvim: 'vim', ex: 'vim', view: 'vim', vimdiff: 'vim',
  Rscript: 'r', R: 'r', osascript: 'osascript', emacs: 'emacs',
};
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
  emacs: { code: '', long: ['eval', 'execute'], values: '' },
};
/** Calls that start a program or a shell. */
const STARTS = /\b(?:system|popen|Popen|getoutput|getstatusoutput|check_output|check_call|spawn(?:Sync|l|lp|v|vp)?|exec(?:Sync|File|FileSync|v|vp|ve|l|lp|a)?|subprocess\.(?:run|call)|shell_exec|passthru|proc_open|pcntl_exec|io\.popen|os\.execute|Open3\.\w+|IO\.popen|shell-command|start-process|call-process|do\s+shell\s+script)\b|\$`|Deno\.Command/;
/** Calls that delete what is there; the path is their first literal. */
const DELETES = /\b(?:rmtree|remove_tree|rm_rf|rm_r|remove_entry|removedirs|rmSync|rmdirSync|rmdir|unlinkSync|unlink|os\.remove|fs\.rm|Deno\.remove|FileUtils\.rm\w*|delete-directory|delete_dir)\b/;
/** What writes code that the text does not show. */
const HIDES = /\b(?:__import__|importlib|getattr|compile|exec|eval|fromCharCode|atob|b64decode|fromhex|unhexlify|decode64|base64|marshal|pickle|ctypes|FFI|dlopen|unpack|chr)\s*\(|\beval\s*[<$]|\bMIME::Base64\b|\.decode\(|Buffer\.from\(|\bfork\b/;
const FORK_LOOP = /\bfork\b[^;]*\bwhile\b|\bwhile\b[^;]*\bfork\b|\bloop\b[^}]*\bfork\b/;
/** Where text in backticks is a command of the shell. */
const RUNS_BACKTICKS = new Set(['perl', 'ruby', 'php']);
/** At most this much of a program in another language is looked at; the rest counts as hidden. */
const MAX_CODE = 64 * 1024;

/** The name of the language without version: `python3.12`. */
function languageOf(program: string): Language | undefined {
  const name = /[\d.]$/.test(program) ? program.replace(/-?\d[\d.]*$/, '') : program;
  return Object.hasOwn(LANGUAGES, name) ? LANGUAGES[name] : undefined;
}

/** Whether a program runs code of another language. */
export function isInterpreter(program: string): boolean {
  return languageOf(program) !== undefined;
}

/** What the code in the arguments of an interpreter makes run; without code in them it may come from the input. */
export function inlineCode(program: string, args: readonly string[]): Inner[] {
  const language = languageOf(program);
  if (language === undefined) return [];
  if (language === 'awk') return awk(args);
  if (language === 'sed') return sed(args);
  if (language === 'vim') return vim(args);
  const spec = CODE_OPTIONS[language];
  if (spec === undefined) return [];
  const parsed = parseArguments(program === 'deno' && args[0] === 'eval' ? ['-e', ...args.slice(1)] : args, { values: spec.values, longValues: [...spec.long, 'require', 'import', 'loader'], stopsAtOperand: true });
  const codes = parsed.options.flatMap(({ name, value }) => (value !== undefined && (name.length === 1 ? spec.code.includes(name) : spec.long.includes(name)) ? [value] : []));
  if (codes.length > 0) return codes.map((code) => ({ kind: 'inline', language, code }));
  const isModule = parsed.options.some(({ name }) => name === 'm' || name === 'V' || name === 'v' || name === 'version' || name === 'help' || name === 'h');
  const [file] = parsed.operands;
  if (language === 'emacs' || isModule) return [];
  if (file === undefined || file === '-' || file === '/dev/stdin') return [{ kind: 'input', language }];
  return [{ kind: 'file', path: file }];
}

export interface InlineReading {
  /** Shell code that it runs. */
  readonly shell: readonly string[];
  /** Programs that it starts, with their arguments. */
  readonly argv: readonly (readonly string[])[];
  /** Paths that it deletes. */
  readonly deletes: readonly string[];
  /** Starts or deletes something that is not written out. */
  readonly isOpaque: boolean;
  readonly isForkLoop: boolean;
}

/** What code of a language says it does, from its literals. It is no parser: what it cannot see is opaque or, at worst, overlooked. */
export function readInline(code: string, language: string): InlineReading {
  const text = code.length > MAX_CODE ? code.slice(0, MAX_CODE) : code;
  const shell: string[] = [];
  const argv: string[][] = [];
  const deletes: string[] = [];
  // in awk, texts that stand beside one another are one
  let isOpaque = code.length > MAX_CODE || HIDES.test(text) || (language === 'awk' && /\bsystem\s*\((?!\s*"(?:[^"\\]|\\[^])*"\s*\))/.test(text));
  for (const statement of statementsOf(language === 'perl' ? withQuotes(text) : text)) {
    const starts = STARTS.exec(statement);
    const removes = DELETES.exec(statement);
    if (starts !== null) {
      const rest = statement.slice(starts.index);
      const literals = literalsOf(rest);
      if (literals.length === 0 || /["'`)]\s*(?:\+|%|\.format|\.\s)|\bf["']/.test(rest)) isOpaque = true;
      shell.push(...literals);
      if (literals.length > 1) argv.push(literals);
      if (literals.length > 1) shell.push(literals.join(''));
    }
    if (removes !== null && starts?.index !== removes.index) {
      const literals = literalsOf(statement.slice(removes.index));
      if (literals.length === 0) isOpaque = true;
      else deletes.push(...literals.slice(0, 4));
    }
  }
  for (const [, first, second] of text.matchAll(/(?:^|[=;({,\s])`([^`]*)`|%x\{([^}]*)\}|qx[{(/]([^})/]*)/g)) {
    if (RUNS_BACKTICKS.has(language) || (/\b(?:print|puts|system|=|\$)/.test(text) && !/console|=>|const |let |require/.test(text))) shell.push(first ?? second ?? '');
  }
  return { shell: shell.slice(0, 32), argv: argv.slice(0, 32), deletes: deletes.slice(0, 32), isOpaque, isForkLoop: FORK_LOOP.test(text) };
}

/** perl's `q(…)` and `qq~…~` as literals like any other. */
function withQuotes(text: string): string {
  return text.replace(/\bqq?\s*(?:~([^~]*)~|\(([^()]*)\)|\{([^{}]*)\}|\[([^[\]]*)\]|!([^!]*)!|\|([^|]*)\|)/g, (_, ...groups: (string | undefined)[]) => `'${(groups.slice(0, 6).find((group) => group !== undefined) ?? '').replace(/[\\']/g, '\\$&')}'`);
}

/** Split at `;` and line ends outside of literals; a call goes on to the line where its brackets close. */
function statementsOf(text: string): string[] {
  const statements: string[] = [];
  let open = 0;
  let lines = 0;
  for (const piece of piecesOf(text)) {
    const isContinued = open > 0 && lines < MAX_CALL_LINES;
    lines = isContinued ? lines + 1 : 0;
    open = Math.max(0, (isContinued ? open : 0) + openedIn(piece));
    if (isContinued) statements.push(`${statements.pop() ?? ''}\n${piece}`);
    else statements.push(piece);
  }
  return statements;
}

/** More lines of one call are read as statements of their own. */
const MAX_CALL_LINES = 20;

/** How many brackets stay open at the end of a piece. */
function openedIn(piece: string): number {
  const code = piece.replace(/"(?:[^"\\]|\\[^])*"|'(?:[^'\\]|\\[^])*'/g, '');
  return (code.match(/[([]/g) ?? []).length - (code.match(/[)\]]/g) ?? []).length;
}

function piecesOf(text: string): string[] {
  return text.match(/(?:"(?:[^"\\]|\\[^])*"|'(?:[^'\\]|\\[^])*'|[^;\n"']|["'])+/g) ?? [];
}

function literalsOf(text: string): string[] {
  return [...text.matchAll(/"((?:[^"\\]|\\[^])*)"|'((?:[^'\\]|\\[^])*)'|`([^`]*)`/g)].map(([, double, single, back]) => decodeEscapes(double ?? single ?? back ?? '')).slice(0, 32);
}

/** awk's system(), pipes and files to write. */
function awk(args: readonly string[]): Inner[] {
  const parsed = parseArguments(args, { values: 'fFvieE', longValues: ['file', 'field-separator', 'assign', 'source', 'include', 'exec'], stopsAtOperand: true });
  const hasFile = parsed.options.some(({ name }) => name === 'f' || name === 'file');
  const sources = [...parsed.options.flatMap(({ name, value }) => ((name === 'e' || name === 'source') && value !== undefined ? [value] : [])), ...(hasFile ? [] : parsed.operands.slice(0, 1))];
  return sources.flatMap((source) => [...awkOutputs(source), ...awkCalls(source)]);
}

const AWK_SHELL = /^\s*(?:\S*\/)?(?:ba|z|da|k|c|tc|fi)?sh\b/;

/** What `print` sends to a shell, and the files it writes. */
function awkOutputs(source: string): Inner[] {
  return [...source.matchAll(/\bprintf?\b((?:"(?:[^"\\]|\\[^])*"|[^"|>}\n;])*)(\|\s*&?|>>?)\s*"((?:[^"\\]|\\[^])*)"/g)].flatMap(([, printed = '', operator = '', target = '']): Inner[] => {
    if (operator.startsWith('>')) return [{ kind: 'argv', argv: ['tee', decodeEscapes(target)] }];
    if (!AWK_SHELL.test(target)) return [];
    const [, literal] = /^\s*\(?\s*"((?:[^"\\]|\\[^])*)"\s*\)?\s*$/.exec(printed) ?? [];
    return [{ kind: 'inline', language: 'awk', code: 'eval(' }, ...(literal === undefined ? [] : [{ kind: 'code' as const, code: decodeEscapes(literal), name: 'awk | sh', isProcess: true }])];
  });
}

function awkCalls(source: string): Inner[] {
  return !/\bsystem\s*\(|\|\s*getline|\|&|\bprintf?\b[^|}\n]*\|\s*["a-zA-Z]|"\s*\|/.test(source) ? [] : [{ kind: 'inline', language: 'awk', code: source.replace(/(?<=")\s*\|\s*(?:&\s*)?getline/g, ' system').replace(/\|\s*(?=")/g, ' system ') }];
}

/** sed's `e` command and flag. */
function sed(args: readonly string[]): Inner[] {
  const parsed = parseArguments(args, { values: 'efl', longValues: ['expression', 'file', 'line-length'] });
  const expressions = parsed.options.flatMap(({ name, value }) => ((name === 'e' || name === 'expression') && value !== undefined ? [value] : []));
  const scripts = expressions.length > 0 || parsed.options.some(({ name }) => name === 'f' || name === 'file') ? expressions : parsed.operands.slice(0, 1);
  return scripts.flatMap((script) => {
    const command = /^\s*(?:\d+|\$|\/[^/]*\/)?(?:,(?:\d+|\$|\/[^/]*\/))?\s*e(?:\s+(.*))?$/ms.exec(script);
    if (command !== null) return [{ kind: 'code' as const, code: command[1] ?? '\uFDD0', name: 'sed e', isProcess: true }];
    const flagged = /(?:^|[;{}\s\d$/,])s([^\w\s])(?:(?!\1)[^\\]|\\[^])*\1((?:(?!\1)[^\\]|\\[^])*)\1[gpiImM\d]*e/s.exec(script);
    return flagged === null ? [] : [{ kind: 'code' as const, code: `${flagged[2] ?? ''} \uFDD0`, name: 'sed s///e', isProcess: true }];
  });
}

/** `:!command` and `:call system()` of an editor. */
function vim(args: readonly string[]): Inner[] {
  const parsed = parseArguments(args, { values: 'cSuUtTwWid', longValues: ['cmd'], stopsAtOperand: false });
  const commands = [...parsed.options.flatMap(({ name, value }) => ((name === 'c' || name === 'cmd') && value !== undefined ? [value] : [])), ...args.filter((arg) => arg.startsWith('+')).map((arg) => arg.slice(1))];
  return commands.flatMap((command): Inner[] => {
    const shell = /^\s*:*\s*(?:sil\w*!?\s+|%|\.|r(?:ead)?\s*|w(?:rite)?\s*)*!(.*)$/s.exec(command)?.[1] ?? /^\s*:*\s*te(?:rm\w*)?!?\s+(.*)$/s.exec(command)?.[1];
    // what an editor is told may go on after the command: it is never quite known
    if (shell !== undefined) return [{ kind: 'code', code: shell, name: 'vim :!', isProcess: true }, { kind: 'inline', language: 'vim', code: 'eval(' }];
    return /system|lua|python|perl|ruby|exec/.test(command) ? [{ kind: 'inline', language: 'vim', code: command }] : [];
  });
}
