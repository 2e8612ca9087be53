// What --help prints; the list of settings follows from their table.
import { flagOf } from '../config/load.ts';
import { SETTING_KEYS, SETTINGS, type SettingKey } from '../config/schema.ts';

const USAGE = `shellkeep: real shells that stay alive, for agents, over the Model Context Protocol

  shellkeep [stdio]            serve one MCP client on standard input and output
  shellkeep run -- COMMAND     run one command as the server would; exits with its status
  shellkeep classify COMMAND   what the policy says about a command (safe, dangerous, reject); nothing is run
  shellkeep trust FILE         let a project file, as it is now, add allowed roots; without FILE: what is trusted
  shellkeep untrust FILE       take that back
  shellkeep config             show the settings in effect and where each comes from
  shellkeep --help, --version

"run" takes a command as one argument ('make && echo ok') or as words (ls -la). Standard input is passed on when it is
no terminal. Everything that the command started ends with it.

Settings are flags, environment variables (SHELLKEEP_MAX_TASKS) or keys of ~/.config/shellkeep/config.toml (max_tasks),
in this order of precedence:
`;

/** The whole help, with a newline at the end. */
export function helpText(): string {
  return `${USAGE}\n${SETTING_KEYS.map(settingLine).join('\n')}\n`;
}

function settingLine(key: SettingKey): string {
  const { schema, meaning } = SETTINGS[key];
  const byDefault = key === 'allowed_roots' || key === 'rule' ? undefined : schema.safeParse(undefined).data;
  return `  ${(key === 'rule' ? '[[rule]]' : flagOf(key)).padEnd(21)} ${meaning}${byDefault === undefined ? '' : ` (${String(byDefault)})`}`;
}
