// The settings in effect: flags over environment over file over defaults, each with where it came from.
import { ExpectedError } from '../errors.ts';
import { allowedValues } from '../lib/allowed.ts';
import { expandHome } from '../lib/home-path.ts';
import { nearest } from '../lib/nearest.ts';
import { shorten } from '../lib/shorten.ts';
import { insteadOf, placeHere, USUAL_VIEW, type WindowsView } from '../lib/windows-path.ts';
import { defaultRoots } from './default-roots.ts';
import { readConfigFile } from './read-file.ts';
import { ruleFault } from './rule-schema.ts';
import { isSettingKey, schemaOf, SETTING_KEYS, SETTINGS, TABLES, type SettingKey, type Settings } from './schema.ts';
import { shipFault } from './ship-schema.ts';
import { StartError } from './start-error.ts';

const PREFIX = 'SHELLKEEP_';
/** It switches the hook off (`shellkeep hook`), and is no setting. */
const OF_HOOK = `${PREFIX}SKIP`;
/** Settings in which "~" is the home directory. */
const IS_PATH: ReadonlySet<SettingKey> = new Set(['allowed_roots', 'socket']);

/** What a setting takes, where its schema would only say that it is text. */
const IN_WORDS: Readonly<Partial<Record<SettingKey, string>>> = {
  allowed_roots: 'a list of absolute paths (or "~/…")',
  socket: 'an absolute path (or "~/…")',
  host: 'an IP address or the name of one',
  allowed_hosts: 'a list of names or IPv4 addresses, without ports',
};

/** Not the colon of a drive: a root of one letter would be relative, and is none. */
const BETWEEN_PATHS = /(?<!(?:^|:)[A-Za-z]):/;

/** Where a value came from: the flag, the variable or the file by its name; "default". */
export type Origins = Readonly<Record<SettingKey, string>>;

export interface SettingSources {
  /** Flags as given; a flag without a value is "true". */
  readonly flags: Readonly<Partial<Record<SettingKey, string>>>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The configuration file, which need not exist. */
  readonly configPath: string | undefined;
  readonly home: string | undefined;
  readonly startDirectory: string;
  /** Where the drives of Windows are; where they usually are when absent. */
  readonly windows?: WindowsView;
}

/**
 * Reads and checks every setting.
 * @throws StartError naming setting, value and source
 */
export async function loadSettings(sources: SettingSources): Promise<{ settings: Settings; origins: Origins }> {
  const file = sources.configPath === undefined ? {} : await readConfigFile(sources.configPath);
  checkKeys(file, sources.configPath ?? '');
  const settings: Record<string, unknown> = {};
  const origins: Partial<Record<SettingKey, string>> = {};
  for (const key of SETTING_KEYS) {
    const { value, origin } = given(key, sources, file);
    settings[camelCase(key)] = checked(key, value, origin, sources);
    if (key === 'redact') await checkPatterns(settings[key] as Settings['redact'], origin);
    origins[key] = origin;
  }
  return { settings: settings as Settings, origins: origins as Origins };
}

/** `max_tasks` as `--max-tasks`. */
export function flagOf(key: SettingKey): string {
  return `--${key.replaceAll('_', '-')}`;
}

/** `max_tasks` as `SHELLKEEP_MAX_TASKS`. */
export function variableOf(key: SettingKey): string {
  return `${PREFIX}${key.toUpperCase()}`;
}

