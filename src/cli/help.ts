// What --help prints; the list of settings follows from their table.
import { flagOf } from '../config/load.ts';
import { schemaOf, SETTING_KEYS, SETTINGS, TABLES, type SettingKey } from '../config/schema.ts';

const USAGE = `shellkeep: real shells that stay alive, for agents, over the Model Context Protocol

  shellkeep [stdio]            serve one MCP client on standard input and output; all ends with it
  shellkeep connect            the same through the server in the background, where shells stay; starts it if need be
  shellkeep serve              the server for many clients: HTTP on this machine, and a Unix socket
  shellkeep stop               end the server that runs, with all that was started in it
  shellkeep token add NAME     make a token for HTTP, which names an owner; also list, revoke NAME; --max-class safe
  shellkeep install [CLIENT]   tell a client of this server; without CLIENT: which there are; --print, --dry-run, --http
  shellkeep install service    start the server with your session (systemd, launchd)
  shellkeep uninstall CLIENT   take that back; --all
  shellkeep run -- COMMAND     run one command as the server would; exits with its status
  shellkeep classify COMMAND   what the policy says about a command (safe, dangerous, reject); nothing is run
  shellkeep trust FILE         let a project file, as it is now, add allowed roots; without FILE: what is trusted
  shellkeep untrust FILE       take that back
  shellkeep install hook       let Claude Code and VS Code turn back calls of wsl.exe [--dry-run] [--settings FILE]
  shellkeep uninstall hook     take that back
  shellkeep audit [FILTERS]    what the audit log has; --follow waits for more, --help shows the filters
  shellkeep audit verify       check the chain of the audit log
  shellkeep status [--json]    this machine, the audit log's files, the settings in effect
  shellkeep config             show the settings in effect and where each comes from
  shellkeep --help, --version

"run" takes a command as one argument ('make && echo ok') or as words (ls -la). Standard input is passed on when it is
no terminal. Everything that the command started ends with it.

Settings are flags, environment variables (SHELLKEEP_MAX_TASKS) or keys of ~/.config/shellkeep/config.toml (max_tasks),
in this order of precedence. XDG_CONFIG_HOME, where it is set, stands for ~/.config. A list is a TOML list in the file
(["/srv", "~/work"]) and separated by ":" elsewhere (/srv:~/work). In [ ] stands what is allowed, in ( ) the default:
`;

/** The whole help, with a newline at the end. */
export function helpText(): string {
  return `${USAGE}\n${SETTING_KEYS.map(settingLine).join('\n')}\n`;
}

function settingLine(key: SettingKey): string {
  const name = TABLES[key] === undefined ? flagOf(key) : `[[${key}]]`;
  return [`  ${name.padEnd(21)}`, SETTINGS[key].meaning, ...inBrackets(allowed(key), '[]'), ...inBrackets(byDefault(key), '()')].join(' ');
}

/** What fits a line; a switch needs no value, and a list has no short form. */
function allowed(key: SettingKey): string | undefined {
  const { type, enum: values, minimum, maximum } = schemaOf(key);
  if (values !== undefined) return values.join('|');
  return type === 'integer' ? `${minimum} to ${maximum}` : undefined;
}

function byDefault(key: SettingKey): string | undefined {
  if (TABLES[key] !== undefined) return undefined;
  if (key === 'allowed_roots') return 'home, /tmp, /var/tmp, the start directory';
  return SETTINGS[key].schema.safeParse(undefined).data?.toString();
}

function inBrackets(text: string | undefined, brackets: '[]' | '()'): string[] {
  return text === undefined ? [] : [`${brackets[0]}${text}${brackets[1]}`];
}
