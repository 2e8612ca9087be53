// How each client is told of the server: what a person types or pastes, with full paths.

/** A word of a command line, quoted where a shell would take it apart. */
const word = (text) => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);
const json = (value) => JSON.stringify(value, null, 2);

/**
 * Client and text, in the order of README.md. `program` is node by its full path: a client that was started from a desktop may have another PATH.
 * @param {{ program: string, file: string }} place
 * @returns {readonly (readonly [string, string])[]}
 */
export function clients({ program, file }) {
  const [command, args] = [program, [file, 'stdio']];
  const line = [command, ...args].map(word).join(' ');
  // A JSON text is a TOML text, too.
  const codex = ['[mcp_servers.shellkeep]', `command = ${JSON.stringify(command)}`, `args = [${args.map((arg) => JSON.stringify(arg)).join(', ')}]`, 'tool_timeout_sec = 620'];
  return [
    ['Claude Code', `claude mcp add --scope user shellkeep -- ${line}`],
    ['Codex, in ~/.codex/config.toml', codex.join('\n')],
    ['VS Code, in .vscode/mcp.json', json({ servers: { shellkeep: { type: 'stdio', command, args } } })],
    ['Cursor, in ~/.cursor/mcp.json, and other clients with an object of this name', json({ mcpServers: { shellkeep: { command, args } } })],
    ['Gemini CLI', `gemini mcp add --scope user shellkeep ${line}`],
  ];
}
