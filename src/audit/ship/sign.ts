// Requests to AWS, signed with what the environment has. The library is AWS's own, and is loaded for this sink only.
import { createHash, createHmac, type Hash, type Hmac } from 'node:crypto';
import { SignatureV4 } from '@smithy/signature-v4';

type Environment = Readonly<Record<string, string | undefined>>;

interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** Ours first: they are not handed on to shells, which the usual ones are. */
const PREFIXES = ['SHELLKEEP_AWS_', 'AWS_'];

export interface ToSign {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** All headers of the signed request; undefined while there is nothing to sign with. */
export async function signedHeaders({ url, headers, body }: ToSign, { region, env, now }: { region: string; env: Environment; now: Date }): Promise<Record<string, string> | undefined> {
  const credentials = credentialsOf(env);
  if (credentials === undefined) return undefined;
  const signer = new SignatureV4({ service: 'logs', region, credentials, sha256: Sha256 });
  const request = {
    method: 'POST', protocol: url.protocol, hostname: url.hostname, path: url.pathname, query: Object.fromEntries(url.searchParams),
    headers: { host: url.host, ...headers }, body,
  };
  return (await signer.sign(request, { signingDate: now })).headers;
}

function credentialsOf(env: Environment): Credentials | undefined {
  for (const prefix of PREFIXES) {
    const [accessKeyId = '', secretAccessKey = '', sessionToken = ''] = ['ACCESS_KEY_ID', 'SECRET_ACCESS_KEY', 'SESSION_TOKEN'].map((name) => env[`${prefix}${name}`]);
    if (accessKeyId !== '' && secretAccessKey !== '') return { accessKeyId, secretAccessKey, ...(sessionToken !== '' && { sessionToken }) };
  }
  return undefined;
}

type Secret = string | ArrayBuffer | ArrayBufferView;

/** The hash that the library asks for, of node's own. */
class Sha256 {
  readonly #secret: Secret | undefined;
  #hash: Hash | Hmac;

  constructor(secret?: Secret) {
    this.#secret = secret;
    this.#hash = this.#begin();
  }

  update(data: Secret): void {
    this.#hash.update(bytesOf(data));
  }

  digest(): Promise<Uint8Array> {
    return Promise.resolve(this.#hash.digest());
  }

  reset(): void {
    this.#hash = this.#begin();
  }

  #begin(): Hash | Hmac {
    return this.#secret === undefined ? createHash('sha256') : createHmac('sha256', bytesOf(this.#secret));
  }
}

function bytesOf(data: Secret): string | Uint8Array {
  if (typeof data === 'string') return data;
  return ArrayBuffer.isView(data) ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength) : new Uint8Array(data);
}
