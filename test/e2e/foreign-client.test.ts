// A client that is not ours: fifty lines of Python that know nothing but JSON lines.
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { Home } from '../support/home.ts';
import { removeAtEnd } from '../support/leftovers.ts';
import { SERVER } from '../support/paths.ts';
import { findProgram } from '../support/shells.ts';

const CLIENT = fileURLToPath(new URL('./client.py', import.meta.url));

test.skipIf(findProgram('python3') === undefined)('a client in Python 3 initializes, lists the tools, and calls run, task and session tools (needs python3)', async () => {
  const home = new Home();
  removeAtEnd(home.root);
  const client = spawn('python3', [CLIENT, process.execPath, SERVER, 'stdio'], { env: { ...home.environment(), PYTHONIOENCODING: 'utf-8' }, cwd: home.dir, stdio: ['ignore', 'pipe', 'pipe'] });
  const [stdout, stderr] = await Promise.all([text(client.stdout), text(client.stderr)]);
  expect(stderr).toBe('');
  const said = JSON.parse(stdout) as { tools: string[] };
  expect(said).toMatchObject({
    server: 'shellkeep',
    protocol: '2025-03-26',
    session: { state: 'done', output: 'é ≤ 你\n/tmp\n', exit_code: 3, cwd: '/tmp' },
    run: { stdout: 'one\n', exit_code: 5 },
    task: { stdout: 'two\n', exit_code: 0, finished: true },
    status: 0,
  });
  expect(said.tools).toEqual(expect.arrayContaining(['run', 'session_create', 'session_run', 'task_spawn', 'task_poll']));
});
