// The idle timeout in a whole server, with a clock that the test moves: which sessions it ends, what is counted, and who can read of it.
import { afterEach, expect, test, vi } from 'vitest';
import { TestApp } from '../support/test-app.ts';

afterEach(() => {
  vi.useRealTimers();
});

test('R154 R155 R156: a session that nobody used for idle_timeout_s ends and is in its owner\'s log, one in which something runs does not', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] });
  const app = await TestApp.start({ idle_timeout_s: '60' });
  const open = async (owner: string): Promise<string> => (await app.facts(owner, 'session_create', { shell: 'bash' })).session_id ?? '';
  const [idle, busy, others] = [await open('alice'), await open('alice'), await open('bob')];
  await app.facts('alice', 'session_run', { session_id: busy, command: 'sleep 3083', timeout_ms: 1 });
  const listed = async (owner: string): Promise<string[]> => ((await app.facts(owner, 'session_list'))['sessions'] as { session_id: string }[]).map(({ session_id: id }) => id);
  vi.advanceTimersByTime(45_000);
  expect([await listed('alice'), await listed('bob')]).toEqual([expect.arrayContaining([idle, busy]), [others]]);
  vi.advanceTimersByTime(45_000);
  await expect.poll(async () => [await listed('alice'), await listed('bob')], { timeout: 8_000 }).toEqual([[busy], []]);
  expect(await app.code('alice', 'session_read', { session_id: idle })).toBe('SESSION_NOT_FOUND');
  expect(await app.facts('alice', 'session_read', { session_id: busy })).toMatchObject({ state: 'running' });
  const reapedOf = async (owner: string): Promise<unknown> => (await app.facts(owner, 'audit_read', { search: 'session_reaped' }))['entries'];
  for (const [owner, session] of [['alice', idle], ['bob', others]] as const) expect(await reapedOf(owner)).toMatchObject([{ kind: 'event', event: 'session_reaped', owner, session_id: session }]);
  expect((await app.services()).sessions.reaped).toBe(2);
  await app.close();
});
