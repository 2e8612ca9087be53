// The built program and an MCP client of the SDK that speaks to it over stdio, as a real client does.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { CallToolResultSchema, type Progress } from '@modelcontextprotocol/sdk/types.js';
import { ServerProcess, type ServerEnd, type ServerOptions } from './server-process.ts';
import { ProcessTransport } from './transport.ts';
import type { TestedShell } from './shells.ts';

/** What `structuredContent` may hold, loosely: a test compares values, it does not need each tool's exact type. */
export interface Facts {
  readonly session_id?: string;
  readonly command_id?: string;
  readonly task_id?: string;
  readonly state?: string;
  readonly output?: string;
  readonly stdout?: string;
  readonly stderr?: string;
  readonly exit_code?: number;
  readonly signal?: string;
  readonly cwd?: string;
  readonly pid?: number;
  readonly cursor?: number;
  readonly truncated?: boolean;
  readonly finished?: boolean;
  readonly timed_out?: boolean;
  readonly duration_ms?: number;
  readonly elapsed_ms?: number;
  readonly warnings?: readonly string[];
  readonly error?: { readonly code: string; readonly message: string; readonly hint: string };
  readonly [name: string]: unknown;
}

export interface ToolResult {
  /** `structuredContent`; empty with `--results text`. */
  readonly facts: Facts;
  /** The text blocks, one after another. */
  readonly text: string;
  readonly isError: boolean;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly onprogress?: (progress: Progress) => void;
  /** How long the client waits. */
  readonly clientTimeoutMs?: number;
}

export interface OpenOptions {
  /** The user's rc file of this shell; written before the session starts. */
  readonly rc?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly name?: string;
  readonly login?: boolean;
  readonly cols?: number;
  readonly rows?: number;
}

const CLIENT_TIMEOUT_MS = 60_000;

/** Starts a server and connects. Whoever starts it closes it. */
export async function startServer({ elicitation = false, ...options }: ServerOptions & { readonly elicitation?: boolean } = {}): Promise<Harness> {
  const process = new ServerProcess(options);
  const client = new Client({ name: 'shellkeep-tests', version: '0' }, { capabilities: elicitation ? { elicitation: {} } : {} });
  const stray: string[] = [];
  client.onerror = (error) => stray.push(error.message);
  try {
    await client.connect(new ProcessTransport(process));
    await client.listTools(); // from now on the client checks every result against its output schema
  } catch (error) {
    process.kill('SIGKILL');
    throw new Error(`the server does not start: ${String(error)}\n${process.stderr}`, { cause: error });
  }
  return new Harness(process, client, stray);
}

/** Runs `use` with a server of its own, which is closed afterwards. */
export async function withServer<T>(options: ServerOptions, use: (server: Harness) => Promise<T>): Promise<T> {
  const server = await startServer(options);
  try {
    return await use(server);
  } finally {
    await server.close();
  }
}

export class Harness {
  readonly process: ServerProcess;
  readonly client: Client;
  /** Errors of the connection: lines on stdout that are no protocol, answers to nothing. There must be none. */
  readonly stray: readonly string[];

  constructor(process: ServerProcess, client: Client, stray: readonly string[]) {
    this.process = process;
    this.client = client;
    this.stray = stray;
  }

  get pid(): number {
    return this.process.pid;
  }

  async callTool(name: string, args: Readonly<Record<string, unknown>> = {}, options: CallOptions = {}): Promise<ToolResult> {
    const { clientTimeoutMs = CLIENT_TIMEOUT_MS, ...rest } = options;
    const answer = await this.client.callTool({ name, arguments: args }, CallToolResultSchema, { timeout: clientTimeoutMs, ...rest });
    const result = CallToolResultSchema.parse(answer);
    return {
      facts: result.structuredContent ?? {},
      text: result.content.map((block) => (block.type === 'text' ? block.text : '')).join('\n'),
      isError: result.isError === true,
    };
  }

  /** Calls a tool that must not answer with an error, and gives its facts. */
  async facts(name: string, args: Readonly<Record<string, unknown>> = {}, options: CallOptions = {}): Promise<Facts> {
    const result = await this.callTool(name, args, options);
    if (result.isError) throw new Error(`${name} answered ${result.text}`);
    return result.facts;
  }

  /** Opens a session; `rc` becomes the user's rc file first. */
  async openSession(shell: TestedShell, options: OpenOptions = {}): Promise<Session> {
    const { rc, ...args } = options;
    if (rc !== undefined) this.process.home.writeRc(shell, rc);
    const created = await this.facts('session_create', { shell, ...args });
    return new Session(this, created);
  }

  close(): Promise<ServerEnd> {
    return this.process.close();
  }
}

/** One open session, with the calls that tests make most. */
export class Session {
  readonly id: string;
  /** What session_create answered. */
  readonly created: Facts;
  readonly #server: Harness;

  constructor(server: Harness, created: Facts) {
    this.#server = server;
    this.created = created;
    this.id = created.session_id ?? '';
  }

  run(command: string, args: Readonly<Record<string, unknown>> = {}, options: CallOptions = {}): Promise<Facts> {
    return this.#server.facts('session_run', { session_id: this.id, command, ...args }, options);
  }

  send(args: Readonly<Record<string, unknown>>): Promise<Facts> {
    return this.#server.facts('session_send', { session_id: this.id, ...args });
  }

  read(args: Readonly<Record<string, unknown>> = {}): Promise<Facts> {
    return this.#server.facts('session_read', { session_id: this.id, ...args });
  }

  interrupt(args: Readonly<Record<string, unknown>> = {}): Promise<Facts> {
    return this.#server.facts('session_interrupt', { session_id: this.id, ...args });
  }

  destroy(args: Readonly<Record<string, unknown>> = {}): Promise<Facts> {
    return this.#server.facts('session_destroy', { session_id: this.id, ...args });
  }
}
