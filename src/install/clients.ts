// The clients that can be told of this server: where each keeps its servers, and what an entry looks like there.
import { dirname, isAbsolute, join } from 'node:path';

export interface Place {
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
}

/** How a client reaches the server: by starting a program that speaks stdio, or by HTTP. */
export type Way =
  | { readonly kind: 'program'; readonly command: string; readonly args: readonly string[] }
  | { readonly kind: 'http'; readonly url: string; readonly token: string };

export type Entry = Readonly<Record<string, unknown>>;

export interface Client {
  readonly name: string;
  readonly title: string;
  readonly format: 'json' | 'json with comments' | 'toml';
  /** The name of the table of servers. */
  readonly key: string;
  /** Its configuration file. */
  file(place: Place): string;
  /** One of these is there where the client is installed. */
  traces(place: Place): readonly string[];
  /** Undefined for a way that it does not have. */
  entry(way: Way): Entry | undefined;
}

/** A call may wait for ten minutes; clients that give up earlier take a longer limit. */
const CALL_LIMIT_S = 620;

export const CLIENTS: readonly Client[] = [
  client('claude-code', 'Claude Code', 'json', 'mcpServers', {
    file: ({ home, env }) => join(absolute(env['CLAUDE_CONFIG_DIR']) ?? home, '.claude.json'),
    traces: ({ home, env }) => [absolute(env['CLAUDE_CONFIG_DIR']) ?? join(home, '.claude')],
    program: (way) => ({ type: 'stdio', ...way }),
    http: (url, headers) => ({ type: 'http', url, headers }),
  }),
  client('claude-desktop', 'Claude Desktop', 'json', 'mcpServers', { file: (place) => join(supportFolder(place, 'Claude'), 'claude_desktop_config.json') }),
  client('codex', 'Codex', 'toml', 'mcp_servers', {
    file: ({ home, env }) => join(absolute(env['CODEX_HOME']) ?? join(home, '.codex'), 'config.toml'),
    program: (way) => ({ ...way, tool_timeout_sec: CALL_LIMIT_S }),
    http: (url, headers) => ({ url, http_headers: headers, tool_timeout_sec: CALL_LIMIT_S }),
  }),
  client('vscode', 'VS Code', 'json with comments', 'servers', {
    file: (place) => join(supportFolder(place, 'Code'), 'User', 'mcp.json'),
    program: (way) => ({ type: 'stdio', ...way }),
    http: (url, headers) => ({ type: 'http', url, headers }),
  }),
  client('cursor', 'Cursor', 'json with comments', 'mcpServers', { file: ({ home }) => join(home, '.cursor', 'mcp.json'), http: (url, headers) => ({ url, headers }) }),
  client('gemini', 'Gemini CLI', 'json with comments', 'mcpServers', {
    file: ({ home }) => join(home, '.gemini', 'settings.json'),
    program: (way) => ({ ...way, timeout: CALL_LIMIT_S * 1_000 }),
    http: (url, headers) => ({ httpUrl: url, headers, timeout: CALL_LIMIT_S * 1_000 }),
  }),
  client('windsurf', 'Windsurf', 'json', 'mcpServers', { file: ({ home }) => join(home, '.codeium', 'windsurf', 'mcp_config.json'), http: (url, headers) => ({ serverUrl: url, headers }) }),
  client('zed', 'Zed', 'json with comments', 'context_servers', {
    file: ({ home, env }) => join(absolute(env['XDG_CONFIG_HOME']) ?? join(home, '.config'), 'zed', 'settings.json'),
    program: (way) => ({ ...way, env: {} }),
    http: (url, headers) => ({ url, headers }),
  }),
];

/** What most clients take, for one that is not in the list. */
export const GENERIC: Client = client('generic', 'any other client', 'json', 'mcpServers', { file: () => '', http: (url, headers) => ({ type: 'http', url, headers }) });

interface Particulars {
  readonly file: (place: Place) => string;
  readonly traces?: (place: Place) => readonly string[];
  readonly program?: (way: { readonly command: string; readonly args: readonly string[] }) => Entry;
  readonly http?: (url: string, headers: Entry) => Entry;
}

function client(name: string, title: string, format: Client['format'], key: string, { file, traces, program = (way) => way, http }: Particulars): Client {
  return {
    name,
    title,
    format,
    key,
    file,
    traces: traces ?? ((place) => [dirname(file(place))]),
    entry: (way) => (way.kind === 'program' ? program({ command: way.command, args: way.args }) : http?.(way.url, { Authorization: `Bearer ${way.token}` })),
  };
}

function supportFolder({ home, env, platform }: Place, name: string): string {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', name);
  return join(absolute(env['XDG_CONFIG_HOME']) ?? join(home, '.config'), name);
}

function absolute(path: string | undefined): string | undefined {
  return path !== undefined && isAbsolute(path) ? path : undefined;
}
