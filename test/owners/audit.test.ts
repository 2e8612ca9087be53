// The audit log as each owner reads it, where several write to the same file.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Facts } from '../support/harness.ts';
import { TestApp } from '../support/test-app.ts';

interface Page extends Facts {
  readonly entries: readonly { readonly owner?: string; readonly kind: string; readonly [field: string]: unknown }[];
  readonly returned: number;
  readonly total_in_file: number;
}

let app: TestApp;
beforeAll(async () => {
  app = await TestApp.start();
});
afterAll(() => app.close());

async function pageOf(owner: string, args: object = {}): Promise<Page> {
  return (await app.facts(owner, 'audit_read', { max_entries: 1_000, ...args })) as Page;
}

test('T02: an owner reads what it did itself, and what belongs to nobody, whatever it asks for', async () => {
  const { session_id: session } = await app.facts('bob', 'session_create', { shell: 'bash' });
  await app.facts('bob', 'session_run', { session_id: session, command: 'echo of-bob' });
  const { audit_id: entry } = await app.facts('bob', 'task_spawn', { command: 'true' });
  await app.facts('alice', 'run', { command: 'echo of-alice' });
  for (const asked of [{}, { order: 'oldest' }, { session_id: session }, { search: 'of-bob' }, { search: String(entry) }, { tool: 'session_run' }, { outcome: 'done' }, { class: 'safe' }]) {
    const { entries, ...page } = await pageOf('alice', asked);
    expect(entries.filter(({ owner = 'alice' }) => owner !== 'alice')).toEqual([]);
    expect(JSON.stringify(page)).not.toContain('bob');
    expect(entries.some(({ tool, audit_id: id }) => tool === 'session_run' || id === entry)).toBe(false);
  }
  const kinds = (await pageOf('alice', { order: 'oldest' })).entries.slice(0, 2).map(({ event, tool }) => event ?? tool);
  expect(kinds).toEqual(['server_started', 'run']);
  expect((await pageOf('bob', { search: 'of-bob' })).entries).not.toEqual([]);
});

test('how much others do is not to be seen in the counts', async () => {
  const before = await pageOf('alice');
  for (let round = 0; round < 20; round++) await app.facts('bob', 'session_list');
  const after = await pageOf('alice');
  expect([after.total_in_file - before.total_in_file, after.returned - before.returned]).toEqual([1, 1]); // her own look before
  expect([after['skipped_lines'], after['path']]).toEqual([undefined, before['path']]);
  expect((await pageOf('bob')).total_in_file).toBeGreaterThan(20);
});

test('a tool whose name looks like the field of an owner is counted for whoever called it', async () => {
  const [alice, bob] = [await pageOf('alice'), await pageOf('bob')];
  await app.call('alice', '","owner":"bob"', { owner: 'bob' });
  expect([(await pageOf('alice')).total_in_file - alice.total_in_file, (await pageOf('bob')).total_in_file - bob.total_in_file]).toEqual([2, 1]);
});
