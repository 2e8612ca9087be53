// Rules about environment variables whose value is code: a harmless command that comes later runs it.
import type { SimpleCommand } from '../syntax/command.ts';
import { isKnown, printable, UNKNOWN } from '../syntax/marks.ts';
import type { Rule, View } from './rule.ts';

/** Whose value is a program, or code, that some other program runs; with the programs, or everything. */
const CARRIERS: ReadonlyMap<string, readonly string[] | 'any'> = new Map(Object.entries<readonly string[] | 'any'>({
  LD_PRELOAD: 'any', MAILPATH: 'any', BASH_ALIASES: 'any', BASH_CMDS: 'any', PROMPT: 'any', RPROMPT: 'any', RPS1: 'any', SPROMPT: 'any', READNULLCMD: 'any', NULLCMD: 'any', LD_AUDIT: 'any', DYLD_INSERT_LIBRARIES: 'any', GCONV_PATH: 'any', GLIBC_TUNABLES: 'any',
  BASH_ENV: ['bash', 'sh'], ENV: ['sh', 'dash', 'ksh', 'bash'], ZDOTDIR: ['zsh'], PROMPT_COMMAND: 'any', PS0: 'any', PS1: 'any', PS2: 'any', PS4: 'any', SHELLOPTS: ['bash'], BASHOPTS: ['bash'], 'BASH_FUNC_': 'any',
  GIT_SSH_COMMAND: ['git'], GIT_SSH: ['git'], GIT_PAGER: ['git'], GIT_EDITOR: ['git'], GIT_SEQUENCE_EDITOR: ['git'], GIT_ASKPASS: ['git'], GIT_EXTERNAL_DIFF: ['git'], GIT_PROXY_COMMAND: ['git'], GIT_EXEC_PATH: ['git'], GIT_TEMPLATE_DIR: ['git'], GIT_CONFIG: ['git'], GIT_CONFIG_GLOBAL: ['git'], GIT_CONFIG_SYSTEM: ['git'], GIT_CONFIG_COUNT: ['git'], GIT_CONFIG_PARAMETERS: ['git'],
  PAGER: ['git', 'man', 'systemctl', 'journalctl', 'psql', 'mysql', 'gh', 'aws', 'bat', 'perldoc', 'pydoc', 'kubectl'], MANPAGER: ['man'], MANOPT: ['man'], SYSTEMD_PAGER: ['systemctl', 'journalctl'], PSQL_PAGER: ['psql'], AWS_PAGER: ['aws'], GH_PAGER: ['gh'], BAT_PAGER: ['bat'], DELTA_PAGER: ['delta', 'git'],
  EDITOR: ['git', 'crontab', 'sudoedit', 'visudo', 'kubectl', 'fc', 'svn', 'hg', 'less'], VISUAL: ['git', 'crontab', 'sudoedit', 'fc', 'less'], FCEDIT: ['fc'], SUDO_EDITOR: ['sudo', 'sudoedit'], KUBE_EDITOR: ['kubectl'], BROWSER: ['gh', 'xdg-open', 'npm', 'python3'],
  LESSOPEN: ['less', 'man', 'git'], LESSCLOSE: ['less', 'man', 'git'], LESS: ['less', 'man', 'git'], FZF_DEFAULT_COMMAND: ['fzf'], FZF_DEFAULT_OPTS: ['fzf'], FZF_CTRL_T_COMMAND: ['fzf'], SSH_ASKPASS: ['ssh', 'git', 'ssh-add', 'scp'], SUDO_ASKPASS: ['sudo'],
  PERL5OPT: ['perl'], PERL5DB: ['perl'], PERL5LIB: ['perl'], PERLLIB: ['perl'], RUBYOPT: ['ruby', 'bundle', 'gem', 'rake'], RUBYLIB: ['ruby'], NODE_OPTIONS: ['node', 'npm', 'npx', 'yarn', 'pnpm', 'tsc'], PYTHONSTARTUP: ['python', 'python3'], PYTHONINSPECT: ['python', 'python3'], PYTHONHOME: ['python', 'python3'], PYTHONWARNINGS: ['python', 'python3'], PYTHONBREAKPOINT: ['python', 'python3'],
  JAVA_TOOL_OPTIONS: ['java', 'mvn', 'gradle', 'javac'], _JAVA_OPTIONS: ['java', 'mvn', 'gradle'], JDK_JAVA_OPTIONS: ['java'], MAVEN_OPTS: ['mvn'], PHP_INI_SCAN_DIR: ['php'], PHPRC: ['php'],
  MAKEFLAGS: ['make'], GNUMAKEFLAGS: ['make'], MAKEFILES: ['make'], CMAKE_TOOLCHAIN_FILE: ['cmake'], RUSTC_WRAPPER: ['cargo'], RUSTC: ['cargo'], CC: ['make', 'cmake', 'cargo', 'go', 'meson', 'ninja'], CXX: ['make', 'cmake', 'cargo', 'go', 'meson', 'ninja'], RUSTC_WORKSPACE_WRAPPER: ['cargo'], CARGO_BUILD_RUSTC_WRAPPER: ['cargo'], GOFLAGS: ['go'], TAR_OPTIONS: ['tar'], RSYNC_RSH: ['rsync'], CVS_RSH: ['cvs'], SVN_SSH: ['svn'], HGEDITOR: ['hg'], npm_config_script_shell: ['npm'], NPM_CONFIG_SCRIPT_SHELL: ['npm'], npm_config_node_options: ['npm'], VIMINIT: ['vim', 'vi'], EXINIT: ['vi', 'vim', 'ex'], GREP_OPTIONS: [], INPUTRC: 'any', SHELL: ['vim', 'tmux', 'script', 'make', 'ssh', 'less'], IFS: [], TERMINFO: [], XDG_CONFIG_HOME: [], WGETRC: ['wget'], CURL_HOME: ['curl'], OPENSSL_CONF: ['openssl', 'curl', 'git', 'ssh'], DOCKER_HOST: [],
}));
/** Programs that may be a pager, an editor and the like. */
const HARMLESS_PROGRAM = /^(?:(?:\/usr)?(?:\/local)?(?:\/bin\/)?(?:less|more|most|cat|bat|batcat|delta|vim?|nvim|nano|pico|emacs|emacsclient|micro|hx|helix|kak|ed|code|codium|subl|true|false|echo|open|xdg-open|firefox|chromium|ssh|sccache|ccache|none))(?:\s+(?:-[-\w=+.]*|[\w./~-]+))*$|^:?$/;

