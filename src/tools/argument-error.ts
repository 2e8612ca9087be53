// What zod says of a call's arguments, in our words: argument, value, what is allowed, and what was probably meant.
import type { z } from 'zod';
import { ExpectedError } from '../errors.ts';
import { allowedValues, type ValueSchema } from '../lib/allowed.ts';
import { nearest } from '../lib/nearest.ts';
import { shorten } from '../lib/shorten.ts';
import type { ObjectSchema } from './json-schema.ts';

/** The call that was refused. */
export interface RefusedCall {
  readonly tool: string;
  readonly arguments: unknown;
  /** The JSON Schema of the tool's input. */
  readonly schema: ObjectSchema;
}

type Issue = z.core.$ZodIssue;
interface Complaint {
  readonly message: string;
  readonly hint?: string | undefined;
}

/** More complaints than this about one call help nobody. */
const MAX_COMPLAINTS = 4;

/** INVALID_ARGUMENT that names every argument at fault. */
export function argumentError(call: RefusedCall, issues: readonly Issue[]): ExpectedError {
  const complaints = issues.slice(0, MAX_COMPLAINTS).map((issue) => complaint(call, issue));
  const hints = [...new Set(complaints.map(({ hint }) => hint).filter((hint) => hint !== undefined))];
  return new ExpectedError('INVALID_ARGUMENT', complaints.map(({ message }) => message).join('; '), {
    hint: `${hints.length === 0 ? 'correct it and call again' : hints.join('; ')}; nothing was run`,
  });
}

function complaint(call: RefusedCall, issue: Issue): Complaint {
  if (issue.code === 'unrecognized_keys') return issue.path.length === 0 ? unknownArguments(call, issue.keys) : unknownKeys(call, issue);
  if (issue.path.length === 0) return { message: `the arguments of ${call.tool} are ${shorten(call.arguments)}; they must be an object` };
  const name = `argument "${issue.path.join('.')}"`;
  if (issue.code === 'invalid_key') return { message: `argument "${String(issue.path[0])}" ${issue.issues[0]?.message ?? 'has a bad name'}` };
  if (issue.code === 'custom' || issue.code === 'invalid_format') return { message: `${name} ${issue.message}`, hint: hintOf(issue) };
  const value = at(call.arguments, issue.path);
  if (value === undefined) return { message: `${name} is missing`, hint: `${call.tool} needs ${(call.schema.required ?? []).join(', ')}` };
  const allowed = allowedValues(schemaAt(call.schema, issue.path));
  const hint = value === null ? `leave "${issue.path.join('.')}" out if it has no value` : undefined;
  return { message: `${name} is ${shorten(value)}; it must be ${allowed}`, hint };
}

function unknownArguments({ tool, schema }: RefusedCall, keys: readonly string[]): Complaint {
  const known = Object.keys(schema.properties);
  const named = keys.slice(0, MAX_COMPLAINTS);
  const meant = [...new Set(named.map((key) => nearest(key, known)).filter((name) => name !== undefined))];
  const takes = known.length === 0 ? `${tool} takes no arguments` : `${tool} takes ${known.join(', ')}`;
  return {
    message: `${tool} has no argument ${named.map(shorten).join(', ')}`,
    hint: meant.length === 0 ? takes : `did you mean ${meant.map((name) => `"${name}"`).join(', ')}? ${takes}`,
  };
}

/** Of an argument that is an object. */
function unknownKeys({ schema }: RefusedCall, { keys, path }: z.core.$ZodIssueUnrecognizedKeys): Complaint {
  const name = path.join('.');
  const known = Object.keys(schemaAt(schema, path).properties ?? {});
  return { message: `argument "${name}" has no ${keys.slice(0, MAX_COMPLAINTS).map(shorten).join(', ')}`, hint: `"${name}" takes ${known.join(', ')}` };
}

function hintOf(issue: Issue): string | undefined {
  const hint: unknown = issue.code === 'custom' ? issue.params?.['hint'] : undefined;
  return typeof hint === 'string' ? hint : undefined;
}

function at(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((inner, key) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined), value);
}

function schemaAt(schema: ValueSchema, path: readonly PropertyKey[]): ValueSchema {
  return path.reduce<ValueSchema>((inner, key) => {
    if (typeof key === 'number') return inner.items ?? {};
    const { additionalProperties } = inner;
    return inner.properties?.[String(key)] ?? (typeof additionalProperties === 'object' ? additionalProperties : {});
  }, schema);
}
