// `shellkeep install` and `shellkeep uninstall`: tells clients of this server, or takes that back.
import { existsSync, realpathSync } from 'node:fs';
import { sep } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { homeDirectory } from '../config/paths.ts';
import { StartError } from '../config/start-error.ts';
import { changeText } from '../install/change-text.ts';
import { CLIENTS, GENERIC, type Client, type Place, type Way } from '../install/clients.ts';
import { readConfig, writeConfig } from '../install/config-file.ts';
import { editJson } from '../install/json-text.ts';
import { editToml } from '../install/toml-text.ts';
import { entryIn, OURS, withEntry } from '../install/edit.ts';
import { refuseAgents } from './agents.ts';
import { flagFault } from './flag-fault.ts';
import { nearest } from '../lib/nearest.ts';
import { shorten } from '../lib/shorten.ts';

const USAGE = 'shellkeep install [CLIENT | service | hook] [--stdio | --http URL] [--dry-run] [--print] [--force]; shellkeep uninstall CLIENT|--all [--dry-run]';
const OPTIONS = {
  'dry-run': { type: 'boolean' },
  print: { type: 'boolean' },
  stdio: { type: 'boolean' },
  http: { type: 'string' },
  force: { type: 'boolean' },
  all: { type: 'boolean' },
} as const;

export interface InstallOptions {
  readonly action: 'install' | 'uninstall';
  /** The command line behind that. */
  readonly words: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** Has the token for `--http`. */
  readonly stdin: NodeJS.ReadStream;
}

/** Does it, and gives what is printed. Throws StartError. */
export async function installText({ action, words, env, stdin }: InstallOptions): Promise<string> {
  const home = homeDirectory(env);
  if (home === undefined) throw new StartError('there is no home directory, where clients keep their settings: set HOME');
  const place: Place = { home, env, platform: process.platform };
  const { names, flags } = parsed(words);
  if (names[0] === 'service') return serviceText(action, place, names.slice(1), flags);
  if (action === 'uninstall') return names.length === 0 && flags.all !== true ? usage() : done((flags.all === true ? CLIENTS : names.map(named)).map((client) => uninstalled(client, place, flags)));
  const way = await wayOf(flags, stdin);
  if (flags.print === true) return (names.length === 0 ? [GENERIC] : names.map(named)).map((client) => entryText(client, way, place)).join('\n');
  if (names.length === 0) return listText(place);
  return done(names.map((name) => installed(named(name), way, place, flags)));
}

/** What is to be done for one client, when it is sure that it can be done for all of them. */
interface Step {
  readonly said: string;
  readonly write?: () => void;
}

function done(steps: readonly Step[]): string {
  for (const { write } of steps) write?.();
  return steps.map(({ said }) => said).join('');
}

/** What follows "--" are settings for it. */
async function serviceText(action: InstallOptions['action'], place: Place, settings: readonly string[], flags: Flags): Promise<string> {
  const { installService, uninstallService } = await import('./install-service.ts');
  const options = { place, program: [process.execPath, ownProgram()], flags: settings, isDry: flags['dry-run'] === true, isPrinted: flags.print === true, isForced: flags.force === true };
  return action === 'install' ? installService(options) : uninstallService(options);
}

function ownProgram(): string {
  return realpathSync(fileURLToPath(new URL('../cli.js', import.meta.url)));
}

type Flags = ReturnType<typeof parsed>['flags'];

function parsed(words: readonly string[]) {
  try {
    const { positionals: names, values: flags } = parseArgs({ args: [...words], options: OPTIONS, allowPositionals: true });
    if (flags.stdio === true && flags.http !== undefined) throw new Error('--stdio or --http, not both');
    return { names, flags };
  } catch (error) {
    throw new StartError(`${flagFault(error)}; ${USAGE}`);
  }
}

function usage(): never {
  throw new StartError(USAGE);
}

function named(name: string): Client {
  const plain = (text: string): string => text.toLowerCase().replaceAll(/[^a-z]/g, '');
  const client = CLIENTS.find((known) => [known.name, known.title].some((form) => plain(form) === plain(name)));
  if (client !== undefined) return client;
  const names = [...CLIENTS.map((known) => known.name), 'service', 'hook'];
  const meant = nearest(name, names);
  throw new StartError(`no client ${shorten(name)}${meant === undefined ? '' : `; did you mean "${meant}"?`}; there are ${names.join(', ')}, and --print for any other`);
}

