// What clients see of the tools: exact, small, and in a form that every client takes.
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import { expect, test } from 'vitest';
import { Double, tools } from './double.ts';

const NAMES = [
  'run',
  'session_create',
  'session_run',
  'session_send',
  'session_read',
  'session_interrupt',
  'session_list',
  'session_destroy',
  'task_spawn',
  'task_list',
  'task_poll',
  'task_wait',
  'task_write',
  'classify',
  'audit_read',
  'check_env',
  'list_binaries',
  'which',
  'status',
];

/** Arguments that each tool needs, and no more. */
const ARGUMENTS: Readonly<Record<string, object>> = {
  run: { command: 'true' },
  session_run: { session_id: 's', command: 'true' },
  session_send: { session_id: 's', text: 'y' },
  session_read: { session_id: 's' },
  session_interrupt: { session_id: 's' },
  session_destroy: { session_id: 's' },
  task_spawn: { command: 'true' },
  task_poll: { task_id: 't' },
  task_wait: { task_ids: ['t'] },
  task_write: { task_id: 't' },
  classify: { command: 'true' },
  which: { name: 'git' },
};

const seen = tools.map(({ name, title, description, inputSchema, outputSchema, annotations }) => ({ name, title, description, inputSchema, outputSchema, annotations }));

test('the catalogue has the tools of this version, in this order', () => {
  expect(tools.map(({ name }) => name)).toEqual(NAMES);
});

test.each(seen.map((tool) => [tool.name, tool] as const))('%s is seen as in the snapshot', async (name, tool) => {
  await expect(`${JSON.stringify(tool, undefined, 2)}\n`).toMatchFileSnapshot(`schemas/${name}.json`);
});

test('the list stays small', () => {
  const inputs = seen.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  const text = seen.map(({ outputSchema: _, ...tool }) => tool);
  // of 18,000, 40,000 and 24,000 for all tools that are planned
  expect(sum(inputs)).toBeLessThan(18_000);
  expect(sum([{ tools: seen }])).toBeLessThan(39_500);
  expect(sum([{ tools: text }])).toBeLessThan(22_500);
});

function sum(values: readonly object[]): number {
  return values.reduce((total, value) => total + Buffer.byteLength(JSON.stringify(value)), 0);
}

test.each(seen.map((tool) => [tool.name, tool] as const))('%s is described for a model, and its schemas have no form that a client may not take', (_, tool) => {
  expect(Buffer.byteLength(tool.description)).toBeGreaterThan(90);
  expect(Buffer.byteLength(tool.description)).toBeLessThan(1_000);
  expect(tool.title).toMatch(/^[A-Z]/);
  expect(Object.values(tool.annotations).map((hint) => typeof hint)).toEqual(['boolean', 'boolean', 'boolean', 'boolean']);
  expect(tool.inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
  for (const schema of [tool.inputSchema, tool.outputSchema]) {
    expect(Object.keys(schema)).not.toEqual(expect.arrayContaining([expect.stringMatching(/^(anyOf|oneOf|allOf|\$schema|\$ref|\$defs)$/)]));
    for (const part of partsOf(schema)) {
      expect(Array.isArray(part['type'])).toBe(false);
      expect(part).not.toHaveProperty('$ref');
    }
  }
  for (const part of partsOf(tool.inputSchema)) {
    if (part['type'] === 'integer') expect(part).toMatchObject({ minimum: expect.any(Number), maximum: expect.any(Number) });
  }
});

/** Every object inside a value, itself included. */
function partsOf(value: unknown): Record<string, unknown>[] {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.values(value).flatMap(partsOf);
  return Array.isArray(value) ? inner : [{ ...value }, ...inner];
}

test.each(NAMES)('what %s answers fits its schema, also an error', async (name) => {
  const schema = tools.find((tool) => tool.name === name)?.outputSchema;
  const validate = new AjvJsonSchemaValidator().getValidator(wire({ ...schema, additionalProperties: false })); // also no field that it does not have
  const answer = await new Double().call(name, ARGUMENTS[name] ?? {});
  const refusal = await new Double().call(name, { nonsense: 1 });
  expect([answer.isError, refusal.isError]).toEqual([false, true]);
  expect(validate(wire(answer.structured))).toMatchObject({ valid: true });
  expect(validate(wire(refusal.structured))).toMatchObject({ valid: true });
});

function wire(value: object): Record<string, unknown> {
  return JSON.parse(JSON.stringify(value)) as Record<string, unknown>;
}

