// The argument `until`: what a call waits for beside the end of the process.
import { z } from 'zod';
import { shorten } from '../lib/shorten.ts';
import { urlFault } from '../waiting/loopback.ts';
import type { Until } from '../waiting/until.ts';
import { pattern } from './fields.ts';

/** As long as a call can wait at all. */
const MAX_QUIET_MS = 600_000;

/** Flat, since clients and models do badly with unions; exactly one key is given. */
export const until = z
  .strictObject({
    output: pattern.optional().describe('RE2 pattern'),
    quiet_ms: z.int().min(1).max(MAX_QUIET_MS).optional(),
    port: z.int().min(1).max(65_535).optional(),
    http: z
      .string()
      .superRefine((url, { addIssue }) => {
        const fault = urlFault(url);
        if (fault !== undefined) addIssue({ code: 'custom', message: `is ${shorten(url)}, which ${fault.message}`, params: { hint: fault.hint } });
      })
      .optional(),
    exit: z.literal(true).optional(),
  })
  .refine((given) => countGiven(given) === 1, {
    error: ({ input }) => (countGiven(Object(input)) === 0 ? 'names nothing to wait for' : `names ${namesOf(Object(input)).join(' and ')}; one is waited for`),
    params: { hint: 'give exactly one of output, quiet_ms, port, http, exit' },
  })
  .describe('exactly one key');

/** What services wait for. */
export function untilOf(given: z.output<typeof until> | undefined): Until | undefined {
  if (given?.output !== undefined) return { kind: 'output', pattern: given.output };
  if (given?.quiet_ms !== undefined) return { kind: 'quiet', quietMs: given.quiet_ms };
  if (given?.port !== undefined) return { kind: 'port', port: given.port };
  if (given?.http !== undefined) return { kind: 'http', url: given.http };
  return given?.exit === undefined ? undefined : { kind: 'exit' };
}

function countGiven(given: object): number {
  return namesOf(given).length;
}

function namesOf(given: object): string[] {
  return Object.entries(given).filter(([, value]) => value !== undefined).map(([name]) => name);
}
