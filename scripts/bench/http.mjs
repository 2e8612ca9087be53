// What it costs to come by HTTP, or by connect, instead of by stdio; many clients at once, and many that only listen. The clients speak the protocol
// themselves, so that the figures are those of the server.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { createInterface } from 'node:readline';
import { SERVER } from '../lib/steps.mjs';
import { compare, makeHome, median, memoryBytes, timed, timeToToolsList } from './measure.mjs';

const INITIALIZE = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '0' } };
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
  const child = spawn(process.execPath, [SERVER, 'serve', '--port', '0'], { env: home.env, stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  for await (const line of createInterface({ input: child.stdout })) {
    text += `${line}\n`;
    if (line.includes('ctrl-c')) break;
  }
  const serve = { pid: child.pid, url: /http:\S+\/mcp/.exec(text)[0], token: /shellkeep_[\w-]{43}/.exec(text)[0], agents: [] };
  try {
    await use({ home, serve });
  } finally {
    for (const agent of serve.agents) agent.destroy();
    child.kill('SIGTERM');
    await once(child, 'exit');
    home.remove();
  }
}

class HttpClient {
  #serve;
  #agent = new Agent({ keepAlive: true });
  #id;
  #count = 0;

  constructor(serve) {
    this.#serve = serve;
    serve.agents.push(this.#agent);
  }

  async begin() {
    await this.#post('initialize', INITIALIZE);
    return this;
  }

  async call(name, args = {}) {
    const { result } = await this.#post('tools/call', { name, arguments: args });
    if (result.isError) throw new Error(result.content[0].text);
    return result.structuredContent;
  }

  /** Opens the stream on which a client hears of changes. */
  async listen() {
    const opened = this.#request('GET');
    opened.end();
    const [response] = await once(opened, 'response');
    response.on('error', () => {}).resume();
    opened.on('error', () => {});
  }

  async #post(method, params) {
    const body = JSON.stringify({ jsonrpc: '2.0', id: ++this.#count, method, params });
    const posted = this.#request('POST', { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
    posted.end(body);
    const [response] = await once(posted, 'response');
    this.#id ??= response.headers['mcp-session-id'];
    let text = '';
    for await (const chunk of response.setEncoding('utf8')) text += chunk;
    return JSON.parse(text.slice(text.lastIndexOf('\ndata: {') + '\ndata: '.length));
  }

  #request(method, headers = {}) {
    const protocol = this.#id === undefined ? {} : { 'mcp-session-id': this.#id, 'mcp-protocol-version': INITIALIZE.protocolVersion };
    return request(this.#serve.url, { method, agent: this.#agent, headers: { accept: 'application/json, text/event-stream', authorization: `Bearer ${this.#serve.token}`, ...protocol, ...headers } });
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
