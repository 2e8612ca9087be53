// The tables [[ship]] of the configuration file: where the audit log is sent. Secrets are named here, by a variable or a file, and never written here.
import { z } from 'zod';
import { shorten } from '../lib/shorten.ts';
import { issueText } from './issue-text.ts';

/** Facilities by their names; the numbers are those of the protocol. */
export const FACILITIES = {
  user: 1, daemon: 3, auth: 4, syslog: 5, authpriv: 10, local0: 16, local1: 17, local2: 18, local3: 19, local4: 20, local5: 21, local6: 22, local7: 23,
} as const;

const url = z.string().max(2_000).refine(isPlainUrl, 'must be an address that begins with http:// or https:// and has no user, password or fragment');
const variable = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,199}$/, 'must be the name of an environment variable');
const path = z.string().max(4_000).regex(/^\//, 'must be an absolute path');
const host = z.string().regex(/^[A-Za-z0-9_.:%-]{1,253}$/, 'must be a host name or an address');
const labelName = z.string().regex(/^(?!__)[a-zA-Z_][a-zA-Z0-9_]{0,99}$/, 'must be letters, digits and "_"');
const labels = z.record(labelName, z.string().min(1).max(1_000)).refine((all) => !Object.hasOwn(all, 'server'), 'may not have "server", which each stream has from us')
  .refine((all) => Object.keys(all).length <= 10, 'may have at most 10');

const loki = z
  .strictObject({ to: z.literal('loki'), url, labels: labels.optional(), tenant: z.string().regex(/^[\x21-\x7e]{1,150}$/).optional(), authorization_env: variable.optional(), authorization_file: path.optional() })
  .refine((sink) => sink.authorization_env === undefined || sink.authorization_file === undefined, 'has authorization_env or authorization_file, not both');

const cloudwatch = z.strictObject({
  to: z.literal('cloudwatch'),
  region: z.string().regex(/^[a-z0-9-]{2,40}$/, 'must be a region, like eu-central-1'),
  group: z.string().regex(/^[.\-_/#A-Za-z0-9]{1,512}$/, 'must be the name of a log group'),
  stream: z.string().regex(/^[^:*\p{Cc}]{1,512}$/u, 'must be a name without ":" and "*"').optional(),
  endpoint: url.optional(),
});

const syslog = z
  .strictObject({
    to: z.literal('syslog'),
    transport: z.enum(['udp', 'tcp', 'local']),
    host: host.optional(),
    port: z.int().min(1).max(65_535).optional(),
    path: path.optional(),
    facility: z.enum(Object.keys(FACILITIES) as (keyof typeof FACILITIES)[]).default('authpriv'),
  })
  .refine(({ transport, host: there }) => transport === 'local' || there !== undefined, 'needs a host')
  .refine(({ transport, path: there }) => transport === 'local' || there === undefined, 'has a path only where the transport is "local"')
  .refine((sink) => sink.transport !== 'local' || (sink.host === undefined && sink.port === undefined), 'has no host and no port where the transport is "local"');

export const shipSchema = z.discriminatedUnion('to', [loki, cloudwatch, syslog]);
export const sinksSchema = z.array(shipSchema).max(8).refine((sinks) => new Set(sinks.map(targetOf)).size === sinks.length, 'must not name the same place twice');

/** One place that the audit log is sent to. */
export type SinkSettings = z.output<typeof shipSchema>;

/** Where it goes: two sinks with the same are one. */
export function targetOf(sink: SinkSettings): string {
  if (sink.to === 'loki') return `loki ${sink.url} ${sink.tenant ?? ''}`;
  if (sink.to === 'cloudwatch') return `cloudwatch ${sink.region} ${sink.group} ${sink.stream ?? ''} ${sink.endpoint ?? ''}`;
  return `syslog ${sink.transport} ${sink.host ?? ''} ${sink.port ?? ''} ${sink.path ?? ''}`;
}

/** What is wrong, in words: which table, which key, what it must be, and its value unless that may hold a secret. */
export function shipFault(value: unknown, { issues: [issue] }: z.ZodError): { readonly shown: string; readonly allowed: string } {
  const [index, ...keys] = issue?.path ?? [];
  if (!Array.isArray(value)) return { shown: shorten(typeof value), allowed: 'tables [[ship]] in the configuration file' };
  if (typeof index !== 'number') return { shown: `${value.length} tables`, allowed: `tables [[ship]] in the configuration file: ${issue?.message ?? ''}` };
  const sink: unknown = value[index];
  const to = memberOf(sink, 'to');
  const kind = typeof to === 'string' ? ` (${shorten(to)})` : '';
  return { shown: harmless(keys.reduce(memberOf, sink)), allowed: `right in sink ${index + 1}${kind}: ${issueText(keys, issue, 'not a sink')}` };
}

function memberOf(value: unknown, key: PropertyKey): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? (value as Record<PropertyKey, unknown>)[key] : undefined;
}

/** An address may have a password in it, and a whole table anything. */
function harmless(value: unknown): string {
  if (value === undefined) return '(nothing)';
  return (typeof value === 'string' && !/[@?]/.test(value)) || typeof value === 'number' || typeof value === 'boolean' ? shorten(value) : '…';
}

function isPlainUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, hash } = new URL(text);
  return (protocol === 'http:' || protocol === 'https:') && username === '' && password === '' && hash === '';
}
