// Commands that run on another machine, in a container, or in another terminal.
import type { Inner } from './inner.ts';
import { optionValues, parseArguments } from './options.ts';
import type { OptionSpec } from './options.ts';

const SSH: OptionSpec = { values: 'BbcDEeFIiJLlmOopQRSWw', stopsAtOperand: true };
const SSH_COMMAND = /^\s*(?:ProxyCommand|LocalCommand|KnownHostsCommand|RemoteCommand)[ =](.*)$/is;

/** What ssh and its kin run there, and what they run here to get there; options may stand on both sides of the host. */
export function ssh(args: readonly string[]): Inner[] {
  const before = parseArguments(args, SSH);
  const [host, ...rest] = before.operands;
  const behind = parseArguments(host === undefined ? [] : rest, SSH);
  const local = [...optionValues(before, 'o'), ...optionValues(behind, 'o')].flatMap((value) => SSH_COMMAND.exec(value)?.[1] ?? []);
  const remote: Inner = behind.operands.length > 0 ? code(behind.operands.join(' '), 'ssh') : { kind: 'input', language: 'ssh' };
  return [...local.map((text) => code(text, 'ssh -o')), remote];
}

/** scp and sftp take the same options. */
export function copying(args: readonly string[]): Inner[] {
  return optionValues(parseArguments(args, { values: 'cDFiJloPSsX' }), 'o').flatMap((value) => SSH_COMMAND.exec(value)?.[1] ?? []).map((text) => code(text, 'scp -o'));
}

/** `mosh host -- command`. */
export function mosh(args: readonly string[]): Inner[] {
  const [, ...remote] = parseArguments(args, { longValues: ['ssh', 'port', 'server', 'client', 'predict', 'family'], values: 'pP', stopsAtOperand: true }).operands;
  const words = remote[0] === '--' ? remote.slice(1) : remote;
  return words.length === 0 ? [] : [code(words.join(' '), 'mosh')];
}

/** Options of `docker run` and `docker exec` that take a value. */
export const CONTAINER: OptionSpec = { values: 'evuwplhmc', longValues: ['env', 'user', 'workdir', 'volume', 'publish', 'name', 'network', 'entrypoint', 'mount', 'platform', 'env-file', 'label', 'memory', 'cpus', 'gpus', 'hostname', 'add-host', 'cap-add', 'cap-drop', 'device', 'ulimit', 'restart', 'pull', 'detach-keys', 'pid', 'ipc', 'uts', 'userns', 'security-opt', 'shm-size', 'tmpfs', 'volumes-from', 'dns', 'log-driver', 'log-opt', 'stop-signal', 'index'], stopsAtOperand: true };

/** The arguments of `docker run`, `docker exec` and their kin, behind that word; undefined when there is none. */
export function containerArguments(args: readonly string[]): readonly string[] | undefined {
  const at = args.findIndex((arg) => arg === 'exec' || arg === 'run' || arg === 'create');
  return at < 0 ? undefined : args.slice(at + 1);
}

export function containers(args: readonly string[]): Inner[] {
  const rest = parseArguments(containerArguments(args) ?? [], CONTAINER).operands.slice(1);
  return rest.length === 0 || args.includes('create') ? [] : [{ kind: 'argv', argv: rest, contained: true }];
}

/** `kubectl exec pod -- command`, `oc exec`, `lxc exec`. */
export function afterDashes(args: readonly string[]): Inner[] {
  const at = args.indexOf('--');
  return args.includes('exec') && at >= 0 ? [{ kind: 'argv', argv: args.slice(at + 1), contained: true }] : [];
}

/** `vagrant ssh -c command`, `gcloud compute ssh host --command command`. */
export function sshInside(args: readonly string[]): Inner[] {
  return args.includes('ssh') ? optionValues(parseArguments(args, { values: 'c', longValues: ['command'] }), 'c', 'command').map((text) => code(text, 'ssh')) : [];
}

/** ansible's modules that run what they are given; one that is not named is such a module. */
export function ansible(args: readonly string[]): Inner[] {
  const parsed = parseArguments(args, { values: 'aBbefiIlmMPtuU', longValues: ['args', 'module-name', 'inventory', 'limit', 'user'] });
  const [module = 'command'] = optionValues(parsed, 'm', 'module-name');
  return /(?:^|\.)(?:command|shell|raw|script)$/.test(module) ? optionValues(parsed, 'a', 'args').map((text) => code(text, 'ansible')) : [];
}

