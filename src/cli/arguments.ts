// The command line as values.
import { parseArgs } from 'node:util';
import { flagOf } from '../config/load.ts';
import { isSettingKey, SETTINGS, TABLES, TEXT_KEYS, type SettingKey } from '../config/schema.ts';
import { StartError } from '../config/start-error.ts';
import { nearest } from '../lib/nearest.ts';
import { shorten } from '../lib/shorten.ts';

const COMMANDS = ['stdio', 'serve', 'connect', 'stop', 'run', 'classify', 'trust', 'untrust', 'token', 'hook', 'install', 'uninstall', 'config', 'status', 'audit', 'help', 'version'] as const;
export type CommandName = (typeof COMMANDS)[number];
/** Those that read everything behind their name themselves: their flags are their own. */
const OWN_FLAGS: readonly CommandName[] = ['audit', 'token', 'install', 'uninstall'];
/** Those with words of their own. */
const TAKES_WORDS: ReadonlySet<string | undefined> = new Set(['run', 'classify', 'trust', 'untrust']);

export interface CommandLine {
  /** Undefined when none is given. */
  readonly command: CommandName | undefined;
  /** What follows the command, for the commands that take words. */
  readonly words: readonly string[];
  /** Given for `status`, which alone takes it. */
  readonly isJson?: true;
  /** Given for `serve`, which alone takes it. */
  readonly isBackground?: true;
  /** Settings as text; a flag without a value is "true". */
  readonly flags: Readonly<Partial<Record<SettingKey, string>>>;
}

const OPTIONS = {
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'V' },
  json: { type: 'boolean' },
  background: { type: 'boolean' },
} as const;

/** The flags that one command alone takes. */
const SWITCHES = {
  json: { command: 'status', field: 'isJson' },
  background: { command: 'serve', field: 'isBackground' },
} as const;
type Switch = keyof typeof SWITCHES;

/**
 * Reads the arguments after the program's name.
 * @throws StartError for an unknown flag, an unknown command, or words that no command takes
 */
export function parseCommandLine(argv: readonly string[]): CommandLine {
  const own = OWN_FLAGS.find((name) => name === argv[0]);
  if (own !== undefined) return { command: own, words: argv.slice(1), flags: {} };
  const { tokens } = parseArgs({ args: [...argv], options: { ...OPTIONS, ...settingOptions() }, allowPositionals: true, strict: false, tokens: true });
  const flags: Partial<Record<SettingKey, string>> = {};
  const words: string[] = [];
  let asked: CommandName | undefined;
  const switches = new Set<Switch>();
  for (const token of tokens) {
    if (token.kind === 'positional') words.push(token.value);
    if (token.kind !== 'option') continue;
    if (token.name === 'help' || token.name === 'version') asked ??= token.name;
    else if (isOwnSwitch(token.name) && token.value === undefined) switches.add(token.name);
    else Object.assign(flags, setting(token.name, token.rawName, token.value));
  }
  if (asked !== undefined) return { command: asked, words: [], flags }; // whatever it is asked about
  const command = commandNamed(words.shift());
  if (words.length > 0 && !TAKES_WORDS.has(command)) throw new StartError(`${command ?? 'shellkeep'} takes no argument ${shorten(words[0])}`);
  return { command, words, flags, ...given(switches, command) };
}

function isOwnSwitch(name: string): name is Switch {
  return Object.hasOwn(SWITCHES, name);
}

function given(switches: ReadonlySet<Switch>, command: CommandName | undefined): Pick<CommandLine, 'isJson' | 'isBackground'> {
  const stray = [...switches].find((name) => SWITCHES[name].command !== command);
  if (stray !== undefined) throw new StartError(`${command ?? 'shellkeep'} takes no flag "--${stray}"`);
  return Object.fromEntries([...switches].map((name) => [SWITCHES[name].field, true]));
}

function settingOptions(): Record<string, { type: 'string' | 'boolean' }> {
  return Object.fromEntries(TEXT_KEYS.map((key) => [nameOf(key), { type: isSwitch(key) ? 'boolean' : 'string' }]));
}

function setting(name: string, rawName: string, value: string | undefined): Partial<Record<SettingKey, string>> {
  const key = TEXT_KEYS.find((candidate) => nameOf(candidate) === name);
  if (key !== undefined && (value !== undefined || isSwitch(key))) return { [key]: value ?? 'true' };
  if (key !== undefined) throw new StartError(`${rawName} needs a value`);
  const switched = TEXT_KEYS.find((candidate) => isSwitch(candidate) && `no-${nameOf(candidate)}` === name);
  if (switched !== undefined && value === undefined) return { [switched]: 'false' };
  const table = isSettingKey(name) ? TABLES[name] : undefined;
  if (table !== undefined) throw new StartError(`no flag "${rawName}"; ${table}`);
  const meant = nearest(name, [...TEXT_KEYS.map(nameOf), ...Object.keys(OPTIONS)]);
  throw new StartError(`no flag ${shorten(rawName)}${meant === undefined ? '; --help lists them' : `; did you mean "--${meant}"?`}`);
}

function commandNamed(word: string | undefined): CommandName | undefined {
  if (word === undefined) return undefined;
  const command = COMMANDS.find((name) => name === word);
  if (command !== undefined) return command;
  const meant = nearest(word, COMMANDS);
  throw new StartError(`no command ${shorten(word)}${meant === undefined ? '; --help lists them' : `; did you mean "${meant}"?`}`);
}

/** A flag that needs no value. */
function isSwitch(key: SettingKey): boolean {
  return SETTINGS[key].schema.safeParse(true).success;
}

function nameOf(key: SettingKey): string {
  return flagOf(key).slice(2);
}
