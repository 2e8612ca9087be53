// A real MCP client, connected over stdio to the built server or to another program.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { SERVER } from './steps.mjs';

const CALL_TIMEOUT_MS = 660_000;

/**
 * Starts a server and does the handshake.
 * @param {{ file?: string, args?: readonly string[], env?: Record<string, string>, cwd?: string, stderr?: 'inherit' | 'ignore' }} [options]
 */
export async function connect(options = {}) {
  const { file = SERVER, args = ['stdio'], env = environment(), cwd, stderr = 'inherit' } = options;
  const transport = new StdioClientTransport({ command: process.execPath, args: [file, ...args], env, stderr, ...(cwd === undefined ? {} : { cwd }) });
  const client = new Client({ name: 'shellkeep-scripts', version: '0' });
  await client.connect(transport);
  const call = async (name, args = {}) => {
    const result = await client.callTool({ name, arguments: args }, CallToolResultSchema, { timeout: CALL_TIMEOUT_MS });
    return { facts: result.structuredContent ?? {}, text: result.content.map(({ text }) => text ?? '').join('\n'), isError: result.isError === true };
  };
  /** As `call`, for calls that must not be answered with an error; gives the facts. */
  const facts = async (name, args) => {
    const result = await call(name, args);
    if (result.isError) throw new Error(`${name} answered ${result.text}`);
    return result.facts;
  };
  return { client, call, facts, pid: transport.pid, close: () => client.close() };
}

/** Our own environment. The SDK would pass on only a few names of it. */
export function environment() {
  return Object.fromEntries(Object.entries(process.env).filter(([, value]) => value !== undefined));
}
