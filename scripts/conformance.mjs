// npm run conformance: the public MCP conformance suite against `shellkeep serve`, with a Node that is new enough for it; both come from npm, into a folder
// outside of the checkout. The suite sends no token: a proxy on loopback adds it and passes on all else as it is. Ends with 1 when a scenario fails that applies.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startServe } from './lib/serve.mjs';
import { build, fail, installIfMissing } from './lib/steps.mjs';

const SUITE = '@modelcontextprotocol/conformance@0.1.16';
const NODE = 'node@22';
const FOLDER = path.join(tmpdir(), 'shellkeep-conformance');

/** They call tools, read resources or get prompts by names of the suite's own example server, which does nothing else. */
const EXAMPLES = 'needs an example of the suite by its name (test_…, test://…), which a server for shells does not have';
const NOT_APPLICABLE = {
  'logging-set-level': 'the server has no logging capability: what it has to say goes to standard error and into the audit log',
  'completion-complete': EXAMPLES,
  'tools-call-simple-text': EXAMPLES,
  'tools-call-image': EXAMPLES,
  'tools-call-audio': EXAMPLES,
  'tools-call-embedded-resource': EXAMPLES,
  'tools-call-mixed-content': EXAMPLES,
  'tools-call-with-logging': EXAMPLES,
  'tools-call-error': EXAMPLES,
  'tools-call-with-progress': EXAMPLES,
  'tools-call-sampling': EXAMPLES,
  'tools-call-elicitation': EXAMPLES,
  'json-schema-2020-12': EXAMPLES,
  'elicitation-sep1034-defaults': EXAMPLES,
  'elicitation-sep1330-enums': EXAMPLES,
  'server-sse-polling': EXAMPLES,
  'resources-read-text': EXAMPLES,
  'resources-read-binary': EXAMPLES,
  'resources-templates-read': EXAMPLES,
  'resources-subscribe': EXAMPLES,
  'resources-unsubscribe': EXAMPLES,
  'prompts-get-simple': EXAMPLES,
  'prompts-get-with-args': EXAMPLES,
  'prompts-get-embedded-resource': EXAMPLES,
  'prompts-get-with-image': EXAMPLES,
};

await installIfMissing();
await build('--if-stale');
installSuite();
const server = await startServer();
const proxy = await startProxy(server);
const names = scenarios();
const failed = [];
for (const name of names) {
  const why = NOT_APPLICABLE[name];
  if (why !== undefined) console.log(`  -   ${name}: does not apply: ${why}`);
  else if (await passes(name)) console.log(`  ok  ${name}`);
  else failed.push(name);
}
const stale = Object.keys(NOT_APPLICABLE).filter((name) => !names.includes(name));
proxy.close();
await server.end();
const ran = names.filter((name) => NOT_APPLICABLE[name] === undefined).length;
console.log(`conformance: ${ran - failed.length} of ${ran} scenarios passed, ${names.length - ran} do not apply`);
if (ran === 0 || failed.length > 0 || stale.length > 0) fail(`failed: ${failed.join(', ') || 'none'}; unknown to the suite: ${stale.join(', ') || 'none'}`);

function installSuite() {
  if (existsSync(binary('conformance'))) return;
  mkdirSync(FOLDER, { recursive: true });
  const { status } = spawnSync('npm', ['install', '--prefix', FOLDER, '--no-audit', '--no-fund', '--no-save', SUITE, NODE], { stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) fail(`npm install ${SUITE} ${NODE} ended with ${status}`);
}

function binary(name) {
  return path.join(FOLDER, 'node_modules', '.bin', name);
}

function scenarios() {
  const { stdout } = spawnSync(binary('node'), [binary('conformance'), 'list', '--server'], { encoding: 'utf8' });
  return [...stdout.matchAll(/^ {2}- (\S+)/gm)].map(([, name]) => name);
}

async function passes(name) {
  const child = spawn(binary('node'), [binary('conformance'), 'server', '--url', `http://localhost:${proxy.address().port}/mcp`, '--scenario', name], { stdio: ['ignore', 'pipe', 'pipe'], cwd: server.home });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (chunk) => (text += chunk));
  const [status] = await once(child, 'close');
  if (status !== 0) console.log(`  NO  ${name}\n${text}`);
  return status === 0;
}

/** With a home of its own. Any port of localhost is let through, since the proxy's is another one. */
async function startServer() {
  const home = mkdtempSync(path.join(tmpdir(), 'shellkeep-conformance-home-'));
  const serve = await startServe({ PATH: process.env.PATH, HOME: home, XDG_RUNTIME_DIR: home }, ['--allowed-hosts', 'localhost']);
  const end = async () => {
    await serve.end();
    rmSync(home, { recursive: true, force: true });
  };
  return { ...serve, home, end };
}

async function startProxy({ port, token }) {
  const proxy = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, authorization: `Bearer ${token}` };
    const onward = request({ host: '127.0.0.1', port, method: incoming.method, path: incoming.url, headers, setHost: false }, (answer) => {
      outgoing.writeHead(answer.statusCode, answer.headers);
      answer.pipe(outgoing);
    });
    onward.on('error', () => outgoing.destroy());
    outgoing.on('close', () => onward.destroy());
    incoming.pipe(onward);
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  return proxy;
}
