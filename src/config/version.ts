// The version of the package, from its own description: there is no second place to forget.
import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** For example "0.1.0". */
export function packageVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return z.object({ version: z.string() }).parse(JSON.parse(text)).version;
}
