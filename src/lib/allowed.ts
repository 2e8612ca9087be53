// What a JSON Schema of a single value allows, in words for an error message.

/** The parts of a JSON Schema that this product uses for single values. */
export interface ValueSchema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly items?: ValueSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, ValueSchema>>;
  readonly additionalProperties?: boolean | ValueSchema;
}

/** For example "a whole number from 1 to 600000", "one of bash, zsh, fish". */
export function allowedValues(schema: ValueSchema): string {
  if (schema.enum !== undefined) return `one of ${schema.enum.map(String).join(', ')}`;
  if (schema.const !== undefined) return String(schema.const);
  if (schema.type === 'integer') return `a whole number from ${schema.minimum} to ${schema.maximum}`;
  if (schema.type === 'boolean') return 'true or false';
  if (schema.type === 'array') return listOfLength(schema);
  if (schema.properties !== undefined) return `an object with ${Object.keys(schema.properties).join(', ')}`;
  if (schema.type === 'object') return 'an object of names and texts, like {"NAME": "value"}';
  return textOfLength(schema);
}

function listOfLength({ minItems = 0, maxItems }: ValueSchema): string {
  return maxItems === undefined ? 'a list of texts' : `a list of ${minItems} to ${maxItems} texts`;
}

function textOfLength({ minLength = 0, maxLength }: ValueSchema): string {
  if (maxLength === undefined) return minLength === 0 ? 'text' : 'text that is not empty';
  return `text of ${minLength} to ${maxLength} characters`;
}