/** `salt target cmd.run command`. */
export function salt(args: readonly string[]): Inner[] {
  const at = args.findIndex((arg) => /^cmd\.\w+$/.test(arg));
  return words(at < 0 ? [] : args.slice(at + 1), 'salt');
}

/** `pdsh -w hosts command`, which is in the operands. */
export function manyHosts(args: readonly string[]): Inner[] {
  return words(parseArguments(args, { values: 'wxgflotuhHpP', longValues: ['hosts', 'host', 'user', 'timeout', 'par', 'outdir', 'errdir'], stopsAtOperand: true }).operands, 'pdsh');
}

/** `distrobox enter box -- command`: the home directory is the same in there. */
export function sharedBox(args: readonly string[]): Inner[] {
  const at = args.indexOf('--');
  return at < 0 ? [] : [{ kind: 'argv', argv: args.slice(at + 1) }];
}

/** The command that a terminal is opened for: behind -e and its like, or all operands. */
export function terminal(args: readonly string[]): Inner[] {
  const at = args.findIndex((arg) => /^(?:-e|-x|--|--command|--execute|-E)$/.test(arg));
  const [, given] = /^--(?:command|execute)=([^]*)$/.exec(args.find((arg) => /^--(?:command|execute)=/.test(arg)) ?? '') ?? [];
  if (given !== undefined) return [code(given, 'terminal')];
  return words(at < 0 ? [] : args.slice(at + 1), 'terminal');
}

/** kitty and foot take the command as it is. */
export function plainTerminal(args: readonly string[]): Inner[] {
  const { operands } = parseArguments(args, { values: 'cdoTatfwLW', longValues: ['config', 'override', 'title', 'directory', 'class', 'name', 'session', 'app-id', 'font', 'working-directory'], stopsAtOperand: true });
  return operands[0] === '@' || operands[0]?.startsWith('+') === true ? [] : words(operands, 'terminal');
}

export function screen(args: readonly string[]): Inner[] {
  if (args.some((arg) => /^-(?:[a-zA-Z]*X|ls|list|[a-zA-Z]*[rxR])$/.test(arg))) return [];
  return words(parseArguments(args, { values: 'cehpsStT', stopsAtOperand: true }).operands, 'screen');
}

/** Those commands of tmux that run another one, and their options with a value. */
const TMUX: ReadonlyMap<string, string> = new Map(Object.entries<string>({
  'new-session': 'cefFnstxy', new: 'cefFnstxy', 'new-window': 'ceFnt', neww: 'ceFnt', 'split-window': 'ceFlpt', splitw: 'ceFlpt', 'respawn-pane': 'cet', respawnp: 'cet', 'respawn-window': 'cet', respawnw: 'cet',
  'display-popup': 'bcdehsStTwxy', popup: 'bcdehsStTwxy', 'run-shell': 'cdt', run: 'cdt', 'if-shell': 't', if: 't', 'pipe-pane': 't', pipep: 't',
}));

export function tmux(args: readonly string[]): Inner[] {
  const parsed = parseArguments(args, { values: 'cfLST', stopsAtOperand: true });
  const commands = parsed.operands.join('\0').split(/\0?;(?:\0|$)/).map((part) => part.split('\0'));
  const inner = commands.flatMap(([verb = '', ...rest]) => (TMUX.has(verb) ? words(parseArguments(rest, { values: TMUX.get(verb) ?? '', stopsAtOperand: true }).operands, `tmux ${verb}`) : []));
  return [...optionValues(parsed, 'c').map((text) => code(text, 'tmux -c')), ...inner];
}

/** One word is code for a shell, several are a command. */
function words(argv: readonly string[], name: string): Inner[] {
  const [only, ...more] = argv;
  if (only === undefined) return [];
  return more.length === 0 ? [code(only, name)] : [{ kind: 'argv', argv }];
}

function code(text: string, name: string): Inner {
  return { kind: 'code', code: text, name, isProcess: true };
}
