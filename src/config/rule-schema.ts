// The tables [[rule]] of the configuration file: rules of the policy that a person writes.
import { z } from 'zod';
import { shorten } from '../lib/shorten.ts';
import { issueText } from './issue-text.ts';

const texts = z.array(z.string().min(1)).min(1);

/** `match` is the beginning of a command's words; an element may be a list of alternatives, or "*" for any one word. */
export const ruleSchema = z
  .strictObject({
    id: z.string().regex(/^[a-z0-9][a-z0-9-]{0,63}$/, 'must be lower case letters, digits and "-"'),
    class: z.enum(['reject', 'dangerous', 'safe']),
    match: z.array(z.union([z.string().min(1), texts])).min(1),
    reason: z.string().min(1),
    examples: texts.optional(),
    not_examples: texts.optional(),
  })
  .transform(({ not_examples: notExamples, examples, ...rule }) => ({ ...rule, ...(examples && { examples }), ...(notExamples && { notExamples }) }));

/** What is wrong with the tables, in words: which one, which key, what it must be. */
export function ruleFault(value: unknown, { issues: [issue] }: z.ZodError): string {
  const [index, ...path] = issue?.path ?? [];
  if (!Array.isArray(value) || typeof index !== 'number') return 'tables [[rule]] in the configuration file';
  const rule: unknown = value[index];
  const id = typeof rule === 'object' && rule !== null && 'id' in rule ? ` (${shorten(rule.id)})` : '';
  return `right in rule ${index + 1}${id}: ${issueText(path, issue, 'not a rule')}`;
}
