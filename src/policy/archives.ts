// Where archives are unpacked to, and what is written when they are made. What is in them is not known.
import { optionValues, parseArguments } from '../syntax/options.ts';
import { parseTar } from '../syntax/tar.ts';

export function tarWrites(args: readonly string[]): readonly string[] {
  const parsed = parseTar(args);
  const has = (...names: readonly string[]): boolean => parsed.options.some(({ name }) => names.includes(name));
  const isExtracting = has('x', 'extract', 'get');
  if (isExtracting && has('P', 'absolute-names')) return ['/'];
  if (isExtracting) return has('O', 'to-stdout') ? [] : directoryOr(optionValues(parsed, 'C', 'directory'));
  return has('c', 'create', 'r', 'append', 'u', 'update', 'A', 'concatenate') ? optionValues(parsed, 'f', 'file').filter((file) => file !== '-') : [];
}

/** Where another program unpacks to. */
export function extractedTo(program: string, args: readonly string[]): readonly string[] {
  if (program === 'unzip') {
    const parsed = parseArguments(args, { values: 'dxP' });
    return parsed.options.some(({ name }) => 'ltvpzZ'.includes(name)) || parsed.operands.length === 0 ? [] : directoryOr(optionValues(parsed, 'd'));
  }
  if (program === 'cpio') {
    const parsed = parseArguments(args, { values: 'DFIOEHRM', longValues: ['directory', 'file'] });
    const isExtracting = parsed.options.some(({ name }) => name === 'i' || name === 'p' || name === 'extract');
    return isExtracting ? directoryOr(optionValues(parsed, 'D', 'directory')) : optionValues(parsed, 'FO', 'file');
  }
  const isExtracting = /^[xe]/.test(args[0]?.replace(/^-/, '') ?? '');
  return isExtracting ? directoryOr(args.flatMap((arg) => (arg.startsWith('-o') ? [arg.slice(2)] : []))) : [];
}

function directoryOr(named: readonly string[]): readonly string[] {
  return named.length === 0 ? ['.'] : named;
}
