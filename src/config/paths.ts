// Where this user's files are. HOME may be missing, empty or nonsense: then the account's home, then none.
import { userInfo } from 'node:os';
import { isAbsolute, join } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/** The home directory; undefined for an account that has none. */
export function homeDirectory(env: Environment): string | undefined {
  const home = absolute(env['HOME']);
  if (home !== undefined) return home;
  try {
    return absolute(userInfo().homedir);
  } catch {
    return undefined; // a container may run under a user id that no account has
  }
}

/** The configuration file, which need not exist; undefined where there is no home. */
export function configFile(env: Environment): string | undefined {
  return inBase(absolute(env['XDG_CONFIG_HOME']), homeDirectory(env), '.config', 'config.toml');
}

/** The project files that a person has trusted; need not exist; undefined where there is no home. */
export function trustFile(env: Environment): string | undefined {
  return inBase(absolute(env['XDG_CONFIG_HOME']), homeDirectory(env), '.config', 'trusted.json');
}

/** The tokens of those who may call `serve`; need not exist; undefined where there is no home. */
export function tokenFile(env: Environment): string | undefined {
  return inBase(absolute(env['XDG_CONFIG_HOME']), homeDirectory(env), '.config', 'tokens.json');
}

/** The directory for what outlives a run of the server, which need not exist; undefined where there is no home. */
export function stateDirectory(env: Environment): string | undefined {
  return inBase(absolute(env['XDG_STATE_HOME']), homeDirectory(env), join('.local', 'state'), '');
}

/** The directory of the audit log, which need not exist; undefined where there is no home. */
export function auditDirectory(env: Environment): string | undefined {
  return inBase(absolute(env['XDG_DATA_HOME']), homeDirectory(env), join('.local', 'share'), 'audit');
}

function inBase(base: string | undefined, home: string | undefined, fallback: string, name: string): string | undefined {
  const directory = base ?? (home === undefined ? undefined : join(home, fallback));
  return directory === undefined ? undefined : join(directory, 'shellkeep', name);
}

/** The XDG specification says to ignore paths that are not absolute. */
function absolute(path: string | undefined): string | undefined {
  return path !== undefined && isAbsolute(path) ? path : undefined;
}