export const ENVIRONMENT_RULES: readonly Rule[] = [
  {
    id: 'code-in-environment', class: 'dangerous', reason: 'sets a variable whose value other programs run as code',
    match: (command) => setsVariables(command) && Object.keys(carriersOf(command)).length > 0,
    examples: ['BASH_ENV=/tmp/e.sh bash -c true', 'export LD_PRELOAD=/tmp/x.so', 'PAGER=./x git log', 'env GIT_SSH_COMMAND="sh x" git fetch', 'NODE_OPTIONS="--require ./x" node a.js', 'declare -x PROMPT_COMMAND="ls"', "PS1='$(id)'", 'export GIT_CONFIG_COUNT=1', "MAILPATH='/tmp/x?$(id)'", "BASH_ALIASES[ls]='id'", "LESS='+!id' less f", "CC='sh x' make", ': ${PAGER:=sh x}', "printf -v PAGER 'sh x'", 'read -r PAGER <<< "sh x"'],
    notExamples: ['PAGER=less man ls', 'export NODE_ENV=production', 'PATH="$HOME/bin:$PATH" ls', 'NODE_OPTIONS=--max-old-space-size=4096 npm test', 'EDITOR=vim git commit', "PS1='$ '", 'ENV=production npm start', 'GIT_PAGER=cat git log', 'LESS=-FRX less f', 'CC="ccache gcc -m32" make', 'CXX=clang++-17 cmake ..', ': ${EDITOR:=vim}', 'printf -v x %s y', 'read -r x', "FZF_DEFAULT_COMMAND='fd -t f' fzf"],
  },
  {
    id: 'directory-variable', class: 'dangerous', reason: 'makes PWD say something else than where the shell is, so that later commands mean other files: use cd, or another name',
    programs: ['', 'export', 'declare', 'typeset', 'readonly', 'unset'], match: ({ program, args, assignments }) => (program === 'unset' ? args.includes('PWD') : [...assignments, ...args].some((word) => /^PWD\+?=/.test(word))),
    examples: ['PWD=/usr', 'PWD=/usr; ls "$PWD/lib"', 'export PWD=/', 'declare -x PWD="$x"', 'readonly PWD=/opt', 'unset PWD'],
    notExamples: ['cd "$PWD"', 'here=$PWD', 'PWD_BEFORE=x', 'PWD=/x make', 'unset OLDPWD', 'export DIR="$PWD"', 'echo PWD=/x'],
  },
  {
    id: 'remembered-code', class: 'dangerous', reason: 'a variable that was exported in this session makes this program run code: unset it first',
    match: (command, view) => usesRemembered(command, view),
    examples: [], notExamples: [],
  },
];

