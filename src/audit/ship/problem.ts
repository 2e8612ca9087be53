// What a network says when it does not do what was asked, in words for people.
import { getSystemErrorMap } from 'node:util';
import { TIMEOUT_MS } from './sink.ts';

/** Of sockets, names and certificates; without addresses, so that the same problem reads the same. */
export function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return `no answer within ${TIMEOUT_MS / 1_000} s`;
  if (error.name === 'AbortError') return 'there was no time to wait for the answer';
  const inner: unknown = error instanceof AggregateError ? error.errors[0] : error; // each address of a name has its own
  const { code, message } = inner as Error & { code?: string };
  if (code === undefined) return message;
  const [, words] = [...getSystemErrorMap().values()].find(([name]) => name === code) ?? [];
  return words ?? (code === 'ENOTFOUND' ? 'there is no host of this name' : `${message} (${code})`);
}

/** What was sent back, on one line and short: it ends up in a log of ours. */
export function excerptOf(text: string): string {
  const line = text.replaceAll(/[^\x20-\x7e]+/g, ' ').trim();
  return line.length > 200 ? `${line.slice(0, 200)}…` : line;
}
