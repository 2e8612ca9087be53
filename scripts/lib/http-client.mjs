// A client of Streamable HTTP with nothing in it that is not needed: figures and soak tests are to be those of the server.
import { once } from 'node:events';
import { Agent, request } from 'node:http';

export const INITIALIZE = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'shellkeep-scripts', version: '0' } };

export class HttpClient {
  #serve;
  #agent = new Agent({ keepAlive: true });
  #id;
  #count = 0;

  /** @param {{ url: string, token: string }} serve */
  constructor(serve) {
    this.#serve = serve;
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

  /** Breaks all of its connections, as a client does that is killed. */
  break() {
    this.#agent.destroy();
  }

  /** Ends the protocol's session. */
  async end() {
    const ended = this.#request('DELETE');
    ended.end();
    const [response] = await once(ended, 'response');
    response.resume();
    await once(response, 'end');
    this.break();
  }
}
