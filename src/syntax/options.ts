// Arguments read as GNU's getopt reads them: options after operands, bundles, abbreviations, `--`.
import { hasUnknown, UNKNOWN_WORDS } from './marks.ts';

export interface OptionSpec {
  /** Letters that take a value: `uC`. */
  readonly values?: string;
  /** Letters whose value, if they have one, is the rest of their word: `-iX`. */
  readonly attached?: string;
  /** Long names, without dashes, that take a value as the next word. */
  readonly longValues?: readonly string[];
  /** Options end at the first operand: wrappers, whose operands are a command. */
  readonly stopsAtOperand?: boolean;
  /** `-name` is one long option, as in find and java. */
  readonly singleDash?: boolean;
}

export interface ParsedArguments {
  /** Letters and long names that were given, in order, with their values. */
  readonly options: readonly { readonly name: string; readonly value?: string }[];
  readonly operands: readonly string[];
  /** Where the first operand is in the arguments. */
  readonly firstOperand: number;
  /** A word that may be an option could not be read. */
  readonly hasUnknownOption: boolean;
}

export function parseArguments(args: readonly string[], spec: OptionSpec = {}): ParsedArguments {
  const options: { name: string; value?: string }[] = [];
  const operands: string[] = [];
  let firstOperand = args.length;
  let hasUnknownOption = false;
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? '';
    const isOption = arg.length > 1 && arg.startsWith('-');
    if (arg === '--' || !isOption) {
      const from = arg === '--' ? at + 1 : at;
      firstOperand = Math.min(firstOperand, from);
      if (arg.startsWith(UNKNOWN_WORDS)) hasUnknownOption = true;
      if (arg === '--' || spec.stopsAtOperand === true) {
        operands.push(...args.slice(from));
        break;
      }
      operands.push(arg);
      continue;
    }
    if (hasUnknown(arg)) hasUnknownOption = true;
    at += arg.startsWith('--') || spec.singleDash === true ? readLong(arg, args[at + 1], spec, options) : readBundle(arg, args[at + 1], spec, options);
  }
  return { options, operands, firstOperand, hasUnknownOption };
}

/** Whether one of these was given; long names may be abbreviated as GNU allows. */
export function hasOption(parsed: ParsedArguments, letters: string, ...longNames: readonly string[]): boolean {
  return parsed.options.some(({ name }) => (name.length === 1 ? letters.includes(name) : longNames.some((long) => isAbbreviation(name, long))));
}

/** The values of one of these. */
export function optionValues(parsed: ParsedArguments, letters: string, ...longNames: readonly string[]): readonly string[] {
  return parsed.options.flatMap(({ name, value }) => (value !== undefined && (name.length === 1 ? letters.includes(name) : longNames.some((long) => isAbbreviation(name, long))) ? [value] : []));
}

/** `--rec` for `--recursive`; two letters at least. */
function isAbbreviation(name: string, long: string): boolean {
  return name === long || (name.length >= 2 && long.startsWith(name));
}

/** Reads one long option; says how many words more it took. */
function readLong(arg: string, next: string | undefined, spec: OptionSpec, options: { name: string; value?: string }[]): number {
  const whole = arg.replace(/^--?/, '');
  const equals = whole.indexOf('=');
  if (equals >= 0) {
    options.push({ name: whole.slice(0, equals), value: whole.slice(equals + 1) });
    return 0;
  }
  if (next !== undefined && spec.longValues?.some((long) => isAbbreviation(whole, long)) === true) {
    options.push({ name: whole, value: next });
    return 1;
  }
  options.push({ name: whole });
  return 0;
}

/** Reads `-abc`; a letter that takes a value has the rest, or the next word. */
function readBundle(arg: string, next: string | undefined, spec: OptionSpec, options: { name: string; value?: string }[]): number {
  for (let at = 1; at < arg.length; at++) {
    const letter = arg[at] ?? '';
    if (spec.attached?.includes(letter) === true) {
      options.push(at + 1 < arg.length ? { name: letter, value: arg.slice(at + 1) } : { name: letter });
      return 0;
    }
    if (spec.values?.includes(letter) !== true) {
      options.push({ name: letter });
      continue;
    }
    const rest = arg.slice(at + 1);
    if (rest !== '') options.push({ name: letter, value: rest });
    else if (next !== undefined) options.push({ name: letter, value: next });
    return rest === '' && next !== undefined ? 1 : 0;
  }
  return 0;
}
