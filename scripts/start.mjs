// npm start: all set-up on a fresh machine, how to connect a client to the built server, and a short demonstration with a real one.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { clients } from './lib/clients.mjs';
import { build, installIfMissing, SERVER } from './lib/steps.mjs';

await installIfMissing();
await build('--if-stale');
explain();
await demonstrate();

function explain() {
  const snippets = clients({ program: process.execPath, file: SERVER }).map(([client, text]) => `For ${client}:\n\n${indent(text)}\n`);
  console.log(`shellkeep is built. An MCP client starts it itself; README.md says more about each client.\n\n${snippets.join('\n')}
A demonstration: a client starts the server and talks to it over stdio.
`);
}

async function demonstrate() {
  // After the build and the installation: before them the packages may be missing.
  const { connect } = await import('./lib/connect.mjs');
  const folder = mkdtempSync(path.join(tmpdir(), 'shellkeep-demo-'));
  mkdirSync(path.join(folder, 'project'));
  const server = await connect({ cwd: folder });
  try {
    await steps(server, folder);
  } finally {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
  console.log('The client has left, and with it the server and everything it had started.');
}

async function steps({ client, call }, folder) {
  const { name, version } = client.getServerVersion();
  console.log(`connected to ${name} ${version}\n`);
  const step = async (why, tool, args) => {
    const { facts, text, isError } = await call(tool, args);
    const { session_id: _session, task_id: _task, ...shown } = args;
    console.log(`${why}\n  ${tool} ${JSON.stringify(shown)}\n${indent(text.trimEnd(), '  | ')}\n`);
    if (isError) throw new Error(`${tool} answered with an error`);
    return facts;
  };
  const { session_id } = await step('A session: your own shell, with your rc files.', 'session_create', { name: 'demo', cwd: folder });
  await step('What a command changes stays …', 'session_run', { session_id, command: 'cd project' });
  await step('(so does this)', 'session_run', { session_id, command: 'export GREETING="hello from"' });
  await step('… for the commands after it.', 'session_run', { session_id, command: 'echo "$GREETING $PWD"' });
  await step('A command that fails gives its exact code, and the shell lives on.', 'session_run', { session_id, command: 'sh -c "echo something is wrong >&2; exit 42"' });
  const { task_id } = await step('A task runs in the background …', 'task_spawn', { command: 'for i in 1 2 3; do echo "step $i"; sleep 0.3; done', shell: 'bash', cwd: folder });
  for (let finished = false; !finished;) ({ finished } = await step('… and is polled; each answer has only what is new.', 'task_poll', { task_id, wait_ms: 500 }));
  await step('Ending the session ends all that it started.', 'session_destroy', { session_id });
}

function indent(text, with_ = '  ') {
  return text.split('\n').map((line) => `${with_}${line}`.trimEnd()).join('\n');
}
