// Programs that run a command once for each thing they find or read: find, fd, xargs, parallel.
import type { Inner } from './inner.ts';
import { hasUnknown, UNKNOWN_WORDS } from './marks.ts';
import { hasOption, optionValues, parseArguments } from './options.ts';
import type { OptionSpec, ParsedArguments } from './options.ts';

/** A path that find puts in; the roots it starts from are judged with find itself. */
export const FOUND = './\uFDD0';
/** Things that are looked at one by one; of more the first tell enough. */
const MAX_ITEMS = 32;
const MAX_ROOTS = 4;

const XARGS: OptionSpec = {
  values: 'aEILPnsd', attached: 'eil', stopsAtOperand: true,
  longValues: ['arg-file', 'delimiter', 'max-args', 'max-lines', 'max-procs', 'max-chars', 'process-slot-var'],
};

/** The command of xargs, with the words of its input behind it, or its lines in the place that -I names. */
export function xargs(args: readonly string[], words: readonly string[], lines: readonly string[]): Inner[] {
  const parsed = parseArguments(args, XARGS);
  if (parsed.operands.length === 0) return [];
  const place = optionValues(parsed, 'Ii', 'replace')[0] ?? (hasOption(parsed, 'i', 'replace') ? '{}' : undefined);
  if (place === undefined) return [{ kind: 'argv', argv: [...parsed.operands, ...words] }];
  const items = [...new Set([...(words.length === 0 ? [UNKNOWN_WORDS] : words), ...lines])];
  return items.slice(0, MAX_ITEMS).map((item) => ({ kind: 'argv', argv: parsed.operands.map((operand) => operand.replaceAll(place, () => item)) }));
}

/** The words that xargs makes of a text: by its own quotes, or at the separator it is told. */
export function xargsWords(args: readonly string[], text: string): readonly string[] {
  const parsed = parseArguments(args, XARGS);
  const separator = separatorOf(parsed);
  if (separator !== undefined) return text.split(separator).filter((piece) => piece !== '');
  return (text.match(/(?:"[^"\n]*"|'[^'\n]*'|\\[^]|[^\s"'\\]|["'])+/g) ?? []).map((word) => word.replace(/"([^"\n]*)"|'([^'\n]*)'|\\([^])/g, (_, double?: string, single?: string, one?: string) => double ?? single ?? one ?? ''));
}

function separatorOf(parsed: ParsedArguments): string | undefined {
  if (hasOption(parsed, '0', 'null')) return '\0';
  const given = optionValues(parsed, 'd', 'delimiter')[0];
  return given === '\\n' ? '\n' : given === '\\0' ? '\0' : given;
}

/** The commands of parallel, with its items in their place or behind them. */
export function parallel(args: readonly string[], words: readonly string[]): Inner[] {
  const parsed = parseArguments(args, { values: 'jaSNnLPCdEIX', longValues: ['jobs', 'arg-file', 'colsep', 'delay', 'joblog', 'timeout', 'retries', 'results', 'sshlogin'], stopsAtOperand: true });
  const end = parsed.operands.findIndex((operand) => operand.startsWith(':::'));
  const own = end < 0 ? parsed.operands : parsed.operands.slice(0, end);
  const items = end < 0 ? (words.length === 0 ? [UNKNOWN_WORDS] : words) : parsed.operands.slice(end + 1).filter((operand) => !operand.startsWith(':::'));
  if (own.length === 0) return items.slice(0, MAX_ITEMS).map((item) => code(item, 'parallel'));
  const text = own.join(' ');
  return items.slice(0, MAX_ITEMS).map((item) => code(/\{[./#%]*\}/.test(text) ? text.replace(/\{[./#%]*\}/g, () => item) : `${text} ${item}`, 'parallel'));
}

/** The commands of -exec, up to `;` or `+`, with `{}` as what find may put there, for each root. */
export function find(args: readonly string[]): Inner[] {
  const inner: Inner[] = [];
  const found = rootsOfFind(args).slice(0, MAX_ROOTS).map(foundBelow);
  for (let at = 0; at < args.length; at++) {
    if (!/^-(?:exec|execdir|ok|okdir)$/.test(args[at] ?? '')) continue;
    const from = ++at;
    while (at < args.length && args[at] !== ';' && !(args[at] === '+' && args[at - 1] === '{}')) at++;
    if (at === from) continue;
    const words = args.slice(from, at);
    const paths = words.some((word) => word.includes('{}')) ? found : [FOUND];
    inner.push(...paths.map((path): Inner => ({ kind: 'argv', argv: words.map((word) => word.replaceAll('{}', () => path)) })));
  }
  return inner;
}

/** The places find starts from; here when it names none. */
export function rootsOfFind(args: readonly string[]): readonly string[] {
  const end = args.findIndex((arg) => /^[-(!]/.test(arg) && !/^-(?:[HLP]|O\d?|D)$/.test(arg));
  const roots = (end < 0 ? args : args.slice(0, end)).filter((arg) => !arg.startsWith('-'));
  return roots.length === 0 ? ['.'] : roots;
}

/** Something below a root; relative ones are no better known than the directory. */
function foundBelow(root: string): string {
  return root.startsWith('/') && !hasUnknown(root) ? `${root.replace(/\/+$/, '')}/\uFDD0` : FOUND;
}

const FD: OptionSpec = { values: 'dEtegoSjcxX', longValues: ['max-depth', 'min-depth', 'exact-depth', 'exclude', 'type', 'extension', 'size', 'owner', 'changed-within', 'changed-before', 'threads', 'color', 'base-directory', 'search-path', 'max-results', 'ignore-file', 'format'] };
const FD_EXEC = /^(?:-[a-zA-Z]*[xX]|--exec|--exec-batch)$/;

/** The command of -x or -X, with what fd finds in its place or behind it. */
export function fd(args: readonly string[]): Inner[] {
  const command = execOfFd(args);
  if (command.length === 0) return [];
  return rootsOfFd(args).slice(0, MAX_ROOTS).map(foundBelow).map((path) => {
    const argv = command.map((word) => word.replace(/\{[/.]*\}/g, () => path));
    return { kind: 'argv', argv: argv.some((word) => hasUnknown(word)) ? argv : [...argv, path] };
  });
}

/** What fd runs; its words are the rest. */
export function execOfFd(args: readonly string[]): readonly string[] {
  const at = args.findIndex((arg) => FD_EXEC.test(arg));
  return at < 0 ? [] : args.slice(at + 1).filter((word) => word !== ';');
}

/** The places fd searches: what comes behind its pattern. */
export function rootsOfFd(args: readonly string[]): readonly string[] {
  const at = args.findIndex((arg) => FD_EXEC.test(arg));
  const parsed = parseArguments(at < 0 ? args : args.slice(0, at), FD);
  const roots = [...parsed.operands.slice(1), ...optionValues(parsed, '', 'base-directory', 'search-path')];
  return roots.length === 0 ? ['.'] : roots;
}

function code(text: string, name: string): Inner {
  return { kind: 'code', code: text, name, isProcess: true };
}
