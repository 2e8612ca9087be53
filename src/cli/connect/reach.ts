// Finds the server that serves for this user, and starts one where there is none.
import { existsSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { homeDirectory, stateDirectory } from '../../config/paths.ts';
import { StartError } from '../../config/start-error.ts';
import { packageVersion } from '../../config/version.ts';
import type { Log } from '../../lib/logger.ts';
import { greetingLine, openingOf, type Welcome } from '../../mcp/greeting.ts';
import { makeFolder } from '../../process/make-folder.ts';
import { servingProcess, type ServeRecord } from '../../process/serve-claim.ts';
import { startServer } from '../../process/start-server.ts';

/** A start takes half a second; on a machine with much to do several. */
const REACH_MS = 15_000;
const RETRY_MS = 25;
const WELCOME_MS = 5_000;
const NOBODY = 0;
const PROGRAM = fileURLToPath(new URL('../../cli.js', import.meta.url));

export interface ReachOptions {
  readonly env: NodeJS.ProcessEnv;
  /** Flags for a server that has to be started. */
  readonly flags: readonly string[];
  readonly cwd: string;
  readonly log: Log;
}

/** A connection to the server on which the protocol can begin. Throws StartError that says why there is none. */
export async function reachServer(options: ReachOptions): Promise<Socket> {
  const directory = stateDirectory(options.env);
  if (directory === undefined) throw new StartError('there is no home directory to look for the server in: set HOME or XDG_STATE_HOME');
  const start = new Start(options, directory);
  const deadline = performance.now() + REACH_MS;
  for (;;) {
    const record = await servingProcess(directory);
    const socket = record === undefined ? undefined : await opened(record, options);
    if (socket !== undefined) return socket;
    if (record === undefined) start.begin();
    const fault = performance.now() > deadline ? `no server answers in ${REACH_MS / 1_000} s${record === undefined ? '' : `, though process ${record.pid} serves at ${record.socket}`}` : start.fault;
    if (fault !== undefined) throw new StartError(fault);
    await sleep(RETRY_MS);
  }
}

/** The start of a server. Another client may start one at the same moment: all but one of these end at once, and that one is found. */
class Start {
  readonly #options: ReachOptions;
  readonly #directory: string;
  #hasBegun = false;
  /** What the server that was started has said last; undefined while it lives. */
  #lastWords: string | undefined;
  #fault: string | undefined;

  constructor(options: ReachOptions, directory: string) {
    this.#options = options;
    this.#directory = directory;
  }

  /** Why there will be no server. */
  get fault(): string | undefined {
    return this.#fault;
  }

  /** Starts one, or notes why the one that was started has gone, when nobody else serves. */
  begin(): void {
    if (!this.#hasBegun) return this.#spawn();
    if (this.#lastWords !== undefined) this.#fault ??= `the server does not start: ${this.#lastWords.replace(/^shellkeep: /, '') || `nothing is said in ${this.#logPath}`}`;
  }

  get #logPath(): string {
    return join(this.#directory, 'serve.log');
  }

  #spawn(): void {
    const { env, flags } = this.#options;
    this.#hasBegun = true;
    const started = async (): Promise<string> => {
      makeFolder(this.#directory);
      return startServer({ command: [process.execPath, PROGRAM, 'serve', '--background', ...flags], env, cwd: folderFor(env), logPath: this.#logPath });
    };
    started().then(
      (lastWords) => (this.#lastWords = lastWords),
      (error: unknown) => (this.#fault = `the server cannot be started: ${error instanceof Error ? error.message : String(error)}`),
    );
  }
}

/** A server that stays must not keep the client's directory busy. */
function folderFor(env: NodeJS.ProcessEnv): string {
  const home = homeDirectory(env);
  return home !== undefined && existsSync(home) ? home : '/';
}

/**
 * Undefined when nobody listens there yet; or somebody else does: a server that finds its socket taken ends, but says until then that it serves there,
 * and who listens has the settings of another home.
 */
async function opened({ socket: path, pid }: ServeRecord, { cwd, log }: ReachOptions): Promise<Socket | undefined> {
  const socket = connect(path);
  const version = packageVersion();
  socket.write(greetingLine({ cwd, version }));
  const welcome = await welcomeOn(socket);
  if (welcome === undefined || welcome.pid !== pid) return void socket.destroy();
  if (welcome.version !== version) log(`the server that runs is version ${welcome.version}, this is ${version}: after "shellkeep stop" the next client starts this one`);
  return socket;
}

function welcomeOn(socket: Socket): Promise<Welcome | undefined> {
  return new Promise((resolve) => {
    let bytes = Buffer.alloc(0);
    const settle = (welcome?: Welcome): void => {
      socket.off('readable', look).off('error', giveUp).off('close', giveUp);
      socket.setTimeout(0);
      socket.on('error', () => {}); // its end is noticed
      resolve(welcome);
    };
    const giveUp = (): void => settle();
    const look = (): void => {
      for (let chunk = socket.read() as Buffer | null; chunk !== null; chunk = socket.read() as Buffer | null) bytes = Buffer.concat([bytes, chunk]);
      const opening = openingOf(bytes);
      if (opening.kind === 'unfinished') return;
      if (opening.kind === 'none') return settle();
      if (opening.rest.length > 0) socket.unshift(opening.rest);
      settle({ version: opening.facts.version ?? 'unknown', pid: opening.facts.pid ?? NOBODY });
    };
    socket.setTimeout(WELCOME_MS, giveUp);
    socket.on('readable', look).once('error', giveUp).once('close', giveUp);
  });
}
