// What a command prints, where that can be known without running it; else where its text comes from.
import { DECODED, FROM_NETWORK, hasUnknown, PLAIN, UNKNOWN } from './marks.ts';

const NETWORK = new Set(['curl', 'wget', 'fetch', 'aria2c', 'axel', 'http', 'https', 'xh', 'httpie', 'lynx', 'links', 'w3m', 'nc', 'ncat', 'netcat', 'socat', 'telnet', 'ftp', 'lwp-request', 'GET', 'curlie', 'wget2', 'iwr', 'Invoke-WebRequest']);
const DECODERS = new Set(['base64', 'base32', 'basenc', 'xxd', 'uudecode', 'gunzip', 'zcat', 'bzcat', 'xzcat', 'zstdcat', 'lz4cat', 'bunzip2', 'unxz', 'gpg', 'gpg2', 'age', 'rev', 'tr', 'unzip', 'tar', 'uncompress', 'qrencode', 'zbarimg', 'ccrypt']);
const DECODING = /^-(?:-decode|-decompress|-decrypt|[a-z]*[dDr][a-z]*)$/;
/** Programs that print numbers or plain names. */
const PLAIN_OUTPUT = new Set(['nproc', 'id', 'uname', 'hostname', 'whoami', 'date', 'wc', 'expr', 'seq', 'getconf', 'arch', 'tput', 'pgrep', 'pidof', 'logname', 'groups', 'uuidgen', 'tty', 'lsb_release', 'dpkg-architecture', 'ulimit']);
/** `eval "$(ssh-agent -s)"` and its like: programs whose output is made to be evaluated. */
const ALWAYS_SETUP = new Set(['ssh-agent', 'dircolors', 'lesspipe', 'register-python-argcomplete', 'resize', 'keychain', 'locale', 'vivid', 'gpgconf', 'fzf', 'thefuck']);
/** They have a word for it, and do other things with others. */
const SHELL_SETUP = new Set(['direnv', 'brew', 'pyenv', 'rbenv', 'nodenv', 'goenv', 'jenv', 'opam', 'fnm', 'starship', 'zoxide', 'mise', 'asdf', 'rustup', 'gh', 'kubectl', 'helm', 'npm', 'poetry', 'luarocks', 'minikube', 'docker-machine', 'atuin', 'conda', 'mamba', 'micromamba', 'pipx', 'pip', 'pip3', 'podman', 'docker', 'nvm', 'tmux', 'stack', 'uv', 'rye', 'pdm', 'hatch', 'nerdctl', 'k3d', 'kind', 'flux', 'argocd', 'just', 'deno', 'bun', 'cargo', 'op', 'glab', 'oc', 'eksctl', 'aws_completer', 'navi', 'broot', 'mcfly', 'oh-my-posh', 'volta', 'pkgx', 'devbox', 'proto', 'rtx']);
const SETTING_UP = /^(?:completions?|gen-completions|generate-shell-completion|shell-completion|shellenv|init|virtualenv-init|hook|hook-env|env|export|activate|shell\.\w+|shell|docker-env|podman-env|path|config|show-environment|global)$/;

/** Whether a program brings text from a network. */
export function isFetcher(program: string): boolean {
  return NETWORK.has(program);
}

/** Whether a command turns text into another, so that what it was cannot be seen. */
export function isDecoder(program: string, args: readonly string[]): boolean {
  if (program === 'openssl') return args.some((arg) => arg === '-d' || arg === '-decrypt');
  if (program === 'gzip' || program === 'bzip2' || program === 'xz' || program === 'zstd') return args.some((arg) => DECODING.test(arg));
  if (program === 'base64' || program === 'base32' || program === 'basenc' || program === 'xxd') return args.some((arg) => DECODING.test(arg));
  return DECODERS.has(program);
}

/** Whether the output of a command is made to be evaluated by a shell. */
function isShellSetup(program: string, args: readonly string[]): boolean {
  return ALWAYS_SETUP.has(program) || (SHELL_SETUP.has(program) && SETTING_UP.test(args.find((arg, index) => !arg.startsWith('-') || index === args.length - 1) ?? ''));
}

