// Whether a name says that its value is a secret: of a variable, an option, a header, a field of JSON.

/** A part of the name that is enough wherever it stands. */
const TELLING = new Set([
  'password', 'passwd', 'passphrase', 'passcode', 'pass', 'pwd', 'pw', 'secret', 'secrets', 'token', 'credential', 'credentials', 'authtoken', 'apikey',
  'accesskey', 'secretkey', 'privatekey', 'clientsecret', 'accesstoken', 'refreshtoken', 'mypassword', 'dbpassword', 'pgpassword', 'sshpass', 'jwt', 'bearer', 'cookie', 'authorization',
]);
/** Enough at the end of a name that has more parts: API_KEY, but not KEY. */
const TELLING_AT_END = new Set(['key', 'auth', 'pat', 'dsn', 'pin', 'otp', 'salt', 'signature']);
/** Keys that are no secrets. */
const OPEN_KEYS = new Set(['public', 'primary', 'foreign', 'sort', 'partition', 'cache', 'group', 'index', 'unique', 'hot', 'host', 'no', 'map', 'row', 'shift', 'hash']);
/** At the end of a name: something about the secret, not the secret. */
const ABOUT = new Set([
  'file', 'path', 'dir', 'directory', 'name', 'names', 'id', 'type', 'kind', 'length', 'len', 'size', 'ttl', 'expiry', 'expires', 'count', 'limit', 'env', 'prefix', 'helper', 'policy', 'manager', 'stdin', 'command', 'cmd',
  'url', 'uri', 'endpoint', 'version', 'format', 'algorithm', 'method', 'enabled', 'required', 'fd', 'store', 'cache',
]);
/** Names of directories, not of passwords. */
const NOT_SECRET = new Set(['pwd', 'oldpwd', 'no_password', 'no-password', 'no_pass', 'no-pass']);

export function isSecretName(name: string): boolean {
  if (NOT_SECRET.has(name.toLowerCase().replace(/^-+/, ''))) return false;
  const parts = name.replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase().split(/[^a-z0-9]+/).filter((part) => part !== '');
  const last = parts.at(-1) ?? '';
  if (ABOUT.has(last)) return false;
  if (parts.some((part) => TELLING.has(part))) return true;
  return parts.length > 1 && TELLING_AT_END.has(last) && !OPEN_KEYS.has(parts.at(-2) ?? '');
}
