// Places where a secret stands: what comes before it, and how far it goes. Every expression looks at most a few hundred characters back or
// ahead from where it begins, so that no text takes long.
import { isSecretName } from './secret-names.ts';

export interface SecretPlace {
  /** What comes directly before the secret. */
  readonly before: RegExp;
  /** The secret itself, from there on. */
  readonly value: RegExp;
  /** Whether it is one, by what `before` has captured. */
  readonly isOne?: (captured: readonly (string | undefined)[]) => boolean;
}

/** Places that have something in common: a text without that need not be looked through for them. */
export interface SecretPlaces {
  readonly hint: RegExp;
  readonly places: readonly SecretPlace[];
}

/** One word of a shell, quotes included: its parts in quotes, escaped characters, and the rest up to a blank or an operator. */
const WORD = /(?:\$?'[^']*'?|\$?"(?:[^"\\]|\\[^])*"?|\\[^]|[^\s'"\\;&|<>()`])+/y;
/** A word that is inside quotes already, or in an address. */
const BARE = /(?:\\[^]|[^\s'"\\;&|<>()`,}])+/y;
const TO_QUOTE = /[^'"\r\n]+/y;
const TO_SINGLE_QUOTE = /[^'\r\n]+/y;
const named = ([name]: readonly (string | undefined)[]): boolean => isSecretName(name ?? '');

/** A value that stands after an option of one program: `mysql -psecret`. */
function option(programs: string, options: string, value = WORD): SecretPlace {
  return { before: new RegExp(`(?<![\\w-])(?:${programs})(?=\\s)[^|;&\\n]{0,300}?\\s(?:${options})`, 'g'), value };
}

export const SECRET_PLACES: readonly SecretPlaces[] = [
  // headers: in single quotes a value may have double ones (Digest), and both may have blanks
  {
    hint: /:/,
    places: [
      { before: /(?<=')(?:proxy-)?(?:authorization|x-api-key|x-auth-token|api-key|private-token|job-token|x-vault-token|cookie|set-cookie)\s{0,3}:\s{0,3}(?:(?:basic|bearer|token|digest|negotiate|ssws|apikey)\s+)?/gi, value: TO_SINGLE_QUOTE },
      { before: /(?<=")(?:proxy-)?(?:authorization|x-api-key|x-auth-token|api-key|private-token|job-token|x-vault-token|cookie|set-cookie)\s{0,3}:\s{0,3}(?:(?:basic|bearer|token|digest|negotiate|ssws|apikey)\s+)?/gi, value: TO_QUOTE },
      { before: /\b(?:proxy-)?authorization["']?(?:\\?\s){0,3}[:=](?:\\?\s){0,3}["']?(?:(?:basic|bearer|token|digest|negotiate|ssws|apikey)(?:\\?\s){1,3})?/gi, value: BARE },
      { before: /(?<![\w-])pass:/g, value: BARE },
    ],
  },
  // a token that is named as one
  {
    hint: /bearer/i,
    places: [
      { before: /\bbearer\s+(?=[\w.~+/-]{16})/gi, value: BARE },
    ],
  },
  // name:password@host, first in an address, then without a scheme where the host looks like one
  {
    hint: /:[^]*@/,
    places: [
      { before: /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/:@'"`]{0,200}:(?=[^\s/'"`]{1,500}@)/gi, value: /[^\s/'"`]{1,500}(?=@)/y },
      { before: /(?<![\w/@.:-])(?!(?:mailto|npm|git|workspace|sip|sips|ssh|acct|xmpp|file|https?|s):)[\w.-]{2,64}:(?=[^\s:@/'"`$]{3,200}@(?:localhost\b|tcp\(|[\w-]{1,63}(?:\.[\w-]{1,63}){0,5}\.[a-z]{2,24}\b))/gi, value: /[^\s:@/'"`]{3,200}/y },
    ],
  },
  // --password x, --db-password=x, -token x
  {
    hint: /-[a-z]/i,
    places: [
      { before: /(?<![\w-])(--?(?:[a-z0-9]{1,30}[-_.]){0,4}[a-z0-9]{2,30})(?:=|\s{1,8}(?![-\s]))/gi, value: WORD, isOne: ([name = '']) => named([name]) && !/^-+no-/i.test(name) },
    ],
  },
  // options that mean a password in one program only
  {
    hint: /mysql|mariadb|sshpass|zip|login|redis-cli|ldap|sqlcmd|bcp|7z|ssh-keygen|gh\s|curl|wget|https?\s|xh\s|smbclient|net\s|mount|htpasswd/,
    places: [
      option('mysql\\w*|mariadb[\\w-]*', '-p'),
      option('sshpass|unzip|zip', '-[pP]\\s{0,4}'),
      option('(?:docker|podman|buildah|skopeo|helm)(?:\\s+[\\w-]+){0,2}\\s+login|az\\s+login', '-p\\s{0,4}'),
      option('redis-cli', '-a\\s{1,4}'),
      option('ldap\\w{2,10}', '-w\\s{0,4}'),
      option('sqlcmd|bcp', '-P\\s{0,4}'),
      option('7z[ar]?', '-p'),
      option('ssh-keygen', '-[NP]\\s{1,4}'),
      option('gh\\s+secret\\s+set|gh\\s+variable\\s+set', '(?:-b|--body)[=\\s]{1,4}'),
      option('curl|wget|http|https|xh', "(?:-u|-U|-a|--user|--proxy-user|--auth)[=\\s]{0,4}['\"]?[^\\s:'\"]{0,100}:", /[^\s'"]+/y),
      option('smbclient|net|mount', "(?:-U|--user)[=\\s]{0,4}['\"]?[^\\s%'\"]{0,100}%", /[^\s'"]+/y),
      option('vault\\s+login', "(?=[^-\\s=]+(?:\\s|$))"),
      option('htpasswd', '-\\w*b\\w*\\s+(?:-\\w+\\s+)*\\S+\\s+\\S+\\s+'),
    ],
  },
  // set -gx API_KEY x, setenv TOKEN x, npm config set //host/:_authToken x, git config x.token y
  {
    hint: /(?:set|setenv|config)\s/,
    places: [
      { before: /(?<![\w-])(?:config(?:\s+set)?|set|setenv)(?:\s+-{1,2}[\w-]{1,30}){0,4}\s+([\w./:-]{1,120})\s+(?![-=])/g, value: WORD, isOne: named },
    ],
  },
  // what follows NAME= in any word, also inside others: export, env, -e, --from-literal=, ?token=
  {
    hint: /=/,
    places: [
      { before: /(?<![\w.])([A-Za-z_][\w.-]{0,80})\+?=(?!=)/g, value: WORD, isOne: named },
      { before: /[?&](?:sig|x-amz-(?:signature|security-token|credential)|x-goog-signature)=/gi, value: BARE },
    ],
  },
  // "name": "value", name = 'value', environ["NAME"] = "value"; a quote with a blank behind it ends a prompt: read -p "Password: " x
  {
    hint: /[:=]\s{0,3}\\?["']|["']\s{0,3}:/,
    places: [
      { before: /(?<![\w.])([A-Za-z_][\w.-]{0,80})(?:\\?["']\]?\s{0,3}(?::=|[:=])\s{0,3}(?=\\?["'])|\]?\s{0,3}(?::=|[:=])\s{0,3}(?=\\?["'][^\s;|&)]))/g, value: /\\"(?:(?!\\")[^\n])*(?:\\")?|'[^']*'?|"(?:[^"\\]|\\[^])*"?/y, isOne: named },
      { before: /\\?["']([A-Za-z_][\w.-]{0,80})\\?["']\s{0,3}:\s{0,3}(?!\\?["'])/g, value: BARE, isOne: named },
    ],
  },
  // name: value, at the beginning of a line only: elsewhere it is prose
  {
    hint: /:[ \t]/,
    places: [
      { before: /(?<=^|\n|\\n)[ \t]{0,40}(?:- )?([A-Za-z_][\w.-]{0,80}):[ \t]{1,8}/g, value: /[^\s'"][^\n]*/y, isOne: named },
    ],
  },
];
