// Who may come in over TCP. A web page in the user's browser can reach loopback too: so the names by which this server is called are checked, requests
// that come from pages are refused, and every request needs a token.
import type { IncomingMessage } from 'node:http';
import type { TokenEntry, TokenList } from '../../config/token-list.ts';
import type { Log } from '../../lib/logger.ts';
import { FailedTokens } from './failed-tokens.ts';
import type { Refusal } from './refusal.ts';

export interface AccessOptions {
  readonly tokens: Pick<TokenList, 'ownerOf'>;
  /** Names beside those of loopback, whatever the port is: there may be a proxy in front. */
  readonly allowedHosts: readonly string[];
  /** Where it listens. */
  port(): number;
  readonly log: Log;
}

const LOOPBACK_NAMES: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '[::1]']);
const DEFAULT_PORT = 80;
const BEARER = /^bearer +([\w.~+/=-]+) *$/i;

export class Access {
  readonly #options: AccessOptions;
  readonly #allowed: ReadonlySet<string>;
  readonly #failed = new FailedTokens();
  #refusedTokens = 0;

  constructor(options: AccessOptions) {
    this.#options = options;
    this.#allowed = new Set(options.allowedHosts.map((name) => name.toLowerCase()));
  }

  /** How many requests had no token, or a wrong one. */
  get refusedTokens(): number {
    return this.#refusedTokens;
  }

  /** Whether the request is meant for this server and does not come from a page: undefined when all is well. */
  placeFault({ rawHeaders, url = '' }: Pick<IncomingMessage, 'rawHeaders' | 'url'>): Refusal | undefined {
    const hosts = valuesOf(rawHeaders, 'host');
    if (hosts.length !== 1 || !url.startsWith('/')) return { status: 400, message: 'a request has one Host header, and a path as its target', closes: true };
    const [host = ''] = hosts;
    if (!this.#isOurs(host)) return { status: 403, message: `this server is not called ${JSON.stringify(host.slice(0, 100))}: name it in the setting allowed_hosts if it should be` };
    const origin = valuesOf(rawHeaders, 'origin').find((value) => !this.#isAllowedOrigin(value));
    return origin === undefined ? undefined : { status: 403, message: `web pages of ${JSON.stringify(origin.slice(0, 100))} may not call this server: only those of allowed_hosts may` };
  }

  /** Whose request it is, or why it is nobody's. */
  caller({ headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>): TokenEntry | Refusal {
    const [, token] = BEARER.exec(headers.authorization ?? '') ?? [];
    const entry = token === undefined ? undefined : this.#ownerOf(token);
    if (entry !== undefined) return entry;
    this.#refusedTokens++;
    const waitS = this.#failed.note(socket.remoteAddress ?? '');
    if (waitS > 0) return { status: 429, message: `too many wrong tokens: the next one is looked at in ${waitS} s; a right one always is`, headers: { 'retry-after': String(waitS) } };
    const challenge = token === undefined ? 'Bearer realm="shellkeep"' : 'Bearer realm="shellkeep", error="invalid_token"';
    const message = `${token === undefined ? 'this needs a token' : 'no such token'}: send "Authorization: Bearer TOKEN"; "shellkeep token add NAME" makes one`;
    return { status: 401, message, headers: { 'www-authenticate': challenge } };
  }

  /** A list that cannot be read lets nobody in. */
  #ownerOf(token: string): TokenEntry | undefined {
    try {
      return this.#options.tokens.ownerOf(token);
    } catch (error) {
      this.#options.log(error instanceof Error ? error.message : String(error));
      return undefined;
    }
  }

  #isOurs(host: string): boolean {
    const { name, port = DEFAULT_PORT } = hostParts(host) ?? {};
    if (name === undefined) return false;
    return this.#allowed.has(name) || (LOOPBACK_NAMES.has(name) && port === this.#options.port());
  }

  #isAllowedOrigin(origin: string): boolean {
    const [, host = ''] = /^https?:\/\/([^/]+)$/.exec(origin) ?? [];
    const name = hostParts(host)?.name;
    return name !== undefined && this.#allowed.has(name);
  }
}

/** Name and port of a Host header; undefined for what is none. */
function hostParts(host: string): { readonly name: string; readonly port?: number } | undefined {
  const [, name, port] = /^(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(?::(\d{1,5}))?$/i.exec(host) ?? [];
  if (name === undefined) return undefined;
  return { name: name.toLowerCase(), ...(port === undefined ? {} : { port: Number(port) }) };
}

/** Node joins, or drops, headers that are there twice. */
function valuesOf(rawHeaders: readonly string[], name: string): string[] {
  return rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === name);
}
