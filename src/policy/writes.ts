// Which files a command writes to, as far as its words say: redirections, and the programs that write to a file they are given.
import type { SimpleCommand } from '../syntax/command.ts';
import { optionValues, parseArguments } from '../syntax/options.ts';
import type { OptionSpec } from '../syntax/options.ts';
import { perName } from '../syntax/per-name.ts';
import { extractedTo, tarWrites } from './archives.ts';

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
/** What stands behind one of these words, or in it behind `=`. */
const named = (...names: readonly string[]): Writes => (args) => args.flatMap((arg, index) => (names.includes(arg) ? [args[index + 1] ?? ''] : names.flatMap((name) => (arg.startsWith(`${name}=`) ? [arg.slice(name.length + 1)] : []))));
const valued = (...names: readonly string[]): Writes => (args) => args.flatMap((arg) => names.flatMap((name) => (arg.startsWith(`${name}=`) ? [arg.slice(name.length + 1)] : [])));
const both = (...writes: readonly Writes[]): Writes => (args) => writes.flatMap((one) => one(args));
const unless = (pattern: RegExp, writes: Writes): Writes => (args) => (args.some((arg) => pattern.test(arg)) ? [] : writes(args));
const given = (pattern: RegExp, writes: Writes): Writes => (args) => (args.some((arg) => pattern.test(arg)) ? writes(args) : []);

/** They put a packed file in the place of the one that they are given. */
const packing = unless(/^-[a-zA-Z\d]*[cltk]|^--(?:stdout|to-stdout|list|test|keep)/, all({ values: 'SbpT' }));
const compiler = named('-o', '--output');
const DEVICE_VALUES = 'bcdeioptx';

/** A device is written to, whatever else it is: these programs make, wipe or arrange file systems. */
const WRITERS: ReadonlyMap<string, Writes> = new Map(Object.entries<Writes>({
  tee: all(), sponge: all(), mkfifo: all({ values: 'm' }), mknod: all({ values: 'm' }), dos2unix: all(), unix2dos: all(),
  truncate: all({ values: 'sr', longValues: ['size', 'reference'] }),
  fallocate: all({ values: 'lo', longValues: ['length', 'offset'] }),
  touch: all({ values: 'drt', longValues: ['date', 'reference'] }),
  rm: all(), unlink: all(), rmdir: all(),
  mkdir: all({ values: 'm', longValues: ['mode'] }),
  mktemp: (args) => [...option('p', 'tmpdir')(args), ...all({ values: 'p' })(args)],
  dd: valued('of'), dcfldd: valued('of'), dc3dd: valued('of', 'wipe', 'hof'), ddrescue: (args) => all({ values: 'bcKimosS' })(args).slice(1, 2), 'qemu-img': (args) => (args[0] === 'convert' ? all({ values: 'fOolS' })(args).slice(-1) : args[0] === 'dd' ? valued('of')(args) : []),
  cp: destination(COPYING), gcp: destination(COPYING), install: destination(COPYING), ln: destination(COPYING),
  mv: (args) => [...destination(COPYING)(args), ...parseArguments(args, COPYING).operands.slice(0, -1)],
  rename: afterFirst(), prename: afterFirst(), uniq: (args) => all({ values: 'fsw' })(args).slice(1), split: (args) => all({ values: 'abClnt' })(args).slice(1),
  rsync: unless(/^-[a-zA-Z]*n|^--dry-run$/, destination({ values: 'efBTM', longValues: ['rsh', 'exclude', 'include', 'filter', 'files-from', 'exclude-from'] }, '')),
  scp: destination({ values: 'cFiJloPS' }, ''),
  gzip: packing, gunzip: packing, bzip2: packing, bunzip2: packing, xz: packing, unxz: packing, lzma: packing,
  sed: (args) => {
    const parsed = parseArguments(args, { values: 'ef', longValues: ['expression', 'file'] });
    const isInPlace = args.some((arg) => /^-[nEErsuz]*i/.test(arg) || /^--in/.test(arg));
    const hasScript = parsed.options.some(({ name }) => ['e', 'f', 'expression', 'file'].includes(name));
    return isInPlace ? parsed.operands.slice(hasScript ? 0 : 1) : [];
  },
  perl: given(/^-[a-z0]*i/, all({ values: 'eE' })), ruby: given(/^-[a-z0]*i/, all({ values: 'eIrCEF' })), yq: given(/^(?:-i|--inplace)$/, all()),
  patch: both(all({ values: 'iopdDBFYzg' }), option('do', 'directory', 'output')),
  find: (args) => args.flatMap((arg, index) => (/^-(?:fprint0?|fprintf|fls)$/.test(arg) ? [args[index + 1] ?? ''] : [])),
  curl: (args) => [...option('o', 'output')(args), ...option('c', 'cookie-jar')(args), ...named('--output-dir', '-D', '--dump-header', '--trace', '--trace-ascii', '--stderr')(args)],
  wget: both(option('O', 'output-document'), option('P', 'directory-prefix'), named('-o', '--output-file', '-a', '--append-output')),
  aria2c: named('-d', '--dir', '-o', '--out', '-l', '--log'),
  sort: option('o', 'output'), iconv: named('-o', '--output'), gpg: named('-o', '--output'), gpg2: named('-o', '--output'), age: named('-o', '--output'), openssl: named('-out', '-keyout'), pandoc: compiler, dot: compiler,
  gcc: compiler, 'g++': compiler, cc: compiler, 'c++': compiler, clang: compiler, 'clang++': compiler, ld: compiler, rustc: compiler, go: compiler, strace: compiler, ltrace: compiler, perf: compiler, time: compiler,
  tcpdump: named('-w'), tshark: named('-w'), dumpcap: named('-w'), logrotate: named('-s', '--state'), ntfsclone: named('-O', '--overwrite', '-o', '--output'),
  script: (args) => parseArguments(args, { values: 'cEITBm', longValues: ['command'] }).operands.slice(0, 1),
  history: (args) => (/^-[wa]$/.test(args[0] ?? '') ? args.slice(1) : []),
  git: gitWrites,
  tar: tarWrites, gtar: tarWrites, bsdtar: tarWrites, ...Object.fromEntries(['unzip', 'cpio', '7z', '7za', '7zz', 'unrar', 'ar'].map((name): [string, Writes] => [name, (args) => extractedTo(name, args)])),
  ed: all(), ex: all(),
  sgdisk: all({ values: 'ntcd' }), wipefs: given(/^-[a-z]*[ao]|^--(?:all|offset)/, all({ values: 'ot' })), scrub: all({ values: 'pbsDX' }), nwipe: all(), debugfs: given(/^-[a-z]*w/, all({ values: 'fRb' })),
  blkdiscard: all({ values: 'olp' }), mkswap: all({ values: 'LpUv' }), badblocks: given(/^-[a-z]*w/, all({ values: DEVICE_VALUES })),
  parted: given(/^(?:rm|mklabel|mktable|mkpart|resizepart|set|name)$/, all()),
  sfdisk: unless(/^(?:-l|--list|-d|--dump|-V|-s)$/, all()),
  cryptsetup: (args) => (/^(?:luksFormat|erase|luksErase|reencrypt)$/.test(args.find((arg) => !arg.startsWith('-')) ?? '') ? afterFirst()(args) : []),
  hdparm: given(/^--(?:security-erase|trim|make-bad|write)/, all()),
  nvme: (args) => (/^(?:format|sanitize|write)/.test(args[0] ?? '') ? args.slice(1) : []),
  pvcreate: all(), vgcreate: afterFirst(), zpool: (args) => (args[0] === 'create' || args[0] === 'labelclear' ? args.slice(1) : []),
}));