/** The output of one command: its text, or the mark of where it comes from. Programs whose output is made for eval give no text, and no doubt. */
export function outputOf(argv: readonly string[], { input, directories }: { readonly input: readonly string[] | undefined; readonly directories: readonly string[] }): readonly string[] {
  const [path = '', ...args] = argv;
  const program = path.slice(path.lastIndexOf('/') + 1);
  if (args.length > 0 && isShellSetup(program, args)) return [''];
  if (program === 'echo') return [echo(args)];
  if (program === 'printf') return [printf(args)];
  if (program === 'pwd') return directories;
  if (program === 'cat' && (args.length === 0 || args[0] === '-') && input !== undefined) return input;
  if ((program === 'tee' || program === 'stdbuf') && input !== undefined) return input;
  if ((program === 'which' || program === 'type' || program === 'command') && args.length > 0 && ['-v', '-p', '-P', args[0]].includes(args[0])) {
    const name = args.at(-1);
    if (name !== undefined && !name.startsWith('-') && (program !== 'command' || args[0] === '-v')) return [name];
  }
  if (program === 'mktemp') return [mktemp(args)];
  if (isFetcher(program)) return [FROM_NETWORK];
  if (isDecoder(program, args)) return [DECODED];
  if (program === 'git' && args[0] === 'rev-parse' && !args.some((arg) => /^--(?:show|git|absolute)/.test(arg))) return [PLAIN];
  if (program === 'date' && args.some((arg) => arg.startsWith('+') && /[/ ]/.test(arg))) return [UNKNOWN];
  if (PLAIN_OUTPUT.has(program)) return [PLAIN];
  return [UNKNOWN];
}

/** Outputs as a substitution has them, without the line ends behind. */
export function trimmed(texts: readonly string[]): readonly string[] {
  return texts.map((text) => text.replace(/\n+$/, ''));
}

function mktemp(args: readonly string[]): string {
  const template = args.find((arg) => arg.includes('XXX'));
  if (template !== undefined && (args.includes('-t') || args.includes('--tmpdir'))) return `/tmp/${template.replace(/^.*\//, '')}`;
  return template ?? '/tmp/tmp.XXXXXXXXXX';
}

/** What bash's echo prints; with -e its escapes are decoded. */
function echo(args: readonly string[]): string {
  let at = 0;
  let decodes = false;
  for (; /^-[neE]+$/.test(args[at] ?? ''); at++) if (args[at]?.includes('e') === true) decodes = true;
  const text = args.slice(at).join(' ');
  return decodes ? decodeEscapes(text) : text;
}

/** What printf prints for formats of text; the others are names and numbers. */
function printf(args: readonly string[]): string {
  const rest = args[0] === '--' ? args.slice(1) : args[0] === '-v' ? args.slice(2) : args;
  const format = decodeEscapes(rest[0] ?? '');
  const values = rest.slice(1);
  let text = '';
  let at = 0;
  do {
    const before = at;
    text += format.replace(/%(?:%|[-+ 0#]*\d*(?:\.\d+)?([a-zA-Z]))/g, (whole, kind: string | undefined) => {
      if (whole === '%%') return '%';
      const value = values[at++] ?? '';
      if (kind === 's') return value;
      if (kind === 'b') return decodeEscapes(value);
      if (kind === 'q') return value;
      if (kind === 'c') return value.slice(0, 1);
      return hasUnknown(value) || value === '' ? PLAIN : value;
    });
    if (at === before) break;
  } while (at < values.length && text.length < 8192);
  return text;
}

/** The escapes of `echo -e` and printf. */
export function decodeEscapes(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(/\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|0?([0-7]{1,3})|([abefnrtv\\'"]))/g, (_, hex?: string, short?: string, long?: string, octal?: string, letter?: string) => {
    const code = hex ?? short ?? long;
    if (code !== undefined) return String.fromCodePoint(Math.min(parseInt(code, 16), 0x10FFFF));
    if (octal !== undefined) return String.fromCharCode(parseInt(octal, 8) & 255);
    return { a: '\x07', b: '\b', e: '\x1b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' }[letter ?? ''] ?? letter ?? '';
  });
}
