// Which files a command writes to, as far as its words say: redirections, and the programs that write to a file they are given.
import type { SimpleCommand } from '../syntax/command.ts';
import { optionValues, parseArguments } from '../syntax/options.ts';
import type { OptionSpec } from '../syntax/options.ts';

type Writes = (args: readonly string[]) => readonly string[];

const all = (spec: OptionSpec = {}): Writes => (args) => parseArguments(args, spec).operands;
const afterFirst = (spec: OptionSpec = {}): Writes => (args) => parseArguments(args, spec).operands.slice(1);

/** The last operand, or the directory of -t with each file's name in it. */
const destination = (spec: OptionSpec, letters = 't'): Writes => (args) => {
  const parsed = parseArguments(args, spec);
  const [directory] = optionValues(parsed, letters, 'target-directory');
  if (directory !== undefined) return parsed.operands.map((path) => `${directory}/${baseOf(path)}`);
  const last = parsed.operands.at(-1);
  if (last === undefined || parsed.operands.length < 2) return [];
  return [last, ...parsed.operands.slice(0, -1).map((path) => `${last}/${baseOf(path)}`)];
};
const COPYING: OptionSpec = { values: 'tSgmo', longValues: ['target-directory', 'suffix', 'group', 'mode', 'owner'] };
const option = (letters: string, ...names: readonly string[]): Writes => (args) => optionValues(parseArguments(args, { values: letters, longValues: names }), letters, ...names);

/** A device is written to, whatever else it is: these programs make, wipe or arrange file systems. */
const WRITERS: Readonly<Record<string, Writes>> = {
  tee: all(),
  sponge: all(),
  truncate: all({ values: 'sr', longValues: ['size', 'reference'] }),
  touch: all({ values: 'drt', longValues: ['date', 'reference'] }),
  rm: all(), unlink: all(), rmdir: all(),
  mkdir: all({ values: 'm', longValues: ['mode'] }),
  dd: (args) => args.flatMap((arg) => (arg.startsWith('of=') ? [arg.slice(3)] : [])),
  cp: destination(COPYING), gcp: destination(COPYING), install: destination(COPYING), ln: destination(COPYING),
  mv: (args) => [...destination(COPYING)(args), ...parseArguments(args, COPYING).operands.slice(0, -1)],
  rsync: (args) => (args.some((arg) => /^-[a-zA-Z]*n|^--dry-run$/.test(arg)) ? [] : destination({ values: 'efBTM', longValues: ['rsh', 'exclude', 'include', 'filter', 'files-from', 'exclude-from'] }, '')(args)),
  scp: destination({ values: 'cFiJloPS' }, ''),
  sed: (args) => {
    const parsed = parseArguments(args, { values: 'ef', longValues: ['expression', 'file'] });
    const isInPlace = args.some((arg) => /^-[nEErsuz]*i/.test(arg) || /^--in/.test(arg));
    const hasScript = parsed.options.some(({ name }) => ['e', 'f', 'expression', 'file'].includes(name));
    return isInPlace ? parsed.operands.slice(hasScript ? 0 : 1) : [];
  },
  perl: (args) => (args.some((arg) => /^-[a-z0]*i/.test(arg)) ? parseArguments(args, { values: 'eE' }).operands : []),
  patch: all({ values: 'iopdDBFYzg' }),
  find: (args) => args.flatMap((arg, index) => (/^-(?:fprint0?|fprintf|fls)$/.test(arg) ? [args[index + 1] ?? ''] : [])),
  curl: (args) => [...option('o', 'output')(args), ...option('c', 'cookie-jar')(args)],
  wget: option('O', 'output-document'),
  sort: option('o', 'output'),
  git: (args) => args.flatMap((arg) => (arg.startsWith('--output=') ? [arg.slice(9)] : [])),
  tar: (args) => {
    const isExtracting = /^-?[a-zA-Z]*x/.test(args[0] ?? '') || args.some((arg) => arg === '--extract' || arg === '--get' || /^-[a-zA-Z]*x/.test(arg));
    const place = option('C', 'directory')(args);
    if (isExtracting) return place;
    return args.flatMap((arg, index) => (/^-?[a-zA-Z]*c[a-zA-Z]*f$/.test(arg) ? [args[index + 1] ?? ''] : []));
  },
  unzip: option('d'),
  ed: all(), ex: all(),
  sgdisk: all({ values: 'ntcd' }), wipefs: (args) => (args.some((arg) => /^-[a-z]*[ao]|^--(?:all|offset)/.test(arg)) ? all({ values: 'ot' })(args) : []),
  blkdiscard: all({ values: 'olp' }), mkswap: all({ values: 'LpUv' }), badblocks: (args) => (args.some((arg) => /^-[a-z]*w/.test(arg)) ? all({ values: 'bcdeioptx' })(args) : []),
  parted: (args) => (args.some((arg) => /^(?:rm|mklabel|mktable|mkpart|resizepart|set|name)$/.test(arg)) ? all()(args) : []),
  sfdisk: (args) => (args.some((arg) => /^(?:-l|--list|-d|--dump|-V|-s)$/.test(arg)) ? [] : all()(args)),
  cryptsetup: (args) => (/^(?:luksFormat|erase|luksErase|reencrypt)$/.test(args.find((arg) => !arg.startsWith('-')) ?? '') ? afterFirst()(args) : []),
  hdparm: (args) => (args.some((arg) => /^--(?:security-erase|trim|make-bad|write)/.test(arg)) ? all()(args) : []),
  nvme: (args) => (/^(?:format|sanitize|write)/.test(args[0] ?? '') ? args.slice(1) : []),
  pvcreate: all(), vgcreate: afterFirst(), zpool: (args) => (args[0] === 'create' || args[0] === 'labelclear' ? args.slice(1) : []),
};

/** Every path that a command writes to. */
export function writtenBy(command: SimpleCommand): readonly string[] {
  const redirected = command.redirections.length === 0 ? [] : command.redirections.flatMap(({ operator, targets }) => (operator.includes('>') ? targets.filter((target) => !/^\d*-?$/.test(target)) : []));
  if (/^mk(?:e2)?fs(?:\.|$)/.test(command.program)) return [...redirected, ...command.args.filter((arg) => !arg.startsWith('-'))]; // which letters take a value differs from one file system to the next
  const writes = Object.hasOwn(WRITERS, command.program) ? WRITERS[command.program] : undefined;
  return writes === undefined || command.args.includes('--help') ? redirected : [...redirected, ...writes(command.args)];
}

const FORMATTING = new Set(['mke2fs', 'mkswap', 'wipefs', 'blkdiscard', 'sgdisk', 'sfdisk', 'parted', 'cryptsetup', 'pvcreate', 'badblocks', 'nvme', 'hdparm']);

/** Whether a command would make, or wipe, a file system on what it is given. */
export function isFormatting({ program }: SimpleCommand): boolean {
  return FORMATTING.has(program) || program.startsWith('mkfs');
}

function baseOf(path: string): string {
  return path.slice(path.replace(/\/+$/, '').lastIndexOf('/') + 1);
}
