// Who may call `serve`: tokens by the name of their owner. Kept are the hashes; a token has 256 random bits, so that a plain hash of it cannot be turned back.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { statSync } from 'node:fs';
import { z } from 'zod';
import { readOwnFile } from '../process/own-file.ts';
import { StartError } from './start-error.ts';
import { writeWhole } from './write-file.ts';

const MAX_BYTES = 1024 * 1024;
/** By which scanners for secrets, and people, know one. */
const PREFIX = 'shellkeep_';
const RANDOM_BYTES = 32;

export const ownerName = z.string().regex(/^[a-z0-9](?:[a-z0-9._-]{0,62}[a-z0-9])?$/i);
const tokens = z.object({
  version: z.literal(1),
  tokens: z.array(z.object({ owner: ownerName, sha256: z.string().regex(/^[0-9a-f]{64}$/), created_at: z.string(), max_class: z.enum(['safe', 'dangerous']).optional() })).max(1_000),
});

export interface TokenEntry {
  readonly owner: string;
  /** Of the token as text, in hexadecimal. */
  readonly sha256: string;
  /** ISO 8601. */
  readonly createdAt: string;
  /** The highest class of command that its owner may run, where the setting would allow more. */
  readonly maxClass?: 'safe' | 'dangerous' | undefined;
}

/** The list in the configuration directory. A server looks at each request whether it has changed: what is revoked is out at once. */
export class TokenList {
  readonly #path: string | undefined;
  #read: { readonly stamp: string; readonly entries: readonly TokenEntry[] } | undefined;

  /** The file need not exist; without a path there are no tokens. */
  constructor(path: string | undefined) {
    this.#path = path;
  }

  /** Throws StartError when the list cannot be read. */
  entries(): readonly TokenEntry[] {
    const stamp = this.#stamp();
    if (stamp === undefined || this.#path === undefined) return [];
    if (this.#read?.stamp !== stamp) this.#read = { stamp, entries: readEntries(this.#path) };
    return this.#read.entries;
  }

  /** Whose token this is. Looks at all of them, whichever it is. Throws StartError. */
  ownerOf(token: string): TokenEntry | undefined {
    const given = Buffer.from(hashOf(token), 'hex');
    return this.entries().filter(({ sha256 }) => timingSafeEqual(given, Buffer.from(sha256, 'hex')))[0];
  }

  /** Whether a token with this hash is still good; of a list that cannot be read none is. */
  has(sha256: string): boolean {
    try {
      return this.entries().some((entry) => entry.sha256 === sha256);
    } catch {
      return false; // whoever asks for an owner is told why
    }
  }

  /**
   * Makes a token for a new owner; it is nowhere but in the answer.
   * @throws StartError for a bad or taken name, or when the list cannot be read or written
   */
  add(owner: string, maxClass?: TokenEntry['maxClass']): string {
    if (!ownerName.safeParse(owner).success) throw new StartError(`${JSON.stringify(owner)} is no name of an owner: letters, digits, ".", "_" and "-", at most 64`);
    const others = this.entries();
    if (others.some((entry) => entry.owner === owner)) throw new StartError(`"${owner}" has a token: revoke it first (shellkeep token revoke ${owner}), or take another name`);
    const token = `${PREFIX}${randomBytes(RANDOM_BYTES).toString('base64url')}`;
    this.#write([...others, { owner, sha256: hashOf(token), createdAt: new Date().toISOString(), maxClass }]);
    return token;
  }

  /** Whether that owner had a token until now. Throws StartError. */
  revoke(owner: string): boolean {
    const entries = this.entries();
    const rest = entries.filter((entry) => entry.owner !== owner);
    if (rest.length < entries.length) this.#write(rest);
    return rest.length < entries.length;
  }

  /** Something that is another one whenever the file is; undefined when there is none. */
  #stamp(): string | undefined {
    const stats = this.#path === undefined ? undefined : statSync(this.#path, { throwIfNoEntry: false, bigint: true });
    return stats && [stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join(' ');
  }

  #write(entries: readonly TokenEntry[]): void {
    if (this.#path === undefined) throw new StartError('there is no home directory to keep tokens in: set HOME or XDG_CONFIG_HOME');
    const written = entries.map(({ owner, sha256, createdAt, maxClass }) => ({ owner, sha256, created_at: createdAt, max_class: maxClass }));
    writeWhole(this.#path, `${JSON.stringify({ version: 1, tokens: written }, undefined, 2)}\n`);
  }
}

function readEntries(path: string): TokenEntry[] {
  const { bytes, fault } = readOwnFile(path, MAX_BYTES);
  if (bytes === undefined) throw damaged(path, fault);
  const parsed = tokens.safeParse(jsonOf(bytes.toString()));
  if (!parsed.success) throw damaged(path, 'is no list of tokens');
  return parsed.data.tokens.map(({ owner, sha256, created_at: createdAt, max_class: maxClass }) => ({ owner, sha256, createdAt, maxClass }));
}

function damaged(path: string, fault: string): StartError {
  return new StartError(`${path} ${fault}: correct it, or remove it and make new tokens (shellkeep token add NAME)`);
}

/** Undefined for what is no JSON. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