/** Compilers, with flags and a cache in front. */
const COMPILER = /^(?:(?:ccache|sccache|distcc|icecc)\s+)?[\w+./-]*(?:gcc|g\+\+|clang|clang\+\+|cc|c\+\+|icx?|nvcc|rustc|zig c(?:c|\+\+)|cl(?:\.exe)?)(?:-[\d.]+)?(?:\s+-[\w=+./:,-]*)*$/;
const DECLARING = new Set(['export', 'declare', 'typeset', 'readonly', 'local', 'set', 'setenv']);

/** They give a variable a text that is only known when they run. */
const GIVING = new Set(['read', 'mapfile', 'readarray', 'getopts']);
/** Variables among their words count like those of the environment, as far as their text is known: `make CC="$CC"` hands on what is there. */
const MAKES = new Set(['make', 'gmake']);

const SETTING = new Set([...DECLARING, ...GIVING, ...MAKES]);

/** Whether a command sets variables at all. */
export function setsVariables({ assignments, program, args }: SimpleCommand): boolean {
  return assignments.length > 0 || SETTING.has(program) || (program === 'printf' && args[0] === '-v');
}

/** Variables with code that a command sets, for itself or for later. */
export function carriersOf(command: SimpleCommand): Readonly<Record<string, string>> {
  return Object.fromEntries(assignmentsOf(command).flatMap(([name, value]) => (isCarrier(name) && !isHarmless(name, value) ? [[name, printable(value)]] : [])));
}

/** What variables a command gives which values. */
export function assignmentsOf(command: SimpleCommand): readonly (readonly [name: string, value: string])[] {
  const texts = [...command.assignments, ...(DECLARING.has(command.program) ? command.args.filter((arg) => /^\w+\+?=/.test(arg)) : []), ...(MAKES.has(command.program) ? command.args.filter((arg) => /^\w+=/.test(arg) && isKnown(arg)) : [])];
  if ((command.program === 'set' || command.program === 'setenv') && command.args.length >= 2) {
    const words = command.args.filter((arg) => !arg.startsWith('-'));
    texts.push(`${words[0] ?? ''}=${words.slice(1).join(' ')}`);
  }
  // to give the reference a value is to give it to the other name
  if (DECLARING.has(command.program) && command.args.some((arg) => /^-[a-zA-Z]*n/.test(arg))) texts.push(...texts.map((text) => `${text.slice(text.indexOf('=') + 1)}=${UNKNOWN}`));
  if (GIVING.has(command.program)) texts.push(...command.args.filter((arg) => /^[A-Z]\w*$/.test(arg)).map((name) => `${name}=${UNKNOWN}`));
  if (command.program === 'printf' && command.args[0] === '-v') texts.push(`${command.args[1] ?? ''}=${command.args.slice(command.args.length > 3 ? 3 : 2).join(' ')}`);
  return texts.map((text) => {
    const at = text.indexOf('=');
    return [text.slice(0, at).replace(/\+$/, ''), text.slice(at + 1)];
  });
}

function isCarrier(name: string): boolean {
  return CARRIERS.has(name) || /^(?:GIT_CONFIG_(?:KEY|VALUE)_\d+|BASH_FUNC_.*|LD_AUDIT|npm_config_(?:shell|editor|git|script.shell)|CARGO_TARGET_\w+_(?:RUNNER|LINKER))$/.test(name);
}

