// The lines that a search has found, in both forms of a result.
import { z } from 'zod';
import type { FoundLine } from '../output/found-lines.ts';
import { unlessEmpty } from './output-facts.ts';
import { statusLine } from './render.ts';

const lines = z.array(z.string()).optional();

/** The fields of a result; absent unless something was searched for. `stream` is there where there are several. */
export const matchFields = {
  matches: z.array(z.object({ stream: z.string().optional(), line: z.int(), text: z.string(), before: lines, after: lines })).optional(),
  matches_total: z.int().optional(),
};

const matchesSchema = z.object(matchFields);
type Matches = z.input<typeof matchesSchema>;

/** The fields in the form of the wire. */
export function structuredMatches(matches: readonly (FoundLine & { readonly stream?: string })[] | undefined, total: number | undefined): Matches {
  if (matches === undefined) return {};
  const found = matches.map(({ before, after, ...match }) => ({ ...match, before: unlessEmpty(before), after: unlessEmpty(after) }));
  return { matches: found, matches_total: total };
}

/** A line of the head that counts them. */
export function matchCount({ matches, matches_total: total }: Matches): string[] {
  if (matches === undefined) return [];
  const shown = matches.length === total ? '' : `, ${matches.length} of them shown`;
  return [statusLine(`${total ?? 0} matching ${total === 1 ? 'line' : 'lines'}${shown}`)];
}

/** `stderr 12: text`; the lines around a match have a dash for the colon, as grep writes them, and groups are set apart. */
export function matchLines({ matches = [] }: Matches): string {
  const groups = matches.map(({ stream, line, text, before = [], after = [] }) => {
    const name = stream === undefined ? '' : `${stream} `;
    return [
      ...before.map((each, index) => `${name}${line - before.length + index}- ${each}`),
      `${name}${line}: ${text}`,
      ...after.map((each, index) => `${name}${line + 1 + index}- ${each}`),
    ].join('\n');
  });
  const isApart = matches.some(({ before, after }) => before !== undefined || after !== undefined);
  return groups.join(isApart ? '\n--\n' : '\n');
}
