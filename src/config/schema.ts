// The settings, in one table: key, schema, default, meaning. Flags, environment, file and documentation follow from it.
import { z } from 'zod';
import type { ValueSchema } from '../lib/allowed.ts';
import { ruleSchema } from './rule-schema.ts';
import { sinksSchema } from './ship-schema.ts';

/** setTimeout takes at most this many milliseconds; a longer one would fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

const path = z.string().regex(/^\//, 'must be an absolute path, or begin with "~/"');
const hostName = z.string().regex(/^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/i);
const sessionShell = z.enum(['bash', 'zsh', 'fish']);

/** Keys as in the configuration file; `--max-tasks` and `SHELLKEEP_MAX_TASKS` are the same setting elsewhere. */
export const SETTINGS = {
  allowed_roots: { schema: z.array(path), meaning: 'where a cwd may be' },
  cwd_policy: { schema: z.enum(['report', 'enforce']).default('report'), meaning: 'enforce: outside the allowed roots a session runs only "cd PATH" back' },
  profile: { schema: z.enum(['standard', 'strict', 'open']).default('standard'), meaning: 'how strict the command policy is' },
  confirm: { schema: z.enum(['flag', 'token', 'ask']).default('flag'), meaning: "what a dangerous command needs; token: of classify, ask: a person's yes" },
  max_class: { schema: z.enum(['safe', 'dangerous']).default('dangerous'), meaning: 'the highest class of command that runs' },
  allowed_commands: { schema: z.array(z.string().regex(/^[^\s:]+$/)).min(1).optional(), meaning: 'if given, only these programs may run' },
  rule: { schema: z.array(ruleSchema).max(1_000).default([]), meaning: 'rules of your own, as tables of the file only: docs/policy.md' },
  max_concurrent: { schema: z.int().min(1).max(1024).default(8), meaning: 'runs at the same time; more wait in a queue' },
  max_sessions: { schema: z.int().min(1).max(10_000).default(64), meaning: 'open sessions' },
  max_tasks: { schema: z.int().min(1).max(10_000).default(64), meaning: 'running tasks; more are queued' },
  max_wait_ms: { schema: z.int().min(1).max(MAX_TIMER_MS).default(600_000), meaning: 'longest wait of one call' },
  max_timeout_ms: { schema: z.int().min(1).max(MAX_TIMER_MS).default(600_000), meaning: 'longest timeout of a run' },
  max_output_bytes: { schema: z.int().min(1).max(10_000_000).default(50_000), meaning: 'default cut of one stream in one answer' },
  output_disk_bytes: { schema: z.int().min(0).max(2 ** 50).default(2 * 2 ** 30), meaning: 'all spilled output together' },
  retention_s: { schema: z.int().min(1).max(31_536_000).default(600), meaning: 'how long results stay readable by id, at least' },
  idle_timeout_s: { schema: z.int().min(0).max(2_147_483).default(0), meaning: 'ends sessions that are idle for longer; 0 is never' },
  shell: { schema: sessionShell.optional(), meaning: 'shell of sessions and tasks; absent: the one of the user' },
  run_shell: { schema: z.enum(['bash', 'zsh', 'fish', 'sh']).default('bash'), meaning: 'shell of runs; where there is no bash, what there is' },
  login: { schema: z.boolean().default(false), meaning: 'start shells as login shells' },
  start_timeout_ms: { schema: z.int().min(100).max(600_000).default(20_000), meaning: 'how long a shell may take to its first prompt' },
  quiet_env: { schema: z.boolean().default(true), meaning: 'silence pagers, editors and prompts by environment; --no-quiet-env does not' },
  host: { schema: z.string().regex(/^[0-9a-z.:-]{1,253}$/i).default('127.0.0.1'), meaning: 'address that serve listens on' },
  port: { schema: z.int().min(0).max(65_535).default(54_321), meaning: 'port that serve listens on; 0 is any free one' },
  tcp: { schema: z.boolean().default(true), meaning: 'serve listens on host and port, too; --no-tcp: on its Unix socket only' },
  socket: { schema: path.optional(), meaning: 'Unix socket of serve; absent: serve.sock in the runtime directory' },
  allow_remote: { schema: z.boolean().default(false), meaning: 'let serve listen on other addresses than loopback; needs allowed_hosts' },
  allowed_hosts: { schema: z.array(hostName).default([]), meaning: 'further names that clients may call serve by' },
  results: { schema: z.enum(['structured', 'text']).default('structured'), meaning: 'text: results and tool list without structured content' },
  audit_max_bytes: { schema: z.int().min(4_096).max(2 ** 30).default(26_214_400), meaning: 'size of one file of the audit log' },
  audit_backups: { schema: z.int().min(0).max(10_000).default(5), meaning: 'closed files of the audit log that are kept, small ones by size' },
  audit_gzip_bytes: { schema: z.int().min(0).max(2 ** 30).default(0), meaning: 'closed files of the audit log above this are compressed; 0 is none' },
  audit_sync: { schema: z.enum(['interval', 'always', 'never']).default('interval'), meaning: 'when the audit log is synced; interval: each second' },
  audit_required: { schema: z.boolean().default(false), meaning: 'no command runs while the audit log cannot be written' },
  redact: { schema: z.array(z.string().min(1).max(1_000)).max(50).default([]), meaning: 'patterns (RE2) of what the audit log must not contain' },
  ship: { schema: sinksSchema.default([]), meaning: 'where the audit log is sent, as tables of the file only: README' },
} as const;

export type SettingKey = keyof typeof SETTINGS;

/** `max_tasks` to `maxTasks`. */
type CamelCase<Key extends string> = Key extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<CamelCase<Tail>>}` : Key;

/** The settings in effect, checked. */
export type Settings = {
  readonly [Key in SettingKey as CamelCase<Key>]: z.output<(typeof SETTINGS)[Key]['schema']>;
};

export const SETTING_KEYS = Object.keys(SETTINGS) as readonly SettingKey[];
/** Those that are tables of the file, which are no text of one line; for who looks for one elsewhere. */
export const TABLES: Readonly<Partial<Record<SettingKey, string>>> = {
  rule: 'rules are tables [[rule]] in the configuration file',
  ship: 'sinks of the audit log are tables [[ship]] in the configuration file',
};
/** Those that are flags and variables, too. */
export const TEXT_KEYS = SETTING_KEYS.filter((key) => TABLES[key] === undefined);

/** Whether a text is the key of a setting. */
export function isSettingKey(text: string): text is SettingKey {
  return Object.hasOwn(SETTINGS, text);
}

/** What values a setting takes, as a client or a document would be told. */
export function schemaOf(key: SettingKey): ValueSchema {
  return z.toJSONSchema(SETTINGS[key].schema, { io: 'input' }) as ValueSchema;
}
