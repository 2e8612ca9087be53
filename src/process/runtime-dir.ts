// A server's private folder: command texts, state reports, pipes, spilled output. It ends with the server; what a killed
// server left is found by the next one.
import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, type Stats } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { ExpectedError } from '../errors.ts';
import { notWritable, writePrivate } from './private-file.ts';
import { readProcess } from './proc.ts';
import type { ProcessIdentity } from './proc.ts';

/** What a server says about itself in its folder, for whoever finds it later. */
export interface ServerRecord extends ProcessIdentity {
  /** See TagSpace; decimal, because JSON numbers end at 2^53. */
  readonly serverBits: string;
  /** Boot and PID namespace: elsewhere the same number is another process. */
  readonly place: Place;
  /** Folder on disk in which this server has one of its own for spilled output. */
  readonly outputBase?: string | undefined;
}

export interface Place {
  readonly boot: string;
  readonly pidNamespace: string;
}

export interface RuntimeDirOptions {
  readonly serverBits: bigint;
  readonly env: NodeJS.ProcessEnv;
  readonly outputBase?: string | undefined;
}

const RECORD = 'record.json';
/** How the names of the servers' folders begin. */
const FOLDER = 'server-';

export class RuntimeDir {
  /** Absolute path, mode 0700. */
  readonly path: string;
  /** The folder of all servers of this user; undefined when it is not to be trusted and this server went elsewhere. */
  readonly shared: string | undefined;

  /** For spilled output, on disk where the rest is in memory. Made when it is needed. */
  readonly outputPath: string;
  readonly #options: RuntimeDirOptions;
  #isRemoved = false;

  /** Makes the folder. Throws DISK_FULL when there is no place for it. */
  constructor(options: RuntimeDirOptions) {
    this.#options = options;
    this.shared = sharedDirectory(options.env);
    this.path = makeUnique(this.shared === undefined ? join(tmpdir(), `shellkeep-${randomBytes(4).toString('hex')}-`) : join(this.shared, FOLDER));
    this.outputPath = outputPathOf(this.path, options.outputBase);
    this.#record();
  }

  /** A folder in it, mode 0700, made when it is missing, also when somebody has cleaned it away. Throws DISK_FULL or SHUTTING_DOWN. */
  subdir(name: string): string {
    const path = join(this.path, name);
    if (existsSync(path)) return path;
    if (this.#isRemoved) throw new ExpectedError('SHUTTING_DOWN', 'the server is ending');
    try {
      if (!existsSync(this.path)) this.#makeAgain();
      mkdirSync(path, { mode: 0o700 });
    } catch (error) {
      throw notWritable(path, error);
    }
    return path;
  }

  /** Removes it with all that is in it. */
  remove(): void {
    this.#isRemoved = true;
    removeServerFiles(this.path);
  }

  /** Only where nobody else can have put something in its place. */
  #makeAgain(): void {
    const { shared } = this;
    if (shared !== undefined) {
      makeFolder(dirname(shared));
      if (!isPrivate(shared, thisUser())) throw new Error('its folder was removed and belongs to somebody else now');
    }
    mkdirSync(this.path, { mode: 0o700 });
    this.#record();
  }

  #record(): void {
    const { serverBits, outputBase } = this.#options;
    const { pid, startTime } = readProcess(process.pid) ?? { pid: process.pid, startTime: 0 };
    const record: ServerRecord = { pid, startTime, serverBits: String(serverBits), place: thisPlace(), outputBase };
    try {
      writePrivate(join(this.path, RECORD), JSON.stringify(record));
    } catch (error) {
      rmSync(this.path, { recursive: true, force: true }); // without its record nobody would know whose it is
      throw error;
    }
  }
}

/** Something that is being killed may put a file into a folder that is being emptied. */
const REMOVAL = { recursive: true, force: true, maxRetries: 5 } as const;

/** Removes what a server left: its output, then its folder, which says where that is. */
export function removeServerFiles(dir: string): void {
  rmSync(outputPathOf(dir, readRecord(dir)?.outputBase), REMOVAL);
  rmSync(dir, REMOVAL);
}

function outputPathOf(dir: string, outputBase: string | undefined): string {
  return join(outputBase ?? dir, outputBase === undefined ? 'output' : basename(dir));
}

/** The names of the servers' folders in the shared one; what else is in it is none. */
export function serverFolders(shared: string): string[] {
  try {
    return readdirSync(shared).filter((name) => name.startsWith(FOLDER));
  } catch {
    return []; // removed by hand
  }
}

/** What the server that made a folder said about itself; undefined when there is no record, or none that can be read. */
export function readRecord(dir: string): ServerRecord | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(join(dir, RECORD), 'utf8'));
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined; // not there, or torn
  }
}

/** Where this process is, as far as pids go. */
export function thisPlace(): Place {
  return {
    boot: readText(() => readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()),
    pidNamespace: readText(() => readlinkSync('/proc/self/ns/pid')),
  };
}

/**
 * The folder of all servers of this user: `shellkeep-<uid>` in XDG_RUNTIME_DIR, else in memory, else in the temporary folder, if it is ours alone. Several small files
 * come and go with each command: on a disk's file system replacing one takes a third of a millisecond (measured on ext4).
 */
export function sharedDirectory(env: NodeJS.ProcessEnv): string | undefined {
  const uid = thisUser();
  const runtimeDir = env['XDG_RUNTIME_DIR'];
  const memory = process.platform === 'linux' ? '/dev/shm' : undefined;
  const places = [runtimeDir !== undefined && isAbsolute(runtimeDir) ? runtimeDir : undefined, memory, tmpdir()];
  return places.flatMap((place) => (place === undefined ? [] : [join(place, `shellkeep-${uid}`)])).find((path) => isPrivate(path, uid));
}

/** Makes the folder if it can. One that another user made, or a link to somewhere else, is not used. */
function isPrivate(path: string, uid: number): boolean {
  makeFolder(path);
  const entry = lookAt(path);
  if (entry === undefined || !entry.isDirectory() || entry.uid !== uid) return false;
  if ((entry.mode & 0o077) !== 0) chmodSync(path, 0o700);
  return true;
}

function lookAt(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch {
    return undefined; // not there, or below what is no directory
  }
}

function makeUnique(prefix: string): string {
  try {
    return mkdtempSync(prefix);
  } catch (error) {
    throw notWritable(dirname(prefix), error);
  }
}

function thisUser(): number {
  return process.getuid?.() ?? 0;
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch {
    // there already, or not to be made here: what is there now decides
  }
}

function isRecord(value: unknown): value is ServerRecord {
  if (typeof value !== 'object' || value === null) return false;
  const { pid, startTime, serverBits, place, outputBase } = value as Partial<Record<keyof ServerRecord, unknown>>;
  if (typeof pid !== 'number' || typeof startTime !== 'number' || typeof place !== 'object' || place === null) return false;
  if (outputBase !== undefined && (typeof outputBase !== 'string' || !isAbsolute(outputBase))) return false;
  return typeof serverBits === 'string' && /^\d{1,12}$/.test(serverBits);
}

function readText(read: () => string): string {
  try {
    return read();
  } catch {
    return ''; // no /proc
  }
}
