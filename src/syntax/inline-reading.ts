// Code in other languages that stands in a command: what it makes a shell run, what it deletes or writes, and whether it hides what it does.
import { readAwk } from './awk.ts';
import type { Language } from './inline.ts';
import { decodeEscapes } from './producers.ts';

/** Calls that start a program or a shell. */
const STARTS = /\b(?:system|popen|Popen|getoutput|getstatusoutput|check_output|check_call|spawn(?:Sync|l|lp|v|vp)?|exec(?:Sync|File|FileSync|v|vp|ve|l|lp|a)?|subprocess\.(?:run|call)|shell_exec|passthru|proc_open|pcntl_exec|readpipe|io\.popen|os\.execute|os:cmd|os\.cmd|System\.(?:cmd|shell)|Open3\.\w+|IO\.popen|shell-command|start-process|call-process|do\s+shell\s+script)\b|\$`|Deno\.Command|Bun\.spawn/;
/** The same calls under another name: `import run as r`, `{execSync: e}`, `subprocess as s`. */
const RENAMED = /\b(?:system|popen|run|call|Popen|check_\w+|exec\w*|spawn\w*)\s*(?::|\bas\b)\s*(\w+)/g;
const RENAMED_MODULE = /\bsubprocess\b/;
/** Calls that delete what is there; the path is their first literal. */
const DELETES = /\b(?:rmtree|remove_tree|rm_rf|rm_r|remove_entry|removedirs|rmSync|rmdirSync|rmdir|unlinkSync|unlink|os\.remove|fs\.rm|Deno\.remove(?:Sync)?|rm(?=\s*\()|FileUtils\.rm\w*|delete-directory|delete_dir)\b/;
/** What writes code that the text does not show. */
const HIDES = /\b(?:__import__|importlib|getattr|(?<!\bre\.)compile|exec|eval|fromCharCode|atob|b64decode|fromhex|unhexlify|decode64|base64|marshal|pickle|ctypes|FFI|dlopen|unpack|chr)\s*\(|\beval\s*[<$]|\bMIME::Base64\b|\.decode\(|Buffer\.from\(|\bfork\b/;
/** perl and ruby evaluate what stands behind the word, or what is read. */
const EVALUATES = /\beval\b\s*(?:[;}]|$|[A-Za-z_])/m;
const FORK_LOOP = /\bfork\b[^;]*\bwhile\b|\bwhile\b[^;]*\bfork\b|\bloop\b[^}]*\bfork\b/;
const KILLS_ALL = /\bkill\b[^;\n]{0,40}?(?<![\w.])-\s*1\b(?!\.)/;
/** The path of a file that is written, as a literal of its own. */
const WRITES: readonly RegExp[] = [
  /\b(?:open|fopen|File\.open)\s*\(\s*(?:[\w.]+\(\s*)?(["'])((?:(?!\1)[^\\]|\\.)+)\1\s*\)?\s*,\s*(?:mode\s*=\s*)?["'][rbt]*[wax+]/g,
  /\bPath\s*\(\s*(["'])((?:(?!\1)[^\\]|\\.)+)\1\s*\)(?:\.expanduser\(\))?\.(?:write_|unlink|touch|symlink_to|open\(\s*["'][wax])/g,
  /\b(?:writeFile|appendFile|createWriteStream|truncate|chmod)(?:Sync)?\s*\(\s*(["'`])((?:(?!\1)[^\\]|\\.)+)\1/g,
  /\b(?:file_put_contents|(?:File|IO)\.write)\s*\(\s*(["'])((?:(?!\1)[^\\]|\\.)+)\1/g,
  /\b(?:copyFile|rename|symlink|copy\w*|move)(?:Sync)?\s*\([^,()]+,\s*(["'])((?:(?!\1)[^\\]|\\.)+)\1/g,
  /\bopen\b[^;\n]{0,40}?(["'])\s*\+?>>?\s*((?:(?!\1)[^\\]|\\.)+)\1/g,
  /\bopen\b[^;\n]{0,40}?["']\s*\+?>>?(?::\w+)?\s*["']\s*,\s*(["'])((?:(?!\1)[^\\]|\\.)+)\1/g,
];
/** Where text in backticks is a command of the shell. */
const RUNS_BACKTICKS = new Set(['perl', 'ruby', 'php', 'julia']);
/** `qx(…)`, `%x{…}`, with any delimiter. */
const QUOTED_COMMAND = /(?:\bqx|%x)\s*(?:\(([^()]*)\)|\{([^{}]*)\}|\[([^[\]]*)\]|<([^<>]*)>|([^\w\s])((?:(?!\5)[^\\]|\\[^])*)\5)/g;
/** `open(F, "command|")`, `open(F, "-|", "command")`. */
const PIPE_OPEN = /\bopen\b/;
/** At most this much of a program in another language is looked at; the rest counts as hidden. */
const MAX_CODE = 64 * 1024;
const MAX_FOUND = 32;

export interface InlineReading {
  /** Shell code that it runs. */
  readonly shell: readonly string[];
  /** Programs that it starts, with their arguments. */
  readonly argv: readonly (readonly string[])[];
  /** Paths that it deletes. */
  readonly deletes: readonly string[];
  /** Paths that it writes. */
  readonly writes: readonly string[];
  /** Starts or deletes something that is not written out. */
  readonly isOpaque: boolean;
  readonly isForkLoop: boolean;
}

/** What code of a language says it does, from its literals. It is no parser: what it cannot see is opaque or, at worst, overlooked. */
export function readInline(code: string, language: string): InlineReading {
  const text = code.length > MAX_CODE ? code.slice(0, MAX_CODE) : code;
  const isCut = code.length > MAX_CODE;
  if (language === 'awk') {
    const { shell, writes, isOpaque } = readAwk(text);
    return { shell: shell.slice(0, MAX_FOUND), argv: [], deletes: [], writes: writes.slice(0, MAX_FOUND), isOpaque: isOpaque || isCut, isForkLoop: false };
  }
  const found = readStatements(text, language as Language);
  return {
    shell: [...found.shell, ...backticks(text, language)].slice(0, MAX_FOUND),
    argv: [...found.argv, ...(KILLS_ALL.test(text) ? [['kill', '-9', '-1']] : [])].slice(0, MAX_FOUND),
    deletes: found.deletes.slice(0, MAX_FOUND),
    writes: WRITES.flatMap((pattern) => [...text.matchAll(pattern)].map(([, , path = '']) => path)).slice(0, MAX_FOUND),
    isOpaque: found.isOpaque || isCut || HIDES.test(text) || ((language === 'perl' || language === 'ruby') && EVALUATES.test(text)),
    isForkLoop: FORK_LOOP.test(text),
  };
}

function readStatements(text: string, language: Language): { readonly shell: string[]; readonly argv: string[][]; readonly deletes: string[]; readonly isOpaque: boolean } {
  const [shell, argv, deletes]: [string[], string[][], string[]] = [[], [], []];
  let isOpaque = false;
  const start = startsIn(text, language);
  for (const statement of statementsOf(language === 'perl' ? withQuotes(text) : text)) {
    const starts = start?.exec(statement) ?? null;
    const removes = DELETES.exec(statement);
    if (starts !== null) {
      const rest = statement.slice(starts.index);
      const literals = literalsOf(rest);
      if (literals.length === 0 || /["'`)]\s*(?:\+|%|\.format|\.\s)|\bf["']/.test(rest)) isOpaque = true;
      shell.push(...literals);
      if (literals.length > 1) argv.push(literals);
      if (literals.length > 1) shell.push(literals.join(''));
    }
    if (language === 'perl' && PIPE_OPEN.test(statement)) isOpaque = openedBy(literalsOf(statement), shell, argv) || isOpaque;
    if (removes !== null && starts?.index !== removes.index) {
      const literals = literalsOf(statement.slice(removes.index));
      if (literals.length === 0) isOpaque = true;
      else deletes.push(...literals.slice(0, 4));
    }
  }
  return { shell, argv, deletes, isOpaque };
}

/** The calls that start a program, with the names that the code itself gives them; undefined when there can be none. */
function startsIn(text: string, language: Language): RegExp | undefined {
  if (language === 'node' && !/require|import|process|Deno|Bun|\$/.test(text)) return undefined; // `exec` is what regular expressions do
  const names = [...text.matchAll(RENAMED)].map(([, name = '']) => name);
  const more = [...(names.length > 0 ? [`\\b(?:${names.join('|')})\\s*\\(`] : []), ...(RENAMED_MODULE.test(text) ? ['\\.(?:run|call)\\s*\\('] : []), ...(language === 'other' ? ['\\bshell\\s*[("\']', '(?=["\'][^"\']*["\']\\.execute\\()'] : [])];
  return more.length === 0 ? STARTS : new RegExp(`${STARTS.source}|${more.join('|')}`);
}

/** What perl's open() starts; whether what is told to it cannot be seen. */
function openedBy(literals: readonly string[], shell: string[], argv: string[][]): boolean {
  const mode = literals.findIndex((literal) => literal === '-|' || literal === '|-');
  if (mode >= 0) {
    const command = literals.slice(mode + 1);
    shell.push(command.join(' '));
    argv.push([...command]);
    return command.length === 0 || (literals[mode] === '|-' && /^\s*(?:\S*\/)?\w*sh\b/.test(command[0] ?? ''));
  }
  const piped = literals.filter((literal) => /^\s*\||\|\s*$/.test(literal));
  shell.push(...piped.map((literal) => literal.replace(/^\s*\||\|\s*$/g, '')));
  return piped.some((literal) => /^\s*\|\s*(?:\S*\/)?\w*sh\b/.test(literal));
}

/** Text in backticks and its like, and the bare words of tcl. */
function backticks(text: string, language: string): string[] {
  const found: string[] = [];
  if (RUNS_BACKTICKS.has(language) || (/\b(?:print|puts|system|=|\$)/.test(text) && !/console|=>|const |let |require/.test(text))) {
    for (const [, command = ''] of text.matchAll(/(?:^|[=;({,\s])`([^`]*)`/g)) found.push(command);
  }
  if (language === 'perl' || language === 'ruby') {
    for (const groups of text.matchAll(QUOTED_COMMAND)) {
      const delimiter = groups[5] ?? '';
      found.push(groups[6]?.replaceAll(`\\${delimiter}`, delimiter) ?? groups.slice(1, 5).find((group) => group !== undefined) ?? '');
    }
  }
  if (language === 'tcl') for (const [, command = ''] of text.matchAll(/\b(?:exec|spawn|system)\s+([^\n;\]]+)/g)) found.push(command);
  return found;
}

/** perl's `q(…)`, `qq~…~` and `qw(…)` as literals like any other. */
function withQuotes(text: string): string {
  const literal = (value: string): string => `'${value.replace(/[\\']/g, '\\$&')}'`;
  return text
    .replace(/\bqw\s*(?:\(([^()]*)\)|\{([^{}]*)\}|\[([^[\]]*)\]|\/([^/]*)\/)/g, (_, ...groups: (string | undefined)[]) => (groups.slice(0, 4).find((group) => group !== undefined) ?? '').trim().split(/\s+/).map(literal).join(','))
    .replace(/\bqq?\s*(?:~([^~]*)~|\(([^()]*)\)|\{([^{}]*)\}|\[([^[\]]*)\]|!([^!]*)!|\|([^|]*)\|)/g, (_, ...groups: (string | undefined)[]) => literal(groups.slice(0, 6).find((group) => group !== undefined) ?? ''));
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
  return [...text.matchAll(/"((?:[^"\\]|\\[^])*)"|'((?:[^'\\]|\\[^])*)'|`([^`]*)`/g)].map(([, double, single, back]) => decodeEscapes(double?.replace(/\\([$@])/g, '$1') ?? single ?? back ?? '')).slice(0, 32);
}

