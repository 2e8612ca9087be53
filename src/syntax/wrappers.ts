// Programs that run the command in their own arguments, as data: how to find where it begins.
import { parseArguments } from './options.ts';
import type { OptionSpec } from './options.ts';

interface Wrapper extends OptionSpec {
  /** How many operands of its own come before the command. */
  readonly operands?: number;
  /** An operand like this may come before the command. */
  readonly leading?: RegExp;
  /** With one of these options it runs nothing. */
  readonly unless?: string;
  /** Takes NAME=value in front of the command. */
  readonly assigns?: boolean;
  /** The command runs with other files. */
  readonly contained?: boolean;
}

const WRAPPERS: ReadonlyMap<string, Wrapper> = new Map(Object.entries<Omit<Wrapper, 'stopsAtOperand'>>({
  command: { unless: 'vV' },
  builtin: {},
  exec: { values: 'a' },
  env: { values: 'uCS', longValues: ['unset', 'chdir', 'split-string'], assigns: true },
  nohup: {},
  setsid: {},
  time: { values: 'fo', longValues: ['format', 'output'] },
  nice: { values: 'n', longValues: ['adjustment'] },
  ionice: { values: 'cnpPu', longValues: ['class', 'classdata', 'pid'] },
  chrt: { values: 'TPD', longValues: ['sched-runtime', 'sched-period', 'sched-deadline'], operands: 1, unless: 'p' },
  taskset: { operands: 1, unless: 'p' },
  stdbuf: { values: 'ioe', longValues: ['input', 'output', 'error'] },
  timeout: { values: 'ks', longValues: ['kill-after', 'signal'], operands: 1 },
  gtimeout: { values: 'ks', longValues: ['kill-after', 'signal'], operands: 1 },
  strace: { values: 'aeEIoOpPsSuUbX', longValues: ['output', 'trace', 'attach', 'user'] },
  ltrace: { values: 'aeloNpsunFxDA' },
  busybox: {},
  toybox: {},
  sudo: { values: 'ughpCrtTUDR', longValues: ['user', 'group', 'host', 'prompt', 'chdir', 'chroot', 'role', 'type', 'command-timeout', 'other-user', 'close-from'], assigns: true, unless: 'elvkK' },
  doas: { values: 'uCa' },
  pkexec: { longValues: ['user'] },
  run0: { longValues: ['user', 'unit', 'property', 'chdir', 'setenv'] },
  runuser: { values: 'ugG', longValues: ['user', 'group'] },
  gosu: { operands: 1 },
  'su-exec': { operands: 1 },
  setpriv: { longValues: ['reuid', 'regid', 'groups', 'inh-caps', 'bounding-set', 'pdeathsig'] },
  chroot: { longValues: ['userspec', 'groups'], operands: 1 },
  nsenter: { values: 'tSG', longValues: ['target', 'setuid', 'setgid'] },
  unshare: { values: 'SGRw', longValues: ['setuid', 'setgid', 'root', 'wd'] },
  'systemd-run': { values: 'pHMuEMt', longValues: ['unit', 'property', 'description', 'slice', 'uid', 'gid', 'nice', 'working-directory', 'setenv', 'on-active', 'on-boot', 'on-calendar', 'on-startup', 'host', 'machine', 'timer-property', 'service-type'] },
  'systemd-inhibit': { longValues: ['what', 'who', 'why', 'mode'] },
  caffeinate: { values: 'tw' },
  'dbus-run-session': { longValues: ['config-file'] },
  'xvfb-run': { values: 'efnpsw', longValues: ['server-args', 'server-num'] },
  fakeroot: { values: 'lsib' },
  proot: { values: 'rbqkw', contained: true },
  firejail: {},
  prlimit: { values: 'po', longValues: ['pid', 'output'] },
  numactl: { values: 'iNCmp' },
  valgrind: {},
  rlwrap: { values: 'abcCDfgHHlmMOpPqrsStTwz' },
  unbuffer: {},
  catchsegv: {},
  ccache: {},
  'aws-vault': { operands: 2 },
  dotenv: { values: 'efv' },
  'cross-env': { assigns: true },
  npx: { values: 'pc', longValues: ['package', 'call'] },
  pnpx: {},
  bunx: {},
  setarch: { leading: /^(?:linux\d\d|i\d86|x86_64|aarch64|arm\w*|ppc\w*|s390\w*|mips\w*|riscv\w*|uname26)$/ },
  'ld.so': { longValues: ['library-path', 'argv0', 'preload', 'audit'] },
  linux32: {}, linux64: {}, i386: {}, x86_64: {}, uname26: {},
  'ssh-agent': { values: 'aEOPt', unless: 'kD' },
  'dbus-launch': { longValues: ['autolaunch', 'config-file'] },
  openvt: { values: 'c' },
  setlock: { operands: 1 }, softlimit: { values: 'acdflmoprst' }, envdir: { operands: 1 }, envuidgid: { operands: 1 }, 'with-lock-ex': { operands: 1 }, 'lckdo': { operands: 1 }, lockf: { values: 't', operands: 1 },
  chpst: { values: 'uUbe/nmodfcr' }, setuidgid: { operands: 1 }, 's6-setuidgid': { operands: 1 },
  daemonize: { values: 'acelopuE' }, daemon: { values: 'nuUCLFPDmDAlEoO' },
  'dumb-init': { values: 'r', longValues: ['rewrite'] }, tini: { values: 'pe' }, catatonit: { values: 'P' },
  'systemd-cat': { values: 'tp', longValues: ['identifier', 'priority', 'stderr-priority', 'level-prefix'] },
  torsocks: { values: 'uPap' }, torify: {}, tsocks: {}, proxychains: { values: 'f' }, proxychains4: { values: 'f' }, trickle: { values: 'udwLtlnp' },
  cpulimit: { values: 'lepP', longValues: ['limit', 'exe', 'pid', 'path'] }, cgexec: { values: 'g' }, runcon: { values: 'turl', longValues: ['type', 'user', 'role', 'range'] }, 'aa-exec': { values: 'pn', longValues: ['profile', 'namespace'] },
  dtach: { values: 'AcnaerpE' }, abduco: { values: 'AcnaelE' }, viddy: { values: 'nq' },
  logsave: { operands: 1 }, heaptrack: {}, kcov: { operands: 1 }, gtime: { values: 'fo', longValues: ['format', 'output'] },
  wsl: { values: 'du', longValues: ['distribution', 'user', 'cd', 'shell-type'] },
  'env-cmd': { values: 'fre' }, watchexec: { values: 'ewifdso', longValues: ['exts', 'watch', 'ignore', 'filter', 'debounce', 'shell', 'signal', 'on-busy-update', 'workdir', 'project-origin', 'emit-events-to', 'delay-run'] },
  sshpass: { values: 'fdpP' },
  'sudo-rs': { values: 'ughpCrtTUDR', assigns: true }, please: { values: 'adtu' }, dzdo: { values: 'ugp', assigns: true }, pfexec: { values: 'P' }, kdesu: { values: 'cu' }, gksudo: { values: 'u' }, gksu: { values: 'u' },
  eatmydata: {},
  'debconf-apt-progress': { longValues: ['from', 'to', 'config', 'start', 'stop', 'logfile', 'logstderr', 'dlwaypoints'] },
  'fstab-decode': {},
  chronic: {},
  ts: {},
  // words of fish in front of a command, seen here when there is no tree of it
  and: {},
  or: {},
  not: {},
  begin: {},
  // zsh's precommand modifiers
  noglob: {},
  nocorrect: {},
  '-': {},
}).map(([program, wrapper]) => [program, { ...wrapper, stopsAtOperand: true }]));