/** Which letters of theirs take a value differs from one file system to the next. */
const MAKES_FILE_SYSTEM = /^(?:mk(?:e2)?fs(?:\.|$)|mk(?:dos|nt|ud|exfat)fs$|mkntfs$|newfs)/;

/** How to find what a program writes to; undefined for one that is not known to write. */
const writesOf = perName((program): Writes | undefined => {
  if (MAKES_FILE_SYSTEM.test(program)) return (args) => args.filter((arg) => !arg.startsWith('-'));
  const writes = WRITERS.get(program);
  return writes === undefined ? undefined : (args) => (args.includes('--help') ? NOTHING : writes(args));
});

const NOTHING: readonly string[] = [];

/** Every path that a command writes to. */
export function writtenBy({ program, args, redirections }: SimpleCommand): readonly string[] {
  const writes = writesOf(program);
  if (redirections.length === 0) return writes?.(args) ?? NOTHING;
  const redirected = redirections.flatMap(({ operator, targets }) => (operator.includes('>') ? targets.filter((target) => !/^\d*-?$/.test(target)) : []));
  return writes === undefined ? redirected : [...redirected, ...writes(args)];
}

const FORMATTING = new Set(['mkswap', 'wipefs', 'blkdiscard', 'sgdisk', 'sfdisk', 'parted', 'cryptsetup', 'pvcreate', 'badblocks', 'nvme', 'hdparm', 'scrub', 'nwipe']);
const COPYING_BLOCKS = new Set(['dd', 'dcfldd', 'dc3dd', 'ddrescue']);

/** Whether a program makes, or wipes, a file system on what it is given. */
export function isFormatter(program: string): boolean {
  return FORMATTING.has(program) || MAKES_FILE_SYSTEM.test(program);
}

/** Whether a program copies block by block. */
export function copiesBlocks(program: string): boolean {
  return COPYING_BLOCKS.has(program);
}

/** `--output`, `-o` of format-patch and archive, a bundle, the place of a clone. */
function gitWrites(args: readonly string[]): readonly string[] {
  const at = args.indexOf('clone');
  const cloned = at < 0 ? [] : parseArguments(args.slice(at + 1), { values: 'bcjou', longValues: ['branch', 'config', 'depth', 'origin', 'reference', 'template', 'upload-pack', 'jobs', 'filter', 'separate-git-dir'] }).operands.slice(1);
  return [...madeByGit(args), ...named('--output', '--output-directory')(args), ...(args.includes('format-patch') || args.includes('archive') ? named('-o')(args) : []), ...(args.includes('bundle') ? args.slice(args.indexOf('bundle') + 2, args.indexOf('bundle') + 3) : []), ...cloned];
}

/** The directory of a new repository, or of a worktree. */
function madeByGit(args: readonly string[]): readonly string[] {
  const verb = args.findIndex((arg) => arg === 'init' || arg === 'worktree');
  if (verb < 0) return [];
  const { operands } = parseArguments(args.slice(verb + 1), { values: 'bB', longValues: ['template', 'initial-branch', 'separate-git-dir', 'object-format', 'reason'] });
  return args[verb] === 'init' ? operands.slice(0, 1) : operands[0] === 'add' ? operands.slice(1, 2) : [];
}

function baseOf(path: string): string {
  return path.slice(path.replace(/\/+$/, '').lastIndexOf('/') + 1);
}
