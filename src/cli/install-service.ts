// `shellkeep install service`: the server starts with the user's session and stays.
import { rmSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { StartError } from '../config/start-error.ts';
import { changeText } from '../install/change-text.ts';
import type { Place } from '../install/clients.ts';
import { readConfig, writeConfig } from '../install/config-file.ts';
import { LABEL, launchdPlist } from '../install/launchd-plist.ts';
import { systemdUnit, UNIT_MARK } from '../install/systemd-unit.ts';
import { refuseAgents } from './agents.ts';
import { makeFolder } from '../process/make-folder.ts';

export interface ServiceOptions {
  readonly place: Place;
  /** The program, as a command line before "serve". */
  readonly program: readonly string[];
  /** Settings for it, as flags. */
  readonly flags: readonly string[];
  readonly isDry: boolean;
  readonly isPrinted: boolean;
  readonly isForced: boolean;
}

/** Writes the unit or the agent, and says how it is started. Throws StartError. */
export function installService(options: ServiceOptions): string {
  const { isDry, isPrinted, isForced } = options;
  const service = serviceOf(options);
  if (isPrinted) return service.text;
  const file = readConfig(service.file);
  if (file.text === service.text) return `already there, in ${file.path}\n${service.next}`;
  if (file.text !== '' && !file.text.includes(service.mark) && !isForced) throw new StartError(`${file.path} is there and was not written by shellkeep; --force replaces it`);
  if (isDry) return `would write ${file.path}\n${changeText(file.text, service.text)}`;
  refuseAgents('install a service');
  makeFolder(dirname(file.path));
  writeConfig({ ...file, mode: 0o644 }, service.text);
  return `written to ${file.path}\n${service.next}`;
}

/** Takes it away. Throws StartError. */
export function uninstallService(options: ServiceOptions): string {
  const { file, mark, before } = serviceOf(options);
  const { text, path } = readConfig(file);
  if (text === '') return `not there: ${path}\n`;
  if (!text.includes(mark) && !options.isForced) throw new StartError(`${path} was not written by shellkeep; --force removes it`);
  if (options.isDry) return `would remove ${path}\n`;
  rmSync(path);
  return `removed ${path}\n${before}`;
}

interface Service {
  readonly file: string;
  readonly text: string;
  /** In every one that is ours. */
  readonly mark: string;
  /** What a person does next; and to end it, once the file is gone. */
  readonly next: string;
  readonly before: string;
}

function serviceOf({ place, program, flags }: ServiceOptions): Service {
  const { home, env, platform } = place;
  const facts = { command: [...program, 'serve', ...flags], path: env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin' };
  if (platform === 'darwin') return launchAgent(home, facts);
  if (platform === 'linux') return userUnit(home, env['XDG_CONFIG_HOME'], facts);
  throw new StartError(`there is no kind of service for ${platform} here: have "${facts.command.join(' ')}" started with your session`);
}

function userUnit(home: string, configHome: string | undefined, facts: Parameters<typeof systemdUnit>[0]): Service {
  const base = configHome !== undefined && isAbsolute(configHome) ? configHome : join(home, '.config');
  return {
    file: join(base, 'systemd', 'user', 'shellkeep.service'),
    text: systemdUnit(facts),
    mark: UNIT_MARK,
    next: `Start it, now and with each login:

  systemctl --user daemon-reload
  systemctl --user enable --now shellkeep.service

So that it starts with the machine and outlives your last login (a user manager ends with it otherwise):

  loginctl enable-linger ${userName()}

Its messages: journalctl --user -u shellkeep. It prints no token: "shellkeep token add NAME" makes one.
In WSL this needs systemd=true in the section [boot] of /etc/wsl.conf.
`,
    before: 'End it: systemctl --user disable --now shellkeep.service; systemctl --user daemon-reload\n',
  };
}

function launchAgent(home: string, facts: Parameters<typeof systemdUnit>[0]): Service {
  const file = join(home, 'Library', 'LaunchAgents', `${LABEL}.plist`);
  return {
    file,
    text: launchdPlist({ ...facts, command: [...facts.command, '--background'], logPath: join(home, 'Library', 'Logs', 'shellkeep.log') }),
    mark: LABEL,
    next: `Start it, now and with each login:\n\n  launchctl bootstrap gui/$(id -u) ${file}\n\nIt prints no token: "shellkeep token add NAME" makes one.\n`,
    before: `End it: launchctl bootout gui/$(id -u)/${LABEL}\n`,
  };
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return '$USER'; // an account without an entry
  }
}
