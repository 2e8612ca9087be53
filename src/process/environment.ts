// The environment that children get: the server's own, without what the program that started the server put there for it.
import { userInfo } from 'node:os';

/** Of the server itself: a shellkeep inside a shellkeep is configured anew, and secrets in settings stay here. */
const OWN = /^SHELLKEEP_/;

/** What npm, npx, yarn and pnpm add for the script they run; only known to be theirs when one of them started us. */
const PACKAGE_MANAGER = /^(npm_.*|NODE_OPTIONS|NODE_ENV|NODE|INIT_CWD|PROJECT_CWD|BERRY_BIN_FOLDER|PNPM_SCRIPT_SRC_DIR|COLOR)$/;

/** Says how the launcher runs node, not how the user does. An editor built on Electron starts its servers with it. */
const LAUNCHER = /^(ELECTRON_RUN_AS_NODE|ELECTRON_NO_ATTACH_CONSOLE)$/;

/** Changes what a shell or grep does with any command, or prints into its output. */
const SHELL_BEHAVIOUR = /^(SHELLOPTS|BASHOPTS|BASH_ENV|ENV|BASH_XTRACEFD|PS[0-4]|PROMPT_COMMAND|CDPATH|GLOBIGNORE|GREP_OPTIONS|TMOUT)$/;

/** Of the shell that started us. */
const SHELL_STATE = /^(_|SHLVL|OLDPWD|PWD)$/;

/** Describes the terminal that started us; ours are others. */
const TERMINAL =
  /^(TERM|TERMCAP|COLORTERM|COLUMNS|LINES|WINDOWID|TMUX|TMUX_PANE|STY|WINDOW|INSIDE_EMACS|VTE_VERSION|GPG_TTY|SSH_TTY|TERM_(PROGRAM|PROGRAM_VERSION|SESSION_ID)|LC_TERMINAL(_VERSION)?|(ITERM|KITTY|WEZTERM|ALACRITTY|KONSOLE|GHOSTTY|ZELLIJ|VSCODE_INJECTION|VSCODE_SHELL)(_.*)?)$/;

/** Pagers, editors and questions would wait for a person. `true` leaves the text that was to be edited as it is. */
const QUIET: Readonly<Record<string, string>> = {
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  MANPAGER: 'cat',
  SYSTEMD_PAGER: 'cat',
  PSQL_PAGER: 'cat',
  GH_PAGER: 'cat',
  AWS_PAGER: 'cat',
  BAT_PAGER: 'cat',
  EDITOR: 'true',
  VISUAL: 'true',
  GIT_EDITOR: 'true',
  GIT_SEQUENCE_EDITOR: 'true',
  GIT_TERMINAL_PROMPT: '0',
  DEBIAN_FRONTEND: 'noninteractive',
  PIP_NO_INPUT: '1',
};

const DEFAULT_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** For runs and tasks. `quiet` silences pagers, editors and questions; what a user's rc files set later wins. */
export function baseEnvironment(source: NodeJS.ProcessEnv, options: { quiet: boolean }): Record<string, string> {
  const inherited: Record<string, string> = {};
  for (const [name, value] of Object.entries(source)) {
    if (value !== undefined && !isForeign(name, source)) inherited[name] = value;
  }
  return { ...inherited, ...essentials(source), TERM: 'dumb', ...(options.quiet ? QUIET : {}) };
}

/** For sessions: a terminal that can do what ours can. */
export function terminalEnvironment(base: Readonly<Record<string, string>>): Record<string, string> {
  // fish 4 asks the terminal who it is at every start and waits up to 10 s for an answer
  const features = base['fish_features'];
  const fishFeatures = features === undefined || features === '' ? 'no-query-term' : `${features},no-query-term`;
  return { ...base, TERM: 'xterm-256color', TERM_PROGRAM: 'shellkeep', fish_features: fishFeatures };
}

function isForeign(name: string, source: NodeJS.ProcessEnv): boolean {
  if (isFromPackageManager(source) && PACKAGE_MANAGER.test(name)) return true;
  return [OWN, LAUNCHER, SHELL_BEHAVIOUR, SHELL_STATE, TERMINAL].some((pattern) => pattern.test(name));
}

function isFromPackageManager(source: NodeJS.ProcessEnv): boolean {
  return source['npm_lifecycle_event'] !== undefined || source['npm_execpath'] !== undefined;
}

/** What a desktop program or `env -i` leaves out and every program relies on. */
function essentials(source: NodeJS.ProcessEnv): Record<string, string> {
  const found: Record<string, string> = { PATH: searchPath(source) };
  if (!source['HOME']) found['HOME'] = userInfo().homedir;
  if (!source['LC_ALL'] && !source['LC_CTYPE'] && !source['LANG']) {
    // without a locale, programs take every byte above 127 for an error; macOS has no C.UTF-8
    found[process.platform === 'darwin' ? 'LC_CTYPE' : 'LANG'] = process.platform === 'darwin' ? 'UTF-8' : 'C.UTF-8';
  }
  return found;
}

/** The search path without the folders that a package manager put in front for its script. */
function searchPath(source: NodeJS.ProcessEnv): string {
  const entries = (source['PATH'] || DEFAULT_PATH).split(':');
  if (!isFromPackageManager(source)) return entries.join(':');
  const own = entries.findIndex((entry) => !/\/(node_modules\/\.bin|node-gyp-bin)$/.test(entry));
  return own === -1 ? DEFAULT_PATH : entries.slice(own).join(':');
}
