// Patterns for output. The engine is loaded when the first one is needed: the start of the server does not wait for it.
import type { Pattern } from '../lib/pattern.ts';

/** Throws BAD_PATTERN. */
export async function compilePattern(source: string): Promise<Pattern> {
  const { Pattern } = await import('../lib/pattern.ts');
  return Pattern.compile(source);
}
