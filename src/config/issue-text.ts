// What a schema says is wrong with a table of the configuration file, in words.
import type { z } from 'zod';

/** `path` is where in the table. */
export function issueText(path: readonly PropertyKey[], issue: z.core.$ZodIssue | undefined, otherwise: string): string {
  const key = path.join('.');
  const message = issue?.message ?? otherwise;
  if (key !== '' && message.endsWith('received undefined')) return `"${key}" is missing`;
  return key === '' ? message : `${key}: ${message}`;
}
