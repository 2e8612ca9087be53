// `shellkeep serve`: one server for many clients, which come and go; it stays until a signal ends it.
import { basename, join } from 'node:path';
import type { App } from '../app.ts';
import { stateDirectory, tokenFile } from '../config/paths.ts';
import type { Settings } from '../config/schema.ts';
import { StartError } from '../config/start-error.ts';
import { TokenList } from '../config/token-list.ts';
import { packageVersion } from '../config/version.ts';
import type { Log } from '../lib/logger.ts';
import { HttpFront } from '../mcp/http/front.ts';
import { metricsText } from '../mcp/http/metrics.ts';
import { LocalClients } from '../mcp/local-clients.ts';
import { createServer, type ServerOptions } from '../mcp/server.ts';
import { listenPrivately } from '../mcp/unix-socket.ts';
import { sharedDirectory } from '../process/runtime-dir.ts';
import { claimServing, type ServeRecord } from '../process/serve-claim.ts';
import { catalogue } from '../tools/catalogue.ts';
import { checkAddress } from './address.ts';
import { handleFaults } from './faults.ts';
import { servedText } from './served-text.ts';
import { serveMetrics } from './serve-metrics.ts';
import { onEndSignal } from './signals.ts';

/** Whoever reaches the Unix socket is the person whose server this is, and so is the holder of the first token. */
const OWNER = 'local';

export interface ServeOptions {
  readonly app: App;
  readonly settings: Settings;
  readonly env: NodeJS.ProcessEnv;
  readonly log: Log;
  readonly print: (text: string) => void;
  /** Another program has started it for itself: no token is made, which nobody would read, and it goes without TCP where that cannot be had. */
  readonly isBackground?: true | undefined;
}

/** Serves until a signal, then ends everything that was started. Resolves to the exit status. Throws StartError. */
export async function serve(options: ServeOptions): Promise<number> {
  const { app, settings, env, log, print, isBackground = false } = options;
  checkAddress(settings);
  const tokens = new TokenList(tokenFile(env));
  const isRead = !isBackground && env['JOURNAL_STREAM'] === undefined; // systemd's journal keeps what is printed
  const isFirst = settings.tcp && isRead && tokens.entries().length === 0;
  const socket = settings.socket ?? defaultSocket(env);
  const { publish } = await claim(env, socket);
  const { local, front } = fronts(options, tokens);
  try {
    await listenPrivately(local.listener, socket);
    const url = settings.tcp ? await front.listen(settings.host, settings.port).catch(unlessNeeded) : undefined;
    if (url !== undefined) publish({ url });
    print(servedText({ url, socket, settings, firstToken: isFirst ? { owner: OWNER, token: tokens.add(OWNER) } : undefined, owners: tokens.entries().map(({ owner }) => owner), program: programWords() }));
  } catch (error) {
    local.close(); // what listens would keep the process alive
    front.refuseNew();
    throw error;
  }
  const status = await new Promise<number>((resolve) => {
    handleFaults(log, resolve);
    onEndSignal(resolve);
  });
  front.refuseNew();
  local.refuseNew();
  await app.shutdown();
  local.close();
  await front.close();
  return status;

  /** For clients of the Unix socket alone it has been started, and another user's server may have the port. */
  function unlessNeeded(error: unknown): undefined {
    if (!isBackground || !(error instanceof StartError)) throw error;
    log(`${error.message}; serves the Unix socket only`);
  }
}

/** The two sides on which clients come: the Unix socket, where HTTP is spoken, too, and TCP. */
function fronts({ app, settings, log }: ServeOptions, tokens: TokenList): { local: LocalClients; front: HttpFront } {
  const version = packageVersion();
  const common = { tools: catalogue(settings), results: settings.results, version, services: () => app.services(), audit: () => app.audit(), log };
  const server = (facts: Pick<ServerOptions, 'owner' | 'connection' | 'maxClass' | 'channel' | 'cwd' | 'onClose'>): ReturnType<typeof createServer> => createServer({ ...common, ...facts });
  const front: HttpFront = new HttpFront({
    tokens,
    log,
    allowedHosts: settings.allowedHosts,
    local: { owner: OWNER, sha256: '', createdAt: '' },
    isKnown: ({ sha256 }) => sha256 === '' || tokens.has(sha256),
    metrics: () => metricsText(serveMetrics({ app, http: front.load, local: local.count })),
    createServer: ({ connection, caller, isJson, onClose }) => server({ owner: caller.owner, maxClass: caller.maxClass, connection, channel: isJson ? 'answers' : 'streams', onClose }),
  });
  let connections = 0;
  const local = new LocalClients({
    version,
    onHttp: (connection) => front.take(connection),
    createServer: ({ cwd, onClose }) => {
      if (cwd !== undefined) app.allowStart(cwd);
      return server({ owner: OWNER, connection: `local-${++connections}`, cwd, onClose });
    },
  });
  return { local, front };
}

/** As a link of that name in the search path, or by where it is. */
function programWords(): string {
  const path = process.argv[1] ?? 'shellkeep';
  return basename(path) === 'shellkeep' ? 'shellkeep' : `node ${path}`;
}

/** The one place for a socket that everybody finds who has the same settings. */
function defaultSocket(env: NodeJS.ProcessEnv): string {
  const directory = sharedDirectory(env);
  if (directory === undefined) throw new StartError('there is no runtime directory of yours alone for the socket: set "socket"');
  return join(directory, 'serve.sock');
}

async function claim(env: NodeJS.ProcessEnv, socket: string): Promise<{ publish: (facts: { readonly url: string }) => void }> {
  const directory = stateDirectory(env);
  if (directory === undefined) throw new StartError('there is no home directory to keep state in: set HOME or XDG_STATE_HOME');
  const { holder, publish } = await claimServing(directory, { socket, version: packageVersion(), startedAt: new Date().toISOString() }).catch((error: unknown) => {
    throw new StartError(`${directory}: ${error instanceof Error ? error.message : String(error)}`);
  });
  if (holder !== undefined) throw new StartError(`${holderText(holder)} for ${directory}; shellkeep stop ends it; for one beside it set XDG_STATE_HOME, --socket and --port`);
  return { publish };
}

function holderText({ pid, startedAt, url, socket }: ServeRecord): string {
  return `process ${pid} serves already, since ${startedAt}, at ${url === undefined ? socket : `${url} and ${socket}`},`;
}