/** Of the variables with code those that an interactive shell runs by itself, with its first prompt or its first program. */
export function codeForShells(environment: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(environment).filter(([name, value]) => isCarrier(name) && !isHarmless(name, value) && isForShells(CARRIERS.get(name))).map(([name]) => name);
}

function isForShells(users: readonly string[] | 'any' | undefined): boolean {
  return users === undefined || users === 'any' || users.includes('bash') || users.includes('zsh');
}

/** Whether the value of a variable runs nothing that is new. */
function isHarmless(name: string, value: string): boolean {
  if (value === '') return true;
  switch (name) {
    case 'MAILPATH': return isKnown(value) && !/\$\(|`/.test(value);
    case 'LESS': return isKnown(value) && !/!|--?lesskey/.test(value);
    case 'FZF_DEFAULT_OPTS': return isKnown(value) && !/--bind|execute|become|--preview(?![=\s]+['"]?(?:cat|bat|batcat|head|ls|tree|file)\b[^;|&`$]*$)/.test(value);
    case 'FZF_DEFAULT_COMMAND': case 'FZF_CTRL_T_COMMAND': return isKnown(value) && /^(?:fd|fdfind|rg|find|git ls-files|ls|ag|locate)\b[^;|&`$()]*$/.test(value) && !/-(?:exec|delete|[xX]\b|-pre)/.test(value);
    case 'CC': case 'CXX': case 'RUSTC': return isKnown(value) && COMPILER.test(value);
    case 'PROMPT': case 'RPROMPT': case 'RPS1': case 'SPROMPT': case 'PS0': case 'PS1': case 'PS2': case 'PS4': return isKnown(value) && !/\$\(|`|\$\{[^}]*[@(]/.test(value);
    case 'ENV': return isKnown(value) && !value.includes('/');
    case 'NODE_OPTIONS': return isKnown(value) && !/(?:^|\s)(?:-r|--require|--import|--(?:experimental-)?loader|--eval|-e|--inspect\S*|--env-file\S*|--openssl-config)/.test(value);
    case 'MAKEFLAGS': case 'GNUMAKEFLAGS': return !/--eval|SHELL|-f|--file|-C/.test(value) && !/[\uFDD0-\uFDD3]/.test(value);
    case 'JAVA_TOOL_OPTIONS': case '_JAVA_OPTIONS': case 'JDK_JAVA_OPTIONS': case 'MAVEN_OPTS': return isKnown(value) && !/-(?:javaagent|agentlib|agentpath|XX:OnError|XX:OnOutOfMemory)/i.test(value);
    case 'GOFLAGS': return isKnown(value) && !/exec/.test(value);
    case 'PERL5LIB': case 'PERLLIB': case 'RUBYLIB': case 'PYTHONWARNINGS': case 'TERMINFO': case 'XDG_CONFIG_HOME': case 'DOCKER_HOST': case 'IFS': case 'GREP_OPTIONS': case 'OPENSSL_CONF': return true;
    case 'PERL5OPT': case 'RUBYOPT': return /^-[wW]\w*$/.test(value);
    case 'GIT_CONFIG_GLOBAL': case 'GIT_CONFIG_SYSTEM': case 'GIT_CONFIG': return value === '/dev/null';
    case 'PYTHONBREAKPOINT': return value === '0';
    case 'PYTHONINSPECT': return value === '1';
    case 'SHELL': return /^(?:\/usr|\/bin|\/opt|\/local)*\/?(?:bin\/)?(?:ba|z|da|fi|k)?sh$/.test(value);
    case 'TAR_OPTIONS': return !/checkpoint|command|program|-I|-F/.test(value);
    default: return isKnown(value) && HARMLESS_PROGRAM.test(value) && !/ssh.*-o|ProxyCommand/i.test(value);
  }
}

function usesRemembered({ program }: SimpleCommand, { remembered }: View): boolean {
  if (remembered.length === 0 || program === '' || program === 'unset' || program === 'export') return false;
  return remembered.some((name) => {
    const users = CARRIERS.get(name) ?? 'any';
    return users === 'any' || users.includes(program);
  });
}
