// What is said to an owner who has as many sessions as there may be.
import { ExpectedError } from '../errors.ts';
import { counted } from '../lib/counted.ts';
import { describeAge } from './age.ts';
import type { SessionSummary } from './api.ts';

/** Names those that are idle, longest first. `own` are the owner's, most recently used first. */
export function limitReached(count: number, maxSessions: number, own: readonly SessionSummary[]): ExpectedError {
  const idle = own.filter(({ state }) => state === 'idle' || state === 'ended').reverse();
  const names = idle.slice(0, 5).map(({ sessionId, name, lastUsedAt }) => `${sessionId} (${name}, idle ${describeAge(lastUsedAt)})`);
  const hint = `end one with session_destroy, or raise the setting max_sessions; ${names.length === 0 ? 'none is idle' : `idle longest: ${names.join(', ')}`}`;
  return new ExpectedError('SESSION_LIMIT', `${counted(count, 'session')} ${count === 1 ? 'is' : 'are'} open and max_sessions is ${maxSessions}`, { hint });
}
