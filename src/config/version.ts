// The version of the package, from its own description: there is no second place to forget.
import { readFileSync } from 'node:fs';

/** For example "0.1.0". */
export function packageVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  const { version } = JSON.parse(text) as { version?: unknown };
  if (typeof version !== 'string') throw new Error('package.json has no version');
  return version;
}
