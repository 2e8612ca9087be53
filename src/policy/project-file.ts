// The file by which a project says where in it commands may start: found upwards from a directory, and read as values.
import { createHash } from 'node:crypto';
import { lstatSync } from 'node:fs';
import type { BigIntStats } from 'node:fs';
import { dirname, join } from 'node:path';
import { readOwnFile } from '../process/own-file.ts';

/** In the order in which they count; the second is bash-mcp's. */
export const PROJECT_FILE_NAMES: readonly string[] = ['.shellkeep.toml', '.bash-mcp.toml'];

/** What a project file says, or what is wrong with it. */
export interface ProjectFile {
  readonly path: string;
  /** Of its bytes; undefined when they were not read. */
  readonly sha256?: string;
  /** With the line where that is known: `:3: mode must be …`, ` is a named pipe …`. */
  readonly fault?: string;
  readonly mode: 'extend' | 'replace';
  /** As they are written, without blank ones. */
  readonly allowedRoots: readonly string[];
  /** Keys that mean nothing here. */
  readonly unknownKeys: readonly string[];
}

/** A list of paths; more is none, and reading it holds a call. */
const MAX_BYTES = 64 * 1024;
const MAX_HOPS = 32;
const MAX_CACHED = 64;
const NOTHING = { mode: 'extend', allowedRoots: [], unknownKeys: [] } as const;
const KEYS: readonly string[] = ['mode', 'allowed_roots'];

/** The project files of one server: each is read again when it has changed. */
export class ProjectFiles {
  readonly #stopAt: string | undefined;
  readonly #cache = new Map<string, { readonly state: string; readonly file: ProjectFile }>();

  /** Nothing above `home` is looked at from below it: a real path. */
  constructor(home: string | undefined) {
    this.#stopAt = home;
  }

  /** The nearest one in a directory (a real path) or above it, at most 32 levels up. */
  async find(directory: string): Promise<ProjectFile | undefined> {
    let folder = directory;
    for (let hop = 0; hop <= MAX_HOPS; hop++) {
      for (const name of PROJECT_FILE_NAMES) {
        const stats = statsOf(join(folder, name));
        if (stats !== undefined) return this.#read(join(folder, name), stats);
      }
      if (folder === this.#stopAt || folder === '/') return undefined;
      folder = dirname(folder);
    }
    return undefined;
  }

  async #read(path: string, { dev, ino, mode, uid, gid, size, mtimeNs, ctimeNs }: BigIntStats): Promise<ProjectFile> {
    const state = [dev, ino, mode, uid, gid, size, mtimeNs, ctimeNs].join();
    const known = this.#cache.get(path);
    if (known?.state === state) return known.file;
    const file = await readProjectFile(path);
    if (this.#cache.size >= MAX_CACHED) this.#cache.clear();
    this.#cache.set(path, { state, file });
    return file;
  }
}

/** Reads one; never waits, and never throws for what is in it. */
export async function readProjectFile(path: string): Promise<ProjectFile> {
  const { bytes, fault } = readOwnFile(path, MAX_BYTES);
  if (bytes === undefined) return { path, ...NOTHING, fault: ` ${fault}` };
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { path, sha256, ...NOTHING, ...(await parsed(bytes)) };
}

type Content = Pick<ProjectFile, 'fault'> | Pick<ProjectFile, 'mode' | 'allowedRoots' | 'unknownKeys'>;

async function parsed(bytes: Buffer): Promise<Content> {
  const { parse, TomlError } = await import('smol-toml'); // most directories have no such file
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return contentOf(parse(text), text);
  } catch (error) {
    const [what = ''] = String(error instanceof Error ? error.message : error).split('\n', 1);
    return { fault: error instanceof TomlError ? `:${error.line}:${error.column}: ${what}` : `: ${what}` };
  }
}

function contentOf(values: Readonly<Record<string, unknown>>, text: string): Content {
  const wrong = (key: string, what: string): Content => ({ fault: `:${lineOf(key, text)}: ${key} ${what}` });
  const { mode = 'extend', allowed_roots: roots } = values;
  if (mode !== 'extend' && mode !== 'replace') return wrong('mode', 'must be "extend" or "replace"');
  if (roots === undefined) return { fault: ': allowed_roots is missing: a list of paths' };
  if (!isListOfTexts(roots)) return wrong('allowed_roots', 'must be a list of paths');
  if (roots.some((root) => root.includes('\0'))) return wrong('allowed_roots', 'has a path with a NUL character');
  return { mode, allowedRoots: roots.filter((root) => root.trim() !== ''), unknownKeys: Object.keys(values).filter((key) => !KEYS.includes(key)) };
}

function isListOfTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((part) => typeof part === 'string');
}

/** The parser does not tell where a value stood. */
function lineOf(key: string, text: string): number {
  const index = text.split('\n').findIndex((line) => line.trimStart().replace(/^[["']+/, '').startsWith(key));
  return Math.max(0, index) + 1;
}

function statsOf(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    return undefined; // a folder that may not be entered, or a file in its place
  }
}
