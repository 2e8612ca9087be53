// `shellkeep serve`: one server for many clients, which come and go; it stays until a signal ends it.
import { join } from 'node:path';
import type { App } from '../app.ts';
import { stateDirectory } from '../config/paths.ts';
import type { Settings } from '../config/schema.ts';
import { StartError } from '../config/start-error.ts';
import { packageVersion } from '../config/version.ts';
import type { Log } from '../lib/logger.ts';
import { LocalClients } from '../mcp/local-clients.ts';
import { createServer } from '../mcp/server.ts';
import { listenPrivately } from '../mcp/unix-socket.ts';
import { sharedDirectory } from '../process/runtime-dir.ts';
import { claimServing, type Claimed, type ServeRecord } from '../process/serve-claim.ts';
import { catalogue } from '../tools/catalogue.ts';
import { handleFaults } from './faults.ts';
import { onEndSignal } from './signals.ts';

/** Whoever reaches the Unix socket is the person whose server this is. */
const OWNER = 'local';

export interface ServeOptions {
  readonly app: App;
  readonly settings: Settings;
  readonly env: NodeJS.ProcessEnv;
  readonly log: Log;
  readonly print: (text: string) => void;
  /** Nobody reads what is printed: no token is made. */
  readonly isBackground?: true | undefined;
}

/** Serves until a signal, then ends everything that was started. Resolves to the exit status. Throws StartError. */
export async function serve({ app, settings, env, log, print }: ServeOptions): Promise<number> {
  const socket = settings.socket ?? defaultSocket(env);
  await claim(env, socket);
  const version = packageVersion();
  const tools = catalogue(settings);
  let connections = 0;
  const local = new LocalClients({
    version,
    onHttp: (connection) => void connection.destroy(),
    createServer: ({ cwd, onClose }) =>
      createServer({ tools, results: settings.results, version, owner: OWNER, connection: `local-${++connections}`, cwd, services: () => app.services(), audit: () => app.audit(), log, onClose }),
  });
  await listenPrivately(local.listener, socket);
  print(`shellkeep ${version} serves ${socket}\n`);
  const status = await new Promise<number>((resolve) => {
    handleFaults(log, resolve);
    onEndSignal(resolve);
  });
  await app.shutdown();
  local.close();
  return status;
}

/** The one place for a socket that everybody finds who has the same settings. */
function defaultSocket(env: NodeJS.ProcessEnv): string {
  const directory = sharedDirectory(env);
  if (directory === undefined) throw new StartError('there is no runtime directory of yours alone for the socket: set "socket"');
  return join(directory, 'serve.sock');
}

async function claim(env: NodeJS.ProcessEnv, socket: string): Promise<Claimed['publish']> {
  const directory = stateDirectory(env);
  if (directory === undefined) throw new StartError('there is no home directory to keep state in: set HOME or XDG_STATE_HOME');
  const { holder, publish } = await claimServing(directory, { socket, version: packageVersion(), startedAt: new Date().toISOString() }).catch((error: unknown) => {
    throw new StartError(`${directory}: ${error instanceof Error ? error.message : String(error)}`);
  });
  if (holder !== undefined) throw new StartError(`${holderText(holder)} for ${directory}; it has to end first, or set another XDG_STATE_HOME`);
  return publish;
}

function holderText({ pid, startedAt, url, socket }: ServeRecord): string {
  return `process ${pid} serves already, since ${startedAt}, at ${url === undefined ? socket : `${url} and ${socket}`},`;
}
