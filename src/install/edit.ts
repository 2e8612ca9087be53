// One entry in a configuration file of somebody else: put in, changed or taken out, with every other byte as it was.
import { isDeepStrictEqual } from 'node:util';
import { StartError } from '../config/start-error.ts';
import type { Client, Entry } from './clients.ts';
import { editJson, parseJson } from './json-text.ts';
import { editToml, parseToml } from './toml-text.ts';

/** The name of our entry. */
export const OURS = 'shellkeep';
/** What says how a server is reached; of the rest, what a person has added to our entry stays. */
const WAYS: ReadonlySet<string> = new Set(['type', 'command', 'args', 'url', 'httpUrl', 'serverUrl', 'headers', 'http_headers', 'bearer_token_env_var', 'source']);

/**
 * The text with our entry as it is to be; without it for undefined. The same text when that is how it is.
 * @throws StartError naming line and column of a text that is none of its format, or what cannot be edited
 */
export function withEntry(text: string, { format, key }: Pick<Client, 'format' | 'key'>, file: string, entry: Entry | undefined): string {
  const isToml = format === 'toml';
  const parse = (source: string): Servers => serversIn(isToml ? parseToml(source, file) : parseJson(source, file, format === 'json with comments'), key, file);
  const before = parse(text);
  const wanted = entry && { ...kept(before.own), ...entry };
  if (isDeepStrictEqual(before.own, wanted)) return text;
  const edited = isToml ? editToml(text, [key, OURS], wanted) : editJson(text, [key, OURS], wanted);
  const after = safely(() => parse(edited));
  if (after !== undefined && isDeepStrictEqual([after.own, after.others], [wanted, before.others])) return edited;
  throw new StartError(`${file} has a form that cannot be edited without risk: change "${OURS}" in "${key}" by hand; shellkeep install --print shows what belongs there`);
}

/** Our entry; undefined where there is none. Throws as `withEntry` does. */
export function entryIn(text: string, { format, key }: Pick<Client, 'format' | 'key'>, file: string): Entry | undefined {
  return serversIn(format === 'toml' ? parseToml(text, file) : parseJson(text, file, format === 'json with comments'), key, file).own;
}

interface Servers {
  readonly own: Entry | undefined;
  /** All else that the file says. */
  readonly others: unknown;
}

function serversIn(value: unknown, key: string, file: string): Servers {
  if (value === undefined) return { own: undefined, others: {} };
  if (!isTable(value)) throw new StartError(`${file} is no object: correct it`);
  const { [key]: servers = {}, ...rest } = value;
  if (!isTable(servers)) throw new StartError(`${file}: "${key}" is no object: correct it`);
  const { [OURS]: own, ...otherServers } = servers;
  return { own: own === undefined ? undefined : isTable(own) ? own : {}, others: Object.keys(otherServers).length === 0 ? rest : { ...rest, [key]: otherServers } };
}

function kept(own: Entry | undefined): Entry {
  return Object.fromEntries(Object.entries(own ?? {}).filter(([name]) => !WAYS.has(name)));
}

function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function safely<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch {
    return undefined; // the caller says what that means
  }
}