/** `max_tasks` as `maxTasks`, its name in `Settings`. */
export function camelCase(key: SettingKey): string {
  return key.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** Variables that look like a misspelt setting, in words. They may be somebody else's, so that they stop nothing. */
export function strayVariables(env: SettingSources['env']): string[] {
  const known = new Set([...SETTING_KEYS.map(variableOf), OF_HOOK]);
  const strays = Object.keys(env).filter((name) => name.startsWith(PREFIX) && !known.has(name));
  return strays.flatMap((name) => {
    const meant = nearest(name.slice(PREFIX.length), SETTING_KEYS);
    if (meant === undefined || !isSettingKey(meant)) return [];
    return [`no variable ${shorten(name)}, which is ignored; ${TABLES[meant] ?? `did you mean "${variableOf(meant)}"?`}`];
  });
}

function checkKeys(file: Readonly<Record<string, unknown>>, path: string): void {
  const unknown = Object.keys(file).find((key) => !isSettingKey(key));
  if (unknown === undefined) return;
  const meant = nearest(unknown, SETTING_KEYS);
  throw new StartError(`${path}: no setting ${shorten(unknown)}${meant === undefined ? '' : `; did you mean "${meant}"?`}`);
}

interface Given {
  readonly value: unknown;
  readonly origin: string;
}

function given(key: SettingKey, sources: SettingSources, file: Readonly<Record<string, unknown>>): Given {
  const flag = sources.flags[key];
  if (flag !== undefined) return { value: fromText(key, flag), origin: flagOf(key) };
  const variable = sources.env[variableOf(key)];
  if (variable !== undefined && TABLES[key] !== undefined) throw new StartError(`no variable ${variableOf(key)}; ${TABLES[key]}`);
  if (variable !== undefined) return { value: fromText(key, variable), origin: variableOf(key) };
  if (Object.hasOwn(file, key)) return { value: file[key], origin: sources.configPath ?? 'file' };
  return { value: key === 'allowed_roots' ? defaultRoots(sources) : undefined, origin: 'default' };
}

/** A text in the type of the setting; one that has no such form stays text, for the schema to refuse it. */
function fromText(key: SettingKey, text: string): unknown {
  const { type } = schemaOf(key);
  if (type === 'integer') return /^-?\d+$/.test(text) ? Number(text) : text;
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text;
  if (key === 'redact') return [text]; // a pattern may have any character in it, so that only the file can give several
  if (type === 'array' && text !== '') return text.split(key === 'allowed_roots' ? BETWEEN_PATHS : ':').filter((part) => part !== '');
  return text;
}

function checked(key: SettingKey, value: unknown, origin: string, { home, windows }: SettingSources): unknown {
  const expanded = IS_PATH.has(key) ? expandedPaths(value, home) : value;
  const parsed = SETTINGS[key].schema.safeParse(key === 'allowed_roots' ? rootsHere(expanded, origin, windows) : expanded);
  if (parsed.success) return parsed.data;
  if (key === 'ship') throw shipError(value, parsed.error, origin);
  const allowed = key === 'rule' ? ruleFault(value, parsed.error) : (IN_WORDS[key] ?? allowedValues(schemaOf(key)));
  throw new StartError(`${key} = ${shorten(value)} (from ${origin}): must be ${allowed}`);
}

function expandedPaths(value: unknown, home: string | undefined): unknown {
  if (Array.isArray(value)) return value.map((part) => expandedPaths(part, home));
  return typeof value === 'string' ? expandHome(value, home) : value;
}

/** Roots may be written as Windows writes them. */
function rootsHere(value: unknown, origin: string, windows: WindowsView = USUAL_VIEW): unknown {
  if (!Array.isArray(value)) return value;
  return value.map((root: unknown) => {
    if (typeof root !== 'string') return root;
    const place = placeHere(root, windows);
    if (place.kind === 'here') return place.path;
    throw new StartError(`allowed_roots = ${shorten(root)} (from ${origin}): ${place.why}; ${insteadOf(place)}`);
  });
}

function shipError(value: unknown, error: Parameters<typeof shipFault>[1], origin: string): StartError {
  const { shown, allowed } = shipFault(value, error);
  return new StartError(`ship = ${shown} (from ${origin}): must be ${allowed}`);
}

/** The engine is loaded only where there are patterns. */
async function checkPatterns(patterns: readonly string[], origin: string): Promise<void> {
  if (patterns.length === 0) return;
  const { Pattern } = await import('../lib/pattern.ts');
  try {
    for (const pattern of patterns) Pattern.compile(pattern);
  } catch (error) {
    if (!(error instanceof ExpectedError)) throw error;
    throw new StartError(`redact = ${shorten(patterns)} (from ${origin}): must be regular expressions: ${error.message}`);
  }
}
