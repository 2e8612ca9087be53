import { chmodSync, closeSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Pipes } from '../../src/process/pipes.ts';
import { toolPath } from '../../src/process/tool.ts';
import { eventually } from './support.ts';

test('after close nothing is put into the folder any more, also not by what was making pipes', async () => {
  const root = mkdtempSync(join(tmpdir(), 'shellkeep-test-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  onTestFinished(() => void vi.unstubAllEnvs());
  const [dir, tools, begun] = ['pipes', 'tools', 'begun'].map((name) => join(root, name)) as [string, string, string];
  mkdirSync(dir);
  mkdirSync(tools);
  const pipes = new Pipes(() => dir);
  await pipes.prepare(1);
  const before = new Set(readdirSync(dir));

  const slow = join(tools, 'mkfifo');
  writeFileSync(slow, `#!/bin/sh\n: >'${begun}'\nPATH='${toolPath()}'\nsleep 0.3\nexec mkfifo "$@"\n`);
  chmodSync(slow, 0o700);
  vi.stubEnv('PATH', `${tools}:${process.env['PATH'] ?? ''}`);
  while (pipes.readyCount > 1) {
    const { own, child } = pipes.openOutput();
    [own, child].forEach(closeSync);
  }
  await eventually(() => existsSync(begun));
  await pipes.close();
  expect(readdirSync(dir).filter((name) => !before.has(name)).length, 'what was being made has been made').toBeGreaterThan(1);
  await expect(pipes.prepare(1_000)).rejects.toMatchObject({ code: 'SHUTTING_DOWN' });
});