/** A program that npx has fetched for once is not there for long. */
async function wayOf({ stdio, http }: Flags, stdin: NodeJS.ReadStream): Promise<Way> {
  if (http !== undefined) return { kind: 'http', url: urlOf(http), token: await tokenFrom(stdin) };
  const command = stdio === true ? 'stdio' : 'connect';
  const program = ownProgram();
  if (program.includes(`${sep}_npx${sep}`)) return { kind: 'program', command: 'npx', args: ['-y', 'shellkeep', command] };
  return { kind: 'program', command: process.execPath, args: [program, command] };
}

function urlOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return text;
  throw new StartError(`--http ${shorten(text)}: must be the address that serve prints, as http://127.0.0.1:54321/mcp`);
}

async function tokenFrom(stdin: NodeJS.ReadStream): Promise<string> {
  const token = stdin.isTTY ? '' : (await textOf(stdin)).trim();
  if (/^[\w.~+/=-]+$/.test(token)) return token;
  throw new StartError('--http needs a token on standard input: shellkeep token add NAME | shellkeep install CLIENT --http URL');
}

function installed(client: Client, way: Way, place: Place, { 'dry-run': isDry, force }: Flags): Step {
  const entry = entryOf(client, way);
  const file = readConfig(client.file(place));
  if (file.text === '' && force !== true && !client.traces(place).some((path) => existsSync(path))) throw new StartError(`${client.title} seems not to be installed: there is no ${client.traces(place).join(', ')}; --force writes ${file.path} all the same`);
  const text = withEntry(file.text, client, file.path, entry);
  if (text === file.text) return { said: `${client.title}: already there, in ${file.path}\n` };
  if (isDry === true) return { said: `${client.title}: would change ${file.path}\n${changeText(file.text, text)}` };
  refuseAgents('tell clients of it');
  return { said: `${client.title}: written to ${file.path}; start the client again\n`, write: () => writeConfig(file, text) };
}

function uninstalled(client: Client, place: Place, { 'dry-run': isDry }: Flags): Step {
  const file = readConfig(client.file(place));
  const text = file.text === '' ? '' : withEntry(file.text, client, file.path, undefined);
  if (text === file.text) return { said: `${client.title}: not there\n` };
  if (isDry === true) return { said: `${client.title}: would change ${file.path}\n${changeText(file.text, text)}` };
  refuseAgents('tell clients of it');
  return { said: `${client.title}: taken out of ${file.path}\n`, write: () => writeConfig(file, text) };
}

function entryOf(client: Client, way: Way): NonNullable<ReturnType<Client['entry']>> {
  const entry = client.entry(way);
  if (entry === undefined) throw new StartError(`${client.title} does not speak HTTP from its configuration file: leave --http out, and it starts "shellkeep connect"`);
  return entry;
}

function entryText(client: Client, way: Way, place: Place): string {
  const path: [string, string] = [client.key, OURS];
  const text = client.format === 'toml' ? editToml('', path, entryOf(client, way)) : editJson('', path, entryOf(client, way));
  return client === GENERIC ? text : `${client.title}, in ${client.file(place)}:\n\n${text}`;
}

function listText(place: Place): string {
  const lines = CLIENTS.map((client) => `  ${client.name.padEnd(15)} ${stateOf(client, place).padEnd(14)} ${client.file(place)}\n`);
  return `Clients that can be told of shellkeep, with "shellkeep install NAME":\n\n${lines.join('')}\n"shellkeep install service" starts the server with your session, "shellkeep install --print" is for any other client.\n`;
}

function stateOf(client: Client, place: Place): string {
  try {
    const { text, path } = readConfig(client.file(place));
    if (text !== '' && entryIn(text, client, path) !== undefined) return 'has it';
    return client.traces(place).some((trace) => existsSync(trace)) ? 'without it' : 'not found';
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    return 'cannot be read';
  }
}
