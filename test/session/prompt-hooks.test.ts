// Hooks of the user's that start programs before each prompt: their time is theirs, not the command's.
import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { TestTable } from '../support/session-table.ts';
import { testWith } from '../support/programs.ts';

const table = new TestTable();
afterAll(() => table.close());

const HOOKS = { bash: "PROMPT_COMMAND+=('sleep 2')", zsh: 'precmd() { sleep 2; }' };
const HOOK_MS = 2_000;

/** Keeps the server busy, as many calls at once do. */
function holdServer(ms: number): void {
  for (const until = performance.now() + ms; performance.now() < until;);
}

for (const shell of ['bash', 'zsh'] as const) {
  testWith([shell], `B41 however busy the server is, a command of ${shell} is over before a slow hook is`, async () => {
    const session = await table.open(shell);
    await session.run(HOOKS[shell]);
    const over = path.join(table.work, `over-${shell}`);
    for (let round = 0; round < 3; round++) {
      const running = session.run(`touch '${over}'`);
      await expect.poll(() => existsSync(over), { timeout: 8_000, interval: 1 }).toBe(true);
      const overAt = performance.now();
      holdServer(200); // the shell has said that it is over, and nobody has looked
      expect(await running).toMatchObject({ state: 'done', exitCode: 0 });
      expect(performance.now() - overAt).toBeLessThan(HOOK_MS - 100);
      rmSync(over);
    }
    await session.destroy(0);
  });

  testWith([shell], `a hook of ${shell} is not held up by a server that knows nothing of it: a session that began anew, a pipe that is gone`, async () => {
    const session = await table.open(shell);
    await session.run(shell === 'bash' ? "PROMPT_COMMAND+=(':')" : 'precmd() { :; }');
    expect((await session.run('true')).durationMs).toBeLessThan(900);
    await session.run('exit 0');
    await session.run(shell === 'bash' ? "PROMPT_COMMAND+=(':')" : 'precmd() { :; }');
    for (let round = 0; round < 3; round++) expect((await session.run('true')).durationMs).toBeLessThan(900);
    await session.destroy(0);
  });
}

test('what is left of a hook that took its time is no command', async () => {
  const session = await table.open('bash');
  await session.run("PROMPT_COMMAND+=('sleep 0.1')");
  for (let round = 0; round < 5; round++) expect(await session.text(`echo ${round}`)).toBe(`${round}\n`);
  await session.destroy(0);
});
