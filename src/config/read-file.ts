// The configuration file as unchecked values.
import { readFileSync, statSync, type Stats } from 'node:fs';
import { StartError } from './start-error.ts';

/** A file of settings; larger is a mistake, and reading it would hold the start. */
const MAX_BYTES = 1024 * 1024;
/** Not there, or below a home that is none (/dev/null) or that this user may not enter: nobody wrote it for this server. */
const OUT_OF_REACH = new Set(['ENOENT', 'ENOTDIR', 'EACCES']);

/**
 * The values of a TOML file by key; empty when there is none.
 * @throws StartError for a file that cannot be read or is no TOML
 */
export async function readConfigFile(path: string): Promise<Record<string, unknown>> {
  const text = readText(path);
  if (text === undefined) return {};
  const { parse, TomlError } = await import('smol-toml'); // most starts have no file
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    throw new StartError(`${path}:${error.line}:${error.column}: ${firstLine(error.message)}`);
  }
}

function readText(path: string): string | undefined {
  try {
    const facts = factsOf(path);
    if (facts === undefined) return undefined;
    if (!facts.isFile()) throw new StartError(`${path}: not a regular file`);
    if (facts.size > MAX_BYTES) throw new StartError(`${path}: larger than ${MAX_BYTES} bytes`);
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(`${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function factsOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && OUT_OF_REACH.has(String(error.code))) return undefined;
    throw error;
  }
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? text;
}
