// `shellkeep status`: what a server that is started here now would find: the machine, the audit log's files, the settings; and whether one serves already.
// No server is asked.
import type { App } from '../app.ts';
import { Redactor } from '../audit/redact.ts';
import type { Origins } from '../config/load.ts';
import { auditDirectory, configFile, stateDirectory } from '../config/paths.ts';
import type { Settings } from '../config/schema.ts';
import { packageVersion } from '../config/version.ts';
import { auditFiles } from '../discovery/audit-files.ts';
import type { MachineFacts } from '../discovery/discovery.ts';
import { shownSettings } from '../discovery/shown-settings.ts';
import { counted } from '../lib/counted.ts';
import { defined } from '../lib/defined.ts';
import { servingProcess } from '../process/serve-claim.ts';
import { inLine, joined } from '../tools/render.ts';

export interface StatusOptions {
  readonly app: App;
  readonly settings: Settings;
  readonly origins: Origins;
  readonly env: NodeJS.ProcessEnv;
  readonly home: string | undefined;
  readonly startDirectory: string;
  readonly isJson: boolean | undefined;
}

/** The whole text, with a newline at the end. */
export async function statusText({ isJson, ...options }: StatusOptions): Promise<string> {
  const facts = await factsOf(options);
  return isJson === true ? `${JSON.stringify(facts, undefined, 2)}\n` : `${linesOf(facts).join('\n')}\n`;
}

/** As in the results of the tools `check_env` and `status`, so that who reads one can read the other. */
async function factsOf({ app, settings, origins, env, home, startDirectory }: Omit<StatusOptions, 'isJson'>) {
  const machine = await machineOf(app);
  const directory = auditDirectory(env);
  const serving = await servingFor(env);
  const { shells, pathEntries, envKeys, ...host } = machine;
  const config = shownSettings(settings, origins, await Redactor.create(settings.redact));
  return {
    service: 'shellkeep',
    version: packageVersion(),
    ...host,
    shells: shells.map(({ isDefault, ...shell }) => ({ ...shell, default: isDefault })),
    home,
    cwd: startDirectory,
    path_entries: pathEntries,
    env_keys: envKeys,
    audit: directory === undefined ? undefined : { directory, ...sizesOf(directory) },
    ...(serving === undefined ? {} : { serving }),
    config_file: configFile(env),
    config: Object.fromEntries(config.map(({ key, value, origin }) => [key, { value, origin }])),
  };
}

type Facts = Awaited<ReturnType<typeof factsOf>>;

async function machineOf(app: App): Promise<MachineFacts> {
  try {
    return await (await app.discovery('local')).machine();
  } finally {
    await app.shutdown();
  }
}

/** The server that clients of this user reach. */
async function servingFor(env: NodeJS.ProcessEnv) {
  const directory = stateDirectory(env);
  const record = directory === undefined ? undefined : await servingProcess(directory);
  return record && defined({ pid: record.pid, url: record.url, socket: record.socket, version: record.version, started_at: record.startedAt });
}

function sizesOf(directory: string) {
  const { files, closed, sizeBytes } = auditFiles(directory);
  return { files, backups_present: closed, size_bytes: sizeBytes };
}

function linesOf(facts: Facts): string[] {
  const shells = facts.shells.map((shell) => `${joined([shell.name, shell.version]).replace(' · ', ' ')} · ${shell.path}${shell.default ? ' · default' : ''}`);
  return [
    `shellkeep ${facts.version}`,
    '',
    entry('system', joined([facts.os, facts.kernel, facts.arch, facts.wsl && 'wsl', `node ${facts.node}`])),
    entry('user', joined([facts.user, facts.home, facts.locale])),
    entry('directory', facts.cwd),
    ...shells.map((shell, index) => entry(index === 0 ? 'shells' : '', shell)),
    ...facts.path_entries.map((path, index) => entry(index === 0 ? 'path' : '', path)),
    entry('environment', facts.env_keys.join(' ')),
    entry('serving', facts.serving === undefined ? 'nobody: shellkeep serve, or the first shellkeep connect, starts one' : joined([`pid ${facts.serving.pid}`, facts.serving.url, facts.serving.socket, facts.serving.version, `since ${facts.serving.started_at}`])),
    entry('audit log', facts.audit === undefined ? 'none: there is no home directory' : joined([facts.audit.directory, counted(facts.audit.files, 'file'), `${facts.audit.size_bytes} bytes`])),
    '',
    'settings in effect:',
    ...Object.entries(facts.config).map(([key, { value, origin }]) => `  ${`${key} = ${value === undefined ? 'not set' : JSON.stringify(value)}`.padEnd(40)} ${inLine(origin)}`),
  ];
}

function entry(label: string, text: string): string {
  return `${label.padEnd(12)} ${inLine(text)}`;
}