export interface Unwrapped {
  readonly argv: readonly string[];
  readonly assignments: readonly string[];
  readonly contained: boolean;
}

/** The command that a wrapper runs, or undefined when it is none, or runs nothing. */
export function unwrapArguments(program: string, args: readonly string[]): Unwrapped | undefined {
  const wrapper = WRAPPERS.get(program);
  if (wrapper === undefined) return undefined;
  const parsed = parseArguments(args, wrapper);
  if (wrapper.unless !== undefined && parsed.options.some(({ name }) => name.length === 1 && wrapper.unless?.includes(name) === true)) return undefined;
  const isLed = wrapper.leading?.test(parsed.operands[0] ?? '') === true;
  let rest = parsed.operands.slice((wrapper.operands ?? 0) + (isLed ? 1 : 0));
  // taskset -c LIST and chrt take their operand in front of the command, whichever options there are
  const assignments: string[] = [];
  if (wrapper.assigns === true) {
    while (/^[A-Za-z_][\w%]*=/.test(rest[0] ?? '')) {
      assignments.push(rest[0] ?? '');
      rest = rest.slice(1);
    }
  }
  return { argv: rest[0] === '--' ? rest.slice(1) : rest, assignments, contained: wrapper.contained === true };
}

/** Whether a program runs the command in its arguments. */
export function isWrapper(program: string): boolean {
  return WRAPPERS.has(program);
}
