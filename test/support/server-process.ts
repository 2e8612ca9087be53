// The built program as a child process: lines in, lines out, and how it ends.
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { existsSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import { rememberTag, rememberTemporary, removeAtEnd } from './leftovers.ts';
import { Home } from './home.ts';
import { SERVER } from './paths.ts';
import { serverTag } from './processes.ts';

export interface ServerOptions {
  /** Arguments after `stdio`. */
  readonly args?: readonly string[];
  /** All arguments, in the place of `stdio` and `args`. */
  readonly argv?: readonly string[];
  /** Over the clean environment; undefined takes a name out. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** A home prepared by the test, which then removes it; else one is made, and removed after the file's last check. */
  readonly home?: Home;
  /** The home directory's own name, where odd characters in it matter. */
  readonly homeName?: string;
  readonly cwd?: string;
  /** A program with its arguments that gets the server's command line behind them and execs it: setpriv, `bash -c 'ulimit …; exec "$@"' bash`. */
  readonly through?: readonly string[];
}

export interface ServerEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export class ServerProcess {
  readonly home: Home;
  readonly ended: Promise<ServerEnd>;
  onLine: (line: string) => void = () => {};
  readonly #child: ChildProcessWithoutNullStreams;
  #stderr = '';
  #pending = '';
  #hasEnded = false;
  #isTagKnown = false;

  constructor(options: ServerOptions = {}) {
    if (!existsSync(SERVER)) throw new Error(`${SERVER} is missing: the build has not worked`);
    this.home = options.home ?? new Home(options.homeName);
    if (options.home === undefined) removeAtEnd(this.home.root);
    rememberTemporary(this.home.temporary);
    rememberTemporary(this.home.runtime);
    const argv = options.argv ?? ['stdio', ...(options.args ?? [])];
    const [program = process.execPath, ...rest] = [...(options.through ?? []), process.execPath, SERVER, ...argv];
    this.#child = spawn(program, rest, {
      cwd: options.cwd ?? this.home.dir,
      env: withOverrides(this.home.environment(), options.env ?? {}),
      stdio: 'pipe',
    });
    this.ended = this.#follow();
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  get stderr(): string {
    return this.#stderr;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Writes bytes as they are. */
  write(data: string | Buffer): Promise<void> {
    return new Promise((resolve) => this.#child.stdin.write(data, () => resolve()));
  }

  /** Closes the server's stdin, as a client does that goes away. */
  endInput(): void {
    this.#child.stdin.end();
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Ends the server by the end of its input. */
  close(): Promise<ServerEnd> {
    this.endInput();
    return this.ended;
  }

  #follow(): Promise<ServerEnd> {
    const decoder = new StringDecoder('utf8');
    this.#child.stdout.on('data', (chunk: Buffer) => this.#takeLines(decoder.write(chunk)));
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => (this.#stderr += text));
    this.#child.stdin.on('error', () => {}); // the server may end first; that shows in `ended`
    return new Promise((resolve, reject) => {
      this.#child.once('error', reject);
      this.#child.once('close', (code, signal) => {
        this.#hasEnded = true;
        resolve({ code, signal });
      });
    });
  }

  #takeLines(text: string): void {
    const lines = (this.#pending + text).split('\n');
    this.#pending = lines.pop() ?? '';
    if (lines.length > 0) this.#noteTag();
    for (const line of lines) this.onLine(line);
  }

  /** The server tags itself before it starts its first child. With the tag the check after the file finds what dropped its environment. */
  #noteTag(): void {
    if (this.#isTagKnown) return;
    const tag = serverTag(this.pid);
    if (tag === undefined) return;
    this.#isTagKnown = true;
    rememberTag(tag);
  }
}

function withOverrides(base: Record<string, string>, overrides: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const merged = Object.entries({ ...base, ...overrides });
  return Object.fromEntries(merged.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}
