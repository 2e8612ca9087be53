// Schemas as clients see them: small, flat, without what no client uses.
import { z } from 'zod';
import type { ValueSchema } from '../lib/allowed.ts';

/** A JSON Schema of an object, as plain data. */
export interface ObjectSchema extends ValueSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, ValueSchema>>;
  readonly required?: string[];
}

/** The schema of a tool's arguments. Unknown ones are refused, so it is closed. */
export function inputJsonSchema(schema: z.ZodObject): ObjectSchema {
  return wireSchema(z.toJSONSchema(schema, { io: 'input', override: ({ jsonSchema }) => delete jsonSchema.propertyNames }));
}

/**
 * The schema of a tool's result, which has the id of its audit entry. It names no required fields and has `error`, since clients check results that are
 * errors against it too (the SDK's client does whenever there is structured content).
 */
export function outputJsonSchema(schema: z.ZodObject): ObjectSchema {
  const { required: _, ...rest } = wireSchema(z.toJSONSchema(schema, { io: 'output', override: ({ jsonSchema }) => strip(jsonSchema) }));
  return { ...rest, properties: { ...rest.properties, audit_id: { type: 'string' }, error: { type: 'object' } } };
}

/** Bounds and closedness are ours to keep; in results they are noise. */
function strip(schema: z.core.JSONSchema.BaseSchema): void {
  delete schema.minimum;
  delete schema.maximum;
  delete schema.additionalProperties;
  delete schema.required;
  delete schema.propertyNames;
}

function wireSchema(schema: z.core.JSONSchema.BaseSchema): ObjectSchema {
  const { $schema: _, ...rest } = schema;
  return { type: 'object', properties: {}, ...rest } as ObjectSchema;
}
