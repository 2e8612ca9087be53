// A floor: an MCP server that is nothing but the SDK, with as many tools as asked for. `noop` answers at once.
// node scripts/bench/bare-server.mjs COUNT
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';

const count = Number(process.argv[2] ?? 1);
const server = new McpServer({ name: 'bare', version: '0' });
server.registerTool('noop', { description: 'Does nothing.', inputSchema: { text: z.string().optional() } }, () => ({ content: [{ type: 'text', text: 'ok' }] }));
for (let index = 1; index < count; index++) {
  server.registerTool(`tool_${index}`, {
    description: 'A tool with arguments and results of an ordinary number.',
    inputSchema: { id: z.string(), text: z.string().max(1_000).optional(), wait_ms: z.number().int().min(0).max(600_000).default(0), env: z.record(z.string(), z.string()).optional(), flag: z.boolean().default(false) },
    outputSchema: { id: z.string(), state: z.enum(['running', 'done']), output: z.string(), exit_code: z.number().int().optional(), duration_ms: z.number(), warnings: z.array(z.string()).optional() },
  }, () => ({ content: [] }));
}
process.stdin.on('end', () => process.exit(0)); // the SDK's transport does not notice
await server.connect(new StdioServerTransport());
