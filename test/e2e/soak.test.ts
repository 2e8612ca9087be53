// A short soak: the long one is `node scripts/soak.mjs`.
import { expect, test } from 'vitest';
import { soak } from '../../scripts/soak/soak.mjs';
import { withServer } from '../support/harness.ts';
import { shells } from '../support/shells.ts';

test('hundreds of commands in parallel sessions give every predicted exit code and byte, and leave the server as it was (R217, R237)', { timeout: 120_000 }, async () => {
  await withServer({}, async (server) => {
    const call = server.callTool.bind(server);
    const facts = server.facts.bind(server);
    const { commands, wrong } = await soak({ call, facts, pid: server.pid }, { seed: 7, commands: 400, sessions: 6, shells: shells() });
    expect(wrong).toEqual([]);
    expect(commands).toBeGreaterThanOrEqual(400);
    expect(server.stray).toEqual([]);
  });
});
