// A tool is one value: what clients see of it, and what it does.
import type { z } from 'zod';
import type { Settings } from '../config/schema.ts';
import { argumentError } from './argument-error.ts';
import { inputJsonSchema, outputJsonSchema, type ObjectSchema } from './json-schema.ts';
import type { CallContext, Services } from './services.ts';

/** What a call does to the world: looks only; runs what the caller wrote; ends something. */
export type Effect = 'reads' | 'runs' | 'destroys';

/** The hints of MCP, all four always set. */
export interface Annotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

export interface ToolDefinition<Input extends z.ZodObject, Output extends z.ZodObject> {
  readonly name: string;
  readonly title: string;
  /** For a model: what it does, when to use it, what comes back, limits, the next step. */
  readonly description: string;
  readonly effect: Effect;
  /** The arguments; bounds and defaults may depend on the settings. */
  input(settings: Settings): Input;
  readonly output: Output;
  handle(args: z.output<Input>, services: Services, context: CallContext): Promise<z.input<Output>> | z.input<Output>;
  /** The whole result as text. It must hold every fact that the structured form holds. */
  text(result: z.input<Output>): string;
}

/** A result in both forms. */
export interface ToolOutput {
  readonly structured: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/** Does the work of one call whose arguments were checked. */
export type PreparedCall = (services: Services, context: CallContext) => Promise<ToolOutput>;

/** A tool for one server's settings. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly annotations: Annotations;
  readonly inputSchema: ObjectSchema;
  readonly outputSchema: ObjectSchema;
  /** Checks arguments. @throws ExpectedError INVALID_ARGUMENT */
  prepare(args: unknown): PreparedCall;
}

const ANNOTATIONS: Readonly<Record<Effect, Annotations>> = {
  reads: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  runs: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  destroys: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
};

/** Makes a tool, to be given the settings. */
export function defineTool<Input extends z.ZodObject, Output extends z.ZodObject>(definition: ToolDefinition<Input, Output>): (settings: Settings) => Tool {
  const { name, title, description, effect, output } = definition;
  return (settings) => {
    const input = definition.input(settings);
    const inputSchema = inputJsonSchema(input);
    return {
      name,
      title,
      description,
      annotations: ANNOTATIONS[effect],
      inputSchema,
      outputSchema: outputJsonSchema(output),
      prepare: (args) => {
        const parsed = input.safeParse(args);
        if (!parsed.success) throw argumentError({ tool: name, arguments: args, schema: inputSchema }, parsed.error.issues);
        return async (services, context) => {
          const structured = await definition.handle(parsed.data, services, context);
          return { structured, text: definition.text(structured) };
        };
      },
    };
  };
}
