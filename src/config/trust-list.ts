// The project files that a person has trusted, each with the content that was: only exactly this one may add allowed roots.
import { readOwnFile } from '../process/own-file.ts';
import { StartError } from './start-error.ts';
import { writeWhole } from './write-file.ts';

const MAX_BYTES = 1024 * 1024;
const VERSION = 1;

/** The list in the configuration directory. It is read at each question: a person trusts while servers run. */
export class TrustList {
  readonly #path: string | undefined;

  /** The file need not exist; without a path nothing is trusted. */
  constructor(path: string | undefined) {
    this.#path = path;
  }

  /** What a person has said about this content of a file, named by its real path. A list that cannot be read trusts nothing. */
  verdict(path: string, sha256: string): 'trusted' | 'changed' | 'unknown' {
    const trusted = this.#read().files?.get(path);
    if (trusted === undefined) return 'unknown';
    return trusted === sha256 ? 'trusted' : 'changed';
  }

  /** The trusted files with the sha256 of each. Throws StartError when the list cannot be read. */
  entries(): ReadonlyMap<string, string> {
    const { files, fault } = this.#read();
    if (files === undefined) throw new StartError(`${this.#path ?? 'the list of trusted files'} ${fault ?? 'is damaged'}: correct it, or remove it and trust again`);
    return files;
  }

  /** Trusts this content of a file. Throws StartError. */
  add(path: string, sha256: string): void {
    this.#write(new Map([...this.entries(), [path, sha256]]));
  }

  /** Whether the file was trusted until now. Throws StartError. */
  remove(path: string): boolean {
    const files = new Map(this.entries());
    const wasTrusted = files.delete(path);
    if (wasTrusted) this.#write(files);
    return wasTrusted;
  }

  #read(): { readonly files?: ReadonlyMap<string, string>; readonly fault?: string } {
    if (this.#path === undefined) return { files: new Map() };
    const { bytes, fault } = readOwnFile(this.#path, MAX_BYTES);
    if (bytes === undefined) return fault === 'does not exist' ? { files: new Map() } : { fault };
    return parsed(bytes.toString());
  }

  #write(files: ReadonlyMap<string, string>): void {
    if (this.#path === undefined) throw new StartError('there is no home directory to keep the list of trusted files in: set HOME or XDG_CONFIG_HOME');
    writeWhole(this.#path, `${JSON.stringify({ version: VERSION, files: Object.fromEntries(files) }, undefined, 2)}\n`);
  }
}

function parsed(text: string): { readonly files?: ReadonlyMap<string, string>; readonly fault?: string } {
  try {
    const { version, files } = JSON.parse(text) as { version?: unknown; files?: unknown }; // null throws, too
    if (version !== VERSION || typeof files !== 'object' || files === null) return { fault: `has no version ${VERSION}` };
    return { files: new Map(Object.entries(files).filter((entry): entry is [string, string] => typeof entry[1] === 'string')) };
  } catch {
    return { fault: 'is no JSON' };
  }
}
