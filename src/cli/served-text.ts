// What `serve` prints when it is ready: where it is, the first token, and how each client is connected.
import type { Settings } from '../config/schema.ts';
import { packageVersion } from '../config/version.ts';
import { isLoopback } from './address.ts';

export interface Served {
  /** Absent where it listens on the Unix socket only. */
  readonly url: string | undefined;
  readonly socket: string;
  readonly settings: Pick<Settings, 'host'>;
  /** Made by this start; never shown again. */
  readonly firstToken?: { readonly owner: string; readonly token: string } | undefined;
  readonly owners: readonly string[];
  /** How a person starts this program. */
  readonly program: string;
}

/** The text, with a newline at its end. */
export function servedText({ url, socket, settings: { host }, firstToken, owners, program }: Served): string {
  const lines = [`shellkeep ${packageVersion()} serves ${url === undefined ? socket : `${url} and ${socket}`}`, ''];
  if (url !== undefined && !isLoopback(host)) lines.push('It can be reached from other machines, and what is sent is not encrypted: put a proxy with TLS in front.', '');
  if (firstToken !== undefined && url !== undefined) lines.push(...firstTokenLines(firstToken.owner, firstToken.token, url));
  else if (url !== undefined) lines.push(...otherTokenLines(owners, program));
  lines.push(`A client that speaks stdio needs no token: it starts "${program} connect", and "${program} install" writes that into its settings.`, 'Press ctrl-c to end the server and all that was started in it.');
  return `${lines.join('\n')}\n`;
}

function firstTokenLines(owner: string, token: string, url: string): string[] {
  const header = `Authorization: Bearer ${token}`;
  return [
    `The token of "${owner}", which is shown this once:`,
    '',
    `  ${token}`,
    '',
    'Connect a client with it:',
    '',
    `  Claude Code:    claude mcp add --scope user --transport http shellkeep ${url} --header "${header}"`,
    `  Gemini CLI:     gemini mcp add --scope user --transport http --header "${header}" shellkeep ${url}`,
    `  VS Code:        code --add-mcp '${JSON.stringify({ name: 'shellkeep', type: 'http', url, headers: { Authorization: `Bearer ${token}` } })}'`,
    `  Cursor:         "shellkeep": ${JSON.stringify({ url, headers: { Authorization: `Bearer ${token}` } })}   in ~/.cursor/mcp.json`,
    `  Codex:          export SHELLKEEP_TOKEN=${token}; codex mcp add shellkeep --url ${url} --bearer-token-env-var SHELLKEEP_TOKEN`,
    `  anything else:  POST ${url} with the header "${header}"`,
    '',
  ];
}

function otherTokenLines(owners: readonly string[], program: string): string[] {
  if (owners.length === 0) return [`There is no token yet: "${program} token add NAME" makes one.`, ''];
  return [`Tokens are known of: ${owners.join(', ')}. "${program} token add NAME" makes another.`, ''];
}
