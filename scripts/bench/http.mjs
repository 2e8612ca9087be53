// What it costs to come by HTTP, or by connect, instead of by stdio; many clients at once, and many that only listen. The clients speak the protocol
// themselves, so that the figures are those of the server.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { HttpClient, INITIALIZE } from '../lib/http-client.mjs';
import { startServe } from '../lib/serve.mjs';
import { SERVER } from '../lib/steps.mjs';
import { compare, makeHome, median, memoryBytes, timed, timeToToolsList } from './measure.mjs';

const CLIENTS = 50;
const CALLS = 100;
const LISTENERS = 1_000;

export const http = {
  http_echo: { measure: echo },
  http_many_clients: { measure: manyClients },
  http_idle_streams: { measure: idleStreams },
  connect_cost: { measure: connectCost },
};

async function echo(report) {
  await withServe(async ({ home, serve }) => {
    const stdio = await LineClient.start(['stdio'], home.env);
    const handed = await LineClient.start(['connect'], home.env);
    const clients = { stdio, http: await new HttpClient(serve).begin(), connect: handed };
    const works = {};
    for (const [name, client] of Object.entries(clients)) {
      const { session_id } = await client.call('session_create', { shell: 'bash' });
      works[name] = () => client.call('session_run', { session_id, command: 'echo hi' });
    }
    const times = await compare(12, 50, works);
    await Promise.all([stdio.end(), handed.end()]);
    report('http_session_echo', { value: times.http, unit: 'ms', floor: times.stdio, timesFloor: 2 });
    report('connect_session_echo', { value: times.connect, unit: 'ms', floor: times.stdio, timesFloor: 2.5 });
  });
}

async function manyClients(report) {
  await withServe(async ({ serve }) => {
    const clients = await Promise.all(Array.from({ length: CLIENTS }, () => new HttpClient(serve).begin()));
    const taken = [];
    const all = await timed(() => Promise.all(clients.map(async (client) => taken.push(await timed(async () => {
      for (let count = 0; count < CALLS; count++) await client.call('session_list');
    })))));
    report('http_calls_of_50_clients', { value: (CLIENTS * CALLS) / (all / 1_000), unit: 'calls/s', atLeast: 600 });
    report('http_slowest_client', { value: Math.max(...taken), unit: 'ms', floor: Math.min(...taken), timesFloor: 2 });
  });
}

async function idleStreams(report) {
  await withServe(async ({ serve }) => {
    await new HttpClient(serve).begin();
    const before = memoryBytes(serve.pid, 'VmRSS');
    for (let count = 0; count < LISTENERS; count += 50) await Promise.all(Array.from({ length: 50 }, async () => (await new HttpClient(serve).begin()).listen()));
    report('http_idle_stream_bytes', { value: (memoryBytes(serve.pid, 'VmRSS') - before) / LISTENERS, unit: 'bytes', atMost: 60_000 });
  });
}

async function connectCost(report) {
  await withServe(async ({ home }) => {
    const taken = { stdio: [], connect: [] };
    for (let round = 0; round < 12; round++) {
      for (const command of Object.keys(taken)) {
        const time = await timeToToolsList([SERVER, command], home.env);
        if (round > 0) taken[command].push(time);
      }
    }
    report('connect_start', { value: median(taken.connect), unit: 'ms', floor: median(taken.stdio), timesFloor: 1.3 });
    const client = await LineClient.start(['connect'], home.env);
    await client.call('session_list');
    report('connect_memory', { value: memoryBytes(client.pid, 'VmRSS'), unit: 'bytes', atMost: 60e6 });
    await client.end();
  });
}

async function withServe(use) {
  const home = makeHome();
  const serve = await startServe(home.env);
  try {
    await use({ home, serve });
  } finally {
    await serve.end();
    home.remove();
  }
}

/** A client over standard input and output. */
class LineClient {
  #child;
  #waiting = new Map();
  #count = 0;

  static async start(args, env) {
    const client = new LineClient();
    client.#child = spawn(process.execPath, [SERVER, ...args], { env, stdio: ['pipe', 'pipe', 'inherit'] });
    createInterface({ input: client.#child.stdout }).on('line', (line) => {
      const message = JSON.parse(line);
      client.#waiting.get(message.id)?.(message);
    });
    await client.#request('initialize', INITIALIZE);
    return client;
  }

  get pid() {
    return this.#child.pid;
  }

  async call(name, args = {}) {
    const { result } = await this.#request('tools/call', { name, arguments: args });
    if (result.isError) throw new Error(result.content[0].text);
    return result.structuredContent;
  }

  async end() {
    this.#child.stdin.end();
    await once(this.#child, 'exit');
  }

  #request(method, params) {
    const id = ++this.#count;
    this.#child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    return new Promise((resolve) => this.#waiting.set(id, resolve));
  }
}
